//! Which phrases are pieces of longer ones.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Letters, SIGN, Word};

/// Whether a phrase begins or ends inside a compound with a hyphen, or is a noun without its preposition and a verb.
pub(super) fn is_piece(
    words: &[Word],
    phrase: Range<usize>,
    prepositions: &FxHashSet<u32>,
) -> bool {
    let is_joined = |at: usize| {
        let Some([left, sign, right]) = words.get(at..at + 3) else { return false };
        sign.id == SIGN && left.span.1 == sign.span.0 && sign.span.1 == right.span.0
    };
    let (first, last) = (words[phrase.start], words[phrase.end - 1]);
    let before = phrase.start.checked_sub(1).map(|at| words[at].id);
    phrase.start >= 2 && is_joined(phrase.start - 2)
        || is_joined(phrase.end - 1)
        || before.is_some_and(|before| prepositions.contains(&before))
            && (first.letters, last.letters) == (Letters::Capital, Letters::Small)
}
