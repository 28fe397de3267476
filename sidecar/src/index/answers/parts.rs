//! Needles without a space.

use std::ops::Range;

use crate::index::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    costs::{LOOKUP, taking},
    cover::{RangeCost, RangeSets, to_keep},
    dictionary::Parts,
    trie::heavy_nodes,
};

pub(super) fn build(corpus: &Corpus, budget: u64) -> RangeSets {
    let dictionary = &corpus.dictionary;
    let cost = |suffix| LOOKUP + corpus.cost(dictionary.word_of(suffix));
    let is_heavy = |range: &Range<u32>| {
        let mut total = 0;
        range.clone().any(|suffix| {
            total += cost(suffix);
            total > budget
        })
    };
    let nodes = heavy_nodes(&Parts(dictionary), dictionary.all_suffixes(), is_heavy);
    let load = |range: &Range<u32>| RangeCost {
        occurrences: range.clone().map(cost).sum(),
        ..RangeCost::default()
    };
    let loads: Vec<_> = nodes.iter().map(|node| load(&node.range)).collect();
    let keep = to_keep(&nodes, &loads, |load| load.occurrences, taking(corpus.words.len()), budget);
    let mut answers = Vec::new();
    for (node, _) in nodes.iter().zip(keep).rev().filter(|(_, keep)| *keep) {
        let answer = find(corpus, &node.range, &answers);
        answers.push((node.range.clone(), answer));
    }
    RangeSets::new(answers)
}

/// Takes over the answers inside, which are the latest, and finds the rest.
fn find(corpus: &Corpus, range: &Range<u32>, inner: &[(Range<u32>, ReviewSet)]) -> ReviewSet {
    let mut found = Bitmap::new(corpus.words.len());
    let mut end = range.end;
    for (inner, set) in inner.iter().rev().take_while(|(inner, _)| inner.start >= range.start) {
        // What lies inside the one before was taken over with it.
        if inner.end <= end {
            corpus.add_suffixes(inner.end..end, &mut found);
            set.union_into(&mut found);
            end = inner.start;
        }
    }
    corpus.add_suffixes(range.start..end, &mut found);
    ReviewSet::from_bitmap(&found)
}
