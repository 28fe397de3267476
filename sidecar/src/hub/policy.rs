//! Which addresses the hub may connect to. An untrusted client chooses the callback; its host must
//! resolve to an address on the public internet, or to one that the operator permits.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// IPv4 ranges that are private, reserved, or lead elsewhere than they seem (RFC 6890 and its
/// registry, RFC 7526 for 192.88.99/24). 168.63.129.16 is public by its number, and leads to the
/// services of the host of a virtual machine in Azure.
const BLOCKED_V4: [&str; 17] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
];

/// The only IPv6 range that is global unicast …
const GLOBAL_V6: &str = "2000::/3";

/// … less what in it is reserved for protocols, documentation, or a tunnel to an IPv4 address that
/// is not looked at …
const BLOCKED_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/// … but for the parts of `2001::/23` that are globally reachable (IANA's registry of IPv6 addresses
/// for special purposes).
const EXCEPTED_V6: [&str; 7] = [
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:1::3/128",
    "2001:3::/32",
    "2001:4:112::/48",
    "2001:20::/28",
    "2001:30::/28",
];

/// The rule every connection is held to: verification, delivery and denial alike.
#[derive(Clone, Debug)]
pub(crate) struct AddressPolicy {
    allowed: Vec<IpNet>,
    blocked_v4: Vec<Ipv4Net>,
    global_v6: Ipv6Net,
    blocked_v6: Vec<Ipv6Net>,
    excepted_v6: Vec<Ipv6Net>,
}

/// The ranges of a table above.
fn ranges<N: FromStr<Err: fmt::Debug>>(table: &[&str]) -> Vec<N> {
    table.iter().map(|net| net.parse().expect("the tables are constants")).collect()
}

impl AddressPolicy {
    /// Public addresses, and the operator's ranges.
    pub(crate) fn new(allowed: Vec<IpNet>) -> Self {
        Self {
            allowed,
            blocked_v4: ranges(&BLOCKED_V4),
            global_v6: GLOBAL_V6.parse().expect("the tables are constants"),
            blocked_v6: ranges(&BLOCKED_V6),
            excepted_v6: ranges(&EXCEPTED_V6),
        }
    }

    /// Whether a connection to this address may be made. An IPv4-mapped IPv6 address
    /// (`::ffff:a.b.c.d`) is treated as the IPv4 address.
    pub(crate) fn permits(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        if self.allowed.iter().any(|net| net.contains(&address)) {
            return true;
        }
        match address {
            IpAddr::V4(address) => !self.blocked_v4.iter().any(|net| net.contains(&address)),
            IpAddr::V6(address) => self.permits_v6(&address),
        }
    }

    fn permits_v6(&self, address: &Ipv6Addr) -> bool {
        let within = |nets: &[Ipv6Net]| nets.iter().any(|net| net.contains(address));
        self.global_v6.contains(address) && (!within(&self.blocked_v6) || within(&self.excepted_v6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(policy: &AddressPolicy, address: &str) -> bool {
        policy.permits(address.parse().unwrap())
    }

    #[test]
    fn every_reserved_range_is_refused_at_both_ends() {
        let policy = AddressPolicy::new(Vec::new());
        let ranges = [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "239.255.255.255"),
            ("240.0.0.0", "255.255.255.255"),
            ("::", "::1"),
            ("::127.0.0.1", "::8.8.8.8"),
            ("64:ff9b::", "64:ff9b::ffff:ffff"),
            ("64:ff9b:1::", "64:ff9b:1:ffff::"),
            ("100::", "100::ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1::"),
            ("2001:1::4", "2001:2:ffff::"),
            ("2001:4::", "2001:4:111:ffff::"),
            ("2001:4:113::", "2001:1f:ffff::"),
            ("2001:40::", "2001:1ff:ffff::"),
            ("168.63.129.16", "168.63.129.16"),
            ("2001:db8::", "2001:db8:ffff::"),
            ("2002::", "2002:ffff::"),
            ("2002:7f00:1::", "2002:a00:1::"),
            ("3fff::", "3fff:fff:ffff::"),
            ("5f00::", "5f00:ffff::"),
            ("fc00::", "fdff::"),
            ("fe80::", "febf::"),
            ("fec0::", "feff::"),
            ("ff00::", "ffff::"),
            ("::ffff:127.0.0.1", "::ffff:192.168.1.1"),
            ("::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"),
        ];
        for (first, last) in ranges {
            assert!(!permits(&policy, first), "{first}");
            assert!(!permits(&policy, last), "{last}");
        }
    }

    #[test]
    fn the_neighbours_of_reserved_ranges_are_permitted() {
        let policy = AddressPolicy::new(Vec::new());
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "8.8.8.8",
            "::ffff:8.8.8.8",
            "168.63.129.15",
            "168.63.129.17",
            "2001:1::3",
            "2001:3::",
            "2001:4:112::",
            "2001:20::",
            "2001:3f:ffff::",
            "2001:200::",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00::1",
        ] {
            assert!(permits(&policy, address), "{address}");
        }
    }

    #[test]
    fn the_operator_may_allow_a_range_and_nothing_beside_it() {
        let policy = AddressPolicy::new(vec!["10.1.0.0/16".parse().unwrap()]);
        assert!(permits(&policy, "10.1.2.3"));
        assert!(permits(&policy, "::ffff:10.1.2.3"));
        assert!(!permits(&policy, "10.2.0.0"));
        assert!(!permits(&policy, "127.0.0.1"));
    }
}
