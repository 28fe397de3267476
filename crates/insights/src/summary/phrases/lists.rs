//! The word lists of phrases.

/// Words that no phrase contains, except in a collocation.
pub(crate) const STOP_WORDS: &str = include_str!("../../data/words/phrase_stop_words.txt");

/// Phrases in which stop words keep their meaning. A phrase contains such a collocation whole or not
/// at all.
pub(super) const COLLOCATIONS: &str = include_str!("../../data/words/phrase_collocations.txt");

/// Words after which the next words mean the opposite.
pub(super) const NEGATIONS: &str = include_str!("../../data/words/phrase_negations.txt");

/// The stop word that a phrase may have between two other words: "quality of work".
pub(super) const LINK: &str = "of";

/// Words that begin no phrase: the words after them describe them ("company arrived").
pub(super) const SUBJECTS: &str = include_str!("../../data/words/phrase_subjects.txt");
