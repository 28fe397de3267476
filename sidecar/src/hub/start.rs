//! Starts and stops the hub's thread, and gives other threads access to it.

use std::{
    io,
    net::IpAddr,
    path::Path,
    sync::{Arc, mpsc as blocking},
    thread::JoinHandle,
    time::Duration,
};

use actix_web::rt::{Runtime, time::sleep};
use ipnet::IpNet;
use tokio::sync::{mpsc, oneshot};

use super::{
    client::HubClient,
    context::Shared,
    health::HubHealth,
    limits::{Client, Limits, RateLimited},
    metrics::Metrics,
    opening::{Opener, OpenerError},
    request::SubscriptionRequest,
    secrets::KeyError,
    settings::HubConfig,
    stages::{self, Stages},
    store::{RequestOutcome, StoreError},
    verify::Submission,
};
use crate::{
    runtime::{background, outgoing::CaError, stop::Stop},
    sites::{Sites, site::Site},
};

/// Maximum number of requests that wait for the verifier.
const WAITING_REQUESTS: usize = 256;

/// The time that a request waits for the store.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

/// The reason why the hub cannot start.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The address of the store is invalid.
    #[error(transparent)]
    Store(StoreError),
    /// The configured key file does not exist.
    #[error(transparent)]
    Key(KeyError),
    /// The operator's certificates are not usable.
    #[error(transparent)]
    Ca(#[from] CaError),
    /// The system refuses a thread.
    #[error("cannot start the hub: {0}")]
    Thread(#[from] io::Error),
}

impl From<OpenerError> for HubError {
    fn from(error: OpenerError) -> Self {
        match error {
            OpenerError::Store(error) => Self::Store(error),
            OpenerError::Key(error) => Self::Key(error),
        }
    }
}

/// The running hub; dropping it lets deliveries end and closes the store.
#[derive(Debug)]
pub(crate) struct Hub {
    handle: HubHandle,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

/// The access of other threads to the hub.
#[derive(Clone, Debug)]
pub(crate) struct HubHandle {
    submissions: mpsc::Sender<Submission>,
    shared: Arc<Shared>,
}

/// The reason why a valid request is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There are too many subscriptions, or too many wait.
    Full,
    /// The operator has blocked the callback's host.
    Blocked,
    /// The request cannot be recorded.
    Unavailable,
}

impl Hub {
    /// Starts the thread. Blocks until it has tried to open the store once; `wait` is the time for which another
    /// process may lock it. Without a store the hub pauses, and tries again.
    ///
    /// # Errors
    /// When the configuration is invalid, or the system refuses a thread.
    pub(crate) fn start(
        hub: &HubConfig,
        state: &Path,
        wait: Duration,
        sites: Arc<Sites>,
    ) -> Result<Self, HubError> {
        let opener = Opener::new(hub, state)?;
        let shared = Arc::new(Shared {
            config: hub.clone(),
            limits: Limits::new(hub),
            health: HubHealth::default(),
            metrics: Metrics::new(),
            sites,
        });
        let (submissions, received) = mpsc::channel(WAITING_REQUESTS);
        let (report, started) = blocking::channel();
        let (stop, handle) = (Stop::default(), HubHandle { submissions, shared });
        let running = Running {
            shared: handle.shared.clone(),
            opener,
            submissions: received,
            stop: stop.clone(),
        };
        let thread = background::spawn("hub", move || {
            let begun = Runtime::new()
                .map_err(HubError::from)
                .and_then(|runtime| Ok((runtime, stages::client(&running.shared.config)?)));
            match begun {
                Err(error) => drop(report.send(Err(error))),
                Ok((runtime, client)) => {
                    runtime.block_on(running.run(client, wait, || drop(report.send(Ok(())))));
                }
            }
        })?;
        started.recv().map_err(io::Error::other)??;
        Ok(Self { handle, stop, thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> HubHandle {
        self.handle.clone()
    }
}

/// The state of the thread.
struct Running {
    shared: Arc<Shared>,
    opener: Opener,
    submissions: mpsc::Receiver<Submission>,
    stop: Stop,
}

impl Running {
    /// Opens the store, calls `started` after the first attempt, and runs until the hub stops.
    async fn run(self, client: HubClient, wait: Duration, started: impl FnOnce()) {
        let Self { shared, opener, submissions, stop } = self;
        let first = opener.open_first(wait).await;
        let opened = match first {
            Ok(opened) => {
                started();
                opened
            }
            Err(error) => {
                pause(&shared, &error);
                // Whoever started this waits for it.
                started();
                let retried = opener.retry(&stop, |error| pause(&shared, &error));
                let Some(opened) = retried.await else { return };
                opened
            }
        };
        let limit = 2 * shared.config.timeouts.stop;
        let stages = Stages::new(shared, opened, client, submissions, stop.clone()).run();
        if !ends_in_time(stages, &stop, limit).await {
            tracing::warn!(
                "the hub ends before its store responds: what is not recorded is sent again after the next start"
            );
        }
    }
}

/// Does the work, but not for longer than the limit after it has to stop: each call of a store that does not respond
/// takes seconds, and a service manager kills what takes too long. Whether the work ended.
async fn ends_in_time(work: impl Future<Output = ()>, stop: &Stop, limit: Duration) -> bool {
    let too_late = async {
        stop.asked().await;
        sleep(limit).await;
    };
    select! {
        () = work => true,
        () = too_late => false,
    }
}

/// Reports that the hub has no store.
fn pause(shared: &Shared, error: &OpenerError) {
    let reason = error.to_string();
    let is_known = shared.health.store_fault().is_some_and(|known| known == reason);
    shared.health.store_failed(reason);
    shared.metrics.writable(false);
    if !is_known {
        tracing::error!(
            %error,
            "the hub pauses: its store cannot be opened. Reads continue; the response to new hub requests is 503"
        );
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

impl HubHandle {
    /// Sends a request of this client, for a topic of this site, to the verifier. It is recorded when this returns.
    pub(crate) async fn submit(
        &self,
        client: Client,
        site: &Arc<Site>,
        request: SubscriptionRequest,
    ) -> Result<(), Refused> {
        if !self.shared.health.is_writable() {
            return Err(Refused::Unavailable);
        }
        let (reply, replied) = oneshot::channel();
        let site = site.name().to_owned();
        let submission = Submission { site, network: client.network(), request, reply };
        let sent = self.submissions.try_send(submission);
        sent.map_err(|_| Refused::Unavailable)?;
        match actix_web::rt::time::timeout(REQUEST_TIMEOUT, replied).await {
            Ok(Ok(RequestOutcome::Recorded(_))) => Ok(()),
            Ok(Ok(RequestOutcome::Full)) => Err(Refused::Full),
            Ok(Ok(RequestOutcome::Blocked)) => Err(Refused::Blocked),
            _ => Err(Refused::Unavailable),
        }
    }

    /// Makes the sidecar check the site's source at once.
    pub(crate) fn ping(&self, site: &Arc<Site>, client: Client) -> Result<(), RateLimited> {
        self.shared.limits.check_ping(client)?;
        site.check();
        Ok(())
    }

    /// Returns the client behind this peer. A proxy that is not listed is reported once.
    pub(crate) fn client(&self, peer: IpAddr, forwarded_for: &[&str]) -> Client {
        let client = self.shared.limits.client(peer, forwarded_for);
        if let Client::Unknown { peer, is_proxy: true } = client
            && self.shared.health.found_proxy(peer)
        {
            tracing::warn!(
                %peer,
                "limits per client are off: requests come through a proxy; name it with --trusted-proxies"
            );
        }
        client
    }

    /// Returns the network that has a share of connections. None for a proxy, whether it is named or not.
    pub(crate) fn share(&self, peer: IpAddr) -> Option<IpNet> {
        let peer = peer.to_canonical();
        let is_proxy =
            self.shared.limits.is_trusted(peer) || self.shared.health.is_unnamed_proxy(peer);
        if is_proxy { None } else { self.shared.limits.client(peer, &[]).share() }
    }

    /// Counts one more request of this client.
    pub(crate) fn check_client(&self, client: Client) -> Result<(), RateLimited> {
        self.shared.limits.check_client(client)
    }

    /// Counts one more request of this client with a callback at this host.
    pub(crate) fn check_host(&self, client: Client, host: &str) -> Result<(), RateLimited> {
        self.shared.limits.check_host(client, host)
    }

    /// Returns the ports of callbacks that the operator permits in addition to the usual ones.
    pub(crate) fn allowed_ports(&self) -> &[u16] {
        &self.shared.config.allow_ports
    }

    pub(crate) fn health(&self) -> &HubHealth {
        &self.shared.health
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[actix_web::test]
    async fn only_a_stop_limits_the_time_of_the_stages() {
        let (stop, limit) = (Stop::default(), Duration::from_millis(1));
        assert!(ends_in_time(sleep(5 * limit), &stop, limit).await);
        stop.ask();
        assert!(ends_in_time(ready(()), &stop, limit).await);
        assert!(!ends_in_time(pending(), &stop, limit).await);
    }
}
