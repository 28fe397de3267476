//! The distinct words of all texts, in three orders: by beginning, by ending, by any part.
//!
//! A word is a maximal run of bytes other than the space; two spaces in a row have the empty word
//! between them. So a needle without a space lies inside one word, and one with spaces is a word's
//! ending, whole words, and a word's beginning, one right after the other.

use std::{cmp::Ordering, ops::Range};

use super::{
    BuildError,
    suffixes::{self, Suffixes},
    trie::{Sorted, is_continuation, partition_point},
};

/// After every word. No UTF-8 holds this byte.
pub(super) const END: u8 = 0xff;

/// What stands before a text's first word: a place in the order of endings that no word has.
pub(super) const NOTHING: u32 = 0;

/// Words are numbered in the order of their bytes.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// Each word, followed by [`END`].
    bytes: Vec<u8>,
    /// Where each word starts, and where the last one's `END` ends.
    starts: Vec<u32>,
    /// The words in the order of their bytes read backwards …
    by_ending: Vec<u32>,
    /// … and each word's place in that order, from 1.
    ending_place: Vec<u32>,
    suffixes: Suffixes,
}

impl Dictionary {
    /// Of sorted, distinct words.
    pub(super) fn build<'a>(words: impl Iterator<Item = &'a [u8]>) -> Result<Self, BuildError> {
        let mut bytes = Vec::new();
        let mut starts = vec![0];
        for word in words {
            bytes.extend_from_slice(word);
            bytes.push(END);
            starts.push(u32::try_from(bytes.len()).map_err(|_| BuildError::Dictionary)?);
        }
        bytes.shrink_to_fit();
        starts.shrink_to_fit();
        let suffixes = Suffixes::build(&bytes, &starts);
        let mut built =
            Self { bytes, starts, by_ending: Vec::new(), ending_place: Vec::new(), suffixes };
        built.sort_by_ending();
        Ok(built)
    }

    fn sort_by_ending(&mut self) {
        let keyed = |word| (ending_key(self.word(word)), word);
        let mut keyed: Vec<(u64, u32)> = (0..self.len()).map(keyed).collect();
        keyed.sort_unstable_by(|(a_key, a), (b_key, b)| {
            a_key.cmp(b_key).then_with(|| backwards(self.word(*a), self.word(*b)))
        });
        self.by_ending = keyed.into_iter().map(|(_, word)| word).collect();
        self.ending_place = vec![NOTHING; self.by_ending.len()];
        for (place, &word) in (1..).zip(&self.by_ending) {
            self.ending_place[word as usize] = place;
        }
    }

    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    #[inline]
    pub(super) fn word(&self, word: u32) -> &[u8] {
        let at = word as usize;
        &self.bytes[self.starts[at] as usize..self.starts[at + 1] as usize - 1]
    }

    pub(super) fn exact(&self, word: &[u8]) -> Option<u32> {
        let at = partition_point(0..self.len(), |other| self.word(other) < word);
        (at < self.len() && self.word(at) == word).then_some(at)
    }

    /// The words that begin with this.
    pub(super) fn beginning_with(&self, part: &[u8]) -> Range<u32> {
        let start = partition_point(0..self.len(), |word| self.word(word) < part);
        let end = partition_point(start..self.len(), |word| self.word(word).starts_with(part));
        start..end
    }

    /// The places, in the order of endings, of the words that end with this.
    pub(super) fn ending_with(&self, part: &[u8]) -> Range<u32> {
        let all = self.all_places();
        let before = |place| backwards(self.word(self.word_at(place)), part) == Ordering::Less;
        let start = partition_point(all.clone(), before);
        let ends = |place| self.word(self.word_at(place)).ends_with(part);
        start..partition_point(start..all.end, ends)
    }

    pub(super) fn all_words(&self) -> Range<u32> {
        0..self.len()
    }

    /// Every place but [`NOTHING`].
    pub(super) fn all_places(&self) -> Range<u32> {
        1..self.len() + 1
    }

    /// The word at a place in the order of endings.
    #[inline]
    pub(super) fn word_at(&self, place: u32) -> u32 {
        self.by_ending[place as usize - 1]
    }

    #[inline]
    pub(super) fn ending_place(&self, word: u32) -> u32 {
        self.ending_place[word as usize]
    }

    /// Where a part occurs in words, as numbers of suffixes. A part longer than
    /// [`suffixes::DEPTH`] needs [`Self::has_at`] to tell.
    pub(super) fn containing(&self, part: &[u8]) -> Range<u32> {
        self.suffixes.beginning_with(&self.bytes, part)
    }

    /// Whether the part stands where this suffix does.
    pub(super) fn has_at(&self, suffix: u32, part: &[u8]) -> bool {
        part.len() <= suffixes::DEPTH || self.bytes[self.suffixes.start(suffix)..].starts_with(part)
    }

    /// The word a suffix is the end of.
    #[inline]
    pub(super) fn word_of(&self, suffix: u32) -> u32 {
        self.suffixes.word(suffix, &self.starts)
    }

    pub(super) fn all_suffixes(&self) -> Range<u32> {
        0..self.suffixes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let orders = size_of_val(&*self.by_ending) + size_of_val(&*self.ending_place);
        self.bytes.capacity() + size_of_val(&*self.starts) + orders
    }

    pub(super) fn suffix_bytes(&self) -> usize {
        self.suffixes.bytes()
    }
}

