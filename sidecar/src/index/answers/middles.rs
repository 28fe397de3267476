//! Needles with a frequent word between two spaces: an ending, the word, a beginning.

use std::ops::Range;

use super::{Kept, NO_NODE, Sums, deepest, spread};
use crate::index::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    costs::OCCURRENCE,
    dictionary::{Beginnings, Endings},
    parallel,
    trie::{Node, heavy_nodes},
};

pub(super) fn build(corpus: &Corpus, budget: u64) -> Kept<(u32, [Range<u32>; 2]), ReviewSet> {
    let budget = budget / OCCURRENCE;
    let is_heavy = |word: &u32| corpus.postings.of_word(*word).len() as u64 > budget;
    let words = corpus.dictionary.all_words().filter(is_heavy);
    let jobs = words.map(|word| move || around(corpus, word, budget)).collect();
    parallel::run(jobs).into_iter().flatten().collect()
}

type Answer = ((u32, [Range<u32>; 2]), ReviewSet);

/// The costly endings before and beginnings after one word. What both sides leave is found from
/// the rarer side.
fn around(corpus: &Corpus, word: u32, budget: u64) -> Vec<Answer> {
    let dictionary = &corpus.dictionary;
    let (before, after) = counts(corpus, word);
    let (before, after) = (Sums::new(before), Sums::new(after));
    let before = |places: &Range<u32>| before.of(places) > budget;
    let after = |words: &Range<u32>| after.of(words) > budget;
    let endings = heavy_nodes(&Endings(dictionary), dictionary.all_places(), before);
    let beginnings = heavy_nodes(&Beginnings(dictionary), dictionary.all_words(), after);
    if endings.is_empty() || beginnings.is_empty() {
        return Vec::new();
    }
    let mut rows = fill(corpus, word, &endings, &beginnings);
    rows.iter_mut().for_each(|row| spread(&beginnings, row));
    spread_rows(&endings, &mut rows);
    let mut answers = Vec::new();
    for (ending, row) in endings.iter().zip(rows).filter(|(ending, _)| ending.whole) {
        for (beginning, bitmap) in beginnings.iter().zip(row).filter(|(node, _)| node.whole) {
            let key = (word, [ending.range.clone(), beginning.range.clone()]);
            answers.push((key, ReviewSet::from_bitmap(&bitmap)));
        }
    }
    answers
}

/// How often each ending place comes before the word, and each word after it, both of them there.
fn counts(corpus: &Corpus, word: u32) -> (Vec<u64>, Vec<u64>) {
    let words = corpus.dictionary.len() as usize;
    let (mut before, mut after) = (vec![0; words + 1], vec![0; words]);
    corpus.for_each_middle(word, |place, next, _| {
        before[place as usize] += 1;
        after[next as usize] += 1;
    });
    (before, after)
}

/// A row per ending, in it a bitmap per beginning.
fn fill(corpus: &Corpus, word: u32, endings: &[Node], beginnings: &[Node]) -> Vec<Vec<Bitmap>> {
    let words = corpus.dictionary.len() as usize;
    let (ending_of, beginning_of) = (deepest(endings, words + 1), deepest(beginnings, words));
    let row = vec![Bitmap::new(corpus.words.len()); beginnings.len()];
    let mut rows = vec![row; endings.len()];
    corpus.for_each_middle(word, |place, next, review| {
        let (ending, beginning) = (ending_of[place as usize], beginning_of[next as usize]);
        if ending != NO_NODE && beginning != NO_NODE {
            rows[ending as usize][beginning as usize].insert(review);
        }
    });
    rows
}

fn spread_rows(endings: &[Node], rows: &mut [Vec<Bitmap>]) {
    for (number, node) in endings.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            let (parents, rest) = rows.split_at_mut(number);
            parents[parent].iter_mut().zip(&rest[0]).for_each(|(to, from)| to.union(from));
        }
    }
}
