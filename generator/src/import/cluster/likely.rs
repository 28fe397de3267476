//! Joins by similarity. A platform lists a review once: two rows of one file are two reviews, and so
//! are two nodes with different ids of one kind. These merges are reported.

use std::collections::{BTreeSet, HashMap};

use super::{Ambiguous, Clusters};
use crate::import::node::{Node, days};

/// Days two dates of one review may differ.
const DAYS: i32 = 2;

/// Why two nodes are one review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum MatchReason {
    /// An account has one review of a place.
    Account,
    /// The same long text.
    Text,
    /// Author, rating and day.
    Day,
    /// Author and rating, and nearly the day.
    NearDay,
}

impl MatchReason {
    /// As the report shows it.
    pub(in super::super) fn words(self) -> &'static str {
        match self {
            Self::Account => "the same account",
            Self::Text => "the same text",
            Self::Day => "the same author, rating and day",
            Self::NearDay => "the same author and rating, and nearly the same day",
        }
    }

    /// Whether it is reported: a second id of one account is certain.
    pub(in super::super) fn is_guess(self) -> bool {
        self != Self::Account
    }
}

/// A row that was joined with another review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Merge {
    pub(in super::super) row: u32,
    pub(in super::super) why: MatchReason,
}

/// The result of joining by similarity.
#[derive(Debug, Default)]
pub(in super::super) struct LikelyMatches {
    pub(in super::super) merges: Vec<Merge>,
    pub(in super::super) ambiguous: Vec<Ambiguous>,
}

