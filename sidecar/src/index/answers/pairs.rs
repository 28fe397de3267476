//! Needles with one space: an ending, a beginning, either of which may be empty.

use std::ops::Range;

use super::{CHECKED, Kept, LOOKUP, NO_NODE, Sums, deepest, spread};
use crate::index::{
    bitmap::{Bitmap, ReviewSet},
    corpus::{Corpus, by_first_word},
    dictionary::{Beginnings, Endings, NOTHING},
    parallel,
    trie::{Node, heavy_nodes},
};

pub(super) fn build(corpus: &Corpus, budget: u64) -> Kept<[Range<u32>; 2]> {
    let dictionary = &corpus.dictionary;
    let is_heavy = |words: &Range<u32>| {
        let pairs = corpus.pairs_of(words);
        let occurrences = corpus.postings.of_pairs(pairs).len() as u64;
        words.len() as u64 * LOOKUP + occurrences > budget
    };
    let beginnings = heavy_nodes(&Beginnings(dictionary), dictionary.all_words(), is_heavy);
    let jobs = beginnings.iter().filter(|node| node.whole);
    let jobs = jobs.map(|node| move || before(corpus, &node.range, budget));
    let answers = parallel::run(jobs.collect()).into_iter().flatten();
    answers.collect()
}

/// The costly endings before words of one beginning.
fn before(corpus: &Corpus, words: &Range<u32>, budget: u64) -> Vec<([Range<u32>; 2], ReviewSet)> {
    let dictionary = &corpus.dictionary;
    let cost = Cost::new(corpus, words);
    let is_heavy = |places: &Range<u32>| cost.of(places) > budget;
    let nodes = heavy_nodes(&Endings(dictionary), dictionary.all_places(), is_heavy);
    let mut bitmaps = vec![Bitmap::new(corpus.words.len()); nodes.len()];
    fill(corpus, words, &nodes, &mut bitmaps);
    spread(&nodes, &mut bitmaps);
    let answers = nodes.iter().zip(&bitmaps).filter(|(node, _)| node.whole);
    answers
        .map(|(node, bitmap)| ([node.range.clone(), words.clone()], ReviewSet::from_bitmap(bitmap)))
        .collect()
}

fn fill(corpus: &Corpus, words: &Range<u32>, nodes: &[Node], bitmaps: &mut [Bitmap]) {
    let node_of = deepest(nodes, corpus.dictionary.len() as usize + 1);
    let postings = &corpus.postings;
    for pair in corpus.pairs_of(words) {
        let node = node_of[postings.before(pair) as usize];
        if node != NO_NODE {
            let bitmap = &mut bitmaps[node as usize];
            for &occurrence in postings.of_pairs(pair..pair + 1) {
                bitmap.insert(postings.places.review(occurrence));
            }
        }
    }
}

/// What it takes to find the pairs of an ending and a given beginning.
struct Cost<'a> {
    words: &'a Range<u32>,
    every_word: bool,
    pairs: Sums,
    occurrences: Sums,
}

impl<'a> Cost<'a> {
    fn new(corpus: &Corpus, words: &'a Range<u32>) -> Self {
        let places = corpus.dictionary.len() as usize + 1;
        let (mut pairs, mut occurrences) = (vec![0; places], vec![0; places]);
        for pair in corpus.pairs_of(words) {
            let place = corpus.postings.before(pair);
            if place != NOTHING {
                pairs[place as usize] += 1;
                occurrences[place as usize] +=
                    corpus.postings.of_pairs(pair..pair + 1).len() as u64;
            }
        }
        let every_word = *words == corpus.dictionary.all_words();
        Self { words, every_word, pairs: Sums::new(pairs), occurrences: Sums::new(occurrences) }
    }

    fn of(&self, places: &Range<u32>) -> u64 {
        let occurrences = self.occurrences.of(places);
        if self.every_word {
            return places.len() as u64 * LOOKUP + occurrences * CHECKED;
        }
        match by_first_word(places, self.words) {
            true => (places.len() as u64 + self.pairs.of(places)) * LOOKUP + occurrences,
            false => self.words.len() as u64 * LOOKUP + occurrences,
        }
    }
}
