//! The thread that keeps the snapshot current. The file system or a publisher's ping wakes it, and
//! it polls, because a watch may miss a change (network file systems, replaced folders) and a web
//! server reports none.

use std::{
    io,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use contract::manifest::MANIFEST_PATH;
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};

use crate::{
    config::Config,
    degraded::Degraded,
    load::{Loader, OpenError},
    published::Published,
    random::Random,
    signal::{Signal, Waker},
    source::{NextPoll, PollSchedule, Public, SourceHealth},
    stop::Stop,
};

/// The wait after a folder was first refused; it doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(250);

/// The fraction by which a wait between two requests to a web server may be shorter or longer.
const SPREAD: f64 = 0.2;

/// The reloading thread. Dropping this ends it and releases the state directory.
#[derive(Debug)]
pub(crate) struct Reloader {
    stop: Stop,
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Reloader {
    /// Opens the loader in a thread of its own and serves what the last process served. A folder is
    /// checked before this returns; a remote site is not waited for.
    ///
    /// # Errors
    /// When the loader cannot be opened, or the system refuses a thread.
    pub(crate) fn start(
        config: &Config,
        published: Arc<Published>,
        health: Arc<SourceHealth>,
        degraded: Arc<Degraded>,
    ) -> Result<Self, OpenError> {
        let (signals, received) = mpsc::channel();
        let (report, started) = mpsc::channel();
        let stop = Stop::default();
        let (config, for_thread, changes) = (config.clone(), stop.clone(), signals.clone());
        let thread = thread::Builder::new().name("reload".into()).spawn(move || {
            let opened = Loader::open(&config, published, health.clone(), &degraded, &for_thread);
            let mut loader = match opened {
                Ok(loader) => loader,
                Err(error) => return drop(report.send(Err(error))),
            };
            loader.restore();
            // `start` waits for this.
            let report_start = || drop(report.send(Ok(())));
            if loader.is_remote() {
                report_start();
            }
            // The watch lasts as long as the thread, and begins before the first look.
            let _watcher = watch(&config.public, changes);
            let first = loader.check();
            report_start();
            run(loader, first, Schedule::new(&config, health), &received);
        })?;
        started.recv().map_err(|error| OpenError::Thread(io::Error::other(error)))??;
        Ok(Self { stop, signals, thread: Some(thread) })
    }

    /// Starts a check before the scheduled one.
    pub(crate) fn waker(&self) -> Waker {
        Waker::new(self.signals.clone())
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        self.stop.ask();
        // Either fails only when the thread is gone already.
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// When the next check is, and where it is reported.
struct Schedule {
    polls: PollSchedule,
    settling: Duration,
    health: Arc<SourceHealth>,
    random: Random,
    hold_off_until: Instant,
}

impl Schedule {
    fn new(config: &Config, health: Arc<SourceHealth>) -> Self {
        let (poll, remote) = (config.poll_interval, &config.remote);
        let polls = match config.public {
            Public::Folder(_) => PollSchedule::new(poll, FIRST_RETRY, poll, 0.0),
            Public::Url(_) => {
                PollSchedule::new(poll, remote.first_retry, remote.longest_retry, SPREAD)
            }
        };
        let (settling, random) = (config.settle, Random::new());
        Self { polls, settling, health, random, hold_off_until: Instant::now() }
    }

    /// How long to wait after a check.
    fn after(&mut self, next: NextPoll) -> Duration {
        let wait = self.polls.after(next, self.random.chance());
        self.hold_off_until = Instant::now() + next.hold_off();
        self.health.next_in(wait);
        wait
    }

    /// How much of the source's `Retry-After` is left.
    fn hold_off(&self) -> Option<Duration> {
        let left = self.hold_off_until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}

fn run(mut loader: Loader, first: NextPoll, mut schedule: Schedule, signals: &Receiver<Signal>) {
    let mut wait = schedule.after(first);
    loop {
        match signals.recv_timeout(wait) {
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(Signal::Changed) => {
                if settle(schedule.settling, signals).is_stop() {
                    return;
                }
                schedule.polls.reset();
                if let Some(left) = schedule.hold_off() {
                    let seconds = left.as_secs();
                    tracing::info!(seconds, "postponed a ping: the source sent Retry-After");
                    wait = left;
                    continue;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        wait = schedule.after(loader.check());
    }
}

/// Discards the changes that follow within this time. Bounded, so that a directory that always
/// changes is checked too.
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

/// Watches the directory itself: the manifest, which is written last, is replaced by renaming.
fn watch(public: &Public, signals: Sender<Signal>) -> Option<RecommendedWatcher> {
    let Public::Folder(public) = public else { return None };
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

/// Reading the manifest is an event too, but no change.
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
    fn reading_the_manifest_is_no_change() {
        let event = |kind| Event::new(kind).add_path(MANIFEST_PATH.into());
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        assert!(!concerns_manifest(&event(opened)));
        assert!(concerns_manifest(&event(written)));
        assert!(!concerns_manifest(&Event::new(written).add_path("reviews.json".into())));
    }
}
