//! Answers that are kept because finding them would cost more than a query may take.
//!
//! A needle is a part of a word, or an ending, whole words and a beginning. Each of these stands
//! for a range in one of the dictionary's orders, and a range's cost is known from the postings.
//! The costly ranges are few: those of one length do not overlap, so no more than the total divided
//! by the budget can exceed it. Hence every needle is either cheap or answered here, whatever it
//! is.

mod middles;
mod pairs;
mod parts;

use std::{collections::HashMap, ops::Range};

use foldhash::fast::RandomState;

use super::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    trie::Node,
};

/// Steps of a search are counted in the time it takes to walk over one occurrence, about one
/// nanosecond. Finding a place in the postings takes this many.
const LOOKUP: u64 = 60;

/// Walking over an occurrence that also has to be told from its text's last word.
const CHECKED: u64 = 3;

type Kept<K> = HashMap<K, ReviewSet, RandomState>;

/// By the ranges that the needle's parts stand for.
#[derive(Debug, Default)]
pub(super) struct Answers {
    parts: Kept<Range<u32>>,
    pairs: Kept<[Range<u32>; 2]>,
    middles: Kept<(u32, [Range<u32>; 2])>,
}

impl Answers {
    /// Keeps what costs more than `budget` steps.
    pub(super) fn build(corpus: &Corpus, budget: u64) -> Self {
        Self {
            parts: parts::build(corpus, budget),
            pairs: pairs::build(corpus, budget),
            middles: middles::build(corpus, budget),
        }
    }

    /// The reviews with a word that contains a part, by the part's suffixes.
    pub(super) fn part(&self, suffixes: &Range<u32>) -> Option<&ReviewSet> {
        self.parts.get(suffixes)
    }

    /// The reviews with one of these endings followed by one of these beginnings.
    pub(super) fn pair(&self, ending: &Range<u32>, beginning: &Range<u32>) -> Option<&ReviewSet> {
        self.pairs.get(&[ending.clone(), beginning.clone()])
    }

    /// The same with a word in the middle.
    pub(super) fn middle(
        &self,
        ending: &Range<u32>,
        word: u32,
        beginning: &Range<u32>,
    ) -> Option<&ReviewSet> {
        self.middles.get(&(word, [ending.clone(), beginning.clone()]))
    }

    /// For parts, pairs and middles.
    pub(super) fn bytes(&self) -> [usize; 3] {
        [bytes(&self.parts), bytes(&self.pairs), bytes(&self.middles)]
    }
}

fn bytes<K>(kept: &Kept<K>) -> usize {
    kept.capacity() * size_of::<(K, ReviewSet)>()
        + kept.values().map(ReviewSet::bytes).sum::<usize>()
}

/// How often something occurs before each ending place, so that a range's sum takes two look-ups.
struct Sums(Vec<u64>);

impl Sums {
    fn new(mut counts: Vec<u64>) -> Self {
        let mut total = 0;
        counts.iter_mut().for_each(|count| total += std::mem::replace(count, total));
        counts.push(total);
        Self(counts)
    }

    fn of(&self, range: &Range<u32>) -> u64 {
        self.0[range.end as usize] - self.0[range.start as usize]
    }
}

/// Which node with the longest prefix a string belongs to: [`NO_NODE`] where none does.
fn deepest(nodes: &[Node], strings: usize) -> Vec<u32> {
    let mut deepest = vec![NO_NODE; strings];
    for (number, node) in (0..).zip(nodes) {
        deepest[node.range.start as usize..node.range.end as usize].fill(number);
    }
    deepest
}

const NO_NODE: u32 = u32::MAX;

/// Gives every node what its descendants have.
fn spread(nodes: &[Node], bitmaps: &mut [Bitmap]) {
    for (number, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let (parents, rest) = bitmaps.split_at_mut(number);
            parents[parent].union(&rest[0]);
        }
    }
}
