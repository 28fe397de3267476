//! A site: its names, the address or folder of its publication, its current publication, and the signals to the thread
//! that loads it.

mod threads;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::{Duration, Instant},
};

use actix_web::rt::time::{sleep, timeout};

pub(crate) use threads::LoadingThreads;

use crate::{
    publication::{published::Published, snapshot::Snapshot},
    runtime::limits::LOAD_WAIT,
    source::{Public, SourceHealth},
};

/// The name of the folder of the states of several sites in the state directory.
pub(crate) const SITES: &str = "sites";

/// A site that this process serves.
#[derive(Debug)]
pub(crate) struct Site {
    /// A number that differs between the sites of a process; never used again.
    pub(crate) id: u64,
    /// The host names under which it is served, its name first. None for the only site of a process, which answers to
    /// every name.
    pub(crate) hosts: Vec<String>,
    pub(crate) public: Public,
    pub(crate) published: Published,
    pub(crate) health: SourceHealth,
    threads: Arc<LoadingThreads>,
    /// Whether the thread has been asked to load it and has not tried yet.
    is_asked: AtomicBool,
    /// Whether it is loaded when a new publication is found, whether or not it is requested.
    is_followed: AtomicBool,
    /// Whether the thread has been asked to unload it and has not tried yet.
    is_asked_to_unload: AtomicBool,
    /// Whether it is no longer served.
    is_removed: AtomicBool,
    /// Whether the hub has compared the newest loaded publication with its store.
    is_compared: AtomicBool,
    pub(crate) requests: AtomicU64,
    started: Instant,
    /// Milliseconds from `started` to the last request.
    pub(crate) last_used: AtomicU64,
    /// Milliseconds from `started` to the time before which it is not loaded again.
    rests_until: AtomicU64,
}

/// The signals to the thread that loads sites.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    /// The site's source may have changed.
    Changed(Arc<Site>),
    /// A site waits: for a request, or because the hub is to compare it with its store.
    Load,
    /// The site is to be unloaded, so that there is memory for others.
    Unload(Arc<Site>),
    /// The site is no longer served.
    Remove(Arc<Site>),
    /// The file system reports changes in these folders.
    Written(Vec<PathBuf>),
    /// The process ends.
    Stop,
}

impl Site {
    /// Makes a site that one of these threads loads. `started` is the same for all sites of a process.
    pub(crate) fn new(
        id: u64,
        hosts: Vec<String>,
        public: Public,
        refusal_limit: Duration,
        threads: Arc<LoadingThreads>,
        started: Instant,
    ) -> Arc<Self> {
        let (published, health) = (Published::new(refusal_limit), SourceHealth::new(&public));
        Arc::new(Self {
            id,
            hosts,
            public,
            published,
            health,
            threads,
            is_asked: AtomicBool::new(false),
            is_followed: AtomicBool::new(false),
            is_asked_to_unload: AtomicBool::new(false),
            is_removed: AtomicBool::new(false),
            is_compared: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            started,
            last_used: AtomicU64::new(0),
            rests_until: AtomicU64::new(0),
        })
    }

    /// Returns the name by which the hub's store, logs and metrics know it; empty for the only site of a process.
    pub(crate) fn name(&self) -> &str {
        self.hosts.first().map_or("", String::as_str)
    }

    /// Whether it is the only site of the process, which is always loaded.
    pub(crate) fn is_only(&self) -> bool {
        self.hosts.is_empty()
    }

    /// Returns the folder of its state, in a state directory.
    pub(crate) fn state_folder(&self, state: &Path) -> PathBuf {
        if self.is_only() { state.to_path_buf() } else { state.join(SITES).join(self.name()) }
    }

