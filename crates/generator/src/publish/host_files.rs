//! The files that a host needs among the documents.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use super::{PublishError, STAGE, plan::Owned, stage::is_in_place};
use crate::host::{HostError, HostFile, HostFiles};
use contract::{etag::ETag, files, manifest::Manifest};

/// Renders the files that a host needs for a publication.
pub type RenderHost<'a> = dyn Fn(&Manifest) -> Result<HostFiles, HostError> + 'a;

/// Renders the host's files and lists them in the manifest. Twice, because one of them may contain the tag of the
/// manifest, which names them.
pub(super) fn render(
    host: &RenderHost<'_>,
    manifest: &mut Manifest,
) -> Result<HostFiles, PublishError> {
    manifest.host_files = Vec::new();
    let mut names: Vec<String> = host(manifest)?.public.into_iter().map(|file| file.path).collect();
    names.sort();
    if let Some(file) = manifest.files.iter().find(|file| names.contains(&file.path)) {
        return Err(HostError::Taken(file.path.clone()).into());
    }
    manifest.host_files = names;
    Ok(host(manifest)?)
}

/// Writes those that the public directory lacks to the stage, and returns each with its path. Staged files are made
/// durable before they are renamed.
pub(super) fn stage(
    public: &Path,
    files: &[HostFile],
    owned: &Owned<'_>,
) -> Result<Vec<(PathBuf, String)>, PublishError> {
    let folder = public.join(STAGE);
    std::fs::create_dir_all(&folder).map_err(PublishError::io(&folder))?;
    let mut renames = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let (etag, length) = (ETag::of(&file.bytes), file.bytes.len() as u64);
        if is_in_place(public, owned, &file.path, &etag, length)? {
            continue;
        }
        let path = folder.join(format!("host-{at}"));
        let write = || files::create(&path)?.write_all(&file.bytes);
        write().map_err(PublishError::io(&public.join(&file.path)))?;
        renames.push((path, file.path.clone()));
    }
    Ok(renames)
}
