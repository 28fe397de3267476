//! A prefilter: the words that must be near a pattern's anchor. It excludes most patterns without a
//! full match.

use super::element::{Choice, Element};

/// Lookahead window in words. A pattern whose next required word can be farther away is not prefiltered and is matched
/// in full.
const LOOKAHEAD: usize = 15;

/// A pattern in the list of one of its anchors. Both prefilters are stored here, so that a scan of
/// the list reads consecutive memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) number: u32,
    pub(crate) before: Near,
    pub(crate) behind: Near,
}

/// One of these words must be within `reach` words. A reach of 0 requires nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    words: u128,
    reach: u8,
}

impl Near {
    /// The requirement of the elements before the anchor, the nearest last.
    pub(super) fn before(elements: &[Element]) -> Self {
        Self::of(elements.iter().rev(), 0, |choice| choice.lengths.0)
    }

    /// The requirement of the elements after the anchor's first word; `own` has the anchor's
    /// phrases.
    pub(super) fn behind(own: &Choice, elements: &[Element]) -> Self {
        Self::of(elements.iter(), own.lengths.0 - 1, |_| 1)
    }

    /// The first required element, and the largest distance at which it can begin.
    fn of<'e>(
        elements: impl Iterator<Item = &'e Element>,
        mut reach: usize,
        begins: impl Fn(&Choice) -> usize,
    ) -> Self {
        for element in elements {
            match element {
                Element::Gap(most) => reach += usize::from(*most),
                Element::Any { choice, optional: true, .. } => reach += choice.lengths.0,
                Element::Any { choice, optional: false, firsts: words } => {
                    let words = *words;
                    reach += begins(choice);
                    return match reach {
                        0..=LOOKAHEAD => Self { words, reach: reach as u8 },
                        _ => Self::default(),
                    };
                }
            }
        }
        Self::default()
    }

    /// Whether one of the words may be in `near`.
    pub(super) fn may_be_in(self, near: &Surroundings) -> bool {
        near.0[usize::from(self.reach)] & self.words != 0 || self.reach == 0
    }
}

/// The words on one side of an anchor: for each distance, the bits of all words up to it.
#[derive(Debug)]
pub(super) struct Surroundings([u128; LOOKAHEAD + 1]);

impl Surroundings {
    /// The bits of these words, the nearest first.
    pub(super) fn of<'b>(bits: impl Iterator<Item = &'b u128>) -> Self {
        let mut all = [0; LOOKAHEAD + 1];
        let mut bits = bits.fuse();
        for at in 1..=LOOKAHEAD {
            all[at] = all[at - 1] | bits.next().copied().unwrap_or(0);
        }
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{patterns::element::bit, sentiment::lexicon::WordId};

    #[test]
    fn a_word_is_near_up_to_its_reach_and_anywhere_where_nothing_is_asked_for() {
        let words: [WordId; 3] = [1, 2, 3];
        let near = Surroundings::of(words.map(bit).iter());
        let asks = |reach| Near { words: bit(3), reach }.may_be_in(&near);
        assert!(!asks(2));
        assert!(asks(3));
        assert!(
            asks(LOOKAHEAD as u8),
            "beyond the sentence stands nothing, and takes nothing away"
        );
        assert!(Near { words: bit(9), reach: 0 }.may_be_in(&near));
        assert!(!Near { words: bit(9), reach: LOOKAHEAD as u8 }.may_be_in(&near));
    }

    #[test]
    fn what_may_stand_too_far_away_is_not_asked_for() {
        let reach = |gap: usize| {
            let word = Element::Any { choice: Arc::default(), optional: false, firsts: bit(1) };
            let elements = [Element::Gap(gap as u8), word];
            usize::from(Near::of(elements.iter(), 0, |_| 1).reach)
        };
        assert_eq!(reach(LOOKAHEAD - 1), LOOKAHEAD);
        assert_eq!(reach(LOOKAHEAD), 0);
    }
}
