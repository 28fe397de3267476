//! The limits on requests by client and by callback host, and which client sent a request.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    time::Duration,
};

use governor::{
    DefaultDirectRateLimiter, DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use ipnet::IpNet;

use super::{policy::AddressPolicy, settings::HubConfig};

/// The hub's limits on requests.
#[derive(Debug)]
pub(crate) struct Limits {
    clients: DefaultKeyedRateLimiter<IpAddr>,
    hosts: DefaultKeyedRateLimiter<String>,
    pings: DefaultDirectRateLimiter,
    proxies: Vec<IpNet>,
    public: AddressPolicy,
    clock: DefaultClock,
}

/// A request over a limit, and the time until the next one is permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RateLimited(pub(crate) Duration);

fn quota(by_minute: u32) -> Quota {
    Quota::per_minute(NonZeroU32::new(by_minute).unwrap_or(NonZeroU32::MIN))
}

impl Limits {
    pub(crate) fn new(config: &HubConfig) -> Self {
        Self {
            clients: RateLimiter::keyed(quota(config.limits.requests_by_client)),
            hosts: RateLimiter::keyed(quota(config.limits.requests_by_host)),
            pings: RateLimiter::direct(quota(config.limits.pings)),
            proxies: config.trusted_proxies.clone(),
            public: AddressPolicy::new(Vec::new()),
            clock: DefaultClock::default(),
        }
    }

    /// The client that sent a request: the peer, or behind trusted proxies the last address of
    /// `X-Forwarded-For` that is no trusted proxy. `None` for a peer that is not public and not
    /// trusted: all clients of such a proxy would share one limit, so there is none.
    pub(crate) fn client(&self, peer: IpAddr, forwarded_for: &[&str]) -> Option<IpAddr> {
        let peer = peer.to_canonical();
        let trusted = |address: &IpAddr| self.proxies.iter().any(|net| net.contains(address));
        if !trusted(&peer) {
            return self.public.permits(peer).then_some(peer);
        }
        let hops = forwarded_for.iter().flat_map(|line| line.split(',')).rev();
        for hop in hops {
            // A trusted proxy writes addresses only.
            let hop = hop.trim().parse::<IpAddr>().ok()?.to_canonical();
            if !trusted(&hop) {
                return Some(hop);
            }
        }
        Some(peer)
    }

    /// Counts one more request of this client.
    pub(crate) fn check_client(&self, client: IpAddr) -> Result<(), RateLimited> {
        self.clients.check_key(&network(client)).map_err(|until| self.rate_limited(&until))
    }

    /// Counts one more request with a callback at this host.
    pub(crate) fn check_host(&self, host: &str) -> Result<(), RateLimited> {
        self.hosts.check_key(&host.to_owned()).map_err(|until| self.rate_limited(&until))
    }

    /// Counts one more publisher ping.
    pub(crate) fn check_ping(&self) -> Result<(), RateLimited> {
        self.pings.check().map_err(|until| self.rate_limited(&until))
    }

    fn rate_limited(&self, until: &NotUntil<<DefaultClock as Clock>::Instant>) -> RateLimited {
        RateLimited(until.wait_time_from(self.clock.now()))
    }

    /// Removes clients and hosts without recent requests.
    pub(crate) fn prune(&self) {
        self.clients.retain_recent();
        self.hosts.retain_recent();
    }
}

/// The /64 network of an IPv6 address: one client usually has all of it.
fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(proxies: &[&str]) -> Limits {
        let trusted_proxies = proxies.iter().map(|net| net.parse().unwrap()).collect();
        let mut config = HubConfig { trusted_proxies, ..HubConfig::default() };
        config.limits.requests_by_client = 2;
        Limits::new(&config)
    }

    fn client(limits: &Limits, peer: &str, forwarded_for: &[&str]) -> Option<String> {
        limits.client(peer.parse().unwrap(), forwarded_for).map(|address| address.to_string())
    }

    #[test]
    fn a_public_peer_is_the_client_whatever_it_claims() {
        let limits = limits(&[]);
        assert_eq!(client(&limits, "8.8.8.8", &["1.1.1.1"]).as_deref(), Some("8.8.8.8"));
        assert_eq!(client(&limits, "::ffff:8.8.8.8", &[]).as_deref(), Some("8.8.8.8"));
    }

    #[test]
    fn behind_an_untrusted_proxy_there_is_no_limit_by_client() {
        for peer in ["127.0.0.1", "10.0.0.1", "::1", "fd00::1"] {
            assert_eq!(client(&limits(&[]), peer, &["8.8.8.8"]), None, "{peer}");
        }
    }

    #[test]
    fn trusted_proxies_say_who_the_client_is_and_clients_cannot() {
        let limits = limits(&["10.0.0.0/8", "2001:db8::/32"]);
        let of = |peer: &str, lines: &[&str]| client(&limits, peer, lines);
        assert_eq!(of("10.0.0.1", &["8.8.8.8"]).as_deref(), Some("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &["1.1.1.1, 8.8.8.8, 10.0.0.2"]).as_deref(), Some("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &["1.1.1.1", "8.8.8.8"]).as_deref(), Some("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &[]).as_deref(), Some("10.0.0.1"));
        assert_eq!(of("10.0.0.1", &["8.8.8.8, nonsense"]), None);
        assert_eq!(of("192.168.0.1", &["8.8.8.8"]), None);
    }

    #[test]
    fn too_many_requests_of_one_client_are_told_when_to_come_back() {
        let limits = limits(&[]);
        let check = |address: &str| limits.check_client(address.parse().unwrap());
        assert!(check("2001:4860::1").is_ok() && check("2001:4860::2").is_ok());
        let RateLimited(wait) = check("2001:4860::ffff").unwrap_err();
        assert!(wait > Duration::from_secs(20) && wait <= Duration::from_secs(30), "{wait:?}");
        assert!(check("2001:4860:0:1::").is_ok(), "another network");
        assert!(check("8.8.8.8").is_ok());
        limits.prune();
        assert!(check("2001:4860::3").is_err(), "what is recent is remembered");
    }
}
