//! Writes documents to the public directory. No reader ever receives part of a file, and for the sidecar the manifest,
//! which is written last, makes the files a publication.
//!
//! Every changed file is first staged and synced inside the directory, then a journal names the files of this build,
//! then files are renamed into place, stale ones removed, and the manifest renamed after them; the files that a host
//! needs among the documents are last. After a crash there is the old site, or old and new files and a journal by which
//! the next build recognises the files of the unfinished one and completes it.
//!
//! `releases` keeps each publication in a folder of its own and switches a symbolic link, so that after a crash a web
//! server has no mix either.

mod durable;
mod files;
mod hashing;
mod host_files;
mod journal;
mod pieces;
mod plan;
mod releases;
mod stage;
mod untouched;

use contract::{
    manifest::{
        FileEntry, MANIFEST_FORMAT, MANIFEST_PATH, Manifest, ManifestError, SidecarAddress, Topic,
    },
    parallel::{self, parallel},
    routes::TOPICS,
};
use std::{
    collections::BTreeMap,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use tracing::info_span;

pub use host_files::RenderHost;
pub use plan::{Change, Plan};
pub use releases::{ReleaseError, current, release, rollback};
pub use untouched::is_untouched;

use crate::{
    document::Document,
    host::{HostError, HostFiles},
};
use content::{cache::Cache, dataset::Dataset};
use system::{
    access::{explained, make_folder},
    folder_lock::{LockError, lock_folder},
    git,
    journal::JournalError,
    progress::Progress,
    root::Root,
};

/// This program and its version, as the manifest names it.
pub const GENERATOR: &str = concat!("candor ", env!("CARGO_PKG_VERSION"));

/// The folder of staged files and of the journal during a build.
const STAGE: &str = ".candor-stage";

/// The result of a build.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The manifest of the published site.
    pub manifest: Manifest,
    /// The differences from the previous publication; `None` if none was known.
    pub changes: Option<Vec<Change>>,
    /// Files written to disk, siblings counted.
    pub written: usize,
    /// The files of the named host.
    pub host: Option<HostFiles>,
    /// The number of removed files of a host that is no longer named.
    pub removed_host_files: usize,
}

impl Outcome {
    /// Whether this publication differs from the previous one.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.changes.as_ref().is_none_or(|changes| !changes.is_empty())
    }

    /// The topics whose bytes changed.
    #[must_use]
    pub fn changed_topics(&self) -> Vec<&str> {
        let changed =
            |path: &str| self.changes.iter().flatten().any(|change| change.path() == path);
        let topics = self.manifest.topics.iter().map(|topic| topic.path.as_str());
        topics.filter(|path| changed(path)).collect()
    }
}

/// The reason why nothing was published. The public directory is as it was.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A file operation failed.
    #[error("{path}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// A file has the path of a document, and no manifest lists it.
    #[error(
        "{0} is in the way: no manifest lists it, so it is not Candor's to overwrite; publish to another folder with --public or --releases, or move it away"
    )]
    Foreign(PathBuf),
    /// The manifest of the last build cannot be read.
    #[error("{path}: {error}; move it away to publish the site anew")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The reason; part of the message, and so no source.
        error: ManifestError,
    },
    /// The options do not suit the host.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The folder has no publication.
    #[error(
        "there is no {0}: nothing was published there; run `candor build` first, or name the folder with --public or --releases"
    )]
    Unpublished(PathBuf),
    /// A build did not complete: documents and manifest may differ.
    #[error("the last build to {0} did not come to its end; run `candor build` again")]
    Unfinished(PathBuf),
    /// An interrupted build cannot be completed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The folder of releases is not valid.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// Another build is running in the same directory.
    #[error("another build is publishing to {0}; wait for it to end")]
    Locked(PathBuf),
    /// Whoever proposed a change to the checkout would choose the folder that is written.
    #[error(
        "{0} is a link that git tracks, or leads through one, so a change of the checkout would choose the folder: remove the link, or name the folder that it leads to"
    )]
    Linked(PathBuf),
    /// The origin changed and the old one is not listed: the fault and the remedy.
    #[error("{message}; {help}")]
    Moved {
        /// Both addresses.
        message: String,
        /// The remedy.
        help: String,
    },
}

impl PublishError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io { path: path.to_owned(), error: explained(path)(error) }
    }
}

