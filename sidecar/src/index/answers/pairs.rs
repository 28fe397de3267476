//! Needles with one space: an ending, a beginning, either of which may be empty.

use std::ops::Range;

use super::{Kept, NO_NODE, Sums, deepest, spread};
use crate::index::{
    bitmap::{Bitmap, ReviewSet},
    corpus::Corpus,
    costs::{JUMP, OCCURRENCE, lookups, taking},
    cover::{RangeCost, RangeSets, only, to_keep},
    dictionary::{Beginnings, Endings},
    parallel,
    trie::{Node, heavy_nodes},
};

/// Where an ending has more than one in so many of all pairs, these are read in their own order.
const MANY: usize = 64;

pub(super) fn build(corpus: &Corpus, budget: u64) -> Kept<Range<u32>, RangeSets> {
    let (pairs, occurrences) = by_ending(corpus);
    // No beginning after an ending costs more than this.
    let is_heavy = |places: &Range<u32>| {
        let (pairs, occurrences) = (pairs.of(places), occurrences.of(places));
        let finding = lookups(places.len(), pairs as usize) + pairs * JUMP;
        finding + occurrences * OCCURRENCE > budget
    };
    let dictionary = &corpus.dictionary;
    let endings = heavy_nodes(&Endings(dictionary), dictionary.all_places(), is_heavy);
    let words = corpus.postings.words_of_pairs();
    let jobs = endings.iter().filter(|node| node.whole).map(|node| {
        let followers = Followers { corpus, places: &node.range, words: &words };
        move || (node.range.clone(), followers.answers(budget))
    });
    let covers = parallel::run(jobs.collect()).into_iter();
    covers.filter(|(_, cover)| !cover.is_empty()).collect()
}

/// How many pairs and occurrences begin with each ending place.
fn by_ending(corpus: &Corpus) -> (Sums, Sums) {
    let places = corpus.dictionary.len() as usize + 1;
    let (mut pairs, mut occurrences) = (vec![0; places], vec![0; places]);
    for pair in corpus.postings.all_pairs() {
        let place = corpus.postings.before(pair) as usize;
        pairs[place] += 1;
        occurrences[place] += corpus.postings.of_pair(pair).len() as u64;
    }
    (Sums::new(pairs), Sums::new(occurrences))
}

/// The pairs whose first word has one ending.
struct Followers<'a> {
    corpus: &'a Corpus,
    places: &'a Range<u32>,
    /// Of every pair, its second word.
    words: &'a [u32],
}

impl Followers<'_> {
    /// The costly beginnings of second words.
    fn answers(&self, budget: u64) -> RangeSets {
        let dictionary = &self.corpus.dictionary;
        let counts = self.counts();
        let steps = |load: RangeCost| self.steps(load);
        let is_heavy = |words: &Range<u32>| steps(self.load(&counts, words)) > budget;
        let all = dictionary.all_words();
        let nodes = heavy_nodes(&Beginnings(dictionary), all.clone(), is_heavy);
        let loads: Vec<_> = nodes.iter().map(|node| self.load(&counts, &node.range)).collect();
        let reviews = self.corpus.words.len();
        let mut keep = to_keep(&nodes, &loads, steps, taking(reviews), budget);
        if nodes.first().is_some_and(|node| node.range == all) {
            keep[0] &= self.corpus.cost_of_followed(self.places) > budget;
        }
        let nodes = only(&nodes, &keep);
        if nodes.is_empty() {
            return RangeSets::default();
        }
        let found = self.find(&nodes);
        let sets = found.iter().map(ReviewSet::from_bitmap);
        RangeSets::new(nodes.into_iter().map(|node| node.range).zip(sets).collect())
    }

    /// What it takes to find some of the pairs.
    fn steps(&self, load: RangeCost) -> u64 {
        let by_words = lookups(load.words, load.all_pairs);
        let followers = self.corpus.postings.followers(self.places).len();
        let by_places = lookups(self.places.len(), followers);
        let finding = match by_places < by_words {
            true => by_places + by_words.min(load.pairs as u64 * JUMP),
            false => by_words,
        };
        finding + load.occurrences * OCCURRENCE
    }

    fn load(&self, counts: &PairCounts, words: &Range<u32>) -> RangeCost {
        let (pairs, occurrences) = counts.of(words);
        let all_pairs = self.corpus.postings.pairs_of_words(words).len();
        RangeCost { words: words.len(), all_pairs, pairs, occurrences }
    }

    fn find(&self, nodes: &[Node]) -> Vec<Bitmap> {
        let node_of = deepest(nodes, self.corpus.dictionary.len() as usize);
        let mut bitmaps = vec![Bitmap::new(self.corpus.words.len()); nodes.len()];
        self.for_each_pair(|pair| {
            let node = node_of[self.words[pair as usize] as usize];
            if node != NO_NODE {
                let occurrences = self.corpus.postings.of_pair(pair);
                self.corpus.add(occurrences, &mut bitmaps[node as usize]);
            }
        });
        spread(nodes, &mut bitmaps);
        bitmaps
    }

    fn counts(&self) -> PairCounts {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        self.for_each_pair(|pair| {
            let occurrences = self.corpus.postings.of_pair(pair).len() as u32;
            pairs.push((self.words[pair as usize], occurrences));
        });
        if !self.is_many() {
            pairs.sort_unstable();
        }
        let mut total = 0;
        let mut occurrences = vec![0];
        occurrences.extend(pairs.iter().map(|(_, count)| {
            total += u64::from(*count);
            total
        }));
        PairCounts { words: pairs.into_iter().map(|(word, _)| word).collect(), occurrences }
    }

    /// In the order of their second words if they are many.
    fn for_each_pair(&self, mut tell: impl FnMut(u32)) {
        let postings = &self.corpus.postings;
        if self.is_many() {
            let is_one = |&pair: &u32| self.places.contains(&postings.before(pair));
            return postings.all_pairs().filter(is_one).for_each(tell);
        }
        postings.followers(self.places).iter().for_each(|&pair| tell(pair));
    }

    fn is_many(&self) -> bool {
        let postings = &self.corpus.postings;
        postings.followers(self.places).len() * MANY > postings.all_pairs().len()
    }
}

/// The second words of some pairs.
struct PairCounts {
    /// Sorted, one per pair.
    words: Vec<u32>,
    /// How many occurrences the pairs before each have.
    occurrences: Vec<u64>,
}

impl PairCounts {
    /// The number of pairs with these words, and that of their occurrences.
    fn of(&self, words: &Range<u32>) -> (usize, u64) {
        let start = self.words.partition_point(|&word| word < words.start);
        let end = self.words.partition_point(|&word| word < words.end);
        (end - start, self.occurrences[end] - self.occurrences[start])
    }
}
