//! Phrases of two to four words: which words of a text can be a phrase, and how phrases are
//! compared.

mod counts;
mod names;
mod pieces;

use std::{collections::BTreeMap, ops::Deref};

use contract::text::fold;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::{
    language::{Language, Stemming},
    sentiment::tokens::{Case, each_word},
};

pub(crate) use counts::{Counts, MIN_AUTHORS};
pub(crate) use names::{Nouns, ProperNames};
use pieces::is_piece;

/// The maximum number of words of a phrase.
const LONGEST: usize = 4;
/// The number of words of a phrase.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=LONGEST;
/// The number of words after a negation that are not a phrase.
const NEGATED: usize = 3;
/// The number of a sign, and of a word that no phrase contains.
const SIGN: u32 = u32::MAX;

/// A word of a text, or a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// The number of the folded word, or [`SIGN`].
    pub(crate) id: u32,
    /// The number of the word as a phrase shows it.
    shown: u32,
    /// The position, in bytes of the text.
    pub(crate) span: (u32, u32),
    /// The case of the letters.
    pub(crate) letters: Letters,
}

/// The letters of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// Small letters.
    Small,
    /// A capital first letter inside a sentence.
    Capital,
    /// A capital first letter where a sentence begins, or capital letters only.
    Unclear,
}

/// The numbers of the words of a phrase, or of their stems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Phrase([u32; LONGEST]);

impl Phrase {
    fn of(numbers: impl Iterator<Item = u32>) -> Self {
        let mut phrase = Self([SIGN; LONGEST]);
        phrase.0.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
        phrase
    }
}

impl Deref for Phrase {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        let end = self.0.iter().position(|number| *number == SIGN);
        &self.0[..end.unwrap_or(LONGEST)]
    }
}

/// Distinct phrases: their stems, and one spelling.
pub(crate) type Phrases = FxHashMap<Phrase, Phrase>;

/// Words by number, with their stems. All phrases of a site share it.
#[derive(Debug)]
pub(crate) struct Phrasebook {
    words: IndexSet<Box<str>, FxBuildHasher>,
    /// The stem of each word, by its number.
    stems: Vec<u32>,
    stop: FxHashSet<u32>,
    negations: FxHashSet<u32>,
    subjects: FxHashSet<u32>,
    links: FxHashSet<u32>,
    /// Words before a noun that begins no phrase with a verb after it: "in Ruhe erklärt".
    prepositions: FxHashSet<u32>,
    /// Collocations by their first word.
    collocations: BTreeMap<u32, Vec<Vec<u32>>>,
    stemming: Stemming,
    language: &'static Language,
    /// Whether phrases are shown as customers write them, and not in small letters without accents.
    as_written: bool,
}

impl Phrasebook {
    pub(crate) fn new(language: &'static Language) -> Self {
        let mut book = Self {
            words: IndexSet::default(),
            stems: Vec::new(),
            stop: FxHashSet::default(),
            negations: FxHashSet::default(),
            subjects: FxHashSet::default(),
            links: FxHashSet::default(),
            prepositions: FxHashSet::default(),
            collocations: BTreeMap::new(),
            stemming: language.stemming(),
            language,
            as_written: language.words("phrases_as_written").next().is_some(),
        };
        book.stop = book.set("function");
        book.negations = book.set("phrase_negations");
        book.subjects = book.set("phrase_subjects");
        book.links = book.set("link");
        book.prepositions = book.set("phrase_prepositions");
        for collocation in language.words("collocations") {
            let words: Vec<u32> = collocation.split('_').map(|word| book.id(&fold(word))).collect();
            book.collocations.entry(words[0]).or_default().push(words);
        }
        // The longest match first.
        for list in book.collocations.values_mut() {
            list.sort_by_key(|words| std::cmp::Reverse(words.len()));
        }
        book
    }

    fn set(&mut self, list: &str) -> FxHashSet<u32> {
        self.language.words(list).map(|word| self.id(&fold(word))).collect()
    }

