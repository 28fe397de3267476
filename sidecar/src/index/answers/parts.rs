//! Needles without a space.

use std::ops::Range;

use super::{Kept, LOOKUP};
use crate::index::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    dictionary::Parts,
    trie::{Node, heavy_nodes},
};

pub(super) fn build(corpus: &Corpus, budget: u64) -> Kept<Range<u32>> {
    let cost = |suffix| LOOKUP + corpus.cost(corpus.dictionary.word_of(suffix));
    let is_heavy = |range: &Range<u32>| {
        let mut total = 0;
        range.clone().any(|suffix| {
            total += cost(suffix);
            total > budget
        })
    };
    let dictionary = &corpus.dictionary;
    let nodes = heavy_nodes(&Parts(dictionary), dictionary.all_suffixes(), is_heavy);
    let mut kept = Kept::default();
    let mut bitmap = Bitmap::default();
    for (number, node) in nodes.iter().enumerate().rev() {
        bitmap.reset(corpus.words.len());
        collect(corpus, &nodes, number, &kept, &mut bitmap);
        kept.insert(node.range.clone(), ReviewSet::from_bitmap(&bitmap));
    }
    nodes.iter().filter(|node| !node.whole).for_each(|node| drop(kept.remove(&node.range)));
    kept.shrink_to_fit();
    kept
}

/// Takes over what the node's children have and finds the rest.
fn collect(
    corpus: &Corpus,
    nodes: &[Node],
    number: usize,
    kept: &Kept<Range<u32>>,
    bitmap: &mut Bitmap,
) {
    let mut start = nodes[number].range.start;
    let mut children: Vec<_> =
        nodes[number..].iter().filter(|node| node.parent == Some(number)).collect();
    children.sort_unstable_by_key(|child| child.range.start);
    for child in children {
        (start..child.range.start).for_each(|suffix| add(corpus, suffix, bitmap));
        if let Some(set) = kept.get(&child.range) {
            set.union_into(bitmap);
        }
        start = child.range.end;
    }
    (start..nodes[number].range.end).for_each(|suffix| add(corpus, suffix, bitmap));
}

fn add(corpus: &Corpus, suffix: u32, bitmap: &mut Bitmap) {
    corpus.add_word(corpus.dictionary.word_of(suffix), bitmap);
}
