//! Decides which nodes are one review: first by a common id at the source, or by all values of a row
//! without ids; then, for rows that are still alone, by similarity, if exactly one other node is similar.

mod likely;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use likely::MatchReason;
pub(super) use likely::{Merge, join_likely};

use super::{ids::Key, node::Node};

/// Nodes joined into reviews: a union-find forest, and a ring through the nodes of each review.
pub(super) struct Clusters {
    parent: Vec<u32>,
    /// The next record of the same review, in a ring.
    next: Vec<u32>,
}

impl Clusters {
    /// Every record on its own.
    fn new(count: usize) -> Self {
        let alone: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
        Self { parent: alone.clone(), next: alone }
    }

    /// The review a record belongs to.
    pub(super) fn root(&mut self, node: u32) -> u32 {
        let mut root = node;
        while self.parent[root as usize] != root {
            let above = self.parent[root as usize];
            self.parent[root as usize] = self.parent[above as usize];
            root = above;
        }
        root
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent[b as usize] = a;
            self.next.swap(a as usize, b as usize);
        }
    }

    /// Whether a record is the only one of its review.
    fn is_alone(&self, node: u32) -> bool {
        self.next[node as usize] == node
    }

    /// The records of a review, beginning with `node`.
    pub(super) fn members(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = Some(node);
        std::iter::from_fn(move || {
            let current = at?;
            at = Some(self.next[current as usize]).filter(|next| *next != node);
            Some(current)
        })
    }
}

/// A row that cannot be joined, and what it is ambiguous between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ambiguous {
    pub(super) row: u32,
    /// One record of each review it could be; fewer than two where it is like too many to compare.
    pub(super) between: Rc<[u32]>,
    /// By ids, which is a contradiction in the stored reviews; otherwise by similarity.
    pub(super) by_ids: bool,
}

/// The reviews of rows that are one beyond doubt.
pub(super) struct Certain {
    pub(super) clusters: Clusters,
    pub(super) merges: Vec<Merge>,
    pub(super) ambiguous: Vec<Ambiguous>,
    /// The number of rows without a name that have the values of another row of their file.
    pub(super) alike: usize,
}

/// Joins what is one review beyond doubt. Rows whose ids belong to two stored reviews are ambiguous.
pub(super) fn join_certain(nodes: &[Node]) -> Certain {
    let mut clusters = Clusters::new(nodes.len());
    for pair in by_key(nodes).windows(2) {
        if pair[0].0 == pair[1].0 {
            clusters.join(pair[0].1, pair[1].1);
        }
    }
    let ambiguous = ambiguous_by_ids(nodes, &mut clusters);
    let alike = join_exact(nodes, &mut clusters);
    let merges = join_signed_words(nodes, &mut clusters);
    join_changed(nodes, &mut clusters);
    Certain { clusters, merges, ambiguous, alike }
}

/// The keys of all ids, each with the nodes that have it.
pub(super) fn by_key(nodes: &[Node]) -> Vec<(Key, u32)> {
    let of_node = |(number, node): (u32, &Node)| {
        node.keys.iter().map(|key| (*key, number)).collect::<Vec<_>>()
    };
    let mut keys: Vec<(Key, u32)> = numbered(nodes).flat_map(of_node).collect();
    keys.sort_unstable();
    keys
}

/// Whether a review is stored, by its root.
fn stored_roots(nodes: &[Node], clusters: &mut Clusters) -> Vec<bool> {
    let mut has_stored = vec![false; nodes.len()];
    stored_nodes(nodes).for_each(|(n, _)| has_stored[clusters.root(n) as usize] = true);
    has_stored
}

