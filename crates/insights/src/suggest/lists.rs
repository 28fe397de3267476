//! The word lists of suggestions.

/// Words that before or after a name show that it is a person's.
pub(super) const ROLES: &str = include_str!("../data/words/suggest_roles.txt");
/// Words that after a name show that it is a person's.
pub(super) const DEEDS: &str = include_str!("../data/words/suggest_deeds.txt");
/// Words that before a name show that it is that of a place or an organisation and not of a person.
pub(super) const NO_PERSON: &str =
    "the a an in at on near into via using this that every last next since until";
/// Words that before a name show that it is a place's.
pub(super) const IN: &str = "in near around outside throughout";
/// Words that before a name show that it is that of a place, a person or an organisation.
pub(super) const FROM: &str = "from";

/// Capitalised words that are neither persons nor places.
pub(super) const NO_NAMES: &str = include_str!("../data/words/suggest_no_names.txt");

/// Verbs of work, as stems, after which the object of the work is named.
pub(super) const VERBS: &str = include_str!("../data/words/suggest_verbs.txt");
/// Nouns of work, before which the object of the work is named.
pub(super) const NOUNS: &str = include_str!("../data/words/suggest_nouns.txt");
/// Words between a verb of work and its object.
pub(super) const DETERMINERS: &str = include_str!("../data/words/suggest_determiners.txt");
/// Words that are not objects of work, because they do not describe it.
pub(super) const GENERIC: &str = include_str!("../data/words/suggest_generic.txt");