    pub(crate) fn language(&self) -> &'static Language {
        self.language
    }

    /// The number of a folded word.
    pub(crate) fn id(&mut self, word: &str) -> u32 {
        if let Some(id) = self.words.get_index_of(word) {
            return id as u32;
        }
        let id = self.words.insert_full(word.into()).0 as u32;
        self.stems.push(id);
        let stem = self.stemming.stem(word).into_owned();
        if stem != word {
            let stem = self.id(&stem);
            self.stems[id as usize] = stem;
        }
        id
    }

    /// The words and signs of a text. Numbers, markup and addresses count as signs.
    pub(crate) fn words(&mut self, text: &str) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut markup = markup(text).into_iter().peekable();
        let mut begins = true;
        each_word(text, |start, end, case, word| {
            let (from, to) = (start as usize, end as usize);
            while markup.next_if(|range| range.end <= from).is_some() {}
            let is_plain = markup.peek().is_none_or(|range| to <= range.start);
            let is_word = is_plain && word.starts_with(char::is_alphabetic);
            let last = words.last().map_or(0, |last| last.span.1 as usize);
            begins |= text[last..from].contains('\n');
            let letters = match case {
                Case::Plain => Letters::Small,
                Case::Capital if !begins => Letters::Capital,
                _ => Letters::Unclear,
            };
            let id = if is_word { self.id(word) } else { SIGN };
            let shown = if self.as_written && is_word { self.id(&text[from..to]) } else { id };
            words.push(Word { id, shown, span: (start, end), letters });
            begins = !is_word && !matches!(word, "," | ";" | "&" | "/" | "-" | "'");
        });
        words
    }

    /// The distinct phrases of a text that are inside of one of the spans, or around it.
    pub(crate) fn phrases(&self, words: &[Word], spans: &[(u32, u32)]) -> Phrases {
        let roles = self.roles(words);
        let mut found = Phrases::default();
        for from in 0..words.len() {
            for length in LENGTHS {
                let Some(part) = words.get(from..from + length) else { break };
                let (first, last) = (part[0].span.0, part[length - 1].span.1);
                let is_inside = spans.iter().any(|span| {
                    span.0 <= first && last <= span.1 || first <= span.0 && span.1 <= last
                });
                let is_piece = || is_piece(words, from..from + length, &self.prepositions);
                if !is_inside || !self.is_phrase(part, &roles[from..from + length]) || is_piece() {
                    continue;
                }
                let words = Phrase::of(part.iter().map(|word| word.shown));
                let stems = Phrase::of(part.iter().map(|word| self.stems[word.id as usize]));
                found.entry(stems).or_insert(words);
            }
        }
        found
    }

    /// The role of each word in phrases.
    fn roles(&self, words: &[Word]) -> Vec<Role> {
        let mut roles: Vec<Role> = Vec::with_capacity(words.len());
        let mut negated = 0;
        while let Some(rest) = words.get(roles.len()..).filter(|rest| !rest.is_empty()) {
            if let Some(length) = self.collocation(rest) {
                let inner = |at| if at + 1 == length { Role::End } else { Role::Inner };
                roles.push(Role::Start);
                roles.extend((1..length).map(inner));
                negated = 0;
                continue;
            }
            let id = rest[0].id;
            let role = match id {
                SIGN => Role::Stop,
                _ if negated > 0 => Role::Stop,
                _ if self.links.contains(&id) => Role::Link,
                _ if self.stop.contains(&id) || self.words[id as usize].contains('\'') => {
                    Role::Stop
                }
                _ => Role::Free,
            };
            negated = match id {
                SIGN => 0,
                _ if self.negations.contains(&id) => NEGATED,
                _ => negated.saturating_sub(1),
            };
            roles.push(role);
        }
        roles
    }

    /// The length of the collocation that begins here.
    fn collocation(&self, words: &[Word]) -> Option<usize> {
        let known = self.collocations.get(&words[0].id)?;
        let begins = |ids: &&Vec<u32>| {
            words.len() >= ids.len() && ids.iter().zip(words).all(|(id, word)| *id == word.id)
        };
        known.iter().find(begins).map(Vec::len)
    }

    fn is_phrase(&self, words: &[Word], roles: &[Role]) -> bool {
        let ends = roles.len() - 1;
        matches!(roles[0], Role::Free | Role::Start)
            && matches!(roles[ends], Role::Free | Role::End)
            && !roles.contains(&Role::Stop)
            && !self.subjects.contains(&words[0].id)
            && !(1..words.len()).any(|at| words[..at].iter().any(|word| word.id == words[at].id))
    }

    /// The folded word; empty for a sign.
    pub(crate) fn word(&self, word: Word) -> &str {
        if word.id == SIGN { "" } else { &self.words[word.id as usize] }
    }

    /// Whether it is a sign or a word that no phrase contains.
    pub(crate) fn is_stop(&self, id: u32) -> bool {
        id == SIGN || self.stop.contains(&id)
    }

    /// The text of a phrase.
    pub(crate) fn text(&self, words: &[u32]) -> String {
        words.iter().map(|word| &*self.words[*word as usize]).collect::<Vec<_>>().join(" ")
    }
}

