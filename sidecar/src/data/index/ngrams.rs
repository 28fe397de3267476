//! The texts that may contain a needle: a table of bits with a row for each frequent n-gram and each group of the others,
//! and a column for each review.

use super::bitmap::{Bitmap, WORD};

/// Maximum bytes of an n-gram.
const LONGEST: usize = 4;

/// Maximum bytes of an n-gram that has a row alone.
const LONGEST_ALONE: usize = 3;

/// The number of rows of one n-gram. A row takes an eighth of a byte per review.
const ALONE: usize = 2_048;

/// The number of groups into which a hash divides the other n-grams.
const GROUPS: usize = 1_024;

const ROWS: usize = ALONE + GROUPS;

/// Texts in which the frequent n-grams are counted.
const SAMPLE: usize = 64;

/// Maximum number of n-grams of a length that are tried for a needle. Further ones hardly exclude any text.
const MOST_NGRAMS: usize = 32;

/// A table in which a bit is set if a text has one of the row's n-grams.
#[derive(Debug)]
pub(super) struct NgramTable {
    /// The n-grams that have the first rows alone, by their hashes; 0 for none.
    owners: Vec<u64>,
    /// The words of all rows, one row after the other.
    words: Vec<u64>,
    /// The number of words in a row.
    row: usize,
}

impl NgramTable {
    pub(super) fn build<'a>(reviews: usize, text: impl Fn(u32) -> &'a [u8]) -> Self {
        let row = reviews.div_ceil(WORD);
        let owners = most_frequent(reviews, &text);
        let mut words = vec![0; ROWS * row];
        for at in 0..row {
            let mut column = [0; ROWS];
            for review in at * WORD..reviews.min((at + 1) * WORD) {
                for key in keys(text(review as u32), LONGEST) {
                    column[row_of(key, &owners)] |= 1_u64 << (review % WORD);
                }
            }
            for (row, bits) in words.chunks_exact_mut(row).zip(column) {
                row[at] = bits;
            }
        }
        Self { owners, words, row }
    }

    /// Excludes from `kept` texts that lack an n-gram of the needle: all texts without the needle if it has a row alone.
    pub(super) fn narrow(&self, needle: &[u8], kept: &mut Bitmap) {
        // The longest exclude the most.
        for length in (1..=LONGEST).rev() {
            for ngram in needle.windows(length).take(MOST_NGRAMS) {
                let start = row_of(key(ngram), &self.owners) * self.row;
                kept.intersect(&self.words[start..start + self.row]);
                if kept.count() == 0 {
                    return;
                }
            }
        }
    }

    /// Whether the needle has a row alone, so that no text needs to be read.
    pub(super) fn is_exact(&self, needle: &[u8]) -> bool {
        (1..=LONGEST_ALONE).contains(&needle.len()) && row_of(key(needle), &self.owners) < ALONE
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.owners)
    }
}

/// Gives a row to the most frequent short n-gram of each hash.
fn most_frequent<'a>(reviews: usize, text: &impl Fn(u32) -> &'a [u8]) -> Vec<u64> {
    let mut found = Vec::new();
    for review in (0..reviews as u32).step_by(reviews.div_ceil(SAMPLE).max(1)) {
        let mut of_text: Vec<u64> = keys(text(review), LONGEST_ALONE).collect();
        of_text.sort_unstable();
        of_text.dedup();
        found.extend(of_text);
    }
    found.sort_unstable();
    let mut most = vec![(0, 0); ALONE];
    for same in found.chunk_by(|a, b| a == b) {
        let most = &mut most[hash(same[0]) % ALONE];
        *most = (*most).max((same.len(), same[0]));
    }
    most.into_iter().map(|(_, key)| key).collect()
}

fn keys(text: &[u8], longest: usize) -> impl Iterator<Item = u64> {
    (1..=longest).flat_map(|length| text.windows(length)).map(key)
}

/// The bytes of an n-gram and their number.
fn key(ngram: &[u8]) -> u64 {
    ngram.iter().fold(ngram.len() as u64, |key, &byte| key << 8 | u64::from(byte))
}

fn row_of(key: u64, owners: &[u64]) -> usize {
    let hash = hash(key);
    if owners[hash % ALONE] == key { hash % ALONE } else { ALONE + hash / ALONE % GROUPS }
}

/// Fibonacci hashing; the upper bits are the good ones.
fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}
