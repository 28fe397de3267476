//! What is known of the texts' words, and the sets of reviews that come straight from it.

use std::{collections::HashMap, ops::Range};

use foldhash::fast::RandomState;

use super::{
    BuildError, Entry, Tuning,
    bitmap::{Bitmap, ReviewSet},
    dictionary::{Dictionary, NOTHING},
    postings::Postings,
    words::Words,
};

/// A word that occurs more often than once in this many reviews has its reviews as a bitmap.
const FREQUENT: usize = 16;

#[derive(Debug)]
pub(super) struct Corpus {
    pub(super) dictionary: Dictionary,
    pub(super) words: Words,
    pub(super) postings: Postings,
    /// The reviews of frequent words.
    frequent: HashMap<u32, ReviewSet, RandomState>,
    /// Texts with more words than postings can count.
    pub(super) long: Vec<u32>,
}

impl Corpus {
    pub(super) fn build(entries: &[Entry<'_>], tuning: &Tuning) -> Result<Self, BuildError> {
        let (words, dictionary) = Words::build(entries)?;
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
            true => self.words.len() as u64 / 128,
            false => self.postings.of_word(word).len() as u64,
        }
    }

    /// The reviews with this word.
    pub(super) fn add_word(&self, word: u32, reviews: &mut Bitmap) {
        match self.frequent.get(&word) {
            Some(set) => set.union_into(reviews),
            None => self.add(self.postings.of_word(word), reviews),
        }
    }

    /// The reviews with a word of one of these ending places before one of these words.
    pub(super) fn add_pairs(&self, places: &Range<u32>, words: &Range<u32>, to: &mut Bitmap) {
        if *words == self.dictionary.all_words() {
            places.clone().for_each(|place| self.add_not_last(self.dictionary.word_at(place), to));
        } else if by_first_word(places, words) {
            for place in places.clone() {
                for &pair in self.postings.followed(place, words) {
                    self.add(self.postings.of_pairs(pair..pair + 1), to);
                }
            }
        } else {
            for word in words.clone() {
                self.add(self.postings.of_pairs(self.postings.preceded(word, places)), to);
            }
        }
    }

    /// The reviews where something follows this word.
    fn add_not_last(&self, word: u32, to: &mut Bitmap) {
        let places = self.postings.places;
        for &occurrence in self.postings.of_word(word) {
            let review = places.review(occurrence);
            if places.place(occurrence) + 1 < self.words.length(review) {
                to.insert(review);
            }
        }
    }

    /// The reviews of some occurrences.
    pub(super) fn add(&self, occurrences: &[u32], to: &mut Bitmap) {
        let places = self.postings.places;
        occurrences.iter().for_each(|&occurrence| to.insert(places.review(occurrence)));
    }

    /// Every pair whose second word is one of these.
    pub(super) fn pairs_of(&self, words: &Range<u32>) -> Range<u32> {
        match words.is_empty() {
            true => 0..0,
            false => {
                let last = self.postings.pairs_of(words.end - 1);
                self.postings.pairs_of(words.start).start..last.end
            }
        }
    }

    /// Tells of each occurrence of a word between two others: the first one's ending place, the
    /// last one, the review.
    pub(super) fn for_each_middle(&self, word: u32, mut tell: impl FnMut(u32, u32, u32)) {
        let places = self.postings.places;
        for pair in self.postings.pairs_of(word) {
            let before = self.postings.before(pair);
            if before == NOTHING {
                continue;
            }
            for &occurrence in self.postings.of_pairs(pair..pair + 1) {
                let review = places.review(occurrence);
                let next = places.place(occurrence) as usize + 1;
                if let Some(&next) = self.words.of(review).get(next) {
                    tell(before, next, review);
                }
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

/// Whether pairs are looked up by their first words: worth it where those are far fewer, as the
/// occurrences of one second word lie side by side.
pub(super) fn by_first_word(places: &Range<u32>, words: &Range<u32>) -> bool {
    const MANY: usize = 1024;
    words.len() > MANY && places.len() * 8 < words.len()
}
