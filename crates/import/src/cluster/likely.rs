//! Joins by similarity. A platform lists a review once: two rows of one file are two reviews, and so
//! are two nodes with different ids of one kind. These merges are reported.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::ControlFlow,
};

use super::{Ambiguous, Clusters};
use crate::node::{Node, days, differs};

/// Days two dates of one review may differ.
const DAYS: i32 = 2;
/// Similar reviews that are looked for. From two on a row is ambiguous.
const MAX_CANDIDATES: usize = 10;
/// Steps of a search for similar reviews. A row with a longer one is ambiguous.
const MAX_STEPS: usize = 5_000;

/// The platforms on which an account has one review of a place. Elsewhere a customer reviews each purchase.
const ONE_OF_AN_ACCOUNT: [&str; 3] = ["facebook", "google", "yelp"];

/// The reason why two nodes are one review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum MatchReason {
    /// The same account; where it may have several reviews, on the same day.
    Account,
    /// The same long text.
    Text,
    /// Author, rating and day.
    Day,
    /// Author and rating, and nearly the day.
    NearDay,
}

impl MatchReason {
    /// Returns the words of the report.
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
    let mut reviews = Reviews::of(nodes, clusters);
    let mut undecided = HashSet::new();
    for orphan in orphans(nodes, clusters) {
        let root = clusters.root(orphan);
        // Another review was joined with it meanwhile, or its rows are ambiguous already.
        if reviews.clusters[&root].stored || undecided.contains(&root) {
            continue;
        }
        for why in [MatchReason::Account, MatchReason::Text, MatchReason::Day, MatchReason::NearDay]
        {
            let found = reviews.candidates(clusters, root, why);
            match found {
                Candidates { is_whole: true, found } if found.is_empty() => continue,
                Candidates { is_whole: true, found } if found.len() == 1 => {
                    // What several rows could be is none of them.
                    let other = clusters.root(found[0]);
                    let of_text = why == MatchReason::Text;
                    if of_text && reviews.candidates(clusters, other, why).found.len() > 1 {
                        continue;
                    }
                    likely.merges.push(Merge { row: orphan, why });
                    reviews.join(clusters, found[0], root);
                }
                Candidates { found, .. } => {
                    let between: std::rc::Rc<[u32]> = found.into();
                    undecided.insert(root);
                    likely.ambiguous.extend(clusters.members(root).map(|row| Ambiguous {
                        row,
                        between: between.clone(),
                        by_ids: false,
                    }));
                }
            }
            break;
        }
    }
    likely
}

/// Returns whether the nodes are of several units: within one, nothing is joined by similarity.
fn is_possible(nodes: &[Node]) -> bool {
    let mut units = nodes.iter().map(Node::unit);
    let Some(first) = units.next() else { return false };
    units.any(|unit| unit != first)
}

/// The first row of each review without a stored one, in an order that does not depend on the files'.
fn orphans(nodes: &[Node], clusters: &mut Clusters) -> Vec<u32> {
    let has_stored = super::stored_roots(nodes, clusters);
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

/// The facts about a review as a whole that joining needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Cluster {
    stored: bool,
    /// Whether this import has it.
    present: bool,
    units: BTreeSet<u32>,
    spaces: u8,
}

impl Cluster {
    fn add(&mut self, node: &Node) {
        self.spaces |= node.spaces;
        self.stored |= node.is_stored();
        self.present |= !node.is_stored();
        self.units.extend(node.unit());
    }

    /// Whether they are two reviews, however similar. More members never make them one.
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

/// The values in which records are alike: an account, a text, or an author with a rating; and the day.
type Likeness<'a> = (MatchReason, &'a str, u64, u8, i32);

/// The reviews, and their records in the order of likeness, and then of what their reviews and dates
/// were before any was joined here: records of one kind that contradict are skipped at once.
struct Reviews<'a> {
    nodes: &'a [Node],
    clusters: HashMap<u32, Cluster>,
    /// Records of a review that are not alike in every way.
    records: HashMap<u32, Vec<u32>>,
    index: BTreeSet<(Likeness<'a>, usize, u32)>,
    kinds: Vec<(Cluster, i32)>,
    /// The most days any date may be off.
    tolerance: i32,
}

/// The reviews an orphan is likely to be: one record of each, smallest first.
struct Candidates {
    found: Vec<u32>,
    /// Whether there are no others.
    is_whole: bool,
}

impl<'a> Reviews<'a> {
    fn of(nodes: &'a [Node], clusters: &mut Clusters) -> Self {
        let mut reviews = Self {
            nodes,
            clusters: HashMap::new(),
            records: HashMap::new(),
            index: BTreeSet::new(),
            kinds: Vec::new(),
            tolerance: i32::from(nodes.iter().map(|node| node.tolerance).max().unwrap_or(0)),
        };
        for (number, node) in super::numbered(nodes) {
            reviews.clusters.entry(clusters.root(number)).or_default().add(node);
        }
        let (mut kinds, mut known) = (HashMap::new(), HashSet::new());
        for (number, node) in super::numbered(nodes) {
            let root = clusters.root(number);
            let likenesses = likenesses(node);
            if !known.insert((root, likenesses, node.tolerance)) {
                continue;
            }
            reviews.records.entry(root).or_default().push(number);
            let kind = (&reviews.clusters[&root], i32::from(node.tolerance));
            let next = kinds.len();
            let kind = *kinds.entry(kind).or_insert_with(|| {
                reviews.kinds.push((kind.0.clone(), kind.1));
                next
            });
            reviews.index.extend(likenesses.into_iter().flatten().map(|like| (like, kind, number)));
        }
        reviews
    }

