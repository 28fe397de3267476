//! Results for some ranges, from which those of other ranges are composed.

use std::ops::Range;

use super::{bitmap::ReviewSet, trie::Node};

/// Sets of reviews by range. Of two ranges one lies within the other, or they do not overlap.
#[derive(Debug, Default)]
pub(super) struct RangeSets {
    /// By their starts, the wider first.
    answers: Box<[(Range<u32>, ReviewSet)]>,
}

/// A part of a range.
#[derive(Debug)]
pub(super) enum RangePart<'a> {
    Answer(&'a ReviewSet),
    Gap(Range<u32>),
}

impl RangeSets {
    pub(super) fn new(mut answers: Vec<(Range<u32>, ReviewSet)>) -> Self {
        answers.sort_unstable_by_key(|(range, _)| (range.start, u32::MAX - range.end));
        Self { answers: answers.into() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    pub(super) fn exact(&self, range: &Range<u32>) -> Option<&ReviewSet> {
        let key = |(range, _): &(Range<u32>, ReviewSet)| (range.start, u32::MAX - range.end);
        let wanted = (range.start, u32::MAX - range.end);
        let at = self.answers.binary_search_by_key(&wanted, key).ok()?;
        Some(&self.answers[at].1)
    }

    /// Takes a range apart into the widest kept answers and the gaps between them.
    pub(super) fn visit<'a>(&'a self, range: &Range<u32>, mut tell: impl FnMut(RangePart<'a>)) {
        let mut start = range.start;
        let mut left = &self.answers[..];
        while start < range.end {
            // Those that begin before or reach beyond hold the whole range.
            let passed = left.partition_point(|(kept, _)| kept.start < start);
            left = &left[passed..];
            let inside = left.iter().find(|(kept, _)| kept.end <= range.end);
            let Some((kept, set)) = inside.filter(|(kept, _)| kept.start < range.end) else {
                break;
            };
            if start < kept.start {
                tell(RangePart::Gap(start..kept.start));
            }
            tell(RangePart::Answer(set));
            start = kept.end;
        }
        if start < range.end {
            tell(RangePart::Gap(start..range.end));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let sets: usize = self.answers.iter().map(|(_, set)| set.bytes()).sum();
        size_of_val(&*self.answers) + sets
    }
}

/// What a range consists of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RangeCost {
    /// Second words …
    pub(super) words: usize,
    /// … and all pairs they are in.
    pub(super) all_pairs: usize,
    /// The pairs in question.
    pub(super) pairs: usize,
    pub(super) occurrences: u64,
}

impl RangeCost {
    fn take(&mut self, part: Self) {
        self.words -= part.words;
        self.all_pairs -= part.all_pairs;
        self.pairs -= part.pairs;
        self.occurrences -= part.occurrences;
    }
}

/// Which nodes have to be kept so that none takes more than `budget` steps: `steps` tells what a
/// load takes, `taking` is what it takes to add a kept answer.
pub(super) fn to_keep(
    nodes: &[Node],
    loads: &[RangeCost],
    steps: impl Fn(RangeCost) -> u64,
    taking: u64,
    budget: u64,
) -> Vec<bool> {
    // What remains of a node beside its children, and what these take.
    let mut rest = loads.to_vec();
    let mut children = vec![0; nodes.len()];
    let mut keep = vec![false; nodes.len()];
    for (number, node) in nodes.iter().enumerate().rev() {
        let steps = steps(rest[number]) + children[number];
        keep[number] = node.whole && steps > budget;
        if let Some(parent) = node.parent {
            rest[parent].take(loads[number]);
            children[parent] += if keep[number] { taking } else { steps };
        }
    }
    keep
}

/// The nodes to keep, each with its nearest ancestor among them.
pub(super) fn only(nodes: &[Node], keep: &[bool]) -> Vec<Node> {
    let mut kept = Vec::new();
    // Of every node, the number of the kept node that it is or lies in.
    let mut within: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    for (node, &keep) in nodes.iter().zip(keep) {
        let parent = node.parent.and_then(|parent| within[parent]);
        within.push(if keep { Some(kept.len()) } else { parent });
        if keep {
            kept.push(Node { parent, ..node.clone() });
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_taken_apart() {
        let kept = [(2, 9), (2, 4), (5, 6), (12, 14), (20, 30)];
        let set = |start: u32, end: u32| ReviewSet::List([start, end].into());
        let cover = kept.map(|(start, end)| (start..end, set(start, end)));
        let cover = RangeSets::new(cover.to_vec());
        let apart = |range: Range<u32>| {
            let (mut answers, mut gaps) = (Vec::new(), Vec::new());
            cover.visit(&range, |piece| match piece {
                RangePart::Answer(ReviewSet::List(ends)) => answers.push((ends[0], ends[1])),
                RangePart::Answer(ReviewSet::Bits(_)) => unreachable!("lists went in"),
                RangePart::Gap(gap) => gaps.push((gap.start, gap.end)),
            });
            (answers, gaps)
        };
        assert_eq!(apart(0..16), (vec![(2, 9), (12, 14)], vec![(0, 2), (9, 12), (14, 16)]));
        assert_eq!(apart(2..9), (vec![(2, 9)], vec![]));
        assert_eq!(apart(2..7), (vec![(2, 4), (5, 6)], vec![(4, 5), (6, 7)]));
        assert_eq!(apart(21..24), (vec![], vec![(21, 24)]));
        assert_eq!(apart(40..40), (vec![], vec![]));
        assert!(cover.exact(&(2..4)).is_some() && cover.exact(&(2..5)).is_none());
    }
}
