//! Where each word occurs, by the word before it.

mod build;

use std::ops::Range;

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
