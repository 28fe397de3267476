//! The properties of single words: their number, valence and class.

use std::{borrow::Cow, collections::HashMap};

use contract::text::fold;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::language::{Language, Stemming};

/// The number of a word. Words that are not in the lexicon are [`UNKNOWN`].
pub(crate) type WordId = u32;

/// A word that is not in the lexicon.
pub(crate) const UNKNOWN: WordId = 0;
/// The target of a sentence.
pub(crate) const TARGET: WordId = 1;
/// A word of another target.
pub(crate) const OTHER: WordId = 2;
/// Any number.
pub(crate) const NUMBER: WordId = 3;

/// The classes of words, as bits.
pub(crate) mod class {
    /// Reverses the opinion of the following words.
    pub(crate) const NEGATION: u16 = 1;
    /// Begins a contrasting clause.
    pub(crate) const CONTRAST: u16 = 1 << 1;
    /// Comma and dash.
    pub(crate) const COMMA: u16 = 1 << 2;
    /// Semicolon, colon, brackets, long dash.
    pub(crate) const COLON: u16 = 1 << 3;
    /// Full stop, exclamation and question mark.
    pub(crate) const STOP: u16 = 1 << 4;
    /// Forms of "be" and verbs used like it.
    pub(crate) const BE: u16 = 1 << 5;
    /// The word "and".
    pub(crate) const AND: u16 = 1 << 6;
    /// "would", "if" and the like.
    pub(crate) const MODAL: u16 = 1 << 7;
    /// The word "not".
    pub(crate) const NOT: u16 = 1 << 8;
    /// Words that after "not" or "no" make no negation: only, to, doubt, wonder.
    pub(crate) const NO_NEGATION: u16 = 1 << 9;
    /// Ends the range of a negation, in addition to [`CONTRAST`]: . , ; : ! ?
    pub(crate) const NEGATION_END: u16 = 1 << 10;
    /// The sign "!".
    pub(crate) const EXCLAMATION: u16 = 1 << 11;
    /// The sign "?".
    pub(crate) const QUESTION: u16 = 1 << 12;
    /// Indicates that a complaint follows or preceded.
    pub(crate) const COMPLAINT: u16 = 1 << 13;
    /// Any separator.
    pub(crate) const SEPARATOR: u16 = COMMA | COLON | STOP;
}

/// The words of each class: a list of the language, and signs.
const CLASSES: [(u16, &str, &str); 14] = [
    (class::NEGATION, "negation", ""),
    (class::CONTRAST, "contrast", ""),
    (class::COMMA, "", ", -"),
    (class::COLON, "", "; : ( ) — –"),
    (class::STOP, "", ". ! ? ..."),
    (class::BE, "be", ""),
    (class::AND, "and", ""),
    (class::MODAL, "modal", ""),
    (class::NOT, "not", ""),
    (class::NO_NEGATION, "no_negation", ""),
    (class::NEGATION_END, "", ". , ; : ! ? ..."),
    (class::EXCLAMATION, "", "!"),
    (class::QUESTION, "", "?"),
    (class::COMPLAINT, "complaint", ""),
];

/// The increase of a valence by a booster (vaderSentiment's `B_INCR`).
const BOOST: f64 = 0.293;
/// The increase by a weak booster.
const WEAK_BOOST: f64 = 0.1;

/// Slightly more words than the lexicon has with those of all shipped tables.
const WORDS: usize = 40_000;
/// The weight of the general lexicon compared with the project's own words.
const VADER_WEIGHT: f64 = 0.9;

/// The properties of one word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    /// Bits of [`class`].
    pub(crate) class: u16,
    /// The valence: above 0 positive, below 0 negative.
    pub(crate) valence: f64,
    /// The number added to the valence of the words after it, in their direction.
    pub(crate) boost: f64,
    /// Whether the word begins a phrase of several words.
    begins_phrase: bool,
}

