//! The thread that keeps the snapshot current: woken by the file system, and looking by itself
//! every few seconds, because a watch may miss a change (network file systems, replaced folders).

use std::{
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};
use reviews::manifest::MANIFEST_PATH;

use crate::{
    config::Config,
    load::{Loader, Outcome},
};

/// The wait after a first refusal; it doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(250);

/// The reloading thread; dropping this ends it and lets go of the state directory.
#[derive(Debug)]
pub(crate) struct Reloader {
    stop: Arc<AtomicBool>,
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// Makes the reloading thread look at once; of no effect once it has ended.
#[derive(Clone, Debug)]
pub(crate) struct Waker(Sender<Signal>);

impl Waker {
    pub(crate) fn look(&self) {
        // Fails only while stopping.
        let _ = self.0.send(Signal::Changed);
    }
}

#[derive(Debug)]
enum Signal {
    Changed,
    Stop,
}

impl Reloader {
    /// Starts looking at the public directory. `last` is what the loader's first look came to.
    pub(crate) fn start(
        loader: Loader,
        last: Outcome,
        config: &Config,
        stop: Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let (signals, received) = mpsc::channel();
        let watcher = watch(&config.public, signals.clone());
        let (poll_interval, settle) = (config.poll_interval, config.settle);
        let thread = thread::Builder::new().name("reload".into()).spawn(move || {
            // The watch lasts as long as the thread.
            let _watcher = watcher;
            run(loader, last, (poll_interval, settle), &received);
        })?;
        Ok(Self { stop, signals, thread: Some(thread) })
    }

    /// What makes it look before it is time.
    pub(crate) fn waker(&self) -> Waker {
        Waker(self.signals.clone())
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Either fails only when the thread is gone already.
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(
    mut loader: Loader,
    last: Outcome,
    (poll_interval, settling): (Duration, Duration),
    signals: &Receiver<Signal>,
) {
    let mut pause = Pause::new(poll_interval);
    let mut wait = pause.after(last);
    loop {
        match signals.recv_timeout(wait) {
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(Signal::Changed) => {
                if settle(settling, signals).is_stop() {
                    return;
                }
                pause.reset();
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        wait = pause.after(loader.look());
    }
}

/// Swallows the changes that follow at once. Bounded, so that a directory that changes all the
/// time is looked at nevertheless.
fn settle(within: Duration, signals: &Receiver<Signal>) -> Signal {
    let deadline = Instant::now() + within;
    loop {
        match signals.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Signal::Changed) => {}
            Err(RecvTimeoutError::Timeout) => return Signal::Changed,
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Signal::Stop,
        }
    }
}

impl Signal {
    fn is_stop(&self) -> bool {
        matches!(self, Self::Stop)
    }
}

/// How long to wait before the next look.
struct Pause {
    poll_interval: Duration,
    retry: Duration,
}

impl Pause {
    fn new(poll_interval: Duration) -> Self {
        Self { poll_interval, retry: FIRST_RETRY }
    }

    fn reset(&mut self) {
        self.retry = FIRST_RETRY;
    }

    fn after(&mut self, outcome: Outcome) -> Duration {
        match outcome {
            Outcome::Settled => {
                self.reset();
                self.poll_interval
            }
            Outcome::Refused => {
                let wait = self.retry.min(self.poll_interval);
                self.retry = self.retry.saturating_mul(2);
                wait
            }
        }
    }
}

/// Watches the directory itself: the manifest, which is written last, is replaced by renaming.
fn watch(public: &Path, signals: Sender<Signal>) -> Option<RecommendedWatcher> {
    let started = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| concerns_manifest(&event)) {
            // Fails only while stopping.
            let _ = signals.send(Signal::Changed);
        }
    })
    .and_then(|mut watcher| {
        watcher.watch(public, RecursiveMode::NonRecursive)?;
        Ok(watcher)
    });
    started
        .inspect_err(|error| {
            let public = public.display();
            tracing::warn!(%error, %public, "cannot watch the public directory: polling it only");
        })
        .ok()
}

/// Our own reading of the manifest is an event too, and not one to read it again for.
fn concerns_manifest(event: &Event) -> bool {
    let changes = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    };
    let manifest = |path: &std::path::PathBuf| path.ends_with(MANIFEST_PATH);
    changes && (event.need_rescan() || event.paths.iter().any(manifest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_tried_again_soon_and_then_less_often() {
        let mut pause = Pause::new(Duration::from_secs(5));
        let waits: Vec<_> = (0..7).map(|_| pause.after(Outcome::Refused).as_millis()).collect();
        assert_eq!(waits, [250, 500, 1000, 2000, 4000, 5000, 5000]);
        assert_eq!(pause.after(Outcome::Settled), Duration::from_secs(5));
        assert_eq!(pause.after(Outcome::Refused), FIRST_RETRY);
    }

    #[test]
    fn reading_the_manifest_is_no_change() {
        let event = |kind| Event::new(kind).add_path(MANIFEST_PATH.into());
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        assert!(!concerns_manifest(&event(opened)));
        assert!(concerns_manifest(&event(written)));
        assert!(!concerns_manifest(&Event::new(written).add_path("reviews.json".into())));
    }
}
