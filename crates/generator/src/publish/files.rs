//! Replaces the old site by the new one.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tracing::info_span;

use super::{PublishError, STAGE, durable, journal, plan::Owned};
use contract::{
    files,
    manifest::{MANIFEST_PATH, Manifest},
    parallel::both,
};
use system::journal::{UnsafePath, resolve};

/// Renames staged files, removes stale ones, and renames the manifest after that. Does nothing if nothing changed.
///
/// A host's file may contain the tag of a document. One that has the tag of older or newer bytes than the document's
/// makes clients keep the wrong document for as long as that tag is valid. So a changed host's file is removed before
/// the first document changes, and the new one is renamed after the last: in between the host uses a tag of its own.
pub(super) fn switch(
    public: &Path,
    renames: &[(PathBuf, String)],
    beside: &[(PathBuf, String)],
    owned: &Owned<'_>,
    manifest: &Manifest,
    on_disk: Option<&Manifest>,
) -> Result<(), PublishError> {
    let stage = public.join(STAGE);
    let ((stale, unlisted), json) = both(|| owned.compare(manifest), || manifest.to_json());
    let same = renames.is_empty() && beside.is_empty() && stale.is_empty();
    if !same || on_disk != Some(manifest) {
        info_span!("sync").in_scope(|| durable::files(&stage, renames))?;
        durable::files(&stage, beside)?;
        let staged_manifest = stage_manifest(&stage, &json)?;
        stale.iter().try_for_each(|path| file_target(public, path))?;
        journal::write(public, &unlisted)?;
        let listed = on_disk.map(|old| &old.host_files[..]).unwrap_or_default();
        let (outdated, stale): (Vec<_>, Vec<_>) =
            stale.iter().partition(|path| listed.binary_search(path).is_ok());
        for path in outdated.into_iter().chain(beside.iter().map(|(_, path)| path)) {
            remove(public, path)?;
        }
        place(public, renames)?;
        for path in stale {
            remove(public, path)?;
        }
        let target = public.join(MANIFEST_PATH);
        std::fs::rename(&staged_manifest, &target).map_err(PublishError::io(&target))?;
        durable::folder(public)?;
        place(public, beside)?;
    }
    std::fs::remove_dir_all(&stage).map_err(PublishError::io(&stage))
}

fn stage_manifest(stage: &Path, json: &[u8]) -> Result<PathBuf, PublishError> {
    let path = stage.join("manifest");
    let write = || {
        let mut file = files::create(&path)?;
        file.write_all(json)?;
        file.sync_all()
    };
    write().map_err(PublishError::io(&path))?;
    Ok(path)
}

/// Returns the path of a file of the site. Refuses symbolic links among the folders above it: a file written or removed
/// there would be outside the public directory.
pub(super) fn target(public: &Path, path: &str) -> Result<PathBuf, PublishError> {
    if path.split('/').next() == Some(STAGE) {
        return Err(PublishError::Foreign(public.join(path)));
    }
    resolve(public, path).map_err(|error| {
        PublishError::Foreign(match error {
            UnsafePath::Through(folder) => folder,
            UnsafePath::Outside(path) => public.join(path),
        })
    })
}

/// Checks that a file that is to be removed is one.
fn file_target(public: &Path, path: &str) -> Result<(), PublishError> {
    let target = target(public, path)?;
    match target.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => Err(PublishError::Foreign(target)),
        _ => Ok(()),
    }
}

/// Renames, and makes the renames durable.
fn place(public: &Path, renames: &[(PathBuf, String)]) -> Result<(), PublishError> {
    let mut folders = BTreeSet::from([public.to_owned()]);
    for (staged, path) in renames {
        let target = public.join(path);
        let folder = target.parent().unwrap_or(public);
        std::fs::create_dir_all(folder).map_err(PublishError::io(folder))?;
        std::fs::rename(staged, &target).map_err(PublishError::io(&target))?;
        // A folder's own name is in the one above it.
        let above = folder.ancestors().take_while(|above| above.starts_with(public));
        folders.extend(above.map(Path::to_owned));
    }
    durable::folders(public, &folders)
}

/// Removes a file, and the folders above it that it leaves empty.
fn remove(public: &Path, path: &str) -> Result<(), PublishError> {
    let target = public.join(path);
    match std::fs::remove_file(&target) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(PublishError::io(&target)(error)),
    }
    let mut folder = target.parent();
    while let Some(empty) = folder.filter(|folder| *folder != public) {
        if std::fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(())
}
