//! Loads a publication as a snapshot: reads the manifest, checks every file against it, replaces the current snapshot.
//!
//! A publication is loaded completely or not at all. Until its files agree with its manifest, for example during a
//! build, the last good snapshot is served, after a restart too.

#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    fs, io,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::web::Bytes;
use contract::{
    etag::ETag,
    files,
    manifest::{MANIFEST_PATH, Manifest},
};
use jiff::Timestamp;
use url::Url;

use crate::{
    config::Config,
    data::transparency,
    loading::timeline::{check_time, is_ahead},
    publication::{
        published::PublicationRefusal,
        snapshot::{self, Snapshot},
    },
    runtime::{
        outgoing::CaError,
        state::{StateDir, StateError},
    },
    sites::{ListError, Sites, site::Site},
    source::{
        CheckOutcome, LoadError, NextPoll, Objects, PublicationSource, Room, SourceOpener,
        WantedObject,
    },
};

/// The name of the last good manifest in the state directory.
const STATE_MANIFEST: &str = "manifest.json";

/// The reason why the loader cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Ca(#[from] CaError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// Loads the snapshots of a site and makes them current. A site has one loader, on one thread.
#[derive(Debug)]
pub(crate) struct Loader {
    site: Arc<Site>,
    sites: Arc<Sites>,
    source: PublicationSource,
    serve_public: bool,
    logs_first_refusals: bool,
    /// The folder of the site's state.
    folder: PathBuf,
    objects: Objects,
    room: Room,
    /// Replaced snapshots that a response may still read.
    retired: Vec<Arc<Snapshot>>,
    reported_overdue: bool,
    was_unloaded: bool,
}

impl Loader {
    /// Opens the site's source and its copies of files in the state directory.
    pub(crate) fn open(
        config: &Config,
        (site, sites): (Arc<Site>, Arc<Sites>),
        state: &StateDir,
        sources: &SourceOpener,
    ) -> Result<Self, OpenError> {
        let folder = site.state_folder(state.path());
        let objects = Objects::open(&folder)
            .map_err(|source| StateError::Unusable { path: config.state.clone(), source })?;
        // A site of a list may be opened again, with what this process has copied.
        if let Some(replaced) = state.replaced().filter(|_| !folder.join(STATE_MANIFEST).exists()) {
            // What cannot be copied is read from the source again.
            let replaced = site.state_folder(replaced);
            let copied = objects.copy_from(&replaced).and_then(|()| {
                fs::copy(replaced.join(STATE_MANIFEST), folder.join(STATE_MANIFEST))
            });
            if let Err(error) = copied {
                tracing::debug!(%error, "cannot copy the last good site");
            }
        }
        Ok(Self {
            source: sources.open(&site.public)?,
            site,
            sites,
            serve_public: config.serve_public,
            logs_first_refusals: config.logs_first_refusals,
            folder,
            objects,
            room: Room::new(config.max_publication),
            retired: Vec::new(),
            reported_overdue: false,
            was_unloaded: false,
        })
    }

    /// Whether a check may take long.
    pub(crate) fn is_remote(&self) -> bool {
        self.source.is_remote()
    }

    /// Unloads the snapshot, unless a response reads it or one before it.
    pub(crate) fn unload(&mut self) -> bool {
        self.release();
        self.was_unloaded = self.retired.is_empty() && self.site.published.clear_if_unused();
        if self.was_unloaded {
            self.objects.forget();
        }
        self.was_unloaded
    }

