//! The languages that the program knows. A language is a folder of `data/`; crates/insights-tools/README.md says what it contains.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt,
    sync::{LazyLock, OnceLock},
};

use contract::{model::Review, text::fold};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The folder of a language, and the names of its files. Patterns are read in this order, and `classes.txt` is first.
macro_rules! languages {
    ($($tag:literal: $($file:literal)+;)+) => {
        static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| vec![$(
            Language::new($tag, vec![$(($file, include_str!(concat!("data/", $tag, "/", $file)))),+])
        ),+]);
    };
}

languages! {
    "en": "classes.txt" "elsewhere.txt" "quality.txt" "punctuality.txt" "pricing.txt" "communication.txt"
        "professionalism.txt" "cleanliness.txt" "scheduling.txt" "friendliness.txt" "value.txt" "speed.txt"
        "detector.tsv" "second.tsv" "model.tsv" "vader.tsv" "phrases.txt" "definitions.txt" "lists.txt";
    "de": "elsewhere.txt" "detector.tsv" "second.tsv" "phrases.txt" "lists.txt";
    "es": "lists.txt";
    "fr": "lists.txt";
    "nl": "lists.txt";
}

/// The text files that are not tables of patterns.
const NO_PATTERNS: [&str; 3] = ["phrases.txt", "definitions.txt", "lists.txt"];
/// The tables of weights: those of the detector, of the second opinion, and of the sentiment model.
const WEIGHTS: [&str; 3] = ["detector.tsv", "second.tsv", "model.tsv"];

/// The minimum number of letters of a stem without its ending.
const SHORTEST: usize = 3;

/// A list of words.
#[derive(Debug, Default)]
pub(crate) struct List {
    words: Vec<Box<str>>,
    folded: FxHashSet<Box<str>>,
}

/// Reduces words to their stems.
pub(crate) struct Stemming {
    stemmer: Stemmer,
    /// The endings that are removed in place of the stemmer's rules.
    pub(crate) endings: Vec<Box<str>>,
}

impl Stemming {
    /// The stem by the rules of the stemmer.
    pub(crate) fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        self.stemmer.stem(word)
    }

    /// The stem by the endings of the language, if it has a list of them.
    pub(crate) fn shortened<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if self.endings.is_empty() {
            return self.stem(word);
        }
        let cut = self.endings.iter().find_map(|ending| word.strip_suffix(&**ending));
        cut.filter(|stem| stem.len() >= SHORTEST).unwrap_or(word).into()
    }
}

impl fmt::Debug for Stemming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stemming")
    }
}

/// A language: what its folder contains. A file that a language does not have is empty.
pub struct Language {
    tag: &'static str,
    files: Vec<(&'static str, &'static str)>,
    lists: OnceLock<HashMap<&'static str, List, FxBuildHasher>>,
    general: OnceLock<FxHashSet<Box<str>>>,
    vocabulary: OnceLock<FxHashSet<&'static str>>,
}

