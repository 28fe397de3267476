//! The costs of the steps of a search, in units of about a nanosecond: measured once at a million
//! reviews, where the postings lie in memory and not in the processor's cache.

/// Walking over an occurrence and setting its review's bit.
pub(super) const OCCURRENCE: u64 = 2;

/// The same, and telling whether it is its text's last word.
pub(super) const CHECKED: u64 = 5;

/// Going from one list of occurrences to a distant one.
pub(super) const JUMP: u64 = 25;

/// Finding a place in the postings.
pub(super) const LOOKUP: u64 = 60;

/// Finding a place in the postings near the last one, apart from one step per pair in between.
const NEAR: u64 = 10;

/// Finding one range in the lists of neighbouring words that have so many pairs.
pub(super) fn lookups(words: usize, pairs: usize) -> u64 {
    let (words, pairs) = (words as u64, pairs as u64);
    (words * LOOKUP).min(words * NEAR + pairs)
}

/// Adding a kept answer, in a collection of so many reviews.
pub(super) fn taking(reviews: usize) -> u64 {
    reviews as u64 / 64 + LOOKUP
}