/// Checks that the site may have this `base_url` after it was last published as `previous`. No link leads to a placeholder,
/// so that a site may have any address after it.
///
/// # Errors
/// When the origin changed and the old one is not listed.
pub fn check_origin(head: &Manifest, previous: Option<&Manifest>) -> Result<(), PublishError> {
    let Some(previous) = previous else { return Ok(()) };
    let same = previous.base_url == head.base_url;
    let is_known = same || content::is_placeholder(&previous.base_url);
    if is_known || head.previous_base_urls.contains(&previous.base_url) {
        return Ok(());
    }
    let (was, is) = (&previous.base_url, &head.base_url);
    let help = format!(
        "add the old one to site.toml: previous_base_urls = [{was:?}], or publish to an empty folder"
    );
    let message = format!("base_url was {was} at the last publication and is {is} now");
    Err(PublishError::Moved { message, help })
}

/// Whether a command that published there was killed: its stage is in the public folder, or in the folder of releases.
#[must_use]
pub fn is_interrupted(folder: &Path) -> bool {
    folder.join(STAGE).exists()
}

/// Locks a public directory against other builds until the result is dropped.
fn lock(public: &Path) -> Result<File, PublishError> {
    if git::tracks_link(public) != Some(false) {
        return Err(PublishError::Linked(public.to_owned()));
    }
    lock_folder(public).map_err(|error| match error {
        LockError::Held => PublishError::Locked(public.to_owned()),
        LockError::Io(error) => PublishError::io(public)(error),
    })
}

/// Reads the manifest of the site in a directory.
///
/// # Errors
/// When there is one that cannot be read.
pub fn manifest_in(public: &Path) -> Result<Option<Manifest>, PublishError> {
    let path = public.join(MANIFEST_PATH);
    match Root::at(public).read(MANIFEST_PATH.as_ref()) {
        Ok(json) => match Manifest::from_json(&json) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(error) => Err(PublishError::Manifest { path, error }),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PublishError::io(&path)(error)),
    }
}

/// The settings of a publication.
pub struct Options<'o> {
    /// The manifest of the last publication, if it is not the one in the folder.
    pub previous: Option<&'o Manifest>,
    /// The time of the changes.
    pub now: Timestamp,
    /// The host whose files are published among the documents; without one, files of an earlier host are removed.
    pub host: Option<&'o RenderHost<'o>>,
    /// The cache of compressed pieces of large documents.
    pub cache: &'o Cache,
    /// Receives the progress.
    pub progress: &'o dyn Progress,
}

impl<'o> Options<'o> {
    /// Options with the time and a cache only.
    #[must_use]
    pub fn new(now: Timestamp, cache: &'o Cache) -> Self {
        Self { previous: None, now, host: None, cache, progress: &() }
    }
}

