//! The words of all texts, and the sets of reviews that follow from them directly.

use std::{collections::HashMap, ops::Range};

use foldhash::fast::RandomState;

use super::{
    BuildError, IndexEntry, Tuning,
    bitmap::{Bitmap, ReviewSet},
    costs::{CHECKED, JUMP, LOOKUP, OCCURRENCE, lookups, taking},
    dictionary::Dictionary,
    postings::Postings,
    words::IndexWords,
};

/// A word that occurs more often than once in this many reviews has its reviews as a bitmap.
const FREQUENT: usize = 16;

#[derive(Debug)]
pub(super) struct Corpus {
    pub(super) dictionary: Dictionary,
    pub(super) words: IndexWords,
    pub(super) postings: Postings,
    /// The reviews of frequent words.
    frequent: HashMap<u32, ReviewSet, RandomState>,
    /// Texts with more words than postings can count.
    pub(super) long: Vec<u32>,
}

impl Corpus {
    pub(super) fn build(entries: &[IndexEntry<'_>], tuning: &Tuning) -> Result<Self, BuildError> {
        let (words, dictionary) = IndexWords::build(entries)?;
        let postings = Postings::build(&words, &dictionary, tuning.place_bits);
        let is_long = |&review: &u32| words.length(review) > postings.places.limit();
        let long = (0..words.len() as u32).filter(is_long).collect();
        let mut built = Self { dictionary, words, postings, frequent: HashMap::default(), long };
        built.keep_frequent();
        Ok(built)
    }

    fn keep_frequent(&mut self) {
        let reviews = self.words.len();
        let mut bitmap = Bitmap::default();
        for word in self.dictionary.all_words() {
            if self.postings.of_word(word).len() * FREQUENT > reviews {
                bitmap.reset(reviews);
                self.add_word(word, &mut bitmap);
                self.frequent.insert(word, ReviewSet::from_bitmap(&bitmap));
            }
        }
    }

    /// How many steps [`Self::add_word`] takes.
    pub(super) fn cost(&self, word: u32) -> u64 {
        match self.frequent.contains_key(&word) {
            true => taking(self.words.len()),
            false => LOOKUP + self.postings.of_word(word).len() as u64 * OCCURRENCE,
        }
    }

    /// The reviews with this word.
    pub(super) fn add_word(&self, word: u32, reviews: &mut Bitmap) {
        match self.frequent.get(&word) {
            Some(set) => set.union_into(reviews),
            None => self.add(self.postings.of_word(word), reviews),
        }
    }

    /// The reviews with one of these suffixes in a word.
    pub(super) fn add_suffixes(&self, suffixes: Range<u32>, reviews: &mut Bitmap) {
        suffixes.for_each(|suffix| self.add_word(self.dictionary.word_of(suffix), reviews));
    }

    /// The reviews with a word of one of these ending places before one of these words.
    pub(super) fn add_pairs(&self, places: &Range<u32>, words: &Range<u32>, reviews: &mut Bitmap) {
        let postings = &self.postings;
        let by_words = lookups(words.len(), postings.pairs_of_words(words).len());
        if lookups(places.len(), postings.followers(places).len()) < by_words {
            let lists = places.clone().map(|place| postings.followed(place, words));
            let lists: Vec<&[u32]> = lists.collect();
            let pairs: usize = lists.iter().map(|list| list.len()).sum();
            if (pairs as u64) * JUMP < by_words {
                let pairs = lists.into_iter().flatten();
                return pairs.for_each(|&pair| self.add(postings.of_pair(pair), reviews));
            }
        }
        for word in words.clone() {
            self.add(self.postings.of_pairs(self.postings.preceded(word, places)), reviews);
        }
    }

    /// How many steps [`Self::add_followed`] takes.
    pub(super) fn cost_of_followed(&self, places: &Range<u32>) -> u64 {
        let occurrences = |place| self.postings.of_word(self.dictionary.word_at(place)).len();
        let occurrences: usize = places.clone().map(occurrences).sum();
        places.len() as u64 * LOOKUP + occurrences as u64 * CHECKED
    }

    /// The reviews with a word of one of these ending places before any other.
    pub(super) fn add_followed(&self, places: &Range<u32>, reviews: &mut Bitmap) {
        let at = self.postings.places;
        for place in places.clone() {
            for &occurrence in self.postings.of_word(self.dictionary.word_at(place)) {
                let review = at.review(occurrence);
                if at.place(occurrence) + 1 < self.words.length(review) {
                    reviews.insert(review);
                }
            }
        }
    }

    /// The reviews of some occurrences.
    pub(super) fn add(&self, occurrences: &[u32], to: &mut Bitmap) {
        let places = self.postings.places;
        occurrences.iter().for_each(|&occurrence| to.insert(places.review(occurrence)));
    }

    /// Tells of each occurrence of a word between two others: the first one's ending place, the
    /// last one, the review.
    pub(super) fn for_each_middle(&self, word: u32, mut tell: impl FnMut(u32, u32, u32)) {
        let places = self.postings.places;
        let mut occurrences = self.postings.of_word(word).to_vec();
        // In their own order the texts come one after the other into the cache.
        occurrences.sort_unstable();
        for occurrence in occurrences {
            let (review, place) = (places.review(occurrence), places.place(occurrence) as usize);
            let words = self.words.of(review);
            if let (Some(before), Some(&next)) =
                (place.checked_sub(1).map(|before| words[before]), words.get(place + 1))
            {
                tell(self.dictionary.ending_place(before), next, review);
            }
        }
    }

    /// Puts a folded text together.
    pub(super) fn spell<'a>(&self, review: u32, text: &'a mut Vec<u8>) -> &'a [u8] {
        text.clear();
        for &word in self.words.of(review) {
            text.extend_from_slice(self.dictionary.word(word));
            text.push(b' ');
        }
        text.pop();
        text
    }

    pub(super) fn frequent_bytes(&self) -> usize {
        let sets: usize = self.frequent.values().map(ReviewSet::bytes).sum();
        self.frequent.capacity() * size_of::<(u32, ReviewSet)>() + sets
    }
}