fn ambiguous_by_ids(nodes: &[Node], clusters: &mut Clusters) -> Vec<Ambiguous> {
    let mut stored: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut seen: Vec<bool> = vec![false; nodes.len()];
    for (number, _) in stored_nodes(nodes) {
        let root = clusters.root(number);
        if seen[root as usize] {
            stored.entry(root).or_default().push(number);
        }
        seen[root as usize] = true;
    }
    let mut ambiguous = Vec::new();
    for (root, _) in stored {
        let members: Vec<u32> = clusters.members(root).collect();
        let between: Rc<[u32]> = only(nodes, &members, Node::is_stored).into();
        let rows = only(nodes, &members, |node| !node.is_stored());
        ambiguous.extend(rows.iter().map(|&row| Ambiguous {
            row,
            between: between.clone(),
            by_ids: true,
        }));
    }
    ambiguous.sort_by_key(|ambiguous| ambiguous.row);
    ambiguous
}

fn only(nodes: &[Node], members: &[u32], keep: impl Fn(&Node) -> bool) -> Vec<u32> {
    let mut kept: Vec<u32> =
        members.iter().copied().filter(|&node| keep(&nodes[node as usize])).collect();
    kept.sort_unstable();
    kept
}

fn stored_nodes(nodes: &[Node]) -> impl Iterator<Item = (u32, &Node)> {
    numbered(nodes).filter(|(_, node)| node.is_stored())
}

fn numbered(nodes: &[Node]) -> impl Iterator<Item = (u32, &Node)> {
    (0..).zip(nodes)
}

/// Joins rows without ids that have the same values, and the stored review with these values; and a row with an id
/// with the stored review without one. Returns the number of those without a name that are several in a file.
fn join_exact(nodes: &[Node], clusters: &mut Clusters) -> usize {
    let mut exact: Vec<(u64, bool, u32)> =
        numbered(nodes).map(|(number, node)| (node.exact, node.spaces != 0, number)).collect();
    exact.sort_unstable();
    let mut apart = 0;
    for group in exact.chunk_by(|a, b| a.0 == b.0) {
        if nodes[group[0].2 as usize].is_nameless() {
            let members = group.iter().map(|(.., number)| *number).collect();
            apart += join_nameless(nodes, clusters, members);
            continue;
        }
        // Without an id they come first.
        let (alike, named) = group.split_at(group.partition_point(|(_, has_id, _)| !has_id));
        let rows: Vec<u32> = alike
            .iter()
            .map(|(.., number)| *number)
            .filter(|&number| !nodes[number as usize].is_stored())
            .collect();
        let stored = alike.iter().map(|(.., n)| *n).find(|&n| nodes[n as usize].is_stored());
        let Some(first) = rows.first().copied().or(stored) else { continue };
        rows.iter().for_each(|&row| clusters.join(first, row));
        let mut roots: Vec<u32> = named.iter().map(|(.., n)| clusters.root(*n)).collect();
        roots.sort_unstable();
        roots.dedup();
        match (stored, roots.as_slice()) {
            (Some(stored), [only]) if rows.is_empty() => {
                let is_row = |member: u32| !nodes[member as usize].is_stored();
                if clusters.members(*only).all(is_row) && clusters.is_alone(stored) {
                    clusters.join(stored, *only);
                }
            }
            (Some(stored), _) => clusters.join(stored, first),
            (None, [only]) => clusters.join(*only, first),
            _ => {}
        }
    }
    apart
}

