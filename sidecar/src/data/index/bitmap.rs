//! Sets of reviews, a bit for each review.

use std::ops::Range;

/// The number of reviews in a word.
pub(super) const WORD: usize = u64::BITS as usize;

/// A set of reviews, the result of a condition.
#[derive(Clone, Debug)]
pub struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    /// An empty set, with room for numbers below `reviews`.
    pub(super) fn new(reviews: usize) -> Self {
        Self { words: vec![0; reviews.div_ceil(WORD)] }
    }

    /// The set of the numbers of a range, with room for numbers below `reviews`.
    pub(super) fn of_range(range: Range<usize>, reviews: usize) -> Self {
        let mut bitmap = Self::new(reviews);
        if range.is_empty() {
            return bitmap;
        }
        let (first, last) = (range.start / WORD, (range.end - 1) / WORD);
        bitmap.words[first..=last].fill(u64::MAX);
        bitmap.words[first] &= u64::MAX << (range.start % WORD);
        bitmap.words[last] &= u64::MAX >> (WORD - 1 - (range.end - 1) % WORD);
        bitmap
    }

    pub(super) fn insert(&mut self, review: u32) {
        self.words[review as usize / WORD] |= 1 << (review as usize % WORD);
    }

    /// Keeps the numbers whose bit is set in `words` too.
    pub(super) fn intersect(&mut self, words: &[u64]) {
        self.words.iter_mut().zip(words).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Keeps the numbers that meet a condition.
    pub(super) fn retain(&mut self, meets: impl Fn(u32) -> bool) {
        for (at, word) in self.words.iter_mut().enumerate() {
            for review in members(at, *word) {
                if !meets(review) {
                    *word &= !(1 << (review as usize % WORD));
                }
            }
        }
    }

    /// Keeps these numbers.
    pub(super) fn retain_only(&mut self, reviews: &[u32]) {
        let kept: Vec<_> = reviews.iter().copied().filter(|it| self.contains(*it)).collect();
        self.words.fill(0);
        kept.into_iter().for_each(|review| self.insert(review));
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn contains(&self, review: u32) -> bool {
        self.words[review as usize / WORD] >> (review as usize % WORD) & 1 == 1
    }

    /// Returns the members from number `from` on, rising.
    pub(super) fn iter_from(&self, from: usize) -> impl Iterator<Item = u32> {
        let words = self.words.iter().enumerate().skip(from / WORD);
        words.flat_map(|(at, word)| members(at, *word)).skip_while(move |n| (*n as usize) < from)
    }

    /// Returns the members below number `end`, falling.
    pub(super) fn iter_before(&self, end: usize) -> impl Iterator<Item = u32> {
        let words = self.words.iter().enumerate().take(end.div_ceil(WORD)).rev();
        let falling = words.flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.checked_ilog2()?;
                left ^= 1 << bit;
                Some((at * WORD) as u32 + bit)
            })
        });
        falling.skip_while(move |n| *n as usize >= end)
    }
}

/// Returns the members in the word `at`, rising.
fn members(at: usize, word: u64) -> impl Iterator<Item = u32> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some((at * WORD) as u32 + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_starts_anywhere() {
        let members = [0, 63, 64, 130, 199];
        let mut bitmap = Bitmap::new(200);
        members.into_iter().for_each(|review| bitmap.insert(review));
        for at in 0..300 {
            let (below, above): (Vec<u32>, Vec<u32>) = members.iter().partition(|n| **n < at);
            assert_eq!(bitmap.iter_from(at as usize).collect::<Vec<_>>(), above);
            let falling: Vec<u32> = below.into_iter().rev().collect();
            assert_eq!(bitmap.iter_before(at as usize).collect::<Vec<_>>(), falling);
        }
    }

    #[test]
    fn a_range_ends_anywhere_in_a_word() {
        for (start, end) in [(0, 0), (0, 1), (3, 60), (63, 65), (64, 128), (1, 200), (199, 200)] {
            let bitmap = Bitmap::of_range(start..end, 200);
            let expected: Vec<u32> = (start as u32..end as u32).collect();
            assert_eq!(bitmap.iter_from(0).collect::<Vec<_>>(), expected);
            assert_eq!(bitmap.count(), end - start);
        }
    }
}
