//! The limits on requests by client and by callback host, and the client that sent a request.

use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

use governor::{
    DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use ipnet::IpNet;

use super::{policy::AddressPolicy, settings::HubConfig};

/// The hub's limits on requests.
#[derive(Debug)]
pub(crate) struct Limits {
    clients: DefaultKeyedRateLimiter<IpAddr>,
    hosts: DefaultKeyedRateLimiter<(IpAddr, String)>,
    pings: DefaultKeyedRateLimiter<IpAddr>,
    proxies: Vec<IpNet>,
    public: AddressPolicy,
    clock: DefaultClock,
}

/// The sender of a request, as far as limits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// A public address, or the one that a trusted proxy names.
    Address(IpAddr),
    /// This machine itself, with no proxy between: the operator, whose pings are not limited.
    Operator(IpAddr),
    /// A peer that is neither public nor trusted, such as a proxy that `--trusted-proxies` does not name: all its
    /// clients would share one limit, so they have none.
    Unknown {
        /// The address of the peer.
        peer: IpAddr,
        /// Whether it forwards requests of others.
        is_proxy: bool,
    },
}

/// A request over a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RateLimited {
    /// The limit, for the metrics.
    pub(crate) limit: &'static str,
    /// The time until the next request is permitted.
    pub(crate) wait: Duration,
}

fn quota(by_minute: u32) -> Quota {
    Quota::per_minute(NonZeroU32::new(by_minute).unwrap_or(NonZeroU32::MIN))
}

impl Limits {
    pub(crate) fn new(config: &HubConfig) -> Self {
        Self {
            clients: RateLimiter::keyed(quota(config.limits.requests_by_client)),
            hosts: RateLimiter::keyed(quota(config.limits.requests_by_host)),
            pings: RateLimiter::keyed(quota(config.limits.pings)),
            proxies: config.trusted_proxies.clone(),
            public: AddressPolicy::new(Vec::new()),
            clock: DefaultClock::default(),
        }
    }

    /// Returns the client that sent a request: the peer, or behind trusted proxies the last address of
    /// `X-Forwarded-For` that is not a trusted proxy.
    pub(crate) fn client(&self, peer: IpAddr, forwarded_for: &[&str]) -> Client {
        let peer = peer.to_canonical();
        let is_proxy = !forwarded_for.is_empty();
        if peer.is_loopback() && !is_proxy {
            return Client::Operator(peer);
        }
        if !self.is_trusted(peer) {
            return if self.public.permits(peer) {
                Client::Address(peer)
            } else {
                Client::Unknown { peer, is_proxy }
            };
        }
        let hops = forwarded_for.iter().flat_map(|line| line.split(',')).rev();
        for hop in hops {
            // A trusted proxy writes addresses only.
            let Ok(hop) = hop.trim().parse::<IpAddr>() else {
                return Client::Unknown { peer, is_proxy: false };
            };
            let hop = hop.to_canonical();
            if !self.is_trusted(hop) {
                return Client::Address(hop);
            }
        }
        Client::Address(peer)
    }

    /// Whether this is a trusted proxy.
    pub(crate) fn is_trusted(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.proxies.iter().any(|net| net.contains(&peer))
    }

    /// Counts one more request of this client.
    pub(crate) fn check_client(&self, client: Client) -> Result<(), RateLimited> {
        let Client::Address(address) = client else { return Ok(()) };
        self.check("client_limit", &self.clients, &one_client(address))
    }

    /// Counts one more request of this client with a callback at this host. Requests of other clients do not count:
    /// otherwise anyone could prevent the host's own subscriber from sending one.
    pub(crate) fn check_host(&self, client: Client, host: &str) -> Result<(), RateLimited> {
        let Client::Address(address) = client else { return Ok(()) };
        self.check("host_limit", &self.hosts, &(one_client(address), host.to_owned()))
    }

