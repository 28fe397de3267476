//! Releases: a folder for each publication, named by its build, and the symbolic link `current` to one
//! of them.
//!
//! A release is prepared as hard links to the files of the current one, published to like any folder, and renamed into
//! place whole; then the link is replaced by one rename. `publish` never writes into an existing file, so that a change
//! in one release is not one in the others.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Component, Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    Options, Outcome, PublishError, RenderHost, STAGE, durable, files, lock, manifest_in, publish,
};
use crate::document::{Body, Document, HTML};
use content::cache::Cache;
use contract::{
    compress::Effort,
    manifest::{FileEntry, Manifest},
};
use review_log::CHECKPOINT_PATH;
use system::{access::make_folder, progress::Progress};

/// The name of the symbolic link.
const CURRENT: &str = "current";
/// Builds that are kept, including the current one.
const KEPT: usize = 3;

/// The reason why a release cannot be made or published again.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// The path of the link is that of another file.
    #[error(
        "{0} is not a symbolic link to a release beside it, so it is not Candor's to replace; move it away, or name another folder with --releases"
    )]
    NotALink(PathBuf),
    /// The folder has no release.
    #[error("there is no release in {}; run `candor build --releases {}` first", .0.display(), .0.display())]
    None(PathBuf),
    /// There is no earlier release.
    #[error(
        "{0} holds only the current release; correct the content and run `candor build` instead"
    )]
    Only(PathBuf),
    /// There is no release with this build.
    #[error("{} holds no build {build} to return to; it holds {}", .root.display(), .known.join(", "))]
    Unknown {
        /// The folder of releases.
        root: PathBuf,
        /// The build that was typed.
        build: String,
        /// The builds beside the current one, the newest first.
        known: Vec<String>,
    },
    /// The release is current already.
    #[error("build {0} is the current release already; name another one")]
    Current(String),
    /// The transparency log of the release is shorter.
    #[error(
        "build {0} has an older transparency log: readers who know the current one would see that entries were taken back; restore the content of that time from version control, all but content/log, then run candor log add and candor build"
    )]
    Log(String),
    /// The files of the release differ from its manifest.
    #[error(
        "{0} was changed after it was published, so it is not published again; name another build"
    )]
    Changed(PathBuf),
}

/// Returns the folder that web servers and other readers are configured with: the current release's.
#[must_use]
pub fn current(root: &Path) -> PathBuf {
    root.join(CURRENT)
}

/// Publishes to a new release: `publish` receives a folder with the files of the current release, and its changes
/// become the next release. If it changes nothing, the current release stays.
///
/// # Errors
/// When a file cannot be written or replaced; the current release then stays.
pub fn release(
    root: &Path,
    publish: impl FnOnce(&Path) -> Result<Outcome, PublishError>,
) -> Result<Outcome, PublishError> {
    make_folder(root).map_err(PublishError::io(root))?;
    let _lock = lock(root)?;
    add(root, publish)
}

/// Publishes the documents of an earlier release again, and returns the build that was current. The earlier release is
/// the one of `build`, else the last one before the current one.
///
/// Times of publication and of changed documents increase as with every publication: caches and sidecars take an
/// earlier time for that of an old copy.
///
/// # Errors
/// When there is no such release, or a file cannot be written or replaced; the current release then stays.
pub fn rollback(
    root: &Path,
    build: Option<&str>,
    now: Timestamp,
    host: Option<&RenderHost<'_>>,
    progress: &dyn Progress,
) -> Result<(String, Outcome), PublishError> {
    if !root.is_dir() {
        return Err(ReleaseError::None(root.to_owned()).into());
    }
    let _lock = lock(root)?;
    let (was, earlier) = choose(root, build)?;
    let cache = Cache::none();
    let folder = root.join(&earlier.name);
    keep_log(&current(root), &folder, earlier.build())?;
    let documents: Vec<Document<'_>> =
        earlier.manifest.files.iter().map(|file| document(&folder, file)).collect();
    let outcome = add(root, |next| {
        let head = &earlier.manifest;
        let options = Options { host, progress, ..Options::new(now, &cache) };
        let outcome = publish(head, &documents, next, &options)?;
        if outcome.manifest.build_id == head.build_id {
            Ok(outcome)
        } else {
            Err(ReleaseError::Changed(folder.clone()).into())
        }
    })?;
    Ok((was, outcome))
}

