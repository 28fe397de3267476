//! Shares of a limited number: each holder, such as a client network or a site, may have a part of it, so that one
//! cannot take all of it.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::runtime::limits::SHARES;

/// The number that each holder has.
#[derive(Debug)]
pub(crate) struct Shares<K: Eq + Hash> {
    largest: usize,
    held: Mutex<HashMap<K, usize>>,
}

/// One unit of a holder's share, until this is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Copy + Eq + Hash> {
    shares: Arc<Shares<K>>,
    holder: K,
}

impl<K: Copy + Eq + Hash> Shares<K> {
    /// Makes the shares of this many in total.
    pub(crate) fn of(total: usize) -> Arc<Self> {
        Arc::new(Self { largest: largest(total), held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one more for this holder, unless it has its whole share.
    pub(crate) fn take(self: &Arc<Self>, holder: K) -> Option<Share<K>> {
        let mut held = self.held();
        let count = held.entry(holder).or_default();
        // More than zero where it is refused: no entry remains without a holder.
        if *count == self.largest {
            return None;
        }
        *count += 1;
        Some(Share { shares: self.clone(), holder })
    }
}

/// Returns the largest share of this many; at least 1.
pub(crate) fn largest(total: usize) -> usize {
    (total / SHARES).max(1)
}

impl<K: Copy + Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut held = self.shares.held();
        if let Some(count) = held.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ipnet::IpNet;

    use super::*;

    #[test]
    fn a_network_holds_its_share_and_others_have_theirs() {
        let shares = Shares::of(8);
        let [one, other]: [IpNet; 2] =
            ["8.8.8.0/24", "2001:db8:1:2::/64"].map(|text| text.parse().unwrap());
        let mut held: Vec<_> = (0..2).map(|_| shares.take(one).unwrap()).collect();
        assert!(shares.take(one).is_none() && shares.take(one).is_none());
        assert!(shares.take(other).is_some());
        held.pop();
        held.push(shares.take(one).unwrap());
        assert!(shares.take(one).is_none());
        drop(held);
        assert!(shares.held().is_empty(), "what nobody holds is forgotten");
    }

    #[test]
    fn the_smallest_share_is_one() {
        assert_eq!([1, 3, 4, 7, 8, 1024].map(largest), [1, 1, 1, 1, 2, 256]);
    }
}