/// Publishes `documents` to `public` under a manifest that begins with `head`.
///
/// # Errors
/// When a file cannot be written or replaced; the directory then still has the old site.
pub fn publish(
    head: &Manifest,
    documents: &[Document<'_>],
    public: &Path,
    options: &Options<'_>,
) -> Result<Outcome, PublishError> {
    let &Options { previous, now, host, .. } = options;
    make_folder(public).map_err(PublishError::io(public))?;
    let _lock = lock(public)?;
    let on_disk = manifest_in(public)?;
    let on_disk = on_disk.as_ref();
    let previous = previous.or(on_disk);
    check_origin(head, previous)?;
    let unfinished = journal::read(public)?;
    let owned = plan::Owned::new(on_disk, unfinished.unwrap_or_default());
    let options = Options { previous, ..*options };
    let staged = stage::stage(documents, public, &owned, &options)?;
    let mut manifest = manifest(head.clone(), staged.entries, previous, now);
    let swept = |_: &PublishError| system::journal::clear(&public.join(STAGE));
    let render = |host| host_files::render(host, &mut manifest);
    let host = host.map(render).transpose().inspect_err(swept)?;
    let wanted = host.as_ref().map(|host| &host.public[..]).unwrap_or_default();
    let beside = host_files::stage(public, wanted, &owned).inspect_err(swept)?;
    let written = staged.renames.len() + beside.len();
    let switch = || {
        info_span!("switch").in_scope(|| {
            files::switch(public, &staged.renames, &beside, &owned, &manifest, on_disk)
        })
    };
    let plan = || previous.map(|previous| Plan::between(previous, &manifest).changes);
    let (switched, changes) = parallel::both(switch, plan);
    switched.inspect_err(swept)?;
    let old = on_disk.map_or(0, |old| old.host_files.len());
    let removed_host_files = if host.is_none() { old } else { 0 };
    Ok(Outcome { manifest, changes, written, host, removed_host_files })
}

/// Writes the files that a host needs among documents that are already published.
///
/// # Errors
/// When nothing was published, or not to the end, or a file cannot be written or replaced.
pub fn accompany(public: &Path, host: &RenderHost<'_>) -> Result<Outcome, PublishError> {
    let unpublished = || PublishError::Unpublished(public.join(MANIFEST_PATH));
    if !public.exists() {
        return Err(unpublished());
    }
    // Read behind the lock: a build that ends meanwhile must not be undone.
    let _lock = lock(public)?;
    let on_disk = manifest_in(public)?.ok_or_else(unpublished)?;
    if journal::read(public)?.is_some() {
        return Err(PublishError::Unfinished(public.to_owned()));
    }
    let mut manifest = on_disk.clone();
    let owned = plan::Owned::new(Some(&on_disk), Vec::new());
    let files = host_files::render(host, &mut manifest)?;
    system::journal::clear(&public.join(STAGE));
    let swept = |_: &PublishError| system::journal::clear(&public.join(STAGE));
    let beside = host_files::stage(public, &files.public, &owned).inspect_err(swept)?;
    files::switch(public, &[], &beside, &owned, &manifest, Some(&on_disk)).inspect_err(swept)?;
    Ok(Outcome {
        manifest,
        changes: Some(Vec::new()),
        written: beside.len(),
        host: Some(files),
        removed_host_files: 0,
    })
}

/// Returns the changes that a build of `documents` would publish. Nothing is written.
///
/// # Errors
/// When a document cannot be rendered.
pub fn preview(
    data: &Dataset,
    documents: &[Document<'_>],
    previous: Option<&Manifest>,
    now: Timestamp,
) -> io::Result<Manifest> {
    let entry = |at: usize| stage::entry(&documents[at], previous, now);
    let entries = parallel(documents.len(), entry)?;
    Ok(manifest(head(data), entries, previous, now))
}

/// Returns the manifest of a site without its files and times.
#[must_use]
pub fn head(data: &Dataset) -> Manifest {
    let topics = TOPICS.iter().filter(|_| data.site.sidecar);
    Manifest {
        format: MANIFEST_FORMAT,
        build_id: contract::etag::ETag::of(b""),
        generator: Some(GENERATOR.to_owned()),
        published_at: Timestamp::UNIX_EPOCH,
        base_url: data.site.base_url.clone(),
        id_base: data.site.id_base.clone(),
        previous_base_urls: data.site.previous_base_urls.clone(),
        sample: data.site.sample,
        security: data.site.security.clone(),
        sidecar: data.site.sidecar.then(|| SidecarAddress { url: data.site.sidecar_url.clone() }),
        topics: topics
            .map(|path| Topic { url: data.address(path), path: (*path).to_owned() })
            .collect(),
        files: Vec::new(),
        host_files: Vec::new(),
    }
}

fn manifest(
    head: Manifest,
    mut files: Vec<FileEntry>,
    previous: Option<&Manifest>,
    now: Timestamp,
) -> Manifest {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut manifest = Manifest { files, published_at: now, host_files: Vec::new(), ..head };
    manifest.build_id = build_id(&manifest);
    if let Some(previous) = previous {
        manifest.published_at = if previous.build_id == manifest.build_id {
            previous.published_at
        } else {
            // A clock that runs behind must not make a newer publication look older.
            now.max(previous.published_at + jiff::SignedDuration::from_millis(1))
        };
    }
    manifest
}

/// Hashes everything but times and encodings: a new encoder publishes the same site.
pub(crate) fn build_id(manifest: &Manifest) -> contract::etag::ETag {
    let mut hasher = blake3::Hasher::new();
    let settings: BTreeMap<&str, serde_json::Value> = [
        ("base_url", serde_json::json!(manifest.base_url)),
        ("previous_base_urls", serde_json::json!(manifest.previous_base_urls)),
        ("sample", serde_json::json!(manifest.sample)),
        ("sidecar", serde_json::json!(manifest.sidecar)),
        ("topics", serde_json::json!(manifest.topics)),
        ("security", serde_json::json!(manifest.security)),
    ]
    .into();
    hasher.update(serde_json::json!(settings).to_string().as_bytes());
    for file in &manifest.files {
        let line = (&file.path, &file.media_type, &file.etag, &file.links);
        let line = serde_json::to_vec(&line).expect("texts serialize");
        hasher.update(&line);
    }
    contract::etag::ETag::from_hash(&hasher.finalize())
}