/// Refuses a release with another transparency log than the current one: readers who know that one would see that
/// entries were removed.
fn keep_log(current: &Path, earlier: &Path, build: &str) -> Result<(), PublishError> {
    // What witnesses have signed since is the same log.
    let checkpoint = |folder: &Path| {
        let note = std::fs::read_to_string(folder.join(CHECKPOINT_PATH)).ok()?;
        note.split("\n\n").next().map(str::to_owned)
    };
    match checkpoint(current) {
        Some(known) if checkpoint(earlier).as_ref() != Some(&known) => {
            Err(ReleaseError::Log(build.to_owned()).into())
        }
        _ => Ok(()),
    }
}

/// One release.
struct Release {
    name: String,
    manifest: Manifest,
}

impl Release {
    fn build(&self) -> &str {
        name_of(&self.manifest)
    }
}

/// Returns the name of the build that people see.
fn name_of(manifest: &Manifest) -> &str {
    manifest.build_id.as_str().trim_matches('"')
}

/// Returns the current build, and the release to publish again.
fn choose(root: &Path, build: Option<&str>) -> Result<(String, Release), PublishError> {
    let current = match linked(root)? {
        Some(_) => manifest_in(&current(root))?,
        None => None,
    };
    let current = current.as_ref().map(name_of).ok_or(ReleaseError::None(root.to_owned()))?;
    let mut earlier = list(root)?;
    earlier.retain(|release| release.build() != current);
    let known: Vec<String> = earlier.iter().map(|release| release.build().to_owned()).collect();
    let is_chosen = |release: &Release| build.is_none_or(|build| release.build() == build);
    match (earlier.into_iter().find(is_chosen), build) {
        (Some(release), _) => Ok((current.to_owned(), release)),
        (None, _) if known.is_empty() => Err(ReleaseError::Only(root.to_owned()).into()),
        (None, build) if build == Some(current) => {
            Err(ReleaseError::Current(current.to_owned()).into())
        }
        (None, build) => {
            let build = build.unwrap_or_default().to_owned();
            Err(ReleaseError::Unknown { root: root.to_owned(), build, known }.into())
        }
    }
}

/// Returns a document with its bytes in a release.
fn document<'d>(folder: &'d Path, file: &'d FileEntry) -> Document<'d> {
    let effort = if file.encodings.is_empty() {
        Effort::None
    } else if file.media_type == HTML {
        Effort::Quick
    } else {
        Effort::Best
    };
    let read = move |out: &mut dyn io::Write| {
        let path = files::target(folder, &file.path).map_err(io::Error::other)?;
        io::copy(&mut fs::File::open(path)?, out).map(drop)
    };
    Document {
        path: file.path.clone(),
        media_type: &file.media_type,
        links: file.links.clone(),
        effort,
        body: Body::Stream(Box::new(read)),
    }
}

/// Lists releases of this program, the newest first. Other folders are left alone.
fn list(root: &Path) -> Result<Vec<Release>, PublishError> {
    let mut releases = Vec::new();
    for entry in fs::read_dir(root).map_err(PublishError::io(root))? {
        let entry = entry.map_err(PublishError::io(root))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let Some(name) = entry.file_name().into_string().ok().filter(|_| is_folder) else {
            continue;
        };
        if let Ok(Some(manifest)) = manifest_in(&entry.path())
            && name.starts_with(name_of(&manifest))
        {
            releases.push(Release { name, manifest });
        }
    }
    releases.sort_by_key(|release| std::cmp::Reverse(release.manifest.published_at));
    Ok(releases)
}

/// Returns the name of the folder that `current` links to; `None` if there is no link.
fn linked(root: &Path) -> Result<Option<String>, PublishError> {
    let path = current(root);
    let target = match fs::read_link(&path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(ReleaseError::NotALink(path).into());
        }
        Err(error) => return Err(PublishError::io(&path)(error)),
    };
    let mut parts = target.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) if name != STAGE => {
            Ok(Some(name.to_string_lossy().into_owned()))
        }
        _ => Err(ReleaseError::NotALink(path).into()),
    }
}