    /// Counts one more publisher ping of this client.
    pub(crate) fn check_ping(&self, client: Client) -> Result<(), RateLimited> {
        match client {
            Client::Operator(_) => Ok(()),
            Client::Address(address) | Client::Unknown { peer: address, .. } => {
                self.check("ping_limit", &self.pings, &one_client(address))
            }
        }
    }

    fn check<K: Clone + Eq + Hash>(
        &self,
        limit: &'static str,
        limiter: &DefaultKeyedRateLimiter<K>,
        key: &K,
    ) -> Result<(), RateLimited> {
        let wait = |until: NotUntil<_>| until.wait_time_from(self.clock.now());
        limiter.check_key(key).map_err(|until| RateLimited { limit, wait: wait(until) })
    }

    /// Removes clients and hosts without recent requests.
    pub(crate) fn prune(&self) {
        self.clients.retain_recent();
        self.hosts.retain_recent();
        self.pings.retain_recent();
    }
}

impl Client {
    /// Returns the network that shares the hub's places with others. Empty for clients that cannot be distinguished.
    pub(crate) fn network(self) -> String {
        match self {
            Self::Address(address) => network(address).to_string(),
            Self::Operator(_) | Self::Unknown { .. } => String::new(),
        }
    }

    /// Returns the network that has a share of connections and responses. None for the clients of a proxy that is not
    /// named, because they cannot be distinguished.
    pub(crate) fn share(self) -> Option<IpNet> {
        match self {
            Self::Address(peer)
            | Self::Operator(peer)
            | Self::Unknown { peer, is_proxy: false } => Some(network(peer)),
            Self::Unknown { is_proxy: true, .. } => None,
        }
    }
}

/// Returns the network of a client: the first 24 bits of an IPv4 address, 48 of an IPv6 address, which a provider gives
/// to one organisation.
fn network(address: IpAddr) -> IpNet {
    prefix(address, if address.is_ipv4() { 24 } else { 48 })
}

/// Returns the /56 network of an IPv6 address: one household has all of it.
fn one_client(address: IpAddr) -> IpAddr {
    prefix(address, if address.is_ipv4() { 32 } else { 56 }).addr()
}