impl Language {
    /// A language with these files: their names and contents. The program keeps it until it ends.
    #[must_use]
    pub fn kept(tag: &str, files: Vec<(String, String)>) -> &'static Self {
        let keep = |text: String| &*Box::leak(text.into_boxed_str());
        let files = files.into_iter().map(|(name, text)| (keep(name), keep(text))).collect();
        Box::leak(Box::new(Self::new(keep(tag.to_owned()), files)))
    }

    fn new(tag: &'static str, files: Vec<(&'static str, &'static str)>) -> Self {
        Self {
            tag,
            files,
            lists: OnceLock::new(),
            general: OnceLock::new(),
            vocabulary: OnceLock::new(),
        }
    }

    /// English, which is the language of everything that has no other.
    #[must_use]
    pub fn english() -> &'static Self {
        &LANGUAGES[0]
    }

    /// Every language.
    pub fn all() -> impl DoubleEndedIterator<Item = &'static Self> {
        LANGUAGES.iter()
    }

    /// The language of a tag (BCP 47).
    #[must_use]
    pub fn of(tag: &str) -> Option<&'static Self> {
        let primary = primary(tag);
        Self::all().find(|language| language.tag == primary)
    }

    /// The language of a tag, if texts in it are analysed. An unknown language is not.
    #[must_use]
    pub fn read(tag: Option<&str>) -> Option<&'static Self> {
        tag.and_then(Self::of).filter(|language| language.is_read())
    }

    /// The primary subtag.
    #[must_use]
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// Whether texts in it are analysed.
    #[must_use]
    pub fn is_read(&self) -> bool {
        !self.file("detector.tsv").is_empty()
    }

    /// The content of a file; empty if there is none.
    #[must_use]
    pub fn file(&self, name: &str) -> &'static str {
        self.files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }

    /// The tables of patterns.
    pub(crate) fn patterns(&self) -> Vec<&'static str> {
        let is_table = |name: &str| name.ends_with(".txt") && !NO_PATTERNS.contains(&name);
        self.files.iter().filter(|(name, _)| is_table(name)).map(|(_, text)| *text).collect()
    }

    /// The tables of the detector and of the second opinion.
    #[must_use]
    pub fn detectors(&self) -> [&'static str; 2] {
        [self.file(WEIGHTS[0]), self.file(WEIGHTS[1])]
    }

    /// Everything that a hash of the model contains.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.patterns().into_iter().chain(WEIGHTS.map(|name| self.file(name)))
    }

    /// A list of `lists.txt`.
    pub(crate) fn list(&self, name: &str) -> &List {
        static EMPTY: LazyLock<List> = LazyLock::new(List::default);
        self.all_lists().get(name).unwrap_or_else(|| {
            // A name with a misspelling would be an empty list in every language.
            let has_it = |language: &Self| language.all_lists().contains_key(name);
            debug_assert!(Self::all().any(has_it), "no lists.txt has the list {name}");
            &EMPTY
        })
    }

    fn all_lists(&self) -> &HashMap<&'static str, List, FxBuildHasher> {
        self.lists.get_or_init(|| lists(self.file("lists.txt")))
    }

    /// The words of a list. Those of a phrase are joined by `_`.
    pub fn words(&self, list: &str) -> impl Iterator<Item = &str> {
        self.list(list).words.iter().map(|word| &**word)
    }

    /// Whether a list has the folded word.
    pub(crate) fn has(&self, list: &str, folded: &str) -> bool {
        self.list(list).folded.contains(folded)
    }

    /// Whether a list has the word in any case.
    pub(crate) fn lists(&self, list: &str, word: &str) -> bool {
        let list = self.list(list);
        if word.is_ascii() {
            return list.words.iter().any(|known| known.eq_ignore_ascii_case(word));
        }
        let small = word.to_lowercase();
        list.words.iter().any(|known| **known == *small)
    }

    /// Whether nouns are written with a capital letter, as names are.
    pub(crate) fn has_capital_nouns(&self) -> bool {
        self.words("capital_nouns").next().is_some()
    }

    /// A number of the list `thresholds`, or that of English.
    #[must_use]
    pub fn threshold(&self, name: &str) -> i64 {
        let number = self.own_number(name).or_else(|| Self::english().own_number(name));
        number.expect("English has every number: tests read them")
    }

    /// A number of the language's own list `thresholds`.
    #[must_use]
    pub fn own_number(&self, name: &str) -> Option<i64> {
        let mut numbers = self.words("thresholds").filter_map(|it| it.split_once(':'));
        numbers.find(|(known, _)| *known == name)?.1.parse().ok()
    }

    /// How words are reduced to their stems.
    pub(crate) fn stemming(&self) -> Stemming {
        let algorithm = match self.words("stemmer").next() {
            Some("danish") => Algorithm::Danish,
            Some("dutch") => Algorithm::Dutch,
            Some("french") => Algorithm::French,
            Some("german") => Algorithm::German,
            Some("italian") => Algorithm::Italian,
            Some("norwegian") => Algorithm::Norwegian,
            Some("portuguese") => Algorithm::Portuguese,
            Some("spanish") => Algorithm::Spanish,
            Some("swedish") => Algorithm::Swedish,
            _ => Algorithm::English,
        };
        let endings = self.list("endings").words.clone();
        Stemming { stemmer: Stemmer::create(algorithm), endings }
    }

    /// Whether the folded word is in the general lexicon: vaderSentiment's, or the single words of `phrases.txt` in a
    /// language without it.
    pub(crate) fn is_word(&self, folded: &str) -> bool {
        let words = || match self.file("vader.tsv") {
            "" => {
                let lines = self.file("phrases.txt").lines().filter(|line| !line.starts_with('#'));
                let lists = lines.filter_map(|line| Some(line.split_once(':')?.1));
                let words = lists.flat_map(|list| list.split(',')).map(str::trim);
                words.filter(|word| !word.contains(' ')).map(|word| fold(word).into()).collect()
            }
            table => {
                table.lines().filter_map(|line| line.split('\t').next()).map(Into::into).collect()
            }
        };
        self.general.get_or_init(words).contains(folded)
    }

    /// Whether the folded word is one that customers use in this language, a function word or one of the detector.
    pub(crate) fn knows(&self, folded: &str) -> bool {
        let words = || {
            let rows = self.file("detector.tsv").lines();
            rows.filter_map(|row| row.split('\t').next()?.strip_prefix("w:")).collect()
        };
        self.has("function", folded)
            || self.is_word(folded)
            || self.vocabulary.get_or_init(words).contains(&*self.spelling(folded))
    }

    /// The spelling that a folded word counts as, by the list `folds`.
    pub(crate) fn spelling<'w>(&self, folded: &'w str) -> Cow<'w, str> {
        let folds = self.words("folds").filter_map(|fold| fold.split_once(':'));
        folds.fold(folded.into(), |word: Cow<'_, str>, (written, counts)| {
            if word.contains(written) { word.replace(written, counts).into() } else { word }
        })
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.tag)
    }
}

/// The lists of a file: a heading in brackets, then words up to the next one. Lines that begin with `# ` are comments.
fn lists(text: &'static str) -> HashMap<&'static str, List, FxBuildHasher> {
    let mut lists: HashMap<&str, List, FxBuildHasher> = HashMap::default();
    let mut list = "";
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            list = heading;
            continue;
        }
        let words = &mut lists.entry(list).or_default();
        words.words.extend(line.split_whitespace().map(Into::into));
        words.folded.extend(line.split_whitespace().map(|word| fold(word).into()));
    }
    lists
}

/// The first part of a BCP 47 tag, in lowercase.
pub(crate) fn primary(tag: &str) -> String {
    tag.split('-').next().unwrap_or_default().to_lowercase()
}

/// Whether the text of a review is in the language.
pub(crate) fn is_of(review: &Review, language: &str) -> bool {
    let tag = review.language.as_deref().filter(|_| review.text.is_some());
    tag.is_some_and(|tag| primary(tag) == language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "no lists.txt has the list contrats")]
    fn a_list_that_no_language_has_is_an_error_of_tests() {
        Language::english().has("contrats", "but");
    }

    #[test]
    fn a_list_of_another_language_is_empty() {
        assert!(!Language::english().has_capital_nouns());
        assert!(Language::of("de").is_some_and(Language::has_capital_nouns));
    }
}
