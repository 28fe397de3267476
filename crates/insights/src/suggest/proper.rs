//! Technicians and service areas: words with a capital letter inside sentences.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Sightings, Text};
use crate::{
    language::Language,
    names::NameKind,
    summary::{
        Input,
        phrases::{Letters, Phrasebook, Word},
    },
};
use contract::text::fold;

/// The maximum number of words of a place.
const LONGEST_PLACE: usize = 3;

/// The uses of a capitalised word in the texts.
#[derive(Debug, Default)]
struct Evidence {
    all: Sightings,
    person: BTreeSet<String>,
    other: BTreeSet<String>,
    /// The word with the capitalised word that follows it.
    full: Sightings,
    /// Capitalised words in the same list of names, with the author.
    beside: Vec<(String, String)>,
}

impl Evidence {
    /// Whether it is the name of a person: three authors mention deeds or a role of it, and fewer mention other uses.
    fn is_person(&self) -> bool {
        self.all.is_frequent()
            && self.person.len() >= super::MIN_AUTHORS.min(self.all.authors.len() - 1)
            && self.other.len() * 2 < self.person.len()
    }
}

/// The technicians and areas that the texts name.
pub(super) fn candidates(
    texts: &[Text<'_>],
    book: &Phrasebook,
    input: &Input<'_>,
) -> Vec<Candidate> {
    let barred = barred(input, book.language());
    let mut words: BTreeMap<String, Evidence> = BTreeMap::new();
    let mut small: BTreeMap<String, usize> = BTreeMap::new();
    let mut places: BTreeMap<String, (Sightings, BTreeSet<String>)> = BTreeMap::new();
    for text in texts {
        for at in 0..text.words.len() {
            let word = name_at(text, book, at);
            if barred.contains(&word) || word.chars().count() < 2 {
                continue;
            }
            match text.words[at].letters {
                Letters::Capital => {
                    observe(words.entry(word).or_default(), text, book, at);
                    observe_place(&mut places, text, book, at, &barred);
                }
                Letters::Small => *small.entry(word).or_default() += 1,
                Letters::Unclear => {}
            }
        }
    }
    words.retain(|word, evidence| {
        small.get(word).copied().unwrap_or(0) < evidence.all.authors.len()
    });
    believe_lists(&mut words);
    let person = |(_, evidence): (&String, &Evidence)| {
        let first = evidence.all.spelling();
        let full = evidence.full.authors.len() * 2 >= evidence.all.authors.len();
        evidence.is_person().then(|| Candidate {
            kind: NameKind::Technician,
            name: if full { evidence.full.spelling() } else { first.clone() },
            aliases: if full { vec![first] } else { Vec::new() },
        })
    };
    let place = |(name, (sightings, inside)): (&String, &(Sightings, BTreeSet<String>))| {
        let as_person = words.get(name).map_or(0, |evidence| evidence.person.len());
        let is_place = sightings.is_frequent()
            && inside.len() * 2 >= sightings.authors.len()
            && as_person < inside.len();
        is_place.then(|| Candidate {
            kind: NameKind::ServiceArea,
            name: sightings.spelling(),
            aliases: Vec::new(),
        })
    };
    let people = with_surnames(words.iter().filter_map(person).collect());
    people.into_iter().chain(places.iter().filter_map(place)).collect()
}

/// Makes a surname that texts also use alone an alias of the full name.
fn with_surnames(mut people: Vec<Candidate>) -> Vec<Candidate> {
    let alone: Vec<String> = people.iter().map(|person| person.name.clone()).collect();
    let mut surnames = BTreeSet::new();
    for person in &mut people {
        if let Some((_, surname)) = person.name.split_once(' ')
            && alone.iter().any(|name| name == surname)
            && surnames.insert(surname.to_owned())
        {
            person.aliases.push(surname.to_owned());
        }
    }
    people.retain(|person| !surnames.contains(&person.name));
    people
}

/// Words that are suggested neither as a person nor as a place: listed names, the business's words.
fn barred(input: &Input<'_>, language: &Language) -> BTreeSet<String> {
    let people = input.known.technicians.iter().map(|technician| &technician.entity);
    let names = people
        .chain(input.known.service_areas)
        .flat_map(|entity| entity.aliases.iter().map(String::as_str).chain([&*entity.name]));
    let all: Vec<String> = names
        .chain([input.business.name.as_str()])
        .chain(language.words("suggest_no_names"))
        .map(fold)
        .collect();
    all.iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '\''))
        .map(str::to_owned)
        .collect()
}

