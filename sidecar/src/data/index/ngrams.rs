//! The texts that may contain a needle: a table of bits with a row for each group of n-grams, and a column for each
//! review.

use super::bitmap::{Bitmap, WORD};

/// Maximum bytes of an n-gram.
const LONGEST: usize = 4;

/// The number of groups into which a hash divides the n-grams. A row takes an eighth of a byte per review. Twice as
/// many would leave half as many texts without the needle to be read.
const ROWS: usize = 2_048;

/// Maximum number of n-grams of a length that are tried for a needle. Further ones hardly exclude any text.
const MOST_NGRAMS: usize = 32;

/// A table in which a bit is set if a text has one of the row's n-grams.
#[derive(Debug)]
pub(super) struct NgramTable {
    /// The words of all rows, one row after the other.
    words: Vec<u64>,
    /// The number of words in a row.
    row: usize,
}

impl NgramTable {
    pub(super) fn build<'a>(reviews: usize, text: impl Fn(u32) -> &'a [u8]) -> Self {
        let row = reviews.div_ceil(WORD);
        let mut words = vec![0; ROWS * row];
        for at in 0..row {
            let mut column = [0; ROWS];
            for review in at * WORD..reviews.min((at + 1) * WORD) {
                let text = text(review as u32);
                for ngram in (1..=LONGEST).flat_map(|length| text.windows(length)) {
                    column[row_of(ngram)] |= 1_u64 << (review % WORD);
                }
            }
            for (row, bits) in words.chunks_exact_mut(row).zip(column) {
                row[at] = bits;
            }
        }
        Self { words, row }
    }

    /// Excludes from `kept` texts that lack an n-gram of the needle.
    pub(super) fn narrow(&self, needle: &[u8], kept: &mut Bitmap) {
        for length in 1..=LONGEST {
            for ngram in needle.windows(length).take(MOST_NGRAMS) {
                let start = row_of(ngram) * self.row;
                kept.intersect(&self.words[start..start + self.row]);
            }
        }
    }

    /// Returns the bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}

/// Returns the row of an n-gram: Fibonacci hashing of its bytes and length.
fn row_of(ngram: &[u8]) -> usize {
    let key = ngram.iter().fold(ngram.len() as u64, |key, &byte| key << 8 | u64::from(byte));
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - ROWS.ilog2())) as usize
}
