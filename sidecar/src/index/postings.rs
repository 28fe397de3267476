//! Where each word occurs, by the word before it.

use std::ops::Range;

use super::{
    dictionary::{Dictionary, NOTHING},
    parallel,
    words::Words,
};

/// How many parts of equal weight the words are built in: half of them are in memory twice at a
/// time on two cores.
const PARTS: usize = 6;

/// One occurrence of a word: the number of the review and, in the low bits, the word's place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    bits: u32,
}

impl Places {
    /// Gives the place in the text all the bits that `reviews` leave, up to `most`.
    fn new(reviews: usize, most: u32) -> Self {
        let free = (reviews as u32).max(1).leading_zeros();
        Self { bits: free.min(most) }
    }

    /// How many words of a text can be told apart. Longer texts are not in the postings.
    pub(super) fn limit(self) -> u32 {
        1 << self.bits
    }

    #[inline]
    pub(super) fn review(self, occurrence: u32) -> u32 {
        occurrence >> self.bits
    }

    #[inline]
    pub(super) fn place(self, occurrence: u32) -> u32 {
        occurrence & (self.limit() - 1)
    }
}

/// The occurrences of all words, sorted by the word, then by the word before it in the order of
/// endings, then by review and place. A pair is a word and the word before it; pairs are numbered
/// in this order.
#[derive(Debug)]
pub(super) struct Postings {
    pub(super) places: Places,
    occurrences: Vec<u32>,
    /// Where each pair's occurrences start, and where the last one's end.
    starts: Vec<u32>,
    /// The ending place of each pair's first word.
    before: Vec<u32>,
    /// Each word's first pair, and the end of the last one's.
    pairs: Vec<u32>,
    /// The pairs by their first word …
    by_first: Vec<u32>,
    /// … and where each ending place starts in there.
    first_starts: Vec<u32>,
}

impl Postings {
    /// Of texts of up to [`Places::limit`] words, and `most_bits` for a place.
    pub(super) fn build(words: &Words, dictionary: &Dictionary, most_bits: u32) -> Self {
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

    /// Everything a word occurs as, first words of texts included.
    #[inline]
    pub(super) fn of_word(&self, word: u32) -> &[u32] {
        self.of_pairs(self.pairs_of(word))
    }

    /// The occurrences of neighbouring pairs.
    #[inline]
    pub(super) fn of_pairs(&self, pairs: Range<u32>) -> &[u32] {
        let start = self.starts[pairs.start as usize] as usize;
        &self.occurrences[start..self.starts[pairs.end as usize] as usize]
    }

    #[inline]
    pub(super) fn of_pair(&self, pair: u32) -> &[u32] {
        self.of_pairs(pair..pair + 1)
    }

    pub(super) fn all_pairs(&self) -> Range<u32> {
        0..self.before.len() as u32
    }

    /// The second word of every pair.
    pub(super) fn words_of_pairs(&self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.before.len());
        for (word, &end) in (0..).zip(&self.pairs[1..]) {
            words.resize(end as usize, word);
        }
        words
    }

    #[inline]
    pub(super) fn pairs_of(&self, word: u32) -> Range<u32> {
        self.pairs[word as usize]..self.pairs[word as usize + 1]
    }

    /// The pairs whose second word is one of these.
    #[inline]
    pub(super) fn pairs_of_words(&self, words: &Range<u32>) -> Range<u32> {
        self.pairs[words.start as usize]..self.pairs[words.end as usize]
    }

    /// The ending place of a pair's first word.
    #[inline]
    pub(super) fn before(&self, pair: u32) -> u32 {
        self.before[pair as usize]
    }

    /// The pairs of this word whose first word has one of these ending places.
    #[inline]
    pub(super) fn preceded(&self, word: u32, places: &Range<u32>) -> Range<u32> {
        let all = self.pairs_of(word);
        let before = &self.before[all.start as usize..all.end as usize];
        let start = before.partition_point(|&place| place < places.start);
        let count = before[start..].partition_point(|&place| place < places.end);
        all.start + start as u32..all.start + (start + count) as u32
    }

    /// The pairs whose first word has one of these ending places, first word by first word.
    #[inline]
    pub(super) fn followers(&self, places: &Range<u32>) -> &[u32] {
        let start = self.first_starts[places.start as usize] as usize;
        &self.by_first[start..self.first_starts[places.end as usize] as usize]
    }

    /// The pairs of a first word, given by its ending place, and one of these words.
    #[inline]
    pub(super) fn followed(&self, place: u32, words: &Range<u32>) -> &[u32] {
        let all = self.followers(&(place..place + 1));
        let Range { start: from, end: to } = self.pairs_of_words(words);
        let start = all.partition_point(|&pair| pair < from);
        let count = all[start..].partition_point(|&pair| pair < to);
        &all[start..start + count]
    }

    pub(super) fn occurrence_bytes(&self) -> usize {
        size_of_val(&*self.occurrences)
    }

    pub(super) fn pair_bytes(&self) -> usize {
        let columns = [&self.starts, &self.before, &self.pairs, &self.by_first, &self.first_starts];
        columns.into_iter().map(|column| size_of_val(column.as_slice())).sum()
    }
}

/// How often each word occurs in texts short enough.
fn counts(words: &Words, dictionary: &Dictionary, places: Places) -> Vec<u32> {
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
        words: &Words,
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
    words: &Words,
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