    /// Serves the last served publication, of this process or the one before, if it is complete.
    pub(crate) fn restore(&mut self) {
        self.was_unloaded = false;
        let path = self.folder.join(STATE_MANIFEST);
        if !path.exists() {
            return;
        }
        let location = path.display().to_string();
        let restored = without_panic(|| {
            let bytes = fs::read(&path)
                .map_err(|source| LoadError::Unreadable { file: location.clone(), source })?;
            let mut manifest = parse(&bytes, location)?;
            self.check_site(&manifest)?;
            self.check_store(&mut manifest)?;
            let snapshot = self.snapshot(manifest, bytes.into())?;
            self.make_current(snapshot, "restored the last good site");
            Ok(())
        });
        match restored {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "the last good site cannot be restored"),
        }
    }

    /// Checks for a newer publication, and serves it if it is complete.
    pub(crate) fn check(&mut self) -> NextPoll {
        let checked = without_panic(|| match self.source.manifest()? {
            None => Ok(CheckOutcome::Unchanged),
            Some(bytes) => self.load(bytes),
        });
        let next = match checked {
            Ok(outcome) => {
                self.source.settle();
                self.accept(outcome);
                NextPoll::Settled(self.source.fresh_for())
            }
            Err(LoadError::Stopped) => NextPoll::Settled(Duration::ZERO),
            Err(error) => {
                self.refuse(&error);
                NextPoll::Refused(error.retry_after())
            }
        };
        self.release();
        next
    }

    fn load(&mut self, bytes: Bytes) -> Result<CheckOutcome, LoadError> {
        let mut manifest = parse(&bytes, self.source.location(MANIFEST_PATH))?;
        self.check_site(&manifest)?;
        if self.was_unloaded {
            // Nothing older than it is served.
            self.restore();
        }
        if let Some(current) = self.site.published.current() {
            if current.manifest_bytes == bytes {
                return Ok(CheckOutcome::Unchanged);
            }
            let file = self.source.location(MANIFEST_PATH);
            check_time(&manifest, &current.manifest, Timestamp::now(), file)?;
        }
        self.copy_objects(&mut manifest)?;
        let snapshot = self.snapshot(manifest, bytes)?;
        files::replace(&self.folder.join(STATE_MANIFEST), &snapshot.manifest_bytes)
            .map_err(LoadError::Store)?;
        self.make_current(snapshot, "loaded the site");
        Ok(CheckOutcome::Loaded)
    }

    /// Checks that the publication is of the site that the list names, and of no other site of the list.
    fn check_site(&self, manifest: &Manifest) -> Result<(), LoadError> {
        if self.site.is_only() {
            return Ok(());
        }
        let file = self.source.location(MANIFEST_PATH);
        let sidecar = manifest.sidecar.as_ref().and_then(|sidecar| sidecar.url.as_deref());
        let mut urls = std::iter::once(manifest.base_url.as_str()).chain(sidecar);
        let host = |url: &str| Some(Url::parse(url).ok()?.host_str()?.to_owned());
        let is_ours = |url| host(url).is_some_and(|host| self.site.hosts.contains(&host));
        if !urls.any(is_ours) {
            let (base_url, name) = (manifest.base_url.clone(), self.site.name().to_owned());
            return Err(LoadError::OtherHost { file, base_url, name });
        }
        for (key, value) in [("base_url", &manifest.base_url), ("id_base", &manifest.id_base)] {
            if let Some(other) = self.sites.claim(&self.site, key, value) {
                let other = other.name().to_owned();
                return Err(LoadError::Copy { file, key, value: value.clone(), other });
            }
        }
        Ok(())
    }

    /// Copies every file into the store that it lacks.
    fn copy_objects(&mut self, manifest: &mut Manifest) -> Result<(), LoadError> {
        let wanted = snapshot::wanted(manifest, self.serve_public);
        self.sweep(&wanted);
        let file = self.source.location(MANIFEST_PATH);
        let missing = self.room.check(file, &wanted, &mut self.objects)?;
        let is_missing = |file: &&WantedObject| missing.contains(&(&file.etag, file.length));
        for wanted in wanted.iter().filter(is_missing) {
            match self.objects.ensure(wanted, &self.source) {
                Err(error) if self.can_do_without(wanted, &error) => {
                    tracing::debug!(%error, "serves the site without a file that is not needed");
                    remove(manifest, wanted);
                }
                copied => copied?,
            }
        }
        Ok(())
    }

    /// Whether the site can be served without a file that could not be copied.
    fn can_do_without(&self, wanted: &WantedObject, error: &LoadError) -> bool {
        let lacks = match wanted.coding {
            Some(_) => error.lacks_file(),
            // Another file in its place can be that of the next publication.
            None => error.is_absence(),
        };
        lacks && self.is_optional(wanted)
    }

    /// Whether the site can be served without this file. Web servers and CDNs often hide the precompressed files, or
    /// compress themselves. The log is needed only to serve all files.
    fn is_optional(&self, wanted: &WantedObject) -> bool {
        match wanted.coding {
            Some(_) => self.source.is_remote(),
            None => !self.serve_public && transparency::is_log_file(&wanted.name),
        }
    }

    fn snapshot(&self, manifest: Manifest, bytes: Bytes) -> Result<Snapshot, LoadError> {
        let previous = self.site.published.current();
        Snapshot::new(manifest, bytes, self.serve_public, &self.objects, previous.as_deref())
    }

    fn make_current(&mut self, snapshot: Snapshot, message: &'static str) {
        let published_at = snapshot.manifest.published_at;
        if is_ahead(published_at, Timestamp::now()) {
            tracing::warn!(
                %published_at,
                "serves a publication of the future until there is another: correct the clock"
            );
        }
        if self.site.is_only() || self.site.published.current().is_some() {
            tracing::info!(
                build_id = %snapshot.manifest.build_id,
                %published_at,
                files = snapshot.manifest.files.len(),
                reviews = snapshot.collection.arena.len(),
                "{message}"
            );
        } else {
            // Sites of a list come and go as they are requested.
            tracing::debug!(build_id = %snapshot.manifest.build_id, "{message}");
        }
        self.site.set_compared(false);
        self.retired.extend(self.site.published.replace(Arc::new(snapshot)));
    }

    /// Checks that every object that a manifest needs is in the store, undamaged.
    fn check_store(&mut self, manifest: &mut Manifest) -> Result<(), LoadError> {
        for wanted in snapshot::wanted(manifest, self.serve_public) {
            if self.objects.has(&wanted) {
                continue;
            }
            if !self.is_optional(&wanted) {
                return Err(LoadError::Unreadable {
                    file: self.objects.path(&wanted.etag).display().to_string(),
                    source: io::Error::other(format!("it is missing or torn ({})", wanted.name)),
                });
            }
            remove(manifest, &wanted);
        }
        Ok(())
    }

    /// Drops replaced snapshots that no response reads. No new references are made of them, so that a reference count
    /// of one stays one.
    fn release(&mut self) {
        let before = self.retired.len();
        self.retired.retain(|snapshot| Arc::strong_count(snapshot) > 1);
        if self.retired.len() < before {
            self.sweep(&[]);
        }
    }

    /// Removes objects that neither a snapshot in use nor the one being loaded needs.
    fn sweep(&mut self, loading: &[WantedObject]) {
        let Some(current) = self.site.published.current() else { return };
        let snapshots = std::iter::once(&current).chain(&self.retired);
        let live = snapshots.flat_map(|snapshot| snapshot.objects());
        let loading = loading.iter().map(|wanted| &wanted.etag);
        let keep: HashSet<&str> = live.chain(loading).map(ETag::hex).collect();
        if let Err(error) = self.objects.sweep(&keep) {
            tracing::warn!(%error, "cannot remove objects that are no longer needed");
        }
    }

    fn accept(&mut self, outcome: CheckOutcome) {
        self.site.health.checked(outcome, None);
        self.reported_overdue = false;
        if self.site.published.refusal().is_some_and(|refusal| refusal.is_outage) {
            tracing::info!("{} is reachable again", self.source.name());
        }
        self.site.published.set_refusal(None);
    }

    fn refuse(&mut self, error: &LoadError) {
        let is_outage = error.is_outage();
        let last = self.site.published.refusal().filter(|last| last.is_outage == is_outage);
        let since = last.as_ref().map_or_else(Instant::now, |refusal| refusal.since);
        self.reported_overdue &= last.is_some();
        let refusal = PublicationRefusal::new(error, since);
        let (outcome, now, for_long) = match error {
            _ if is_outage => {
                (CheckOutcome::Unreachable, "is unreachable", "has been unreachable for long")
            }
            LoadError::Older { .. } => {
                (CheckOutcome::Older, "is older than what is served", "has been older for long")
            }
            LoadError::Ahead { .. } => (
                CheckOutcome::Refused,
                "is stamped in the future",
                "has been in the future for long",
            ),
            _ => (CheckOutcome::Refused, "cannot be served yet", "disagrees with its manifest"),
        };
        self.site.health.checked(outcome, Some(refusal.reason.clone()));
        let name = self.source.name();
        let is_logged = self.logs_first_refusals || self.site.published.current().is_some();
        if is_logged && last.is_none_or(|last| last.reason != refusal.reason) {
            tracing::warn!(%error, "{name} {now}");
        }
        self.site.published.set_refusal(Some(refusal));
        if !self.reported_overdue && self.site.published.overdue_refusal().is_some() {
            self.reported_overdue = true;
            let seconds = since.elapsed().as_secs();
            tracing::error!(%error, seconds, "{name} {for_long}");
        }
    }
}

/// Turns a panic into an error: the site is refused and tried again, and the process with all other sites continues.
/// The served snapshot is replaced as a whole, and a copied file is checked before it is used.
fn without_panic<T>(load: impl FnOnce() -> Result<T, LoadError>) -> Result<T, LoadError> {
    panic::catch_unwind(AssertUnwindSafe(load))
        .unwrap_or_else(|panic| Err(LoadError::defect(&*panic)))
}

fn parse(bytes: &[u8], file: String) -> Result<Manifest, LoadError> {
    Manifest::from_json(bytes).map_err(|source| LoadError::Manifest { file, source })
}

/// Removes a precompressed form of a document from the manifest, or a file.
fn remove(manifest: &mut Manifest, wanted: &WantedObject) {
    let Some(coding) = wanted.coding else {
        manifest.files.retain(|file| file.path != wanted.name);
        return;
    };
    for file in manifest.files.iter_mut().filter(|file| file.sibling(coding) == wanted.name) {
        file.encodings.remove(&coding);
    }
}