/// Several words that have a valence together.
#[derive(Debug)]
struct Phrase {
    words: Box<[WordId]>,
    valence: f64,
}

/// Every word of the analysis.
#[derive(Debug)]
pub(crate) struct Lexicon {
    words: IndexSet<Box<str>, FxBuildHasher>,
    /// The properties of each word, by number.
    entries: Vec<Entry>,
    phrases: HashMap<WordId, Vec<Phrase>, FxBuildHasher>,
    language: &'static Language,
    pub(crate) stemming: Stemming,
    /// The endings of words that are negations, as "n't".
    negation_endings: Vec<&'static str>,
    /// Spellings and those that they count as.
    folds: Vec<(&'static str, &'static str)>,
    /// The number of letters of a part of a word; 0 in a language whose words are whole.
    part: usize,
    /// The valences of single words of the project, by their stems, in a language with a stemmer.
    stem_valences: HashMap<Box<str>, f64, FxBuildHasher>,
}

impl Lexicon {
    /// The built-in words of a language.
    pub(crate) fn new(language: &'static Language) -> Self {
        let mut lexicon = Self {
            language,
            stemming: language.stemming(),
            negation_endings: language.words("negation_endings").collect(),
            folds: language.words("folds").filter_map(|fold| fold.split_once(':')).collect(),
            part: language.words("parts").next().and_then(|part| part.parse().ok()).unwrap_or(0),
            stem_valences: HashMap::default(),
            words: IndexSet::with_capacity_and_hasher(WORDS, FxBuildHasher),
            entries: Vec::with_capacity(WORDS),
            phrases: HashMap::default(),
        };
        // In the order of the constants above; none of them can occur in a folded text.
        for reserved in ["\u{0}", "TGT", "OTH", "#"] {
            lexicon.add(reserved);
        }
        // The lexicon of vaderSentiment 3.3.2 (MIT, C.J. Hutto): per line a word and ten times its valence.
        for line in language.file("vader.tsv").lines() {
            if let Some((word, tenths)) = line.split_once('\t') {
                let valence = tenths.parse::<i32>().map_or(0.0, f64::from) / 10.0;
                lexicon.entry(word).valence = valence * VADER_WEIGHT;
            }
        }
        for (bits, list, signs) in CLASSES {
            let words = language.words(list).chain(signs.split_whitespace());
            words.for_each(|word| lexicon.entry(word).class |= bits);
        }
        for (list, boost) in
            [("boosters", BOOST), ("dampers", -BOOST), ("weak_boosters", WEAK_BOOST)]
        {
            language.words(list).for_each(|word| lexicon.entry(word).boost = boost);
        }
        lexicon.add_phrases(language.file("phrases.txt"));
        lexicon
    }

