//! Starting and stopping the hub's thread, and reaching it from others.

use std::{
    io,
    net::IpAddr,
    path::Path,
    sync::{Arc, mpsc as blocking},
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::rt::Runtime;
use tokio::sync::{mpsc, oneshot};

use super::{
    health::HubHealth,
    limits::{Limits, RateLimited},
    metrics::Metrics,
    request::SubscriptionRequest,
    secrets::{KeyError, Keyring},
    settings::HubConfig,
    stages::{Shared, Stages},
    store::{Location, StoreError},
    verify::Submission,
};
use crate::{outgoing::CaError, published::Published, signal::Waker, stop::Stop};

/// The store's file in the state directory.
const DATABASE: &str = "hub.db";

/// The key's file in the state directory.
const KEY: &str = "hub.key";

/// Requests that may wait for the verifier.
const WAITING_REQUESTS: usize = 256;

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
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

/// The hub for other threads.
#[derive(Clone, Debug)]
pub(crate) struct HubHandle {
    submissions: mpsc::Sender<Submission>,
    shared: Arc<Shared>,
    source: Waker,
}

/// Why a valid request is not accepted.
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
            health: HubHealth::default(),
            metrics: Metrics::new(),
            published,
        });
        let (submissions, received) = mpsc::channel(WAITING_REQUESTS);
        let (report, started) = blocking::channel();
        let (stop, handle) = (Stop::default(), HubHandle { submissions, shared, source });
        let (for_thread, stopped) = (handle.shared.clone(), stop.clone());
        let thread = thread::Builder::new().name("hub".into()).spawn(move || {
            let runtime = match Runtime::new() {
                Ok(runtime) => runtime,
                Err(error) => return drop(report.send(Err(error.into()))),
            };
            runtime.block_on(async move {
                match Stages::open(for_thread, location, keys, received, stopped, wait).await {
                    Err(error) => drop(report.send(Err(error))),
                    Ok(stages) => {
                        // Whoever started this waits for it.
                        let _ = report.send(Ok(()));
                        stages.run().await;
                    }
                }
            });
        })?;
        started.recv().map_err(io::Error::other)??;
        Ok(Self { handle, stop, thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> HubHandle {
        self.handle.clone()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.stop.ask();
        if let Some(thread) = self.thread.take() {
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

impl HubHandle {
    /// Hands a request to the verifier. When this returns it is recorded.
    pub(crate) async fn submit(&self, request: SubscriptionRequest) -> Result<(), Refused> {
        if !self.shared.health.is_writable() {
            return Err(Refused::Unavailable);
        }
        let (reply, replied) = oneshot::channel();
        let sent = self.submissions.try_send(Submission { request, reply });
        sent.map_err(|_| Refused::Unavailable)?;
        match actix_web::rt::time::timeout(REQUEST_TIMEOUT, replied).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(Refused::Full),
            _ => Err(Refused::Unavailable),
        }
    }

    /// Makes the sidecar check its publication source at once.
    pub(crate) fn ping(&self) -> Result<(), RateLimited> {
        self.shared.limits.check_ping()?;
        self.source.wake();
        Ok(())
    }

    /// Counts one more request of the client behind this peer.
    pub(crate) fn check_client(
        &self,
        peer: Option<IpAddr>,
        forwarded_for: &[&str],
    ) -> Result<(), RateLimited> {
        let client = peer.and_then(|peer| self.shared.limits.client(peer, forwarded_for));
        client.map_or(Ok(()), |client| self.shared.limits.check_client(client))
    }

    /// Counts one more request with a callback at this host.
    pub(crate) fn check_host(&self, host: &str) -> Result<(), RateLimited> {
        self.shared.limits.check_host(host)
    }

    pub(crate) fn health(&self) -> &HubHealth {
        &self.shared.health
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }
}
