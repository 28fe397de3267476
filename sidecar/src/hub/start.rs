//! Starting and stopping the hub's thread, and reaching it from others.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    path::Path,
    rc::Rc,
    sync::{Arc, Weak, mpsc as blocking},
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::rt::{Runtime, time::Instant};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::{
    client::Caller,
    clock::{CarriedClock, Clock, Course},
    health::Health,
    lanes::Lanes,
    limits::{Limits, RateLimited},
    metrics::Metrics,
    policy::AddressPolicy,
    request::SubscriptionRequest,
    resolver::{PolicedResolver, SystemLookup},
    secrets::{KeyError, Keyring},
    settings::HubConfig,
    store::{Location, Opening, StoreError},
    topics::Topics,
    worker::{Command, Results, SEEN_AT, Shared, Worker},
};
use crate::{outgoing::CaError, published::Published, random::Random, signal::Waker};

/// The store's file in the state directory.
const DATABASE: &str = "hub.db";

/// The key's file in the state directory.
const KEY: &str = "hub.key";

/// Requests that may wait for the worker.
const WAITING_REQUESTS: usize = 256;

/// Denials under way at once.
pub(super) const MAX_DENIALS: usize = 16;

/// How long a request waits for the store.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

/// Why the hub cannot start.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The store is not usable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The key is not usable.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The operator's certificates are not usable.
    #[error(transparent)]
    Ca(#[from] CaError),
    /// The system refuses a thread.
    #[error("cannot start the hub: {0}")]
    Thread(#[from] io::Error),
}

/// The running hub; dropping it lets deliveries end and closes the store.
#[derive(Debug)]
pub(crate) struct Hub {
    handle: HubHandle,
    thread: Option<JoinHandle<()>>,
}

/// What other threads reach the hub by.
#[derive(Clone, Debug)]
pub(crate) struct HubHandle {
    commands: mpsc::Sender<Command>,
    shared: Arc<Shared>,
    source: Waker,
}

/// Why a request that makes sense is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There are too many subscriptions, or too many wait.
    Full,
    /// It cannot be recorded.
    Unavailable,
}

