//! A hub as one process has it: its stages, each of which is polled by itself, and its calls.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::Duration,
};

use futures_util::future::{FutureExt, LocalBoxFuture};
use sqlx::AnyPool;
use tokio::{
    sync::mpsc,
    task::{LocalSet, yield_now},
};

use super::{network::Network, outside::Outside, publications::Shelf};
use crate::{
    hub::{
        client::HubClient,
        context::Shared,
        health::HubHealth,
        limits::Limits,
        metrics::Metrics,
        opening::Opened,
        policy::AddressPolicy,
        record::SEEN_AT,
        resolver::{PolicedResolver, SystemLookup},
        secrets::Keyring,
        settings::HubConfig,
        stages::Stages,
        store::{Opening, Store},
        verify::Submission,
    },
    runtime::stop::Stop,
    sites::{Sites, site::LoadingThreads},
};

const NAMES: [&str; 5] = ["announcer", "verifier", "deliverer", "recorder", "calls"];

/// The waker of one poll. A later poll has another, so that a late signal of the store's thread is not heard.
struct Woken(AtomicBool, Thread);

impl Woken {
    fn new(is_woken: bool) -> Arc<Self> {
        Arc::new(Self(AtomicBool::new(is_woken), thread::current()))
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, SeqCst);
        self.1.unpark();
    }
}

/// A stage, or the calls of all of them.
struct Part {
    /// None once it has ended.
    run: Option<LocalBoxFuture<'static, ()>>,
    woken: Arc<Woken>,
}

/// A running hub. Dropping it is to kill it.
pub(super) struct Process {
    pub(super) number: u32,
    pub(super) sites: Arc<Sites>,
    pub(super) loading: Arc<LoadingThreads>,
    pub(super) shared: Arc<Shared>,
    pub(super) submissions: mpsc::Sender<Submission>,
    pub(super) stop: Stop,
    parts: Vec<Part>,
    calls: Rc<LocalSet>,
    pool: AnyPool,
}

impl Process {
    /// Starts a hub with this store.
    pub(super) async fn start(
        number: u32,
        config: &HubConfig,
        client: &HubClient,
        store: Store,
        shelf: &Shelf,
        outside: &Rc<RefCell<Outside>>,
        has_list: bool,
    ) -> Self {
        let (sites, loading) = shelf.sites(has_list);
        let shared = Arc::new(Shared {
            config: config.clone(),
            limits: Limits::new(config),
            health: HubHealth::default(),
            metrics: Metrics::new(),
            sites: sites.clone(),
        });
        let resolver = PolicedResolver::new(Arc::new(SystemLookup), AddressPolicy::new(Vec::new()));
        let network = Network { process: number, outside: outside.clone(), resolver };
        let client = client.with_network(network);
        let clock = config.clock.clone().unwrap();
        let seen = store.fact(SEEN_AT).await.unwrap();
        let seen = seen.and_then(|seen| seen.parse().ok()).unwrap_or_else(|| clock.now());
        let pool = store.pool().clone();
        let opened = Opened {
            opening: Opening { store, _lock: None },
            keys: Keyring::new(&[7; 32]).unwrap(),
            clock,
            database_clock: None,
            seen,
        };
        let (submissions, received) = mpsc::channel(256);
        let stop = Stop::default();
        let stages = Stages::new(shared.clone(), opened, client, received, stop.clone());
        let calls = Rc::new(LocalSet::new());
        let all_calls = calls.clone();
        let run_calls = async move { all_calls.run_until(std::future::pending()).await };
        let (_, stages) = stages.begin();
        let parts = stages.into_iter().chain([run_calls.boxed_local()]);
        let parts = parts.map(|run| Part { run: Some(run), woken: Woken::new(true) }).collect();
        Self { number, sites, loading, shared, submissions, stop, parts, calls, pool }
    }

    /// Returns the parts that can go on.
    pub(super) fn runnable(&self) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter().enumerate();
        parts.filter(|(_, part)| part.run.is_some() && part.woken.0.load(SeqCst)).map(|(at, _)| at)
    }

    pub(super) fn name(part: usize) -> &'static str {
        NAMES[part]
    }

    /// Whether every stage has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.parts.iter().filter(|part| part.run.is_none()).count() == NAMES.len() - 1
    }

    /// Polls a part. If it uses the store, this waits until the store has responded: what a part does with the store at
    /// once is one step of the history.
    pub(super) async fn poll(&mut self, part: usize) {
        let part = &mut self.parts[part];
        let mut used_store = false;
        loop {
            part.woken = Woken::new(false);
            if let Some(run) = &mut part.run {
                let _calls = self.calls.enter();
                let waker = Waker::from(part.woken.clone());
                if run.poll_unpin(&mut Context::from_waker(&waker)) == Poll::Ready(()) {
                    part.run = None;
                }
            }
            while self.pool.num_idle() == 0 && !part.woken.0.load(SeqCst) {
                used_store = true;
                // The connection is returned by a task of the runtime.
                yield_now().await;
                thread::park_timeout(Duration::from_micros(5));
            }
            if self.pool.num_idle() == 1 {
                break;
            }
            used_store = true;
        }
        // A signal of the store may come late, which must not matter.
        if used_store {
            part.woken.0.store(true, SeqCst);
        }
    }
}