/// Joins what several people can have written: the first row of a file with these values and the first row of another
/// are one review, and so are the second ones. Where all have times, only those with the same time.
fn join_nameless(nodes: &[Node], clusters: &mut Clusters, mut members: Vec<u32>) -> usize {
    let node = |number: u32| &nodes[number as usize];
    let have_times = members.iter().all(|&number| node(number).second().is_some());
    let second = |number: u32| node(number).second().filter(|_| have_times);
    members.sort_by_key(|&n| (second(n), !node(n).is_stored(), node(n).id, n));
    let mut apart = 0;
    for alike in members.chunk_by(|a, b| second(*a) == second(*b)) {
        let (named, without): (Vec<u32>, Vec<u32>) =
            alike.iter().partition(|n| node(**n).spaces != 0);
        let (mut reviews, rows): (Vec<u32>, Vec<u32>) =
            without.iter().partition(|n| node(**n).is_stored());
        if without.is_empty() {
            continue;
        }
        // The export has ids by now.
        let mut free = reviews.clone().into_iter();
        let mut roots = HashSet::new();
        for number in named {
            if !roots.insert(clusters.root(number)) {
                continue;
            }
            let is_row = |member: u32| !node(member).is_stored();
            let is_new = clusters.members(number).all(is_row);
            match is_new.then(|| free.next()).flatten() {
                Some(stored) => {
                    clusters.join(stored, number);
                    roots.insert(clusters.root(number));
                }
                None => reviews.push(number),
            }
        }
        let mut next = HashMap::<usize, usize>::new();
        for row in rows {
            let file = |number: u32| node(number).row().map(|row| row.file);
            let Some(own) = file(row) else { continue };
            let at = next.entry(own).or_default();
            let is_taken = |review: &u32, clusters: &Clusters| {
                clusters.members(*review).any(|member| file(member) == Some(own))
            };
            apart += usize::from(*at > 0);
            while reviews.get(*at).is_some_and(|review| is_taken(review, clusters)) {
                *at += 1;
            }
            match reviews.get(*at) {
                Some(&review) => clusters.join(review, row),
                None => reviews.push(row),
            }
            *at += 1;
        }
    }
    apart
}

/// Joins the rows of one author with the same distinctive words, and the only stored review with them: copies of a page
/// differ in white space, and platforms show another date after a while.
fn join_signed_words(nodes: &[Node], clusters: &mut Clusters) -> Vec<Merge> {
    let mut merges = Vec::new();
    let mut signed: Vec<(u64, u32)> =
        numbered(nodes).filter_map(|(number, node)| Some((node.signed_words?, number))).collect();
    signed.sort_unstable();
    let has_stored = stored_roots(nodes, clusters);
    for group in signed.chunk_by(|a, b| a.0 == b.0) {
        for pair in group.windows(2) {
            let (a, b) = (clusters.root(pair[0].1), clusters.root(pair[1].1));
            // Two stored reviews stay two; check names them.
            if a == b || has_stored[a as usize] && has_stored[b as usize] {
                continue;
            }
            let (review, other) = if has_stored[b as usize] { (b, a) } else { (a, b) };
            let row =
                pair.iter().find(|(_, n)| clusters.root(*n) == other).map_or(other, |(_, n)| *n);
            merges.push(Merge { row, why: MatchReason::Text });
            clusters.join(review, other);
        }
    }
    merges
}

/// Joins a row without ids with the stored review whose id it would get, or that has its values in another
/// decoding: the review, or the decoding, has changed since the import of such a row.
fn join_changed(nodes: &[Node], clusters: &mut Clusters) {
    let mut by_id: Vec<_> = stored_nodes(nodes).map(|(n, node)| (node.id, n)).collect();
    by_id.sort_unstable();
    let mut exact: Vec<_> = stored_nodes(nodes).map(|(n, node)| (node.exact, n)).collect();
    exact.sort_unstable();
    let with_id = |id| Some(by_id[by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?].1);
    let with_values = |key| {
        let first = exact.partition_point(|(exact, _)| *exact < key);
        exact.get(first).filter(|(exact, _)| *exact == key).map(|(_, number)| *number)
    };
    let rows: Vec<(u32, &Node)> =
        numbered(nodes).filter(|(_, node)| !node.is_stored() && node.spaces == 0).collect();
    let has_stored = stored_roots(nodes, clusters);
    for (row, node) in rows {
        let decodings = || node.decodings.iter();
        // Of several people without a name each may have written on that day.
        let own = Some(node.id).filter(|_| !node.is_nameless());
        let found = own
            .and_then(with_id)
            .or_else(|| decodings().find_map(|(exact, _)| with_values(*exact)))
            .or_else(|| decodings().find_map(|(_, id)| with_id(*id)));
        let Some(review) = found else { continue };
        // The stored review stays the root of those that are joined with it.
        if !has_stored[clusters.root(row) as usize] && clusters.is_alone(review) {
            clusters.join(review, row);
        }
    }
}
