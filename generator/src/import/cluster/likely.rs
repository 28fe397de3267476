//! Joining by likeness. A platform lists a review once: two rows of one file are two reviews, and so
//! are two records with different ids of one kind. What is joined merely for its likeness is said.

use std::collections::BTreeSet;

use super::{Ambiguous, Clusters};
use crate::import::index::{Index, Node};

/// Days two dates of one review may differ.
const DAYS: i32 = 2;

/// Why two records were taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Why {
    /// An account has one review of a place.
    Account,
    /// The same long text.
    Text,
    /// Author, rating and day.
    Day,
    /// Author and rating, and nearly the day.
    NearDay,
}

impl Why {
    /// In words.
    pub(in super::super) fn words(self) -> &'static str {
        match self {
            Self::Account => "the same account",
            Self::Text => "the same text",
            Self::Day => "the same author, rating and day",
            Self::NearDay => "the same author and rating, and nearly the same day",
        }
    }

    /// Whether it is worth telling: an account's second id is proof enough.
    pub(in super::super) fn is_guess(self) -> bool {
        self != Self::Account
    }
}

/// Two records taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Merge {
    pub(in super::super) row: u32,
    pub(in super::super) with: u32,
    pub(in super::super) why: Why,
}

/// What came of it.
#[derive(Debug, Default)]
pub(in super::super) struct Likely {
    pub(in super::super) merges: Vec<Merge>,
    pub(in super::super) ambiguous: Vec<Ambiguous>,
}

/// Joins each review no stored one is known of with the one other review that is likely to be it.
pub(in super::super) fn join_likely(index: &Index, clusters: &mut Clusters) -> Likely {
    let mut likely = Likely::default();
    if !is_possible(index) {
        return likely;
    }
    let lookup = Lookup::of(index);
    for orphan in orphans(index, clusters) {
        let root = clusters.root(orphan);
        let own = Cluster::of(index, clusters, root);
        if own.stored {
            // Joined meanwhile, as the likeness of another one.
            continue;
        }
        for why in [Why::Account, Why::Text, Why::Day, Why::NearDay] {
            let found = candidates(index, clusters, &lookup, root, &own, why);
            match found.as_slice() {
                [] => continue,
                [only] => {
                    likely.merges.push(Merge { row: orphan, with: *only, why });
                    clusters.join(*only, root);
                }
                several => {
                    let rows: Vec<u32> = clusters.members(root).collect();
                    likely.ambiguous.extend(rows.into_iter().map(|row| Ambiguous {
                        row,
                        between: several.to_vec(),
                        by_ids: false,
                    }));
                }
            }
            break;
        }
    }
    likely
}

/// Within one file nothing is joined by likeness.
fn is_possible(index: &Index) -> bool {
    let mut units = index.nodes.iter().map(|node| node.unit);
    let Some(first) = units.next() else { return false };
    units.any(|unit| unit != first)
}

/// The first row of each review without a stored one, in an order that does not depend on the files'.
fn orphans(index: &Index, clusters: &mut Clusters) -> Vec<u32> {
    let mut has_stored = vec![false; index.nodes.len()];
    for number in (0_u32..).take(index.nodes.len()) {
        if index.nodes[number as usize].is_stored() {
            has_stored[clusters.root(number) as usize] = true;
        }
    }
    let mut first: Vec<(u32, contract::model::ReviewId, u32)> = Vec::new();
    for number in (0_u32..).take(index.nodes.len()) {
        let root = clusters.root(number);
        if !has_stored[root as usize] {
            first.push((root, index.nodes[number as usize].id, number));
        }
    }
    first.sort_unstable();
    first.dedup_by_key(|(root, ..)| *root);
    let mut orphans: Vec<_> = first.into_iter().map(|(_, id, number)| (id, number)).collect();
    orphans.sort_unstable();
    orphans.into_iter().map(|(_, number)| number).collect()
}

/// What joining must know of a review as a whole.
struct Cluster {
    stored: bool,
    /// Whether this import has it.
    present: bool,
    units: BTreeSet<u32>,
    spaces: u8,
}

