//! The dictionary's suffix array: every position in a word where a needle may begin, sorted by the
//! suffix.

use std::{mem::take, ops::Range};

use super::{
    dictionary::{END, beginning_key},
    parallel,
    trie::{is_continuation, partition_point},
};

/// How many bytes of a suffix the order takes into account. A limit keeps pages of one repeated
/// letter from taking quadratic time.
pub(super) const DEPTH: usize = 64;

/// Bytes per entry of the table that leads from a byte to its word.
const BLOCK: usize = 16;

#[derive(Debug)]
pub(super) struct Suffixes {
    /// Where each begins in the dictionary's bytes.
    order: Vec<u32>,
    /// The word that holds the first byte of each block.
    first_word: Vec<u32>,
}

impl Suffixes {
    pub(super) fn build(bytes: &[u8], starts: &[u32]) -> Self {
        Self { order: sorted(bytes), first_word: first_words(bytes.len(), starts) }
    }

    pub(super) fn len(&self) -> u32 {
        self.order.len() as u32
    }

    #[inline]
    pub(super) fn start(&self, suffix: u32) -> usize {
        self.order[suffix as usize] as usize
    }

    #[inline]
    pub(super) fn word(&self, suffix: u32, starts: &[u32]) -> u32 {
        let byte = self.order[suffix as usize];
        let mut word = self.first_word[byte as usize / BLOCK];
        while starts[word as usize + 1] <= byte {
            word += 1;
        }
        word
    }

    /// The suffixes that share their first [`DEPTH`] bytes with the part, or all it has.
    pub(super) fn beginning_with(&self, bytes: &[u8], part: &[u8]) -> Range<u32> {
        let part = &part[..part.len().min(DEPTH)];
        let head = |suffix| {
            let rest = &bytes[self.start(suffix)..];
            &rest[..rest.len().min(part.len())]
        };
        let start = partition_point(0..self.len(), |suffix| head(suffix) < part);
        start..partition_point(start..self.len(), |suffix| head(suffix) == part)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.order) + size_of_val(&*self.first_word)
    }
}

/// Two bytes as one number: the suffixes are counted by them and then sorted bucket by bucket.
fn bucket(bytes: &[u8], start: usize) -> usize {
    usize::from(bytes[start]) << 8 | usize::from(bytes[start + 1])
}

fn sorted(bytes: &[u8]) -> Vec<u32> {
    let is_start = |at: &usize| bytes[*at] != END && !is_continuation(bytes[*at]);
    let mut ends = vec![0_usize; 1 << 16];
    (0..bytes.len()).filter(is_start).for_each(|at| ends[bucket(bytes, at)] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut order = vec![0; total];
    for at in (0..bytes.len()).filter(is_start) {
        let end = &mut ends[bucket(bytes, at)];
        order[*end] = at as u32;
        *end += 1;
    }
    let mut rest = order.as_mut_slice();
    let mut start = 0;
    let mut jobs = Vec::new();
    for end in ends.into_iter().filter(|_| total > 0) {
        if end > start {
            let (bucket, later) = take(&mut rest).split_at_mut(end - start);
            jobs.push(move || sort(bytes, bucket));
            rest = later;
            start = end;
        }
    }
    parallel::run(jobs);
    order
}

/// Sorts suffixes that agree in their first two bytes.
fn sort(bytes: &[u8], bucket: &mut [u32]) {
    let rest = |start: u32, skip: usize| {
        let start = (start as usize + skip).min(bytes.len());
        &bytes[start..(start + DEPTH - skip).min(bytes.len())]
    };
    let keyed = |&start: &u32| (beginning_key(rest(start, 2)), start);
    let mut keyed: Vec<(u64, u32)> = bucket.iter().map(keyed).collect();
    keyed.sort_unstable_by(|(a_key, a), (b_key, b)| {
        a_key.cmp(b_key).then_with(|| rest(*a, 2).cmp(rest(*b, 2)))
    });
    bucket.iter_mut().zip(keyed).for_each(|(to, (_, start))| *to = start);
}

fn first_words(bytes: usize, starts: &[u32]) -> Vec<u32> {
    let mut word = 0;
    let first = |block: usize| {
        while starts[word as usize + 1] as usize <= block * BLOCK {
            word += 1;
        }
        word
    };
    (0..bytes.div_ceil(BLOCK)).map(first).collect()
}
