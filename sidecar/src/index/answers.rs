//! Precomputed results, kept because computing them would exceed the time of a query.
//!
//! A needle is a part of a word, or an ending, whole words and a beginning. Each of these stands
//! for a range in one of the dictionary's orders, and a range's cost is known from the postings.
//! An answer is kept where what its range costs, without the kept answers inside it, exceeds the
//! budget. So there are hardly more than the total cost divided by the budget, and every needle is
//! either cheap or put together of these, whatever it is.

mod middles;
mod pairs;
mod parts;

use std::{collections::HashMap, ops::Range};

use foldhash::fast::RandomState;

use super::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    cover::RangeSets,
    trie::Node,
};

type Kept<K, V> = HashMap<K, V, RandomState>;

/// By the ranges that the needle's parts stand for.
#[derive(Debug)]
pub(super) struct Answers {
    budget: u64,
    parts: RangeSets,
    /// By the range of endings; inside by beginnings.
    pairs: Kept<Range<u32>, RangeSets>,
    middles: Kept<(u32, [Range<u32>; 2]), ReviewSet>,
}

impl Answers {
    /// Keeps what costs more than `budget` steps.
    pub(super) fn build(corpus: &Corpus, budget: u64) -> Self {
        Self {
            budget,
            parts: parts::build(corpus, budget),
            pairs: pairs::build(corpus, budget),
            middles: middles::build(corpus, budget),
        }
    }

    /// The reviews with a word that contains a part, by the part's suffixes.
    pub(super) fn parts(&self) -> &RangeSets {
        &self.parts
    }

    /// How many steps an answer takes that is not kept.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// The reviews with one of these endings followed by a word, by the words.
    pub(super) fn pairs(&self, ending: &Range<u32>) -> Option<&RangeSets> {
        self.pairs.get(ending)
    }

    /// The reviews with an ending, a whole word and a beginning in a row.
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
        let pairs = self.pairs.values().map(RangeSets::bytes).sum();
        let middles = self.middles.values().map(ReviewSet::bytes).sum();
        [self.parts.bytes(), table(&self.pairs, pairs), table(&self.middles, middles)]
    }
}

fn table<K, V>(kept: &Kept<K, V>, inside: usize) -> usize {
    kept.capacity() * size_of::<(K, V)>() + inside
}

/// Sums of what comes before each number, so that a range's sum takes two look-ups.
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
