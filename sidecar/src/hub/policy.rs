//! The addresses that the hub may connect to. An untrusted client chooses the callback; its host must resolve to an
//! address on the public internet, or to one that the operator permits.

use std::net::IpAddr;

use contract::address::is_public;
use ipnet::IpNet;

/// The rule of every connection: verification, delivery and denial alike.
#[derive(Clone, Debug)]
pub(crate) struct AddressPolicy {
    allowed: Vec<IpNet>,
}

impl AddressPolicy {
    /// Permits public addresses, and the operator's ranges.
    pub(crate) fn new(allowed: Vec<IpNet>) -> Self {
        Self { allowed }
    }

    /// Whether a connection to this address may be made.
    pub(crate) fn permits(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed.iter().any(|net| net.contains(&address)) || is_public(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(policy: &AddressPolicy, address: &str) -> bool {
        policy.permits(address.parse().unwrap())
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