impl Cluster {
    fn of(index: &Index, clusters: &Clusters, root: u32) -> Self {
        let mut cluster = Self { stored: false, present: false, units: BTreeSet::new(), spaces: 0 };
        for number in clusters.members(root) {
            let node = &index.nodes[number as usize];
            cluster.spaces |= node.spaces;
            match node.is_stored() {
                true => cluster.stored = true,
                false => {
                    cluster.present = true;
                    cluster.units.insert(node.unit);
                }
            }
        }
        cluster
    }

    /// Whether they cannot be one, however alike they are.
    fn contradicts(&self, other: &Self, why: Why) -> bool {
        let two_rows = !self.units.is_disjoint(&other.units);
        let two_ids = self.spaces & other.spaces != 0;
        match why {
            // Its review taken down and written anew has a new id, and the old one is listed no more.
            Why::Account => two_rows || (two_ids && other.present),
            _ => two_rows || two_ids,
        }
    }
}

/// The reviews an orphan is likely to be: one record of each, smallest first.
fn candidates(
    index: &Index,
    clusters: &mut Clusters,
    lookup: &Lookup,
    root: u32,
    own: &Cluster,
    why: Why,
) -> Vec<u32> {
    let members: Vec<u32> = clusters.members(root).collect();
    let mut found: Vec<(u32, u32)> = Vec::new();
    for member in members {
        for other in lookup.alike(index, member, why) {
            let other_root = clusters.root(other);
            if other_root == root || found.iter().any(|(known, _)| *known == other_root) {
                continue;
            }
            if !own.contradicts(&Cluster::of(index, clusters, other_root), why) {
                found.push((other_root, other));
            }
        }
    }
    let mut found: Vec<u32> = found.into_iter().map(|(_, node)| node).collect();
    found.sort_unstable_by_key(|&node| (index.nodes[node as usize].id, node));
    found
}

/// Records by account, by text, and by author.
struct Lookup {
    accounts: Vec<(u64, u32)>,
    texts: Vec<(u64, u32)>,
    authors: Vec<((u16, u64, u8, i32), u32)>,
    /// The most days any date may be off.
    tolerance: i32,
}

impl Lookup {
    fn of(index: &Index) -> Self {
        let by = |key: fn(&Node) -> u64| {
            let mut keys: Vec<(u64, u32)> =
                index.nodes.iter().map(key).zip(0..).filter(|(key, _)| *key != 0).collect();
            keys.sort_unstable();
            keys
        };
        let mut authors: Vec<_> = index
            .nodes
            .iter()
            .zip(0..)
            .filter(|(node, _)| node.author != 0)
            .map(|(node, number)| ((node.source, node.author, node.rating, node.day), number))
            .collect();
        authors.sort_unstable();
        let tolerance = index.nodes.iter().map(|node| node.tolerance).max().unwrap_or(0);
        Self {
            accounts: by(|node| node.account),
            texts: by(|node| node.text),
            authors,
            tolerance: i32::from(tolerance),
        }
    }

    /// The records that are like this one in the given way, itself among them.
    fn alike(&self, index: &Index, number: u32, why: Why) -> Vec<u32> {
        let node = &index.nodes[number as usize];
        match why {
            Why::Account => equal(&self.accounts, node.account),
            Why::Text => equal(&self.texts, node.text),
            Why::Day => self.near(index, node, |_| 0),
            Why::NearDay => {
                self.near(index, node, |other| DAYS + i32::from(node.tolerance + other.tolerance))
            }
        }
    }

    fn near(&self, index: &Index, node: &Node, reach: impl Fn(&Node) -> i32) -> Vec<u32> {
        if node.author == 0 {
            return Vec::new();
        }
        let widest = DAYS + i32::from(node.tolerance) + self.tolerance;
        let key = |day: i32| (node.source, node.author, node.rating, day);
        let start = self.authors.partition_point(|(at, _)| *at < key(node.day - widest));
        let near = self.authors[start..].iter().take_while(|(at, _)| *at <= key(node.day + widest));
        near.map(|(_, number)| *number)
            .filter(|&number| {
                let other = &index.nodes[number as usize];
                (other.day - node.day).abs() <= reach(other)
            })
            .collect()
    }
}

fn equal(keys: &[(u64, u32)], key: u64) -> Vec<u32> {
    if key == 0 {
        return Vec::new();
    }
    let start = keys.partition_point(|(at, _)| *at < key);
    keys[start..].iter().take_while(|(at, _)| *at == key).map(|(_, number)| *number).collect()
}