fn prefix(address: IpAddr, bits: u8) -> IpNet {
    IpNet::new(address, bits).unwrap_or_else(|_| address.into()).trunc()
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

    fn client(limits: &Limits, peer: &str, forwarded_for: &[&str]) -> Client {
        limits.client(peer.parse().unwrap(), forwarded_for)
    }

    fn address(text: &str) -> Client {
        Client::Address(text.parse().unwrap())
    }

    #[test]
    fn a_public_peer_is_the_client_whatever_it_claims() {
        let limits = limits(&[]);
        assert_eq!(client(&limits, "8.8.8.8", &["1.1.1.1"]), address("8.8.8.8"));
        assert_eq!(client(&limits, "::ffff:8.8.8.8", &[]), address("8.8.8.8"));
    }

    #[test]
    fn behind_an_untrusted_proxy_the_client_is_unknown() {
        for peer in ["127.0.0.1", "10.0.0.1", "::1", "fd00::1"] {
            let found = client(&limits(&[]), peer, &["8.8.8.8"]);
            let peer = peer.parse().unwrap();
            assert_eq!(found, Client::Unknown { peer, is_proxy: true });
        }
        let found = client(&limits(&[]), "10.0.0.1", &[]);
        let peer = "10.0.0.1".parse().unwrap();
        assert_eq!(found, Client::Unknown { peer, is_proxy: false });
    }

    #[test]
    fn trusted_proxies_say_who_the_client_is_and_clients_cannot() {
        let limits = limits(&["10.0.0.0/8", "2001:db8::/32"]);
        let of = |peer: &str, lines: &[&str]| client(&limits, peer, lines);
        assert_eq!(of("10.0.0.1", &["8.8.8.8"]), address("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &["1.1.1.1, 8.8.8.8, 10.0.0.2"]), address("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &["1.1.1.1", "8.8.8.8"]), address("8.8.8.8"));
        assert_eq!(of("10.0.0.1", &[]), address("10.0.0.1"));
        for (peer, lines, is_proxy) in
            [("10.0.0.1", ["8.8.8.8, nonsense"], false), ("192.168.0.1", ["8.8.8.8"], true)]
        {
            let found = of(peer, &lines);
            assert_eq!(found, Client::Unknown { peer: peer.parse().unwrap(), is_proxy });
        }
    }

    #[test]
    fn the_operator_on_this_machine_pings_without_limit_and_others_each_have_their_own() {
        let mut config = HubConfig::default();
        config.limits.pings = 1;
        let limits = Limits::new(&config);
        let operator = client(&limits, "127.0.0.1", &[]);
        assert_eq!(operator, Client::Operator("127.0.0.1".parse().unwrap()));
        assert!((0..100).all(|_| limits.check_ping(operator).is_ok()));
        for text in ["8.8.8.8", "9.9.9.9"] {
            assert!(limits.check_ping(address(text)).is_ok());
            assert!(limits.check_ping(address(text)).is_err());
        }
    }

    #[test]
    fn a_stranger_cannot_use_up_what_a_hosts_own_subscriber_may_ask() {
        let mut config = HubConfig::default();
        config.limits.requests_by_host = 1;
        let limits = Limits::new(&config);
        let stranger = address("8.8.8.8");
        assert!(limits.check_host(stranger, "s.example").is_ok());
        assert!(limits.check_host(stranger, "s.example").is_err());
        assert!(limits.check_host(stranger, "t.example").is_ok());
        assert!(limits.check_host(address("9.9.9.9"), "s.example").is_ok());
    }

    #[test]
    fn places_are_shared_by_networks() {
        let network = |text: &str| address(text).network();
        assert_eq!(network("8.8.8.8"), "8.8.8.0/24");
        assert_eq!(network("2001:4860:1:2:3::4"), "2001:4860:1::/48");
        assert_eq!(Client::Operator("::1".parse().unwrap()).network(), "");
    }

    #[test]
    fn responses_are_shared_by_networks_unless_a_proxy_hides_them() {
        let limits = limits(&["10.0.0.1/32"]);
        let share = |peer: &str, lines: &[&str]| {
            client(&limits, peer, lines).share().map(|network| network.to_string())
        };
        for (peer, lines, network) in [
            ("8.8.8.8", &[][..], Some("8.8.8.0/24")),
            ("::ffff:8.8.8.8", &[], Some("8.8.8.0/24")),
            ("2001:4860:1:2:3::4", &["1.1.1.1"], Some("2001:4860:1::/48")),
            ("10.0.0.1", &["2001:4860:1:2:3::4"], Some("2001:4860:1::/48")),
            ("10.0.0.1", &["8.8.8.8, 9.9.9.9"], Some("9.9.9.0/24")),
            ("127.0.0.1", &[], Some("127.0.0.0/24")),
            ("10.0.0.2", &[], Some("10.0.0.0/24")),
            ("10.0.0.2", &["8.8.8.8"], None),
            ("127.0.0.1", &["8.8.8.8"], None),
        ] {
            assert_eq!(share(peer, lines).as_deref(), network, "{peer} {lines:?}");
        }
    }

    #[test]
    fn too_many_requests_of_one_client_are_told_when_to_come_back() {
        let limits = limits(&[]);
        let check = |text: &str| limits.check_client(address(text));
        assert!(check("2001:4860::1").is_ok() && check("2001:4860:0:ff::2").is_ok());
        let RateLimited { wait, .. } = check("2001:4860::ffff").unwrap_err();
        assert!(wait > Duration::from_secs(20) && wait <= Duration::from_secs(30), "{wait:?}");
        assert!(check("2001:4860:0:100::").is_ok(), "another network");
        assert!(check("8.8.8.8").is_ok());
        limits.prune();
        assert!(check("2001:4860::3").is_err(), "what is recent is remembered");
    }
}