/// The folded word without a possessive ending; empty for a sign.
fn name_at(text: &Text<'_>, book: &Phrasebook, at: usize) -> String {
    let word = text.words.get(at).map(|word| book.word(*word)).unwrap_or_default();
    without_possessive(word, book.language()).to_owned()
}

/// The word as it is written, without a possessive ending.
fn written(text: &Text<'_>, word: Word, language: &Language) -> String {
    let word = &text.text[word.span.0 as usize..word.span.1 as usize];
    without_possessive(word, language).to_owned()
}

fn without_possessive<'w>(word: &'w str, language: &Language) -> &'w str {
    language.words("possessives").find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

/// Counts a name in a list with a person's name as a person: "Ann, Ben and Cem were great".
fn believe_lists(words: &mut BTreeMap<String, Evidence>) {
    let people: BTreeSet<String> =
        words.iter().filter(|(_, e)| e.is_person()).map(|(word, _)| word.clone()).collect();
    for evidence in words.values_mut() {
        let beside = evidence.beside.iter().filter(|(other, _)| people.contains(other));
        evidence.person.extend(beside.map(|(_, author)| author.clone()));
    }
}

fn observe(evidence: &mut Evidence, text: &Text<'_>, book: &Phrasebook, at: usize) {
    let language = book.language();
    let is_role = |word: &str| language.has("suggest_roles", word);
    let before = at.checked_sub(1).map(|at| name_at(text, book, at)).unwrap_or_default();
    let earlier = at.checked_sub(2).map(|at| name_at(text, book, at)).unwrap_or_default();
    let after = name_at(text, book, at + 1);
    let spelling = written(text, text.words[at], language);
    evidence.all.add(&text.author, spelling.clone());
    let author = || text.author.clone();
    let thanked = language.has("suggest_thanked", &before) && is_role(&earlier);
    // A capitalised word before it has the first name: it is a surname, or part of another name.
    let is_capital = |back: usize| {
        at.checked_sub(back).is_some_and(|at| text.words[at].letters == Letters::Capital)
    };
    let second = is_capital(1) && (is_capital(2) || !is_role(&before));
    if language.has("suggest_no_person", &before) || second {
        evidence.other.insert(author());
    } else if is_role(&before)
        || is_role(&after)
        || thanked
        || language.has("suggest_deeds", &after)
    {
        evidence.person.insert(author());
    }
    for other in neighbours(text, book, at) {
        evidence.beside.push((other, author()));
    }
    if let Some(next) = text.words.get(at + 1).filter(|next| next.letters == Letters::Capital) {
        evidence.full.add(&text.author, format!("{spelling} {}", written(text, *next, language)));
    }
}

/// The capitalised words that a comma, "and" or "&" joins to the word.
fn neighbours(text: &Text<'_>, book: &Phrasebook, at: usize) -> Vec<String> {
    let joins = |at: usize| {
        let span = text.words[at].span;
        let word = &text.text[span.0 as usize..span.1 as usize];
        matches!(word, "," | "&") || book.language().has("name_joins", word)
    };
    let is_capital = |at: &usize| text.words[*at].letters == Letters::Capital;
    let before = at.checked_sub(2).filter(|other| joins(other + 1));
    let after = Some(at + 2).filter(|other| *other < text.words.len() && joins(other - 1));
    before.into_iter().chain(after).filter(is_capital).map(|at| name_at(text, book, at)).collect()
}

/// Notes a run of capitalised words behind "in" or "from".
fn observe_place(
    places: &mut BTreeMap<String, (Sightings, BTreeSet<String>)>,
    text: &Text<'_>,
    book: &Phrasebook,
    at: usize,
    barred: &BTreeSet<String>,
) {
    let before = at.checked_sub(1).map(|at| name_at(text, book, at)).unwrap_or_default();
    let language = book.language();
    let inside = language.has("suggest_in", &before);
    if !inside && !language.has("suggest_from", &before) {
        return;
    }
    let run: Vec<String> = text.words[at..]
        .iter()
        .take(LONGEST_PLACE)
        .take_while(|word| word.letters == Letters::Capital && !barred.contains(book.word(**word)))
        .map(|word| written(text, *word, language))
        .collect();
    let name = run.join(" ");
    let (sightings, insides) = places.entry(fold(&name)).or_default();
    sightings.add(&text.author, name);
    if inside {
        insides.insert(text.author.clone());
    }
}
