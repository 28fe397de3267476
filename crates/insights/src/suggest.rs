//! Suggests entities that the owner could list: technicians, services, areas and topics that several reviews mention
//! and that content does not name. None of them is published.

mod proper;
mod topics;
mod work;

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    model::{Review, ReviewId},
    problem::Place,
    text::fold,
};
use jiff::civil::Date;

use crate::{
    aspects::Aspects,
    config::{Entity, Technician},
    language::Language,
    names::{KnownNames, NameKind, Names},
    segment::sentences,
    summary::{
        Input,
        phrases::{Phrasebook, Word},
        reading::{Analyst, read_all},
    },
    threads::threads,
};

/// The minimum number of different authors who mention a suggestion.
pub const MIN_AUTHORS: usize = 3;
/// The maximum number of suggestions of a kind.
const MOST: usize = 15;
/// The number of examples of a suggestion.
const EXAMPLES: usize = 2;
/// The number of characters of an example before and behind the name.
const AROUND: usize = 40;

/// An entity that reviews mention and content does not list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The kind of the entity.
    pub kind: NameKind,
    /// An id (a slug) that content does not use for this kind.
    pub id: String,
    /// The name as most reviews write it.
    pub name: String,
    /// Other names that the same reviews use.
    pub aliases: Vec<String>,
    /// The number of reviews that contain a name.
    pub review_count: usize,
    /// The newest of these reviews, with the words around the name.
    pub examples: Vec<(ReviewId, String)>,
}

/// A name before its reviews are counted.
#[derive(Clone, Debug)]
struct Candidate {
    kind: NameKind,
    name: String,
    aliases: Vec<String>,
}

/// A review that is read for suggestions.
struct Text<'a> {
    review: &'a Review,
    text: &'a str,
    author: String,
    words: Vec<Word>,
}

/// The authors of the mentions of each candidate, by spelling.
#[derive(Debug, Default)]
struct Sightings {
    authors: BTreeSet<String>,
    spellings: BTreeMap<String, usize>,
}

impl Sightings {
    fn add(&mut self, author: &str, spelling: String) {
        self.authors.insert(author.to_owned());
        *self.spellings.entry(spelling).or_default() += 1;
    }

    /// The most frequent spelling; the first in alphabetical order if several are.
    fn spelling(&self) -> String {
        let best =
            self.spellings.iter().max_by_key(|(text, count)| (**count, std::cmp::Reverse(*text)));
        best.map(|(text, _)| text.clone()).unwrap_or_default()
    }

    fn is_frequent(&self) -> bool {
        self.authors.len() >= MIN_AUTHORS
    }
}

/// Names that the owner could list, by kind, the most frequent first.
///
/// # Errors
/// When there are more names than an automaton can hold.
pub fn suggest(input: &Input<'_>) -> Result<Vec<Suggestion>, aho_corasick::BuildError> {
    let aspects = Aspects::new(input.config);
    let analyst = Analyst::new(&aspects, input);
    let read = read_all(input, &aspects, &analyst, threads(input.reviews.len()));
    let language = input.main_language();
    let mut book = Phrasebook::new(language);
    let texts: Vec<Text<'_>> = input
        .reviews
        .iter()
        .filter_map(|review| {
            let text = review.text.as_deref()?;
            Some(Text { review, text, author: fold(review.author.trim()), words: book.words(text) })
        })
        .collect();
    let listed = Names::new(&input.known)?;
    let mut candidates = proper::candidates(&texts, &book, input);
    candidates.extend(work::candidates(&texts, &book));
    let topics = topics::candidates(&texts, &read, &mut book, input);
    let names = |candidate: &Candidate| {
        let aliases = candidate.aliases.iter().map(String::as_str);
        aliases.chain([&*candidate.name]).map(fold).collect::<Vec<_>>()
    };
    let taken: BTreeSet<String> = candidates.iter().flat_map(names).collect();
    candidates.extend(topics.into_iter().filter(|topic| !taken.contains(&topic.name)));
    candidates.retain(|candidate| !is_listed(candidate, &listed, &input.known, language));
    counted(candidates, &texts, &input.known, language)
}

/// Whether content has the name, or a name that contains it.
fn is_listed(
    candidate: &Candidate,
    listed: &Names,
    known: &KnownNames<'_>,
    language: &Language,
) -> bool {
    let name = fold(&candidate.name);
    let padded = format!(" {name} ");
    let kinds = [NameKind::Technician, NameKind::Service, NameKind::ServiceArea];
    let kinds = kinds.into_iter().chain([NameKind::Problem, NameKind::Topic]);
    !listed.find(&candidate.name, Date::MIN, language).patterns.is_empty()
        || kinds.flat_map(|kind| known.of(kind)).any(|entity| {
            let names = entity.aliases.iter().map(String::as_str).chain([&*entity.name]);
            names.map(|name| format!(" {} ", fold(name))).any(|name| name.contains(&padded))
        })
}

