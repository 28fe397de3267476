//! The names of one kind of entity, such as technicians. This is the only place that decides which entity a client's
//! word names: the search, the tools and the completions all use it.

use std::collections::{BTreeMap, HashSet};

use contract::{problem::nearest, text::fold};

/// Maximum number of suggestions.
const MAX_SUGGESTED: usize = 3;

/// An entity that has names.
#[derive(Debug)]
pub(crate) struct Named {
    /// The id; the name if there is no id.
    pub(crate) id: String,
    /// The name or label.
    pub(crate) name: String,
    /// The number that the owner of the table gave it.
    pub(crate) number: u32,
}

/// The ways in which a word names an entity. If it names several, the first way counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Id,
    Name,
    Alias,
    FirstName,
}

/// The entities that a word names.
#[derive(Debug)]
pub(crate) enum Resolution<'a> {
    One(&'a Named),
    /// Several entities, in the order of the table.
    Ambiguous(Vec<&'a Named>),
    /// No entity; these have similar names, the most similar first.
    Unknown(Vec<&'a Named>),
}

impl<'a> Resolution<'a> {
    /// Returns the entity that the word names, if it is one.
    pub(crate) fn one(&self) -> Option<&'a Named> {
        match self {
            Self::One(named) => Some(named),
            Self::Ambiguous(_) | Self::Unknown(_) => None,
        }
    }
}

/// Entities by their names, without regard to case and accents.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    named: Vec<Named>,
    /// The entities that each folded word names.
    words: BTreeMap<String, Vec<(Rank, usize)>>,
}

impl NameTable {
    /// Adds an entity with its aliases. `has_first_name` is whether the first word of the name names it as well.
    pub(crate) fn add(&mut self, named: Named, aliases: &[String], has_first_name: bool) {
        let at = self.named.len();
        let mut word = |rank: Rank, word: &str| {
            self.words.entry(fold(word)).or_default().push((rank, at));
        };
        word(Rank::Id, &named.id);
        word(Rank::Name, &named.name);
        aliases.iter().for_each(|alias| word(Rank::Alias, alias));
        if let Some((first, _)) = named.name.split_once(' ').filter(|_| has_first_name) {
            word(Rank::FirstName, first);
        }
        self.named.push(named);
    }

    /// Returns all entities in the order in which they were added.
    pub(crate) fn all(&self) -> &[Named] {
        &self.named
    }

    /// Finds the entity that a word names: an id before a name, a name before an alias, an alias before a first name.
    pub(crate) fn resolve(&self, word: &str) -> Resolution<'_> {
        let folded = fold(word);
        let uses = self.words.get(&folded).map_or(&[][..], Vec::as_slice);
        let best = uses.iter().map(|(rank, _)| *rank).min();
        let of_best = uses.iter().filter(|(rank, _)| Some(*rank) == best);
        match self.each_once(of_best.map(|(_, at)| *at))[..] {
            [] => Resolution::Unknown(self.similar(&folded)),
            [one] => Resolution::One(one),
            ref several => Resolution::Ambiguous(several.to_vec()),
        }
    }

    /// Returns the entities that have an id, a name or an alias with this beginning.
    pub(crate) fn beginning(&self, begun: &str) -> Vec<&Named> {
        let folded = fold(begun);
        let from = self.words.range(folded.clone()..);
        let words = from.take_while(|(word, _)| word.starts_with(&folded));
        let mut found: Vec<usize> = words.flat_map(|(_, uses)| uses).map(|(_, at)| *at).collect();
        found.sort_unstable();
        self.each_once(found)
    }

    /// Returns the entities that share a word with this name, else those with nearly the same name.
    fn similar(&self, folded: &str) -> Vec<&Named> {
        let known = || self.words.keys().map(String::as_str);
        let shares = |word: &&str| has_word(word, folded) || has_word(folded, word);
        let mut similar: Vec<&str> = known().filter(shares).collect();
        if similar.is_empty() {
            similar = nearest(folded, known());
        }
        let words = similar.into_iter().filter_map(|word| self.words.get(word));
        let mut similar = self.each_once(words.flatten().map(|(_, at)| *at));
        similar.truncate(MAX_SUGGESTED);
        similar
    }

    fn each_once(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<&Named> {
        let mut seen = HashSet::new();
        numbers.into_iter().filter(|at| seen.insert(*at)).map(|at| &self.named[at]).collect()
    }
}

/// Whether one of the words of a text is this one.
fn has_word(text: &str, word: &str) -> bool {
    text.split(' ').any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(people: &[(&str, &str, &[&str])]) -> NameTable {
        let mut table = NameTable::default();
        for (number, (id, name, aliases)) in people.iter().enumerate() {
            let aliases: Vec<String> = aliases.iter().map(|alias| (*alias).to_owned()).collect();
            let (id, name) = ((*id).to_owned(), (*name).to_owned());
            table.add(Named { id, name, number: number as u32 }, &aliases, true);
        }
        table
    }

    fn people() -> NameTable {
        table(&[
            ("maria", "María López", &["Big M", "Mia"]),
            ("sam", "Samuel Lee", &["Sammy"]),
            ("samantha", "Samantha Ode", &["Sammy", "Sam"]),
            ("mia-k", "Mia Kern", &[]),
            ("lee-1", "Lee Ash", &[]),
            ("lee-2", "Lee Ash", &["Maria Lopez"]),
        ])
    }

    /// Returns the ids: of the named entity, after `?` of several, after `~` of similar ones.
    fn resolved(table: &NameTable, word: &str) -> String {
        let ids = |of: &[&Named]| of.iter().map(|it| it.id.as_str()).collect::<Vec<_>>().join(" ");
        match table.resolve(word) {
            Resolution::One(named) => named.id.clone(),
            Resolution::Ambiguous(several) => format!("?{}", ids(&several)),
            Resolution::Unknown(similar) => format!("~{}", ids(&similar)),
        }
    }

    #[test]
    fn an_id_wins_over_a_name_a_name_over_an_alias_and_an_alias_over_a_first_name() {
        let people = people();
        for (word, expected) in [
            ("MARIA", "maria"),
            ("maria lopez", "maria"),
            ("big m", "maria"),
            ("sam", "sam"),
            ("Samuel", "sam"),
            ("samantha", "samantha"),
            ("sammy", "?sam samantha"),
            ("mia", "maria"),
            ("lee ash", "?lee-1 lee-2"),
            ("Lee", "?lee-1 lee-2"),
            ("lee-2", "lee-2"),
        ] {
            assert_eq!(resolved(&people, word), expected, "{word}");
        }
    }

    #[test]
    fn an_unknown_word_suggests_what_shares_a_word_or_is_spelled_nearly_so() {
        let people = people();
        for (word, expected) in [
            ("kern", "~mia-k"),
            ("Samule", "~sam"),
            ("maria smith", "~maria"),
            ("Bob", "~"),
            ("", "~"),
        ] {
            assert_eq!(resolved(&people, word), expected, "{word}");
        }
    }

    #[test]
    fn beginnings_of_every_name_count_once_and_in_the_order_of_the_table() {
        let people = people();
        let begun = |word| people.beginning(word).iter().map(|it| &*it.id).collect::<Vec<_>>();
        assert_eq!(begun("SAM"), ["sam", "samantha"]);
        assert_eq!(begun("mi"), ["maria", "mia-k"]);
        assert_eq!(begun("").len(), 6);
        assert!(begun("x").is_empty());
    }
}
