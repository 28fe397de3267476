//! Decides whether an address is on the public internet.

use std::{fmt, net::IpAddr, str::FromStr, sync::LazyLock};

use ipnet::{Ipv4Net, Ipv6Net};

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

/// The only IPv6 range that is global unicast.
const GLOBAL_V6: &str = "2000::/3";

/// The ranges in [`GLOBAL_V6`] that are not public: those for protocols, documentation, or a tunnel to an IPv4
/// address that is not looked at.
const BLOCKED_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/// The parts of `2001::/23` that are globally reachable all the same (IANA's registry of IPv6 addresses
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

static PARSED: LazyLock<Ranges> = LazyLock::new(|| Ranges {
    blocked_v4: parse(&BLOCKED_V4),
    global_v6: GLOBAL_V6.parse().expect("the tables are constants"),
    blocked_v6: parse(&BLOCKED_V6),
    excepted_v6: parse(&EXCEPTED_V6),
});

/// The tables above, parsed.
struct Ranges {
    blocked_v4: Vec<Ipv4Net>,
    global_v6: Ipv6Net,
    blocked_v6: Vec<Ipv6Net>,
    excepted_v6: Vec<Ipv6Net>,
}

/// The ranges of a table above.
fn parse<N: FromStr<Err: fmt::Debug>>(table: &[&str]) -> Vec<N> {
    table.iter().map(|net| net.parse().expect("the tables are constants")).collect()
}

/// Whether an address is on the public internet. An IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) is
/// treated as the IPv4 address.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !PARSED.blocked_v4.iter().any(|net| net.contains(&address)),
        IpAddr::V6(address) => {
            let within = |nets: &[Ipv6Net]| nets.iter().any(|net| net.contains(&address));
            PARSED.global_v6.contains(&address)
                && (!within(&PARSED.blocked_v6) || within(&PARSED.excepted_v6))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(address: &str) -> bool {
        is_public(address.parse().unwrap())
    }

    #[test]
    fn no_reserved_range_is_public_at_either_end() {
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
            assert!(!public(first), "{first}");
            assert!(!public(last), "{last}");
        }
    }

    #[test]
    fn the_neighbours_of_reserved_ranges_are_public() {
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
            assert!(public(address), "{address}");
        }
    }
}