/// The role of a word in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The word is not part of a phrase.
    Stop,
    /// Any other word of a phrase.
    Free,
    /// A word between two others.
    Link,
    /// The first word of a collocation.
    Start,
    /// A word inside a collocation.
    Inner,
    /// The last word of a collocation.
    End,
}

/// The parts of a text that are tags, entities and addresses, up to the next white space.
fn markup(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        let range = at..at + chunk.len();
        at = range.end;
        if is_markup(chunk.trim_end()) {
            found.push(range);
        }
    }
    found
}

fn is_markup(chunk: &str) -> bool {
    let is_entity = || chunk.split('&').skip(1).any(|part| part.contains(';'));
    // A full stop between small letters: `acme.example`.
    let is_domain = || {
        let mut parts = chunk.split('.').map(str::as_bytes);
        let Some(mut left) = parts.next() else { return false };
        parts.any(|right| {
            let joined = left.last().is_some_and(u8::is_ascii_alphanumeric)
                && right.len() > 1
                && right[..2].iter().all(u8::is_ascii_lowercase);
            left = right;
            joined
        })
    };
    chunk.contains(['@', '<', '>', '=', '{', '}', '\\', '_'])
        || chunk.contains("://")
        || is_entity()
        || is_domain()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The phrases of a text, all of it about one subject.
    fn phrases(text: &str) -> Vec<String> {
        let mut book = Phrasebook::new(Language::english());
        let words = book.words(text);
        let found = book.phrases(&words, &[(0, text.len() as u32)]);
        let mut texts: Vec<String> = found.values().map(|words| book.text(words)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn phrases_are_grouped_by_stem_and_specific() {
        let mut book = Phrasebook::new(Language::english());
        let (mut here, mut all) = (Counts::default(), Counts::default());
        let texts = [
            "A friendly crew did a tidy job.",
            "Friendly crews, every visit. A tidy job.",
            "Such a friendly crew! A tidy job.",
            "That friendly crew",
        ];
        for text in texts {
            let words = book.words(text);
            let found = book.phrases(&words, &[(0, text.len() as u32)]);
            here.add(&found);
            all.add(&found);
        }
        for _ in 0..8 {
            let words = book.words("The tap drips.");
            all.add(&book.phrases(&words, &[(0, 14)]));
        }
        // Only three authors wrote of a tidy job.
        assert_eq!(here.top(&all, 0.5, &book, |_| true), ["friendly crew"]);
        assert_eq!(here.top(&all, 0.5, &book, |text| text != "friendly crew"), [""; 0]);
    }

    #[test]
    fn what_a_phrase_is() {
        for (text, expected) in [
            ("Great and friendly.", &[][..]),
            ("The work was done in a day.", &[]),
            ("They arrived on time", &["arrived on time", "on time"]),
            (
                "A high quality of work.",
                &["high quality", "high quality of work", "quality of work"],
            ),
            ("went above and beyond", &["above and beyond"]),
            ("It was not a fair price.", &[]),
            ("There was no mess", &["no mess"]),
            ("Company arrived", &[]),
            ("fair, honest; kind/polite", &[]),
            ("see https://acme.example/great-price now", &[]),
            ("see acme.example/fair.price now", &[]),
            ("<b class=\"fair price\">fair price</b>", &[]),
            ("fair&nbsp;price", &[]),
            ("job job", &[]),
            ("our neighbour's fence", &[]),
        ] {
            assert_eq!(phrases(text), expected, "{text}");
        }
    }

    #[test]
    fn a_phrase_is_in_the_clause_of_its_subject() {
        let mut book = Phrasebook::new(Language::english());
        let words = book.words("fair price and tidy work");
        let found = |span| -> Vec<String> {
            book.phrases(&words, &[span]).values().map(|words| book.text(words)).collect()
        };
        assert_eq!(found((5, 10)), ["fair price"], "around the word that a pattern matches");
        assert_eq!(found((0, 10)), ["fair price"], "inside of the clause");
        assert_eq!(found((5, 19)), [""; 0], "half inside");
    }
}
