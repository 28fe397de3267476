//! The texts of each frequent word. The sets are exact: for such a word no text is read.

use std::collections::{HashMap, HashSet};

use aho_corasick::AhoCorasick;

use super::bitmap::Bitmap;

/// Maximum number of words. The set of a word takes an eighth of a byte per review.
const MOST_WORDS: usize = 512;

/// A word in one of so many texts is frequent. For rarer ones the n-grams leave few texts to be read.
const ONE_IN: usize = 64;

/// The number of texts that are counted to find the frequent words.
const SAMPLE: usize = 4_096;

/// Maximum bytes of a word.
const LONGEST: usize = 32;

/// The texts of each frequent word, as a word or as part of one.
#[derive(Debug)]
pub(super) struct FrequentWords {
    texts: HashMap<String, Bitmap>,
}

impl FrequentWords {
    pub(super) fn build<'a>(reviews: usize, text: impl Fn(u32) -> &'a str) -> Self {
        let words = most_frequent(reviews, &text);
        let mut texts = vec![Bitmap::new(reviews); words.len()];
        // So few and short words are never too many for it.
        if let Ok(finder) = AhoCorasick::new(&words) {
            for review in 0..reviews as u32 {
                for found in finder.find_overlapping_iter(text(review)) {
                    texts[found.pattern()].insert(review);
                }
            }
            return Self { texts: words.into_iter().map(str::to_owned).zip(texts).collect() };
        }
        Self { texts: HashMap::new() }
    }

    /// Returns the texts that contain a word, if it is a frequent one.
    pub(super) fn texts(&self, word: &str) -> Option<&Bitmap> {
        self.texts.get(word)
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let of = |(word, texts): (&String, &Bitmap)| word.capacity() + size_of_val(texts.words());
        self.texts.iter().map(of).sum()
    }
}

fn most_frequent<'a>(reviews: usize, text: impl Fn(u32) -> &'a str) -> Vec<&'a str> {
    let step = reviews.div_ceil(SAMPLE).max(1);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for review in (0..reviews as u32).step_by(step) {
        let words: HashSet<&str> = text(review).split(|c: char| !c.is_alphanumeric()).collect();
        for word in words.into_iter().filter(|word| (1..=LONGEST).contains(&word.len())) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let least = (reviews / step / ONE_IN).max(1);
    let mut frequent: Vec<_> = counts.into_iter().filter(|(_, count)| *count >= least).collect();
    frequent.sort_unstable_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    frequent.into_iter().take(MOST_WORDS).map(|(word, _)| word).collect()
}
