//! The elements of a compiled pattern: phrases, and gaps between them.

use std::{collections::HashMap, sync::Arc};

use rustc_hash::FxBuildHasher;

use crate::sentiment::lexicon::{Lexicon, WordId, class};

/// One element of a pattern.
#[derive(Debug)]
pub(crate) enum Element {
    /// Any of these phrases. `firsts` repeats the bits of the choice, to save a memory access.
    Any { choice: Arc<Choice>, optional: bool, firsts: u128 },
    /// Up to this many words.
    Gap(u8),
}

impl Element {
    pub(super) fn any(choice: Arc<Choice>, optional: bool) -> Self {
        let firsts = choice.bits;
        Self::Any { choice, optional, firsts }
    }

    /// Whether a pattern that begins with this element may begin with the word of this bit.
    pub(crate) fn may_begin(&self, bit: u128) -> bool {
        match self {
            Self::Any { firsts, optional: false, .. } => firsts & bit != 0,
            _ => true,
        }
    }
}

/// Phrases in the order of their first words, the longest of each first.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(super) phrases: Vec<(WordId, Box<[WordId]>)>,
    /// The number of words of the longest and of the shortest phrase.
    pub(crate) lengths: (usize, usize),
    /// Whether one of the phrases contains a negation.
    pub(super) negates: bool,
    /// The expected number of positions of a text at which the pattern must be tested.
    pub(super) cost: usize,
    /// The range of phrases for each first word.
    ranges: HashMap<WordId, (u32, u32), FxBuildHasher>,
    /// The first words as bits. Most words of a text begin none of the phrases.
    bits: u128,
}

impl Choice {
    pub(super) fn add(&mut self, words: &[WordId]) {
        if let [first, rest @ ..] = words {
            self.phrases.push((*first, rest.into()));
        }
    }

    pub(super) fn finish(
        mut self,
        lexicon: &Lexicon,
        common: &HashMap<WordId, usize, FxBuildHasher>,
    ) -> Self {
        self.phrases.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then(b.1.len().cmp(&a.1.len())).then_with(|| a.1.cmp(&b.1))
        });
        self.phrases.dedup();
        let negates = |word: &WordId| lexicon.get(*word).class & class::NEGATION != 0;
        self.lengths = (0, usize::MAX);
        for (first, tail) in &self.phrases {
            let length = tail.len() + 1;
            self.lengths = (self.lengths.0.max(length), self.lengths.1.min(length));
            self.negates |= negates(first) || tail.iter().any(negates);
            self.cost += common.get(first).copied().unwrap_or(1);
        }
        let mut from = 0;
        for same in self.phrases.chunk_by(|a, b| a.0 == b.0) {
            let to = from + same.len() as u32;
            self.ranges.insert(same[0].0, (from, to));
            from = to;
        }
        self.bits = self.firsts().fold(0, |all, word| all | bit(word));
        self
    }

    /// The phrases that begin with the word `first`, the longest first.
    pub(crate) fn beginning_with(&self, first: WordId) -> &[(WordId, Box<[WordId]>)] {
        self.ranges
            .get(&first)
            .map_or(&[], |range| &self.phrases[range.0 as usize..range.1 as usize])
    }

    pub(super) fn firsts(&self) -> impl Iterator<Item = WordId> {
        self.phrases.chunk_by(|a, b| a.0 == b.0).map(|same| same[0].0)
    }
}

/// 2^64 divided by the golden ratio. Its multiples spread neighbouring numbers.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// One of 128 bits for a word. Several words share a bit.
pub(crate) fn bit(word: WordId) -> u128 {
    1 << (u64::from(word).wrapping_mul(SPREAD) >> 57)
}