    /// Joins a review into another one.
    fn join(&mut self, clusters: &mut Clusters, into: u32, root: u32) {
        let into = clusters.root(into);
        clusters.join(into, root);
        if let (Some(mut small), Some(large)) =
            (self.clusters.remove(&root), self.clusters.get_mut(&into))
        {
            if small.units.len() > large.units.len() {
                std::mem::swap(&mut small.units, &mut large.units);
            }
            large.units.extend(small.units);
            large.stored |= small.stored;
            large.present |= small.present;
            large.spaces |= small.spaces;
        }
        if let (Some(mut small), Some(large)) =
            (self.records.remove(&root), self.records.get_mut(&into))
        {
            if small.len() > large.len() {
                std::mem::swap(&mut small, large);
            }
            large.extend(small);
        }
    }

    /// Whether two records that are alike are two reviews. Two people: their names and days differ, since several write a
    /// usual sentence, and a shop's placeholder is the account of several, who write other words; with one text also
    /// their stars or initials. Or two texts, neither of which is the other one edited or cut off, of a name that several
    /// have, or of a customer with two purchases.
    fn are_of_others(&self, a: u32, b: u32, why: MatchReason) -> bool {
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let are_other_names = differs(a.author, b.author);
        let is_other = are_other_names && a.day != b.day;
        let is_one = match why {
            MatchReason::Text => true,
            MatchReason::Account => ONE_OF_AN_ACCOUNT.contains(&a.source()),
            MatchReason::Day | MatchReason::NearDay => false,
        } || a.second().is_some() && a.second() == b.second();
        let are_two_texts = differs(a.text, b.text) && differs(a.opening, b.opening);
        // Short words of the same days are two complaints, unless one is the beginning of the other.
        let are_two_words =
            why == MatchReason::NearDay && differs(a.words, b.words) && a.start != b.start;
        let is_of_text = why == MatchReason::Text;
        let are_two_people = are_other_names && (a.rating != b.rating || a.initial != b.initial)
            || a.author != b.author && a.rating != b.rating && a.day != b.day;
        is_other && (is_of_text || differs(a.words, b.words))
            || is_of_text && are_two_people
            || !is_one && (are_two_texts || are_two_words)
    }

    fn candidates(&self, clusters: &mut Clusters, root: u32, why: MatchReason) -> Candidates {
        let (mut found, mut steps) = (Vec::new(), 0);
        let own = &self.clusters[&root];
        let ended = self.records[&root].iter().try_for_each(|&record| {
            self.alike(record, own, why, &mut steps, &mut |other| {
                let other_root = clusters.root(other);
                let is_new =
                    other_root != root && found.iter().all(|(known, _)| *known != other_root);
                let is_other = self.are_of_others(record, other, why);
                if is_new && !is_other && !own.contradicts(&self.clusters[&other_root], why) {
                    found.push((other_root, other));
                }
                if found.len() > MAX_CANDIDATES {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        let mut found: Vec<u32> = found.into_iter().map(|(_, node)| node).collect();
        found.sort_unstable_by_key(|&node| (self.nodes[node as usize].id, node));
        Candidates { found, is_whole: ended.is_continue() }
    }

    /// Visits the records that are like this one in the given way and were not of a review that
    /// contradicts. Breaks off after too many steps.
    fn alike(
        &self,
        record: u32,
        own: &Cluster,
        why: MatchReason,
        steps: &mut usize,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let node = &self.nodes[record as usize];
        let [account, text, author] = likenesses(node);
        let reach = if why == MatchReason::NearDay { DAYS + i32::from(node.tolerance) } else { 0 };
        let likeness = match why {
            MatchReason::Account => account,
            MatchReason::Text => text,
            MatchReason::Day | MatchReason::NearDay => author,
        };
        let Some((kind, source, key, rating, day)) = likeness else {
            return ControlFlow::Continue(());
        };
        let widest = if reach > 0 { reach + self.tolerance } else { 0 };
        let at = |day| (kind, source, key, rating, day);
        let (mut from, end) = ((at(day - widest), 0, 0), (at(day + widest), usize::MAX, u32::MAX));
        while let Some(&(like, kind, number)) = self.index.range(from..=end).next() {
            *steps += 1;
            if *steps > MAX_STEPS {
                return ControlFlow::Break(());
            }
            let (cluster, tolerance) = &self.kinds[kind];
            let is_near = reach == 0 || (like.4 - day).abs() <= reach + tolerance;
            from = (like, kind, number + 1);
            if is_near && !own.contradicts(cluster, why) {
                visit(number)?;
            } else {
                from = (like, kind + 1, 0);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the likenesses of a node by account, by text, and by author.
fn likenesses(node: &Node) -> [Option<Likeness<'_>>; 3] {
    let day = if ONE_OF_AN_ACCOUNT.contains(&node.source()) { 0 } else { days(node.day) };
    [
        node.account.map(|key| (MatchReason::Account, "", key, 0, day)),
        node.text.map(|key| (MatchReason::Text, "", key, 0, 0)),
        node.author.map(|key| (MatchReason::Day, node.source(), key, node.rating, days(node.day))),
    ]
}