    fn add_phrases(&mut self, table: &str) {
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let Some((valence, phrases)) = line.split_once(':') else { continue };
            let Ok(valence) = valence.parse::<f64>() else { continue };
            for phrase in phrases.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()) {
                self.add_phrase(phrase, valence);
            }
        }
        for phrases in self.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
    }

    fn add_phrase(&mut self, phrase: &str, valence: f64) {
        let words: Box<[WordId]> = phrase.split(' ').map(|word| self.add(word)).collect();
        match *words {
            [word] => {
                self.entries[word as usize].valence = valence;
                if self.stemming.endings.is_empty() {
                    let stem = self.stemming.stem(&self.words[word as usize]).into();
                    self.stem_valences.entry(stem).or_insert(valence);
                }
            }
            [first, ..] => {
                self.entries[first as usize].begins_phrase = true;
                self.phrases.entry(first).or_default().push(Phrase { words, valence });
            }
            [] => {}
        }
    }

    fn entry(&mut self, word: &str) -> &mut Entry {
        let id = self.add(word);
        &mut self.entries[id as usize]
    }

    /// The word's number; a new word gets the next.
    pub(crate) fn add(&mut self, word: &str) -> WordId {
        let word = if is_number(word) { "#".into() } else { self.normal(word) };
        if let Some(id) = self.words.get_index_of(&*word) {
            return id as WordId;
        }
        let class = self.negation_ending(&word).map_or(0, |_| class::NEGATION);
        let of_stem = |valences: &HashMap<Box<str>, f64, _>| {
            valences.get(&*self.stemming.stem(&word)).copied().unwrap_or(0.0)
        };
        let valence = Some(&self.stem_valences).filter(|it| !it.is_empty()).map_or(0.0, of_stem);
        self.entries.push(Entry { class, valence, ..Entry::default() });
        self.words.insert_full(word.into()).0 as WordId
    }

    /// The spelling that a word counts as.
    fn normal<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if self.folds.is_empty() {
            return word.into();
        }
        let word: Cow<'w, str> = if word.is_ascii() { word.into() } else { fold(word).into() };
        self.folds.iter().fold(word, |word, (written, counts)| {
            if word.contains(written) { word.replace(written, counts).into() } else { word }
        })
    }

    /// The beginning and the end of a word, if parts of words are features.
    pub(crate) fn parts_of<'w>(&self, word: &'w str) -> Option<[Cow<'w, str>; 2]> {
        let word = Some(word).filter(|word| self.part > 0 && word.len() >= self.part);
        let word = self.normal(word.filter(|word| word.is_ascii() && !is_number(word))?);
        let last = word.len().checked_sub(self.part)?;
        Some(match word {
            Cow::Borrowed(word) => [word[..self.part].into(), word[last..].into()],
            Cow::Owned(word) => {
                [word[..self.part].to_owned().into(), word[last..].to_owned().into()]
            }
        })
    }

    /// The numbers of the parts of a word.
    pub(crate) fn parts(&self, word: &str) -> [WordId; 2] {
        let known = |part: &str| self.words.get_index_of(part).map_or(UNKNOWN, |id| id as WordId);
        self.parts_of(word).map_or([UNKNOWN; 2], |parts| parts.map(|part| known(&part)))
    }

    /// The number of a folded word. An unknown word with the ending of a negation still negates. In a language with a
    /// stemmer another unknown word counts as its stem.
    pub(crate) fn id(&self, word: &str) -> WordId {
        let known = |word: &str| self.words.get_index_of(word).map(|id| id as WordId);
        let word = &*self.normal(word);
        let is_stemmed = self.stemming.endings.is_empty();
        let stem = || is_stemmed.then(|| known(&self.stemming.stem(word)))?;
        known(word).unwrap_or_else(|| match word {
            _ if is_number(word) => NUMBER,
            _ => self.negation_ending(word).and_then(known).or_else(stem).unwrap_or(UNKNOWN),
        })
    }

    /// The ending of a negation such as "n't" that the word has.
    fn negation_ending(&self, word: &str) -> Option<&'static str> {
        self.negation_endings.iter().copied().find(|ending| word.ends_with(*ending))
    }

    /// The language of the words.
    pub(crate) fn language(&self) -> &'static Language {
        self.language
    }

    /// The word with this number.
    pub(crate) fn word(&self, id: WordId) -> &str {
        &self.words[id as usize]
    }

    /// Every word, in the order of the numbers.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    pub(crate) fn get(&self, id: WordId) -> &Entry {
        &self.entries[id as usize]
    }

    /// The number of words of the longest phrase at the start of `words`, and its valence.
    pub(crate) fn phrase(
        &self,
        words: impl Iterator<Item = WordId> + Clone,
    ) -> Option<(usize, f64)> {
        let first = words.clone().next().filter(|first| self.get(*first).begins_phrase)?;
        let found = self.phrases.get(&first)?.iter().find(|phrase| {
            let mut words = words.clone();
            phrase.words.iter().all(|word| words.next() == Some(*word))
        })?;
        Some((found.words.len(), found.valence))
    }
}

/// Whether a token is a number: all that begin with a digit count as one word.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}
