//! The hub's configuration.

use std::{path::PathBuf, sync::Arc, time::Duration};

use ipnet::IpNet;

use super::{clock::Clock, resolver::NameLookup, retry::RetryDelays};

/// The configuration of the hub. [`Default`] is the configuration without any option.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubConfig {
    /// The address of the store, `sqlite:PATH` or `postgres://…`; `hub.db` in the state directory when absent.
    pub store: Option<String>,
    /// The file with the key with which stored secrets are encrypted; `hub.key` in the state directory when absent.
    /// Sidecars that share a store share the key.
    pub key: Option<PathBuf>,
    /// The waits before the second and third attempt of a delivery.
    pub retry_delays: RetryDelays,
    /// Ranges of addresses that are permitted although they are not public.
    pub allow_cidrs: Vec<IpNet>,
    /// Ports of callbacks that are permitted in addition to 443 and those from 1024.
    pub allow_ports: Vec<u16>,
    /// Files with certificates (PEM) of authorities that are trusted in addition to Mozilla's.
    pub extra_ca: Vec<PathBuf>,
    /// Ranges of proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Limits of the hub's work.
    pub limits: HubLimits,
    /// The timeouts of requests to subscribers.
    pub timeouts: HubTimeouts,
    /// The duration of a claim; longer than any delivery takes.
    pub claim: Duration,
    /// The interval at which each stage checks for due work.
    pub tick: Duration,
    /// The clock; this machine's or the database's when absent.
    pub clock: Option<Arc<dyn Clock>>,
    /// The resolver of names; the system's when absent.
    pub lookup: Option<Arc<dyn NameLookup>>,
}

/// Limits of the hub's work. All at least 1.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubLimits {
    /// Maximum number of deliveries in progress at once.
    pub deliveries: usize,
    /// Maximum number of deliveries to one host in progress at once; 1 while it does not respond.
    pub deliveries_by_host: usize,
    /// Maximum number of verifications of newcomers in progress at once, and as many of renewals.
    pub verifications: usize,
    /// Maximum number of verifications at one host in progress at once.
    pub verifications_by_host: usize,
    /// Maximum number of verifications of newcomers from one client network in progress at once.
    pub verifications_by_network: i64,
    /// Maximum number of verifications of newcomers at one registrable domain in progress at once.
    pub verifications_by_domain: i64,
    /// Maximum number of subscriptions in all.
    pub subscriptions: i64,
    /// Maximum number of subscriptions whose callbacks have one host.
    pub subscriptions_by_host: i64,
    /// Maximum number of subscriptions whose callbacks have one registrable domain.
    pub subscriptions_by_domain: i64,
    /// Maximum number of subscription requests of newcomers that are not yet verified.
    pub pending: i64,
    /// Maximum number of requests a minute from one client address, as many at once.
    pub requests_by_client: u32,
    /// Maximum number of requests a minute of one client that name one callback host, as many at once.
    pub requests_by_host: u32,
    /// Maximum number of publisher's pings a minute from one client address, as many at once.
    pub pings: u32,
}

/// The timeouts of requests to subscribers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HubTimeouts {
    /// The time for the lookup of the name and the connection; the TLS handshake has as long again.
    pub connect: Duration,
    /// The time until the head of the response. Deliveries have a second more per mebibyte.
    pub answer: Duration,
    /// The time for the body of the response to a verification.
    pub body: Duration,
    /// The time for calls in progress when the hub stops.
    pub stop: Duration,
}

impl Default for HubConfig {
    fn default() -> Self {
        Self {
            store: None,
            key: None,
            retry_delays: RetryDelays::default(),
            allow_cidrs: Vec::new(),
            allow_ports: Vec::new(),
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
            verifications: 128,
            verifications_by_host: 4,
            verifications_by_network: 4,
            verifications_by_domain: 8,
            subscriptions: 100_000,
            subscriptions_by_host: 1_000,
            subscriptions_by_domain: 10_000,
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