    /// Returns the current publication. A site that is not loaded is loaded, which may take up to [`LOAD_WAIT`]; `None`
    /// if there is no publication, or not by then.
    pub(crate) async fn snapshot(self: &Arc<Self>) -> Option<Arc<Snapshot>> {
        self.requests.fetch_add(1, Relaxed);
        self.use_now();
        if let Some(snapshot) = self.published.current() {
            return Some(snapshot);
        }
        if self.is_only() { None } else { timeout(LOAD_WAIT, self.load()).await.ok().flatten() }
    }

    /// Records that it was loaded in this time. If it is unloaded for others it is not loaded again for as long, so
    /// that it takes half of a thread at most, however large it is.
    pub(crate) fn rest(&self, took: Duration) {
        self.rests_until.store(self.millis() + millis(took), Relaxed);
    }

    async fn load(self: &Arc<Self>) -> Option<Arc<Snapshot>> {
        loop {
            let rest = self.rests_until.load(Relaxed).saturating_sub(self.millis());
            if rest > 0 {
                sleep(Duration::from_millis(rest)).await;
            }
            let (rests_until, mut changes) =
                (self.rests_until.load(Relaxed), self.published.changes());
            if let Some(current) = self.published.current() {
                return Some(current);
            }
            self.ask();
            while self.published.current().is_none() && self.is_asked.load(SeqCst) {
                changes.changed().await.ok()?;
            }
            let current = self.published.current();
            // It may have been loaded, and unloaded for others before this request could take it.
            let was_loaded = self.rests_until.load(Relaxed) != rests_until;
            if current.is_some() || !was_loaded || self.is_removed() {
                return current;
            }
        }
    }

    /// Signals the thread to load it, once until it has tried.
    fn ask(self: &Arc<Self>) {
        if !self.is_asked.swap(true, SeqCst) {
            self.threads.load(self.clone());
        }
    }

    /// Ends the wait of requests. The next one signals the thread again.
    pub(crate) fn was_tried(&self) {
        self.is_asked.store(false, SeqCst);
        self.published.wake();
    }

    /// Signals the thread to unload it, once until it has tried: a thread may be busy for long.
    pub(crate) fn ask_to_unload(self: &Arc<Self>) {
        if !self.is_asked_to_unload.swap(true, SeqCst) {
            self.send(Signal::Unload(self.clone()));
        }
    }

    /// Records that the thread has tried to unload it, or another one opens it, so that it may be asked again.
    pub(crate) fn may_be_unloaded(&self) {
        self.is_asked_to_unload.store(false, SeqCst);
    }

    /// Ends its service. A request that still finds it does not make the thread load it again.
    pub(crate) fn remove(self: &Arc<Self>) {
        self.is_removed.store(true, SeqCst);
        self.send(Signal::Remove(self.clone()));
    }

    pub(crate) fn is_removed(&self) -> bool {
        self.is_removed.load(SeqCst)
    }

    fn use_now(&self) {
        self.last_used.store(self.millis(), Relaxed);
    }

    /// Returns the milliseconds from `started` until now.
    fn millis(&self) -> u64 {
        millis(self.started.elapsed())
    }

    /// Starts a check before the scheduled one; without effect once the thread has ended.
    pub(crate) fn check(self: &Arc<Self>) {
        self.send(Signal::Changed(self.clone()));
    }

    /// Sets whether it has subscribers. A site that has is loaded whenever a new publication is found, and now, unless
    /// the hub has compared its newest publication.
    pub(crate) fn set_followed(self: &Arc<Self>, is_followed: bool) {
        let was_followed = self.is_followed.swap(is_followed, Relaxed);
        let is_new = !was_followed || !self.is_compared.load(Relaxed);
        if is_followed && is_new && self.published.current().is_none() {
            self.ask();
        }
    }

    /// Sets whether the hub has compared the newest loaded publication with its store.
    pub(crate) fn set_compared(&self, is_compared: bool) {
        self.is_compared.store(is_compared, Relaxed);
    }

    pub(crate) fn is_followed(&self) -> bool {
        self.is_followed.load(Relaxed)
    }

    fn send(&self, signal: Signal) {
        self.threads.send(&signal);
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
