//! The texts as sequences of dictionary words, from which every text can be restored.

use std::{collections::HashMap, ops::Range};

use contract::text::casefold;
use foldhash::fast::RandomState;

use super::{
    BuildError, IndexEntry,
    dictionary::{Dictionary, beginning_key},
    parallel,
};

#[derive(Debug)]
pub(super) struct IndexWords {
    /// Every text's words, one text after the other.
    sequence: Vec<u32>,
    /// Where each text starts in the sequence, and where the last one ends.
    starts: Vec<u32>,
}

impl IndexWords {
    /// Splits every text, and gives the dictionary their words make.
    pub(super) fn build(entries: &[IndexEntry<'_>]) -> Result<(Self, Dictionary), BuildError> {
        let share = entries.len().div_ceil(parallel::threads()).max(1);
        let jobs = entries.chunks(share).map(|entries| move || Split::of(entries)).collect();
        let mut splits = parallel::run(jobs);
        let dictionary = number(&mut splits)?;
        let mut words = Self { sequence: Vec::new(), starts: vec![0] };
        let total = splits.iter().map(|split| split.sequence.len()).sum();
        if u32::try_from(total).is_err() {
            return Err(BuildError::Words);
        }
        words.sequence.reserve_exact(total);
        words.starts.reserve_exact(entries.len());
        for split in splits {
            words.append(&split);
        }
        Ok((words, dictionary))
    }

    fn append(&mut self, split: &Split) {
        let mut end = self.sequence.len() as u32;
        self.sequence.extend_from_slice(&split.sequence);
        for length in &split.lengths {
            end += length;
            self.starts.push(end);
        }
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    fn range(&self, review: u32) -> Range<usize> {
        let at = review as usize;
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// The words of a text. A review without a text has none, an empty text has the empty word.
    #[inline]
    pub(super) fn of(&self, review: u32) -> &[u32] {
        &self.sequence[self.range(review)]
    }

    #[inline]
    pub(super) fn length(&self, review: u32) -> u32 {
        self.range(review).len() as u32
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.sequence) + size_of_val(&*self.starts)
    }
}

/// Some of the texts, split, with a dictionary of their own in the order of appearance.
#[derive(Default)]
struct Split {
    numbers: HashMap<Box<[u8]>, u32, RandomState>,
    sequence: Vec<u32>,
    lengths: Vec<u32>,
}

impl Split {
    fn of(entries: &[IndexEntry<'_>]) -> Self {
        let mut split = Self::default();
        for entry in entries {
            let before = split.sequence.len();
            if let Some(text) = entry.text {
                let folded = casefold(text);
                folded.as_bytes().split(|&byte| byte == b' ').for_each(|word| split.push(word));
            }
            split.lengths.push((split.sequence.len() - before) as u32);
        }
        split
    }

    fn push(&mut self, word: &[u8]) {
        let number = match self.numbers.get(word) {
            Some(&number) => number,
            None => {
                let number = self.numbers.len() as u32;
                self.numbers.insert(word.into(), number);
                number
            }
        };
        self.sequence.push(number);
    }
}

/// Renumbers all splits by one sorted dictionary.
fn number(splits: &mut [Split]) -> Result<Dictionary, BuildError> {
    let maps: Vec<_> = splits.iter_mut().map(|split| std::mem::take(&mut split.numbers)).collect();
    let mut words: Vec<(u64, &[u8], usize, u32)> = Vec::new();
    for (split, map) in maps.iter().enumerate() {
        words.extend(map.iter().map(|(word, &n)| (beginning_key(word), &**word, split, n)));
    }
    words.sort_unstable();
    let dictionary = {
        let distinct = words.chunk_by(|a, b| a.1 == b.1).map(|same| same[0].1);
        Dictionary::build(distinct)?
    };
    let mut numbers: Vec<_> = maps.iter().map(|map| vec![0; map.len()]).collect();
    for (word, same) in (0..).zip(words.chunk_by(|a, b| a.1 == b.1)) {
        same.iter().for_each(|(_, _, split, n)| numbers[*split][*n as usize] = word);
    }
    let renumber = |(split, numbers): (&mut Split, &Vec<u32>)| {
        split.sequence.iter_mut().for_each(|word| *word = numbers[*word as usize]);
    };
    splits.iter_mut().zip(&numbers).for_each(renumber);
    Ok(dictionary)
}