impl Hub {
    /// Opens the store and starts the thread. Blocks until the store is open; `wait` is how long
    /// another process may hold it.
    pub(crate) fn start(
        hub: &HubConfig,
        state: &Path,
        wait: Duration,
        published: Arc<Published>,
        source: Waker,
    ) -> Result<Self, HubError> {
        let location = location(hub, state)?;
        let keys = Keyring::open(&key_path(hub, state))?;
        let shared = Arc::new(Shared {
            config: hub.clone(),
            limits: Limits::new(hub),
            health: Health::default(),
            metrics: Metrics::new(),
            published,
        });
        let (commands, received) = mpsc::channel(WAITING_REQUESTS);
        let (report, started) = blocking::channel();
        let for_thread = shared.clone();
        let thread = thread::Builder::new().name("hub".into()).spawn(move || {
            let runtime = match Runtime::new() {
                Ok(runtime) => runtime,
                Err(error) => return drop(report.send(Err(error.into()))),
            };
            runtime.block_on(async move {
                match open(for_thread, location, keys, received, wait).await {
                    Err(error) => drop(report.send(Err(error))),
                    Ok((worker, opening)) => {
                        // Whoever started this waits for it.
                        let _ = report.send(Ok(()));
                        worker.run().await;
                        drop(opening);
                    }
                }
            });
        })?;
        started.recv().map_err(io::Error::other)??;
        let handle = HubHandle { commands, shared, source };
        Ok(Self { handle, thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> HubHandle {
        self.handle.clone()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        let commands = self.handle.commands.clone();
        if let Some(thread) = self.thread.take() {
            // Fails when the thread has ended, or is so busy that it will see the channel close.
            let _ = thread::spawn(move || drop(commands.blocking_send(Command::Stop))).join();
            let _ = thread.join();
        }
    }
}

/// Where the store is: as configured, or in the state directory.
pub(super) fn location(hub: &HubConfig, state: &Path) -> Result<Location, StoreError> {
    match &hub.store {
        Some(address) => address.parse(),
        None => Ok(Location::Sqlite(state.join(DATABASE))),
    }
}

/// Where the key is: as configured, or in the state directory.
pub(super) fn key_path(hub: &HubConfig, state: &Path) -> std::path::PathBuf {
    hub.key.clone().unwrap_or_else(|| state.join(KEY))
}

async fn open(
    shared: Arc<Shared>,
    location: Location,
    keys: Keyring,
    commands: mpsc::Receiver<Command>,
    wait: Duration,
) -> Result<(Worker, Opening), HubError> {
    let hub = &shared.config;
    let opening = location.open(&keys, wait).await?;
    let store = opening.store.clone();
    let (clock, carried) = clock(hub, &opening).await?;
    let now = clock.now();
    let seen = store.fact(SEEN_AT).await?.and_then(|seen| seen.parse().ok()).unwrap_or(now);
    let lookup = hub.lookup.clone().unwrap_or_else(|| Arc::new(SystemLookup));
    let resolver = PolicedResolver::new(lookup, AddressPolicy::new(hub.allow_cidrs.clone()));
    let caller = Caller::new(hub, resolver)?;
    let limits = &hub.limits;
    let worker = Worker {
        verifications: Lanes::new(limits.verifications, limits.verifications_by_host),
        deliveries: Lanes::new(limits.deliveries, limits.deliveries_by_host),
        store,
        keys,
        random: Random::new(),
        caller,
        course: Course::new(seen, &*clock),
        clock,
        carried,
        commands,
        done: mpsc::unbounded_channel(),
        results: Results::default(),
        contents: HashMap::new(),
        topics: Topics::default(),
        announced: Weak::new(),
        denials: Rc::new(Semaphore::new(MAX_DENIALS)),
        more_deliveries_due: true,
        more_verifications_due: true,
        may_prune: true,
        must_scrub: true,
        next_tick: Instant::now(),
        next_upkeep: Instant::now(),
        shared,
    };
    Ok((worker, opening))
}

/// The configured clock, the database's, or this machine's.
async fn clock(
    hub: &HubConfig,
    opening: &Opening,
) -> Result<(Arc<dyn Clock>, Option<Arc<CarriedClock>>), StoreError> {
    if let Some(clock) = &hub.clock {
        return Ok((clock.clone(), None));
    }
    let clock = Arc::new(CarriedClock::new());
    match opening.store.clock().await? {
        None => Ok((clock, None)),
        Some(now) => {
            clock.carry_on_from(now);
            Ok((clock.clone(), Some(clock)))
        }
    }
}

impl HubHandle {
    /// Hands a request to the worker. When this returns it is recorded.
    pub(crate) async fn ask(
        &self,
        subscription_request: SubscriptionRequest,
    ) -> Result<(), Refused> {
        if !self.shared.health.is_writable() {
            return Err(Refused::Unavailable);
        }
        let (reply, answered) = oneshot::channel();
        let sent = self.commands.try_send(Command::Ask { subscription_request, reply });
        sent.map_err(|_| Refused::Unavailable)?;
        match actix_web::rt::time::timeout(REQUEST_TIMEOUT, answered).await {
            Ok(Ok(Some(true))) => Ok(()),
            Ok(Ok(Some(false))) => Err(Refused::Full),
            _ => Err(Refused::Unavailable),
        }
    }

    /// Makes the sidecar look at its source at once.
    pub(crate) fn ping(&self) -> Result<(), RateLimited> {
        self.shared.limits.check_ping()?;
        self.source.look();
        Ok(())
    }

    /// One more request of whoever is behind this peer.
    pub(crate) fn check_client(
        &self,
        peer: Option<IpAddr>,
        forwarded_for: &[&str],
    ) -> Result<(), RateLimited> {
        let client = peer.and_then(|peer| self.shared.limits.client(peer, forwarded_for));
        client.map_or(Ok(()), |client| self.shared.limits.check_client(client))
    }

    /// One more request that makes the hub call this host.
    pub(crate) fn check_host(&self, host: &str) -> Result<(), RateLimited> {
        self.shared.limits.check_host(host)
    }

    pub(crate) fn health(&self) -> &Health {
        &self.shared.health
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }
}
