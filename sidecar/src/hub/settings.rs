//! What the hub is told.

use std::{path::PathBuf, sync::Arc, time::Duration};

use ipnet::IpNet;

use super::{clock::Clock, resolver::NameLookup, retry::RetryDelays};

/// How the hub runs. [`Default`] is what operators get who say nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubConfig {
    /// `sqlite:PATH` or `postgres://…`; `hub.db` in the state directory when absent.
    pub store: Option<String>,
    /// The file with the key that stored secrets are encrypted with; `hub.key` in the state
    /// directory when absent. Sidecars that share a store share the key.
    pub key: Option<PathBuf>,
    /// The waits before the second and third attempt of a delivery.
    pub retry_delays: RetryDelays,
    /// Ranges of addresses that may be called although they are not public.
    pub allow_cidrs: Vec<IpNet>,
    /// Files with certificates (PEM) of authorities that are trusted beside Mozilla's.
    pub extra_ca: Vec<PathBuf>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// How much is done at once, and how much is taken.
    pub limits: HubLimits,
    /// How long subscribers may take.
    pub timeouts: HubTimeouts,
    /// How long a process may hold a delivery; longer than any delivery takes.
    pub claim: Duration,
    /// How often the hub looks for what is due, whether anything happened or not.
    pub tick: Duration,
    /// The time; this machine's or the database's when absent.
    pub clock: Option<Arc<dyn Clock>>,
    /// How names are resolved; by the system when absent.
    pub lookup: Option<Arc<dyn NameLookup>>,
}

/// Bounds of the hub's work. All at least 1.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubLimits {
    /// Deliveries under way at once.
    pub deliveries: usize,
    /// Deliveries to one host under way at once; 1 while it does not answer.
    pub deliveries_by_host: usize,
    /// Verifications under way at once.
    pub verifications: usize,
    /// Verifications at one host under way at once.
    pub verifications_by_host: usize,
    /// Subscriptions in all.
    pub subscriptions: i64,
    /// Subscriptions whose callbacks have one host.
    pub subscriptions_by_host: i64,
    /// Requests that wait for their subscriber's confirmation.
    pub pending: i64,
    /// Requests a minute from one client address, as many at once.
    pub requests_by_client: u32,
    /// Requests a minute that name one callback host, as many at once.
    pub requests_by_host: u32,
    /// Publisher's pings a minute.
    pub pings: u32,
}

/// How long things at a subscriber's may take.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubTimeouts {
    /// Looking up the name and connecting; the TLS handshake may take as long again.
    pub connect: Duration,
    /// Until the head of the answer is there. Large topics get a second more by mebibyte.
    pub answer: Duration,
    /// Reading the answer to a verification.
    pub body: Duration,
    /// At the end, what is under way may take this long.
    pub stop: Duration,
}

impl Default for HubConfig {
    fn default() -> Self {
        Self {
            store: None,
            key: None,
            retry_delays: RetryDelays::default(),
            allow_cidrs: Vec::new(),
            extra_ca: Vec::new(),
            trusted_proxies: Vec::new(),
            limits: HubLimits::default(),
            timeouts: HubTimeouts::default(),
            claim: Duration::from_secs(120),
            tick: Duration::from_secs(1),
            clock: None,
            lookup: None,
        }
    }
}

impl Default for HubLimits {
    fn default() -> Self {
        Self {
            deliveries: 256,
            deliveries_by_host: 8,
            verifications: 64,
            verifications_by_host: 4,
            subscriptions: 100_000,
            subscriptions_by_host: 1_000,
            pending: 1_000,
            requests_by_client: 60,
            requests_by_host: 30,
            pings: 30,
        }
    }
}

impl Default for HubTimeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            body: Duration::from_secs(5),
            stop: Duration::from_secs(5),
        }
    }
}
