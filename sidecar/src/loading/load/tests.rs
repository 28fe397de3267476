//! A refusal that lasts, and a panic while a site is loaded.

use std::{
    io::Write,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use super::*;
use crate::{
    runtime::stop::Stop,
    sites::{Publications, site::LoadingThreads},
};

#[derive(Clone, Default)]
struct LoadLog(Arc<Mutex<Vec<u8>>>);

impl Write for LoadLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes a loader of a publication with this `reviews.json`, whose manifest expects these bytes.
fn loader(folder: &Path, found: &[u8], promised: &[u8]) -> Loader {
    let (public, state) = (folder.join("public"), folder.join("state"));
    fs::create_dir_all(&public).unwrap();
    let tag = ETag::of(promised);
    let file = serde_json::json!({
        "path": "reviews.json", "media_type": "application/json", "length": promised.len(),
        "etag": tag, "modified": "2026-01-01T00:00:00Z"
    });
    let manifest = serde_json::json!({
        "format": 1, "build_id": tag, "published_at": "2026-01-01T00:00:00Z",
        "base_url": "https://x.example", "sidecar": null, "topics": [], "files": [file]
    });
    fs::write(public.join(MANIFEST_PATH), manifest.to_string()).unwrap();
    fs::write(public.join("reviews.json"), found).unwrap();
    let config = Config::new(&*public, &state).unwrap();
    let threads = [(); 2].map(|()| LoadingThreads::new(Vec::new()));
    let one = Publications::One(public.into());
    let sites = Arc::new(Sites::new(&one, 0, Duration::ZERO, threads).unwrap());
    let site = sites.only().unwrap();
    let state = StateDir::open(&state, Duration::ZERO).unwrap();
    let sources = SourceOpener::new(config.remote.clone(), Stop::default());
    Loader::open(&config, (site, sites), &state, &sources).unwrap()
}

#[test]
fn a_refusal_that_lasts_is_one_error_with_the_file_and_both_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let (promised, found) = (ETag::of(b"promised"), ETag::of(b"found"));
    let mut loader = loader(folder.path(), b"found", b"promised");

    let log = LoadLog::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).without_time();
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, || {
        assert_eq!([loader.check(), loader.check()], [NextPoll::Refused(Duration::ZERO); 2]);
    });
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    let file = folder.path().join("public/reviews.json");
    assert_eq!(errors.len(), 1, "{log}");
    assert!(errors[0].contains("the public directory disagrees with its manifest"), "{log}");
    let reason = format!(
        "{} is not the file the manifest lists: expected {promised} (8 bytes), found {found} \
         (5 bytes)",
        file.display()
    );
    assert!(errors[0].contains(&reason), "{log}");
}

const REVIEWS: &[u8] = br#"{"business":null,"generated_at":"2026-01-01T00:00:00Z","reviews":[]}"#;

#[test]
fn a_panic_while_a_site_is_loaded_is_a_refusal_with_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut loader = loader(folder.path(), REVIEWS, REVIEWS);
    let (is_defective, log) = (Arc::new(AtomicBool::new(true)), LoadLog::default());
    let (panics, writer) = (is_defective.clone(), log.clone());
    // What is logged of the load is written by something that panics once.
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || {
        assert!(!panics.swap(false, SeqCst), "a defect");
        writer.clone()
    });
    tracing::subscriber::with_default(subscriber.finish(), || {
        assert_eq!(loader.check(), NextPoll::Refused(Duration::ZERO));
        let refusal = loader.site.published.refusal().unwrap();
        let reason = "the program failed while it loaded the publication, by a defect of its own \
                      (a defect): report it, and publish without what was published last";
        assert_eq!((&*refusal.reason, refusal.is_outage), (reason, false));
        assert!(loader.site.published.current().is_none());
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert!(log.contains(reason), "{log}");
        assert_eq!(loader.check(), NextPoll::Settled(Duration::ZERO), "it is tried again");
        assert!(loader.site.published.current().is_some());
        assert!(loader.site.published.refusal().is_none());
        // The same while the last good site is restored: it is read from its source then.
        assert!(loader.unload());
        is_defective.store(true, SeqCst);
        loader.restore();
        assert!(loader.site.published.current().is_none());
        loader.restore();
        assert!(loader.site.published.current().is_some());
    });
}
