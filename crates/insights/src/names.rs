//! Finds the technicians, services and areas that a review mentions.
//!
//! Only whole words match. Accents and case are ignored, and possessives match. If two matches
//! overlap, the longer one counts. A name that several technicians share counts for the one who was
//! active on that day, and for none if that does not decide. A name that is also a word (Will,
//! Rose) counts if it is written or used as a name. Misspelt names count if the owner allows it.

mod common;
mod fuzzy;

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use jiff::civil::Date;

use crate::{
    config::{Entity, Technician},
    language::Language,
};
use contract::text::{fold, origin};

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// Index into the technicians.
    Technician,
    /// Index into the services.
    Service,
    /// Index into the service areas.
    ServiceArea,
    /// Index into the problems.
    Problem,
    /// Index into the topics.
    Topic,
}

/// A kind, and the index in its list.
pub type Target = (NameKind, usize);

/// The names of one business, compiled for searching.
#[derive(Debug)]
pub struct Names {
    automaton: AhoCorasick,
    patterns: Vec<Pattern>,
    fuzzy: fuzzy::Fuzzy,
    active: Vec<(Option<Date>, Option<Date>)>,
}

#[derive(Debug)]
struct Pattern {
    folded: String,
    targets: Vec<Target>,
    /// Whether it is the name of persons only.
    person: bool,
}

/// The entities that a review can mention.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownNames<'a> {
    /// The technicians.
    pub technicians: &'a [Technician],
    /// The services.
    pub services: &'a [Entity],
    /// The service areas.
    pub service_areas: &'a [Entity],
    /// The problems that customers had.
    pub problems: &'a [Entity],
    /// The owner's other topics.
    pub topics: &'a [Entity],
}

impl<'a> KnownNames<'a> {
    /// The entity of a target.
    #[must_use]
    pub fn entity(&self, (kind, at): Target) -> &'a Entity {
        match kind {
            NameKind::Technician => &self.technicians[at].entity,
            NameKind::Service => &self.services[at],
            NameKind::ServiceArea => &self.service_areas[at],
            NameKind::Problem => &self.problems[at],
            NameKind::Topic => &self.topics[at],
        }
    }

    /// The entities of a kind.
    pub fn of(&self, kind: NameKind) -> Box<dyn Iterator<Item = &'a Entity> + 'a> {
        let entities = match kind {
            NameKind::Technician => {
                return Box::new(self.technicians.iter().map(|technician| &technician.entity));
            }
            NameKind::Service => self.services,
            NameKind::ServiceArea => self.service_areas,
            NameKind::Problem => self.problems,
            NameKind::Topic => self.topics,
        };
        Box::new(entities.iter())
    }

    fn each(&self, mut found: impl FnMut(NameKind, usize, &Entity)) {
        let technicians = self.technicians.iter().map(|technician| &technician.entity);
        technicians.enumerate().for_each(|(at, e)| found(NameKind::Technician, at, e));
        for (kind, entities) in [
            (NameKind::Service, self.services),
            (NameKind::ServiceArea, self.service_areas),
            (NameKind::Problem, self.problems),
            (NameKind::Topic, self.topics),
        ] {
            entities.iter().enumerate().for_each(|(at, e)| found(kind, at, e));
        }
    }
}

/// The mentions of one review, sorted, without repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MentionedNames {
    /// The entities that count.
    pub targets: Vec<Target>,
    /// Indices of the matched patterns, for `check`.
    pub patterns: Vec<usize>,
    /// Matched patterns that can refer to several technicians.
    pub ambiguous: Vec<usize>,
}

