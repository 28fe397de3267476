//! From a public directory to a snapshot: read the manifest, check every file against it, switch.
//!
//! A manifest is taken as a whole or not at all. Until its files agree with it, as happens while
//! a publish is under way, the last good snapshot keeps answering, after a restart too.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use actix_web::web::Bytes;
use reviews::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest, ManifestError},
};

use crate::{
    collection::CollectionError,
    config::Config,
    fingerprint::Fingerprint,
    objects::{Objects, Wanted},
    published::{Published, Refusal},
    snapshot::{self, Snapshot},
    state::{StateDir, StateError},
};

/// The last good manifest, inside the state directory.
const STATE_MANIFEST: &str = "manifest.json";

/// Why a manifest cannot be served.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("cannot read {}: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{} cannot be used: {source}", file.display())]
    Manifest { file: PathBuf, source: ManifestError },
    #[error(
        "{} is not the file the manifest lists: expected {expected} ({expected_length} bytes), \
         found {actual} ({actual_length} bytes)", file.display()
    )]
    Mismatch {
        file: PathBuf,
        expected: ETag,
        expected_length: u64,
        actual: ETag,
        actual_length: u64,
    },
    #[error("the manifest's {what} for {file} cannot stand in a header")]
    Header { file: String, what: &'static str },
    #[error("reviews.json cannot be answered from: {source}")]
    Collection { source: CollectionError },
    #[error("the manifest lists no {0}: build the site again")]
    Missing(&'static str),
    #[error("cannot write to the state directory: {0}")]
    Store(#[source] io::Error),
    #[error("stopped while loading")]
    Stopped,
}

/// What a look at the public directory came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to do.
    Settled,
    /// Not whole (yet): worth another look soon.
    Refused,
}

/// Loads snapshots and puts them in place. There is one, on one thread.
#[derive(Debug)]
pub(crate) struct Loader {
    public: PathBuf,
    serve_public: bool,
    state: StateDir,
    objects: Objects,
    published: Arc<Published>,
    stop: Arc<AtomicBool>,
    /// Replaced snapshots that an answer may still be reading from.
    retired: Vec<Arc<Snapshot>>,
    settled: Option<Fingerprint>,
    reported_overdue: bool,
}

impl Loader {
    /// Takes the state directory. Blocks until it is free or the wait is over.
    pub(crate) fn open(
        config: &Config,
        published: Arc<Published>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, StateError> {
        let state = StateDir::open(&config.state, config.lock_wait)?;
        let objects = Objects::open(state.path())
            .map_err(|source| StateError::Unusable { path: config.state.clone(), source })?;
        Ok(Self {
            public: config.public.clone(),
            serve_public: config.serve_public,
            state,
            objects,
            published,
            stop,
            retired: Vec::new(),
            settled: None,
            reported_overdue: false,
        })
    }

    /// Serves what the last process served, if it is still whole.
    pub(crate) fn restore(&mut self) {
        let path = self.state.path().join(STATE_MANIFEST);
        if !path.exists() {
            return;
        }
        let restored = read(&path).and_then(|(bytes, manifest)| {
            self.check_store(&manifest)?;
            self.snapshot(manifest, bytes)
        });
        match restored {
            Ok(snapshot) => self.put_in_place(snapshot, "restored the last good site"),
            Err(error) => tracing::warn!(%error, "the last good site cannot be restored"),
        }
    }

    /// Looks whether something newer was published, and serves it if it is whole.
    pub(crate) fn look(&mut self) -> Outcome {
        let path = self.public.join(MANIFEST_PATH);
        let fingerprint = Fingerprint::of(&path);
        if fingerprint.is_some() && fingerprint == self.settled {
            self.release();
            return Outcome::Settled;
        }
        let outcome = match self.load(&path) {
            Ok(()) => {
                self.settled = fingerprint;
                self.reported_overdue = false;
                self.published.set_refusal(None);
                Outcome::Settled
            }
            Err(LoadError::Stopped) => Outcome::Settled,
            Err(error) => {
                self.refuse(&error);
                Outcome::Refused
            }
        };
        self.release();
        outcome
    }

    fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        let (bytes, manifest) = read(path)?;
        if let Some(current) = self.published.current() {
            if current.manifest_bytes == bytes {
                return Ok(());
            }
            if is_older(&manifest, &current.manifest) {
                tracing::warn!(
                    published_at = %manifest.published_at,
                    loaded = %current.manifest.published_at,
                    "ignored a manifest that is older than the loaded one: to go back to it, \
                     publish it anew"
                );
                return Ok(());
            }
        }
        let wanted = snapshot::wanted(&manifest, self.serve_public);
        self.sweep(&wanted);
        for wanted in wanted {
            self.objects.ensure(&wanted, &self.public, &self.stop)?;
        }
        let snapshot = self.snapshot(manifest, bytes)?;
        self.state.write(STATE_MANIFEST, &snapshot.manifest_bytes).map_err(LoadError::Store)?;
        self.put_in_place(snapshot, "loaded the site");
        Ok(())
    }

    fn snapshot(&self, manifest: Manifest, bytes: Bytes) -> Result<Snapshot, LoadError> {
        let previous = self.published.current();
        Snapshot::new(manifest, bytes, self.serve_public, &self.objects, previous.as_deref())
    }

    fn put_in_place(&mut self, snapshot: Snapshot, message: &'static str) {
        tracing::info!(
            build_id = %snapshot.manifest.build_id,
            published_at = %snapshot.manifest.published_at,
            files = snapshot.manifest.files.len(),
            reviews = snapshot.collection.arena.len(),
            "{message}"
        );
        let collection = snapshot.collection.clone();
        self.retired.extend(self.published.replace(Arc::new(snapshot)));
        collection.start_compressing();
    }

    /// Every object a manifest needs must be in the store and whole.
    fn check_store(&mut self, manifest: &Manifest) -> Result<(), LoadError> {
        let incomplete = |wanted: Wanted, objects: &Objects| LoadError::Unreadable {
            file: objects.path(&wanted.etag),
            source: io::Error::other(format!("it is missing or torn ({})", wanted.name)),
        };
        for wanted in snapshot::wanted(manifest, self.serve_public) {
            if !self.objects.has(&wanted) {
                return Err(incomplete(wanted, &self.objects));
            }
        }
        Ok(())
    }

    /// Lets go of replaced snapshots that nothing reads any more. The slot no longer hands them
    /// out, so a count of one stays one.
    fn release(&mut self) {
        let before = self.retired.len();
        self.retired.retain(|snapshot| Arc::strong_count(snapshot) > 1);
        if self.retired.len() < before {
            self.sweep(&[]);
        }
    }

    /// Removes what neither a snapshot in use nor the one being loaded needs.
    fn sweep(&mut self, loading: &[Wanted]) {
        let Some(current) = self.published.current() else { return };
        let snapshots = std::iter::once(&current).chain(&self.retired);
        let live = snapshots.flat_map(|snapshot| snapshot.objects());
        let loading = loading.iter().map(|wanted| &wanted.etag);
        let keep: HashSet<&str> = live.chain(loading).map(ETag::hex).collect();
        if let Err(error) = self.objects.sweep(&keep) {
            tracing::warn!(%error, "cannot remove objects that are no longer needed");
        }
    }

    fn refuse(&mut self, error: &LoadError) {
        let last = self.published.refusal();
        let since = last.as_ref().map_or_else(Instant::now, |refusal| refusal.since);
        let refusal = Refusal::new(error, since);
        if last.is_none_or(|last| last.reason != refusal.reason) {
            tracing::warn!(%error, "the public directory cannot be served yet");
        }
        self.published.set_refusal(Some(refusal));
        if !self.reported_overdue && self.published.overdue_refusal().is_some() {
            self.reported_overdue = true;
            let seconds = since.elapsed().as_secs();
            tracing::error!(%error, seconds, "the public directory disagrees with its manifest");
        }
    }
}

fn read(path: &Path) -> Result<(Bytes, Manifest), LoadError> {
    let bytes = fs::read(path)
        .map_err(|source| LoadError::Unreadable { file: path.to_path_buf(), source })?;
    let manifest = Manifest::from_json(&bytes)
        .map_err(|source| LoadError::Manifest { file: path.to_path_buf(), source })?;
    Ok((bytes.into(), manifest))
}

/// A lagging copy of the same site. Another site has another time line.
fn is_older(manifest: &Manifest, current: &Manifest) -> bool {
    manifest.published_at < current.published_at && manifest.base_url == current.base_url
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_refusal_that_lasts_is_one_error_with_the_file_and_both_hashes() {
        let (public, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (promised, found) = (ETag::of(b"promised"), ETag::of(b"found"));
        let file = serde_json::json!({
            "path": "reviews.json", "media_type": "application/json", "length": 8,
            "etag": promised, "modified": "2026-01-01T00:00:00Z"
        });
        let manifest = serde_json::json!({
            "format": 1, "build_id": promised, "published_at": "2026-01-01T00:00:00Z",
            "base_url": "https://x.example", "sidecar": null, "topics": [], "files": [file]
        });
        fs::write(public.path().join(MANIFEST_PATH), manifest.to_string()).unwrap();
        fs::write(public.path().join("reviews.json"), b"found").unwrap();
        let config = Config::new(public.path(), state.path()).unwrap();
        let published = Arc::new(Published::new(std::time::Duration::ZERO));
        let mut loader = Loader::open(&config, published, Arc::default()).unwrap();

        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).without_time();
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            assert_eq!([loader.look(), loader.look()], [Outcome::Refused; 2]);
        });
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
        let file = public.path().join("reviews.json");
        assert_eq!(errors.len(), 1, "{log}");
        assert!(errors[0].contains("the public directory disagrees with its manifest"), "{log}");
        let reason = format!(
            "{} is not the file the manifest lists: expected {promised} (8 bytes), found {found} \
             (5 bytes)",
            file.display()
        );
        assert!(errors[0].contains(&reason), "{log}");
    }
}