/// Makes a release of the files that `publish` writes, and switches to it.
fn add(
    root: &Path,
    publish: impl FnOnce(&Path) -> Result<Outcome, PublishError>,
) -> Result<Outcome, PublishError> {
    let current = linked(root)?;
    let stage = root.join(STAGE);
    let next = stage.join("next");
    clear(&stage)?;
    fs::create_dir(&stage).map_err(PublishError::io(&stage))?;
    let made = fill(root, current.as_deref(), &next).and_then(|(before, mut folders)| {
        let outcome = publish(&next).map_err(|error| in_current(root, &next, error))?;
        if outcome.written > 0 || before.as_ref() != Some(&outcome.manifest) {
            // A folder that became empty is gone.
            folders.retain(|folder| folder.is_dir());
            durable::folders(&next, &folders)?;
            let name = place(root, &next, &outcome.manifest)?;
            switch(root, &name)?;
            prune(root, &name);
        }
        Ok(outcome)
    });
    let cleared = clear(&stage);
    made.and_then(|outcome| cleared.map(|()| outcome))
}

/// Names the file that prevents publishing by its path in the current release, which has it too.
fn in_current(root: &Path, next: &Path, error: PublishError) -> PublishError {
    match error {
        PublishError::Foreign(path) => PublishError::Foreign(match path.strip_prefix(next) {
            Ok(path) => current(root).join(path),
            Err(_) => path,
        }),
        error => error,
    }
}

/// Removes the stage: files of a killed command, and those that this one does not need any more.
fn clear(stage: &Path) -> Result<(), PublishError> {
    match fs::remove_dir_all(stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(PublishError::io(stage)(error))
        }
        _ => Ok(()),
    }
}

/// Links the files of a release into `next`, and returns its manifest and the folders that are to be made durable.
/// Files that are not Candor's are linked too, as they stay in a public folder.
fn fill(
    root: &Path,
    release: Option<&str>,
    next: &Path,
) -> Result<(Option<Manifest>, BTreeSet<PathBuf>), PublishError> {
    let mut folders = BTreeSet::new();
    let release = release.map(|name| root.join(name)).filter(|release| is_folder(release));
    let Some(release) = release else {
        fs::create_dir(next).map_err(PublishError::io(next))?;
        return Ok((None, folders));
    };
    link_files(&release, next, &mut folders)?;
    Ok((manifest_in(&release)?, folders))
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}

fn link_files(from: &Path, to: &Path, folders: &mut BTreeSet<PathBuf>) -> Result<(), PublishError> {
    fs::create_dir(to).map_err(PublishError::io(to))?;
    folders.insert(to.to_owned());
    for entry in fs::read_dir(from).map_err(PublishError::io(from))? {
        let entry = entry.map_err(PublishError::io(from))?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == STAGE {
            continue;
        }
        if is_folder(&path) {
            link_files(&path, &to, folders)?
        } else {
            fs::hard_link(&path, &to).map_err(PublishError::io(&path))?
        }
    }
    Ok(())
}

/// Renames the prepared release to the name of its build, and returns the name. The current release may
/// be of the same build with other host files or codings; the name then has a suffix.
fn place(root: &Path, next: &Path, manifest: &Manifest) -> Result<String, PublishError> {
    let build = name_of(manifest);
    let names = (2..).map(|count| format!("{build}-{count}"));
    let is_free = |name: &String| root.join(name).symlink_metadata().is_err();
    let name = std::iter::once(build.to_owned()).chain(names).find(is_free);
    let name = name.unwrap_or_else(|| build.to_owned());
    let folder = root.join(&name);
    fs::rename(next, &folder).map_err(PublishError::io(&folder))?;
    durable::folder(root)?;
    Ok(name)
}

/// Links `current` to another release by one rename.
fn switch(root: &Path, name: &str) -> Result<(), PublishError> {
    let (link, target) = (root.join(STAGE).join(CURRENT), current(root));
    symlink(name, &link).map_err(PublishError::io(&link))?;
    fs::rename(&link, &target).map_err(PublishError::io(&target))?;
    durable::folder(root)
}

#[cfg(unix)]
fn symlink(target: &str, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "--releases needs symbolic links"))
}

/// Moves releases that are not kept into the stage, by one rename each, so that none is ever there in part. A release
/// that cannot be moved is left to the next command.
fn prune(root: &Path, current: &str) {
    let Ok(mut releases) = list(root) else { return };
    // The current one first, so that it is kept whatever its time.
    releases.sort_by_key(|release| release.name != current);
    let mut kept = BTreeSet::new();
    for release in releases {
        if kept.len() == KEPT || !kept.insert(release.build().to_owned()) {
            let _ = fs::rename(root.join(&release.name), root.join(STAGE).join(&release.name));
        }
    }
}