/// Joins each review without a stored one with the only other review that is similar.
pub(in super::super) fn join_likely(nodes: &[Node], clusters: &mut Clusters) -> LikelyMatches {
    let mut likely = LikelyMatches::default();
    if !is_possible(nodes) {
        return likely;
    }
    let index = MatchIndex::of(nodes);
    for orphan in orphans(nodes, clusters) {
        let root = clusters.root(orphan);
        let own = Cluster::of(nodes, clusters, root);
        if own.stored {
            // Another review was joined with it meanwhile.
            continue;
        }
        for why in [MatchReason::Account, MatchReason::Text, MatchReason::Day, MatchReason::NearDay]
        {
            let found = candidates(nodes, clusters, &index, root, &own, why);
            match found.as_slice() {
                [] => continue,
                [only] => {
                    likely.merges.push(Merge { row: orphan, why });
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

/// Within one unit nothing is joined by similarity.
fn is_possible(nodes: &[Node]) -> bool {
    let mut units = nodes.iter().map(Node::unit);
    let Some(first) = units.next() else { return false };
    units.any(|unit| unit != first)
}

/// The first row of each review without a stored one, in an order that does not depend on the files'.
fn orphans(nodes: &[Node], clusters: &mut Clusters) -> Vec<u32> {
    let mut has_stored = vec![false; nodes.len()];
    for number in (0_u32..).take(nodes.len()) {
        if nodes[number as usize].is_stored() {
            has_stored[clusters.root(number) as usize] = true;
        }
    }
    let mut first: Vec<(u32, contract::model::ReviewId, u32)> = Vec::new();
    for number in (0_u32..).take(nodes.len()) {
        let root = clusters.root(number);
        if !has_stored[root as usize] {
            first.push((root, nodes[number as usize].id, number));
        }
    }
    first.sort_unstable();
    first.dedup_by_key(|(root, ..)| *root);
    let mut orphans: Vec<_> = first.into_iter().map(|(_, id, number)| (id, number)).collect();
    orphans.sort_unstable();
    orphans.into_iter().map(|(_, number)| number).collect()
}

/// What joining needs of a review as a whole.
struct Cluster {
    stored: bool,
    /// Whether this import has it.
    present: bool,
    units: BTreeSet<u32>,
    spaces: u8,
}

impl Cluster {
    fn of(nodes: &[Node], clusters: &Clusters, root: u32) -> Self {
        let mut cluster = Self { stored: false, present: false, units: BTreeSet::new(), spaces: 0 };
        for number in clusters.members(root) {
            let node = &nodes[number as usize];
            cluster.spaces |= node.spaces;
            match node.unit() {
                None => cluster.stored = true,
                Some(unit) => {
                    cluster.present = true;
                    cluster.units.insert(unit);
                }
            }
        }
        cluster
    }

    /// Whether they are two reviews, however similar.
    fn contradicts(&self, other: &Self, why: MatchReason) -> bool {
        let two_rows = !self.units.is_disjoint(&other.units);
        let two_ids = self.spaces & other.spaces != 0;
        match why {
            // A review that its author removed and wrote again has a new id; the old one is not listed.
            MatchReason::Account => two_rows || (two_ids && other.present),
            _ => two_rows || two_ids,
        }
    }
}

/// The reviews an orphan is likely to be: one record of each, smallest first.
fn candidates(
    nodes: &[Node],
    clusters: &mut Clusters,
    index: &MatchIndex<'_>,
    root: u32,
    own: &Cluster,
    why: MatchReason,
) -> Vec<u32> {
    let members: Vec<u32> = clusters.members(root).collect();
    let mut found: Vec<(u32, u32)> = Vec::new();
    for member in members {
        for other in index.alike(member, why) {
            let other_root = clusters.root(other);
            if other_root == root || found.iter().any(|(known, _)| *known == other_root) {
                continue;
            }
            if !own.contradicts(&Cluster::of(nodes, clusters, other_root), why) {
                found.push((other_root, other));
            }
        }
    }
    let mut found: Vec<u32> = found.into_iter().map(|(_, node)| node).collect();
    found.sort_unstable_by_key(|&node| (nodes[node as usize].id, node));
    found
}

/// Records by account, by text, and by author.
struct MatchIndex<'a> {
    nodes: &'a [Node],
    accounts: HashMap<u64, Vec<u32>>,
    texts: HashMap<u64, Vec<u32>>,
    authors: BTreeSet<(&'a str, u64, u8, i32, u32)>,
    /// The most days any date may be off.
    tolerance: i32,
}

impl<'a> MatchIndex<'a> {
    fn of(nodes: &'a [Node]) -> Self {
        let by = |key: fn(&Node) -> Option<u64>| {
            let mut numbers: HashMap<u64, Vec<u32>> = HashMap::new();
            for (key, number) in nodes.iter().map(key).zip(0..) {
                if let Some(key) = key {
                    numbers.entry(key).or_default().push(number);
                }
            }
            numbers
        };
        let authors = nodes.iter().zip(0..).filter_map(|(node, number)| {
            Some((node.source(), node.author?, node.rating, days(node.day), number))
        });
        let tolerance = nodes.iter().map(|node| node.tolerance).max().unwrap_or(0);
        Self {
            nodes,
            accounts: by(|node| node.account),
            texts: by(|node| node.text),
            authors: authors.collect(),
            tolerance: i32::from(tolerance),
        }
    }

    /// The records that are like this one in the given way, itself among them.
    fn alike(&self, number: u32, why: MatchReason) -> Vec<u32> {
        let node = &self.nodes[number as usize];
        let equal = |numbers: &HashMap<u64, Vec<u32>>, key: Option<u64>| {
            key.and_then(|key| numbers.get(&key)).cloned().unwrap_or_default()
        };
        match why {
            MatchReason::Account => equal(&self.accounts, node.account),
            MatchReason::Text => equal(&self.texts, node.text),
            MatchReason::Day => self.near(node, |_| 0),
            MatchReason::NearDay => {
                self.near(node, |other| DAYS + i32::from(node.tolerance + other.tolerance))
            }
        }
    }

    /// The records of an author with the same rating, of days that are no farther away than `reach`.
    fn near(&self, node: &Node, reach: impl Fn(&Node) -> i32) -> Vec<u32> {
        let Some(author) = node.author else { return Vec::new() };
        let day = days(node.day);
        let widest = DAYS + i32::from(node.tolerance) + self.tolerance;
        let key = |day: i32, number: u32| (node.source(), author, node.rating, day, number);
        self.authors
            .range(key(day - widest, 0)..=key(day + widest, u32::MAX))
            .filter(|(.., other, number)| {
                (other - day).abs() <= reach(&self.nodes[*number as usize])
            })
            .map(|(.., number)| *number)
            .collect()
    }
}
