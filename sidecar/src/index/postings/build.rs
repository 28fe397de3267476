//! Sorts all occurrences, one range of words after the other.

use std::ops::Range;

use super::{Places, Postings};
use crate::index::{
    dictionary::{Dictionary, NOTHING},
    parallel,
    words::IndexWords,
};

/// How many parts of equal weight the words are built in: half of them are in memory twice at a
/// time on two cores.
const PARTS: usize = 6;

impl Postings {
    /// Of texts of up to [`Places::limit`] words, and `most_bits` for a place.
    pub(in crate::index) fn build(
        words: &IndexWords,
        dictionary: &Dictionary,
        most_bits: u32,
    ) -> Self {
        let places = Places::new(words.len(), most_bits.min(31));
        let counts = counts(words, dictionary, places);
        let parts = parts(&counts);
        let jobs = parts.iter().map(|part| {
            let counts = &counts[part.start as usize..part.end as usize];
            move || Part::build(words, dictionary, places, part.clone(), counts)
        });
        let mut built = Self {
            places,
            occurrences: Vec::new(),
            starts: vec![0],
            before: Vec::new(),
            pairs: vec![0],
            by_first: Vec::new(),
            first_starts: Vec::new(),
        };
        parallel::run(jobs.collect()).into_iter().for_each(|part| built.append(part));
        built.occurrences.shrink_to_fit();
        built.starts.shrink_to_fit();
        built.before.shrink_to_fit();
        built.sort_by_first(dictionary.len());
        built
    }

    fn append(&mut self, part: Part) {
        let (occurrences, pairs) = (self.occurrences.len() as u32, self.before.len() as u32);
        self.occurrences.extend_from_slice(&part.occurrences);
        self.before.extend_from_slice(&part.before);
        self.starts.extend(part.ends.iter().map(|end| occurrences + end));
        self.pairs.extend(part.pair_ends.iter().map(|end| pairs + end));
    }

    fn sort_by_first(&mut self, words: u32) {
        let mut starts = vec![0; words as usize + 2];
        self.before.iter().for_each(|&place| starts[place as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        self.by_first = vec![0; self.before.len()];
        for (pair, &place) in (0..).zip(&self.before) {
            let next = &mut next[place as usize];
            self.by_first[*next as usize] = pair;
            *next += 1;
        }
        self.first_starts = starts;
    }
}

/// How often each word occurs in texts short enough.
fn counts(words: &IndexWords, dictionary: &Dictionary, places: Places) -> Vec<u32> {
    let mut counts = vec![0; dictionary.len() as usize];
    for review in (0..words.len() as u32).filter(|&review| words.length(review) <= places.limit()) {
        words.of(review).iter().for_each(|&word| counts[word as usize] += 1);
    }
    counts
}

/// Cuts the words into ranges that occur about equally often.
fn parts(counts: &[u32]) -> Vec<Range<u32>> {
    let total: usize = counts.iter().map(|&count| count as usize).sum();
    let share = total.div_ceil(PARTS).max(1);
    let mut parts = Vec::new();
    let (mut start, mut weight) = (0, 0);
    for (word, &count) in (0..).zip(counts) {
        weight += count as usize;
        if weight >= share {
            parts.push(start..word + 1);
            (start, weight) = (word + 1, 0);
        }
    }
    parts.push(start..counts.len() as u32);
    parts
}

/// The postings of a range of words, numbered from zero.
struct Part {
    occurrences: Vec<u32>,
    ends: Vec<u32>,
    before: Vec<u32>,
    pair_ends: Vec<u32>,
}

impl Part {
    fn build(
        words: &IndexWords,
        dictionary: &Dictionary,
        places: Places,
        part: Range<u32>,
        counts: &[u32],
    ) -> Self {
        let mut sorted = gather(words, dictionary, places, &part, counts);
        let mut built = Self {
            occurrences: Vec::with_capacity(sorted.len()),
            ends: Vec::new(),
            before: Vec::new(),
            pair_ends: Vec::with_capacity(counts.len()),
        };
        let mut rest = sorted.as_mut_slice();
        for &count in counts {
            let (word, later) = rest.split_at_mut(count as usize);
            word.sort_unstable();
            built.push_word(word);
            rest = later;
        }
        built
    }

    /// One word's occurrences, sorted.
    fn push_word(&mut self, word: &[u64]) {
        for pair in word.chunk_by(|a, b| a >> 32 == b >> 32) {
            self.before.push((pair[0] >> 32) as u32);
            self.occurrences.extend(pair.iter().map(|&occurrence| occurrence as u32));
            self.ends.push(self.occurrences.len() as u32);
        }
        self.pair_ends.push(self.before.len() as u32);
    }
}

/// Word by word, every occurrence, the ending place of the word before it in the upper half.
fn gather(
    words: &IndexWords,
    dictionary: &Dictionary,
    places: Places,
    part: &Range<u32>,
    counts: &[u32],
) -> Vec<u64> {
    let mut total = 0;
    let mut next = Vec::with_capacity(counts.len());
    for &count in counts {
        next.push(total);
        total += count as usize;
    }
    let mut gathered = vec![0; total];
    for review in (0..words.len() as u32).filter(|&review| words.length(review) <= places.limit()) {
        let mut occurrence = review << places.bits;
        let mut before = None;
        for &word in words.of(review) {
            if part.contains(&word) {
                let place = before.map_or(NOTHING, |before| dictionary.ending_place(before));
                let next = &mut next[(word - part.start) as usize];
                gathered[*next] = u64::from(place) << 32 | u64::from(occurrence);
                *next += 1;
            }
            before = Some(word);
            occurrence = occurrence.wrapping_add(1);
        }
    }
    gathered
}
