//! The word lists of suggestions.

/// Before or after a name one of these tells of a person.
pub(super) const ROLES: &str = include_str!("../data/words/suggest_roles.txt");
/// After a name one of these tells of a person.
pub(super) const DEEDS: &str = include_str!("../data/words/suggest_deeds.txt");
/// Before a name one of these tells of a place or an organisation and not of a person.
pub(super) const NO_PERSON: &str =
    "the a an in at on near into via using this that every last next since until";
/// Before a name one of these tells of a place.
pub(super) const IN: &str = "in near around outside throughout";
/// Likewise, but also of persons and organisations.
pub(super) const FROM: &str = "from";

/// Capitalised words that are neither persons nor places.
pub(super) const NO_NAMES: &str = include_str!("../data/words/suggest_no_names.txt");

/// Verbs of work, as stems: what follows them is the object of the work.
pub(super) const VERBS: &str = include_str!("../data/words/suggest_verbs.txt");
/// Nouns of work: what is before them is the object of the work.
pub(super) const NOUNS: &str = include_str!("../data/words/suggest_nouns.txt");
/// Words between a verb of work and its object.
pub(super) const DETERMINERS: &str = include_str!("../data/words/suggest_determiners.txt");
/// Words that are not objects of work, because they say nothing about it.
pub(super) const GENERIC: &str = include_str!("../data/words/suggest_generic.txt");