/// The dictionary's words, read forwards.
pub(super) struct Beginnings<'a>(pub(super) &'a Dictionary);

impl Sorted for Beginnings<'_> {
    fn byte(&self, word: u32, depth: usize) -> Option<u8> {
        self.0.word(word).get(depth).copied()
    }

    fn is_whole(&self, word: u32, depth: usize) -> bool {
        !self.byte(word, depth).is_some_and(is_continuation)
    }
}

/// The dictionary's words, read backwards, by their places.
pub(super) struct Endings<'a>(pub(super) &'a Dictionary);

impl Sorted for Endings<'_> {
    fn byte(&self, place: u32, depth: usize) -> Option<u8> {
        self.0.word(self.0.word_at(place)).iter().nth_back(depth).copied()
    }

    fn is_whole(&self, place: u32, depth: usize) -> bool {
        depth == 0 || !self.byte(place, depth - 1).is_some_and(is_continuation)
    }
}

/// The dictionary's suffixes.
pub(super) struct Parts<'a>(pub(super) &'a Dictionary);

impl Sorted for Parts<'_> {
    fn byte(&self, suffix: u32, depth: usize) -> Option<u8> {
        let within = depth < suffixes::DEPTH;
        let byte = self.0.bytes[self.0.suffixes.start(suffix) + depth];
        (within && byte != END).then_some(byte)
    }

    fn is_whole(&self, suffix: u32, depth: usize) -> bool {
        !is_continuation(self.0.bytes[self.0.suffixes.start(suffix) + depth])
    }
}

/// The first eight bytes as a number that sorts like them. Equal numbers say nothing.
pub(super) fn beginning_key(bytes: &[u8]) -> u64 {
    key(bytes.iter())
}

fn ending_key(word: &[u8]) -> u64 {
    key(word.iter().rev())
}

fn key<'a>(bytes: impl Iterator<Item = &'a u8>) -> u64 {
    let mut key = [0; 8];
    key.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u64::from_be_bytes(key)
}

fn backwards(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 9] = ["", "an", "and", "hand", "sand", "time", "größe", "时间到了", "👍🏽"];

    fn dictionary() -> Dictionary {
        let mut words = WORDS;
        words.sort_unstable();
        Dictionary::build(words.iter().map(|word| word.as_bytes())).unwrap()
    }

    fn texts(dictionary: &Dictionary, words: impl Iterator<Item = u32>) -> Vec<&str> {
        let mut texts: Vec<&str> =
            words.map(|word| str::from_utf8(dictionary.word(word)).unwrap()).collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    fn expected(holds: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let mut texts: Vec<_> = WORDS.into_iter().filter(|word| holds(word)).collect();
        texts.sort_unstable();
        texts
    }

    #[test]
    fn each_order_finds_its_part() {
        let built = dictionary();
        for part in ["", "a", "and", "d", "e", "ö", "ße", "间", "了", "🏽", "x", "sandy"] {
            let begin = built.beginning_with(part.as_bytes());
            assert_eq!(texts(&built, begin), expected(|word| word.starts_with(part)), "{part}");
            let end = built.ending_with(part.as_bytes()).map(|place| built.word_at(place));
            assert_eq!(texts(&built, end), expected(|word| word.ends_with(part)), "{part}");
            if !part.is_empty() {
                let within = built.containing(part.as_bytes()).map(|at| built.word_of(at));
                assert_eq!(texts(&built, within), expected(|word| word.contains(part)), "{part}");
            }
            assert_eq!(built.exact(part.as_bytes()).is_some(), WORDS.contains(&part), "{part}");
        }
    }

    #[test]
    fn a_part_longer_than_the_order_is_deep_is_compared_whole() {
        let long = "0123456789".repeat(10);
        let words = [long.as_bytes(), b"other".as_slice()];
        let built = Dictionary::build(words.into_iter()).unwrap();
        for (part, found) in [(&long[..], true), (&format!("{}x", &long[..90]), false)] {
            let suffixes = built.containing(part.as_bytes());
            let mut hits = suffixes.filter(|&suffix| built.has_at(suffix, part.as_bytes()));
            assert_eq!(hits.next().is_some(), found);
        }
    }
}