/// The suggestions with their reviews, found as the build finds the names that content lists.
fn counted(
    candidates: Vec<Candidate>,
    texts: &[Text<'_>],
    known: &KnownNames<'_>,
    language: &Language,
) -> Result<Vec<Suggestion>, aho_corasick::BuildError> {
    let mut suggestions: Vec<Suggestion> = Vec::new();
    for kind in [NameKind::Technician, NameKind::Service, NameKind::ServiceArea, NameKind::Topic] {
        let entities: Vec<Entity> =
            candidates.iter().filter(|candidate| candidate.kind == kind).map(entity).collect();
        let people: Vec<Technician> = entities.iter().cloned().map(technician).collect();
        let names = match kind {
            NameKind::Technician => KnownNames { technicians: &people, ..KnownNames::default() },
            _ => KnownNames { topics: &entities, ..KnownNames::default() },
        };
        let names = Names::new(&names)?;
        let mut mentions: Vec<Vec<&Text<'_>>> = vec![Vec::new(); entities.len()];
        for text in texts {
            let found = names.find(text.text, text.review.date.date(), language);
            found.targets.iter().for_each(|(_, at)| mentions[*at].push(text));
        }
        let used: BTreeSet<&str> = known.of(kind).map(|entity| &*entity.id).collect();
        let mut taken: BTreeSet<String> = used.into_iter().map(str::to_owned).collect();
        let mut found: Vec<(&Entity, Vec<&Text<'_>>)> = entities.iter().zip(mentions).collect();
        found.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.name.cmp(&b.0.name)));
        found.retain(|(_, texts)| authors(texts) >= MIN_AUTHORS);
        suggestions.extend(found.into_iter().take(MOST).map(|(entity, texts)| Suggestion {
            kind,
            id: free_id(&entity.name, &mut taken),
            name: entity.name.to_string(),
            aliases: entity.aliases.clone(),
            review_count: texts.len(),
            examples:
                texts.iter().take(EXAMPLES).map(|text| example(text, entity, language)).collect(),
        }));
    }
    Ok(suggestions)
}

fn authors(texts: &[&Text<'_>]) -> usize {
    texts.iter().map(|text| &text.author).collect::<BTreeSet<_>>().len()
}

fn entity(candidate: &Candidate) -> Entity {
    Entity {
        id: candidate.name.as_str().into(),
        name: candidate.name.as_str().into(),
        aliases: candidate.aliases.clone(),
        place: Place::default(),
    }
}

fn technician(entity: Entity) -> Technician {
    let (active_from, active_until) = (None, None);
    Technician { entity, active_from, active_until, public: true, score: None, fuzzy: false }
}

/// The name as an id, with a number if the id is taken.
fn free_id(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        fold(name).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let slug = plain.split_whitespace().collect::<Vec<_>>().join("-");
    let slug = if slug.is_empty() { "name".to_owned() } else { slug };
    let numbered = (2..).map(|n| format!("{slug}-{n}"));
    let id = std::iter::once(slug.clone()).chain(numbered).find(|id| !taken.contains(id));
    let id = id.unwrap_or(slug);
    taken.insert(id.clone());
    id
}

/// The words around the first mention in a review.
fn example(text: &Text<'_>, entity: &Entity, language: &Language) -> (ReviewId, String) {
    let names = || entity.aliases.iter().map(String::as_str).chain([&*entity.name]).map(fold);
    let all = sentences(text.text, language).into_iter().map(|range| &text.text[range]);
    let sentence = { all }.find(|sentence| {
        let folded = fold(sentence);
        names().any(|name| folded.contains(&name))
    });
    let sentence = sentence.unwrap_or(text.text);
    let folded = fold(sentence);
    let at = names().find_map(|name| folded.find(&name)).unwrap_or(0);
    // A position in the folded text is at most a few characters beside the one in the text.
    let at = folded[..at].chars().count();
    let from = at.saturating_sub(AROUND);
    let shown: String = sentence.chars().skip(from).take(2 * AROUND + 20).collect();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let before = if from > 0 { "…" } else { "" };
    let after = if sentence.chars().count() > from + 2 * AROUND + 20 { "…" } else { "" };
    (text.review.id, format!("{before}{shown}{after}"))
}
