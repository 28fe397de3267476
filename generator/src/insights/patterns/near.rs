//! What must stand near the word a pattern is found by: a glance that spares most patterns a look.

use super::compile::{Choice, Element};
use crate::insights::sentiment::lexicon::WordId;

/// 2^64 over the golden ratio: its products spread neighbouring numbers.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// One of 128 bits for a word; several words share one.
pub(in crate::insights) fn bit(word: WordId) -> u128 {
    1 << (u64::from(word).wrapping_mul(SPREAD) >> 57)
}

/// A pattern under one of the words it is found by. Both glances lie here, so that looking through a
/// word's patterns reads one stretch of memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::insights) struct Entry {
    pub(in crate::insights) number: u32,
    pub(in crate::insights) before: Near,
    pub(in crate::insights) behind: Near,
}

/// One of these words must stand within `reach` words; a reach of 0 asks for nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::insights) struct Near {
    words: u128,
    reach: u8,
}

impl Near {
    /// What the elements before the word ask for, the nearest last.
    pub(super) fn before(elements: &[Element]) -> Self {
        Self::of(elements.iter().rev(), 0, |choice| choice.lengths.0)
    }

    /// What the elements behind the word ask for, which is the first of a phrase of `own`.
    pub(super) fn behind(own: &Choice, elements: &[Element]) -> Self {
        Self::of(elements.iter(), own.lengths.0 - 1, |_| 1)
    }

    /// The first element that cannot be missing, and how far away it can begin.
    fn of<'e>(
        elements: impl Iterator<Item = &'e Element>,
        mut reach: usize,
        begins: impl Fn(&Choice) -> usize,
    ) -> Self {
        for element in elements {
            match element {
                Element::Gap(most) => reach += usize::from(*most),
                Element::Any { choice, optional: true } => reach += choice.lengths.0,
                Element::Any { choice, optional: false } => {
                    let words = choice.bits();
                    reach += begins(choice);
                    return u8::try_from(reach)
                        .map_or(Self::default(), |reach| Self { words, reach });
                }
            }
        }
        Self::default()
    }

    /// Whether one of the words may be among those before `at`.
    pub(super) fn may_precede(self, at: usize, bits: &[u128]) -> bool {
        self.may_be_in(&bits[at.saturating_sub(usize::from(self.reach))..at])
    }

    /// … or among those behind it.
    pub(super) fn may_follow(self, at: usize, bits: &[u128]) -> bool {
        self.may_be_in(&bits[at + 1..bits.len().min(at + 1 + usize::from(self.reach))])
    }

    fn may_be_in(self, bits: &[u128]) -> bool {
        self.reach == 0 || bits.iter().fold(0, |all, bit| all | bit) & self.words != 0
    }
}