impl Names {
    /// Compiles the names and aliases of all entities.
    ///
    /// # Errors
    /// When there are more names than an automaton can hold (gigabytes of names).
    pub fn new(nameable: &KnownNames<'_>) -> Result<Self, aho_corasick::BuildError> {
        let mut by_name: BTreeMap<String, Vec<Target>> = BTreeMap::new();
        nameable.each(|kind, at, entity| {
            let aliases = entity.aliases.iter().map(String::as_str);
            for name in std::iter::once(&*entity.name).chain(aliases) {
                let targets = by_name.entry(fold(name.trim())).or_default();
                if !targets.contains(&(kind, at)) {
                    targets.push((kind, at));
                }
            }
        });
        by_name.remove("");
        let fuzzy = fuzzy_names(&by_name, nameable.technicians);
        let patterns: Vec<Pattern> = by_name
            .into_iter()
            .map(|(folded, targets)| {
                let person = targets.iter().all(|(kind, _)| *kind == NameKind::Technician);
                Pattern { person, folded, targets }
            })
            .collect();
        let automaton = AhoCorasick::new(patterns.iter().map(|pattern| &pattern.folded))?;
        let active = nameable.technicians.iter().map(|t| (t.active_from, t.active_until)).collect();
        Ok(Self { automaton, patterns, fuzzy, active })
    }

    /// All mentions in `text`, on the day it was written, by the words of its language.
    #[must_use]
    pub fn find(&self, text: &str, day: Date, language: &Language) -> MentionedNames {
        let folded = fold(text);
        let mut spans: Vec<(usize, usize, usize)> = self
            .automaton
            .find_overlapping_iter(&folded)
            .filter(|hit| is_mentioned(&folded, hit.start(), hit.end(), language))
            .map(|hit| (hit.start(), hit.end(), hit.pattern().as_usize()))
            .collect();
        // Leftmost matches first, the longest of them first.
        spans.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
        let mut found = MentionedNames::default();
        let mut taken = Vec::new();
        for (start, end, pattern) in spans {
            if taken.last().is_some_and(|(_, last)| start < *last) {
                continue;
            }
            let Pattern { person, folded: name, .. } = &self.patterns[pattern];
            if *person && common::is_common(name, language) {
                let capital = text[origin(text, start)..].starts_with(char::is_uppercase);
                if !common::is_name(&folded, (start, end), capital, language) {
                    continue;
                }
            }
            taken.push((start, end));
            found.patterns.push(pattern);
            self.resolve(pattern, day, &mut found);
        }
        self.fuzzy.find(text, &fuzzy::words(&folded, &taken), language, &mut found.targets);
        for list in [&mut found.patterns, &mut found.ambiguous] {
            list.sort_unstable();
            list.dedup();
        }
        found.targets.sort_unstable();
        found.targets.dedup();
        found
    }

    fn resolve(&self, pattern: usize, day: Date, found: &mut MentionedNames) {
        let targets = &self.patterns[pattern].targets;
        let (technicians, others): (Vec<Target>, Vec<Target>) =
            targets.iter().partition(|(kind, _)| *kind == NameKind::Technician);
        found.targets.extend(others);
        match technicians[..] {
            [] => {}
            [only] => found.targets.push(only),
            _ => {
                let on_the_job = |&&(_, at): &&Target| {
                    let (from, until) = self.active[at];
                    from.is_none_or(|first| first <= day) && until.is_none_or(|last| day <= last)
                };
                match technicians.iter().filter(on_the_job).collect::<Vec<_>>()[..] {
                    [only] => found.targets.push(*only),
                    _ => found.ambiguous.push(pattern),
                }
            }
        }
    }

    /// The folded name of a pattern, and its targets.
    #[must_use]
    pub fn pattern(&self, at: usize) -> (&str, &[Target]) {
        (&self.patterns[at].folded, &self.patterns[at].targets)
    }

    /// Whether a name is a word that most texts have, or a letter, and counts wherever it is written.
    #[must_use]
    pub fn is_stop_word(&self, at: usize, language: &Language) -> bool {
        let Pattern { folded, person, .. } = &self.patterns[at];
        let is_letter = folded.len() < 3 && folded.chars().count() == 1;
        let is_told_apart = *person && common::is_common(folded, language);
        (is_letter || language.has("function", folded)) && !is_told_apart
    }

    /// The number of distinct names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }
}

/// The single-word names that may be misspelt, and every word that is a name.
fn fuzzy_names(
    by_name: &BTreeMap<String, Vec<Target>>,
    technicians: &[Technician],
) -> fuzzy::Fuzzy {
    let mut names = Vec::new();
    for (name, targets) in by_name {
        for target in targets.iter().filter(|(kind, _)| *kind == NameKind::Technician) {
            if technicians[target.1].fuzzy {
                // First and last names alone are misspelt as often as aliases.
                names.extend(name.split(' ').map(|word| (word.to_owned(), *target)));
            }
        }
    }
    let exact = by_name.keys().flat_map(|name| name.split(' ')).map(str::to_owned).collect();
    fuzzy::Fuzzy::new(names, exact)
}

/// Whether the part is a whole word, or one with the ending of a genitive of the language.
fn is_mentioned(text: &str, start: usize, end: usize, language: &Language) -> bool {
    let ending =
        |it: &str| text[end..].starts_with(it) && is_whole_word(text, start, end + it.len());
    is_whole_word(text, start, end) || language.words("genitives").any(ending)
}

/// Whether no letter or digit is on either side: `Al` is not in `also`, but it is in `Al's`.
fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    free(text[..start].chars().next_back()) && free(text[end..].chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::problem::Place;

    fn entity(id: &str, name: &str, aliases: &[&str]) -> Entity {
        Entity {
            id: id.into(),
            name: name.into(),
            aliases: aliases.iter().map(|&a| a.to_owned()).collect(),
            place: Place::default(),
        }
    }

    fn technician(id: &str, name: &str, aliases: &[&str], from: Option<&str>) -> Technician {
        let active_from = from.map(|day| day.parse().unwrap());
        Technician {
            entity: entity(id, name, aliases),
            active_from,
            active_until: None,
            public: true,
            score: None,
            fuzzy: false,
        }
    }

    fn find(text: &str) -> Vec<Target> {
        let technicians = [
            technician("al", "Al Bergström", &["Al"], None),
            technician("sam-a", "Samuel Ash", &["Sam"], None),
            technician("sam-b", "Samantha Birch", &["Sam", "Sammy"], Some("2022-01-01")),
        ];
        let services = [
            entity("drains", "Drain cleaning", &["drain"]),
            entity("heaters", "Water heaters", &["water heater"]),
        ];
        let areas = [entity("north", "North Side", &["北区"])];
        let nameable = KnownNames {
            technicians: &technicians,
            services: &services,
            service_areas: &areas,
            ..KnownNames::default()
        };
        let names = Names::new(&nameable).unwrap();
        names.find(text, "2023-05-05".parse().unwrap(), Language::english()).targets
    }

    #[test]
    fn names_are_whole_words_in_any_case_with_or_without_accents() {
        assert_eq!(find("AL BERGSTROM came"), [(NameKind::Technician, 0)]);
        assert_eq!(find("thanks to al's help"), [(NameKind::Technician, 0)]);
        assert_eq!(find("thanks to Al’s help"), [(NameKind::Technician, 0)]);
        assert_eq!(find("(Al)"), [(NameKind::Technician, 0)]);
        assert_eq!(find("also Alan, final, al1"), []);
        assert_eq!(find("great drain-work"), [(NameKind::Service, 0)]);
    }

    #[test]
    fn the_longer_name_wins_and_a_failed_longer_one_hides_nothing() {
        assert_eq!(
            find("Samuel Ash and Sammy"),
            [(NameKind::Technician, 1), (NameKind::Technician, 2)]
        );
        assert_eq!(find("drain cleanings"), [(NameKind::Service, 0)]);
        assert_eq!(find("a water heaterx, a water heater"), [(NameKind::Service, 1)]);
    }

    #[test]
    fn a_shared_name_counts_for_nobody_unless_the_day_settles_it() {
        assert_eq!(find("Sam was great"), []);
        let both = [
            technician("sam-a", "Samuel Ash", &["Sam"], None),
            technician("sam-b", "Samantha Birch", &["Sam"], Some("2022-01-01")),
        ];
        let nameable = KnownNames { technicians: &both, ..KnownNames::default() };
        let names = Names::new(&nameable).unwrap();
        let before =
            names.find("Sam was great", "2021-12-31".parse().unwrap(), Language::english());
        assert_eq!(before.targets, [(NameKind::Technician, 0)]);
        let after = names.find("Sam was great", "2022-01-01".parse().unwrap(), Language::english());
        assert_eq!((after.targets.len(), after.ambiguous.len()), (0, 1));
    }
}
