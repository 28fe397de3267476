//! Guesses the language of one text with two detectors: whichlang, which knows short texts of sixteen languages, and
//! whatlang, which knows more languages and when it is unsure. docs/insights.md has the figures.

use serde::{Deserialize, Serialize};
use whatlang::Lang;

use crate::{language::Language, sentiment::tokens::each_word};

/// The number of words below which a text shows little of its language.
const BRIEF_WORDS: usize = 5;

/// The languages that can be detected, with their BCP 47 tags.
const LANGUAGES: [(Lang, &str); 37] = [
    (Lang::Ara, "ar"),
    (Lang::Bul, "bg"),
    (Lang::Cat, "ca"),
    (Lang::Ces, "cs"),
    (Lang::Cmn, "zh"),
    (Lang::Dan, "da"),
    (Lang::Deu, "de"),
    (Lang::Ell, "el"),
    (Lang::Eng, "en"),
    (Lang::Est, "et"),
    (Lang::Fin, "fi"),
    (Lang::Fra, "fr"),
    (Lang::Heb, "he"),
    (Lang::Hin, "hi"),
    (Lang::Hrv, "hr"),
    (Lang::Hun, "hu"),
    (Lang::Ita, "it"),
    (Lang::Jpn, "ja"),
    (Lang::Kor, "ko"),
    (Lang::Lav, "lv"),
    (Lang::Lit, "lt"),
    (Lang::Nld, "nl"),
    (Lang::Nob, "nb"),
    (Lang::Pes, "fa"),
    (Lang::Pol, "pl"),
    (Lang::Por, "pt"),
    (Lang::Ron, "ro"),
    (Lang::Rus, "ru"),
    (Lang::Slk, "sk"),
    (Lang::Slv, "sl"),
    (Lang::Spa, "es"),
    (Lang::Swe, "sv"),
    (Lang::Tha, "th"),
    (Lang::Tur, "tr"),
    (Lang::Ukr, "uk"),
    (Lang::Urd, "ur"),
    (Lang::Vie, "vi"),
];
/// Languages so similar that the detectors mistake one for another.
const SCANDINAVIAN: [&str; 3] = ["da", "nb", "sv"];
/// Up to this number of characters a text is sure only if a detector says so.
const TINY: usize = 20;
/// Up to this number of characters two detectors that disagree leave a text unsure.
const BRIEF: usize = 50;
/// Up to this number of characters an unsure text can have the language of the other reviews.
const SHORT: usize = 100;
/// The minimum number of letters of a word that shows the language of a tiny text.
const TELLING: usize = 4;

/// Both detectors.
#[derive(Debug)]
pub(super) struct Detector {
    whatlang: whatlang::Detector,
}

/// The result for one text, as primary tags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Guess {
    /// The detectors are sure of this language.
    Sure(Box<str>),
    /// The languages that the text could be in.
    Unsure(Vec<Box<str>>),
    /// The text has fewer than two words, which names of people, brands and other languages may be.
    TooFewWords,
}

impl Detector {
    pub(super) fn new() -> Self {
        let known = LANGUAGES.iter().map(|(language, _)| *language).collect();
        Self { whatlang: whatlang::Detector::with_allowlist(known) }
    }

    pub(super) fn guess(&self, text: &str) -> Guess {
        let words = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
        if words.clone().count() < 2 && !words.flat_map(str::chars).any(is_of_script_without_spaces)
        {
            return Guess::TooFewWords;
        }
        let votes = votes(text);
        let Some(found) = self.whatlang.detect(text) else {
            return Guess::unsure(&votes);
        };
        let (other, reliable) = (tag(found.lang().code()), found.is_reliable());
        let [whole, halves @ ..] = votes;
        let length = text.chars().count();
        if length <= TINY {
            return if other == whole && reliable {
                Guess::Sure(whole.into())
            } else {
                Guess::unsure(&[&votes[..], &[other]].concat())
            };
        }
        let united = halves == [whole; 2];
        let alike = [whole, other].iter().all(|tag| SCANDINAVIAN.contains(tag));
        let sure = match (knows(other), alike) {
            _ if whole == other => Some(whole),
            (_, true) => reliable.then_some(other),
            (true, false) => united.then_some(whole),
            (false, false) => (reliable || length > BRIEF && !united).then_some(other),
        };
        sure.map_or_else(|| Guess::unsure(&[whole, other]), |tag| Guess::Sure(tag.into()))
    }
}

impl Guess {
    fn unsure(possible: &[&str]) -> Self {
        Self::Unsure(possible.iter().map(|tag| (*tag).into()).collect())
    }

    /// The language of the text, given the one of most other reviews.
    pub(super) fn settle(self, text: &str, expected: Option<&str>) -> Option<Box<str>> {
        let possible = match self {
            Self::Sure(tag) => return Some(tag),
            Self::TooFewWords => return None,
            Self::Unsure(possible) => possible,
        };
        let length = text.chars().count();
        let alike = possible.iter().all(|tag| SCANDINAVIAN.contains(&&**tag));
        let tiny = length <= TINY && has_plain_letters(text);
        let is_expected = |expected: &&str| {
            (length <= SHORT || alike) && possible.iter().any(|tag| **tag == **expected)
                || tiny && Language::read(Some(expected)).is_some_and(|it| has_word(text, it))
        };
        expected.filter(is_expected).map(Into::into)
    }
}

/// The languages that whichlang finds in the text and in each half of its words.
fn votes(text: &str) -> [&'static str; 3] {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (first, second) = words.split_at(words.len() / 2);
    let vote = |text: &str| tag(whichlang::detect_language(text).three_letter_code());
    match first {
        [] => [vote(text); 3],
        _ => [vote(text), vote(&first.join(" ")), vote(&second.join(" "))],
    }
}

/// Whether the text has too few words to be the only one of a site in its language.
pub(super) fn is_brief(text: &str) -> bool {
    text.split_whitespace().nth(BRIEF_WORDS - 1).is_none()
        && !text.chars().any(is_of_script_without_spaces)
}

/// Whether whichlang knows the language.
fn knows(language: &str) -> bool {
    whichlang::LANGUAGES.iter().any(|known| tag(known.three_letter_code()) == language)
}

/// The BCP 47 tag of an ISO 639-3 code.
fn tag(code: &str) -> &'static str {
    LANGUAGES.iter().find(|(known, _)| known.code() == code).map_or("und", |(_, tag)| tag)
}

/// Whether all letters are in the alphabet that most languages of these texts share.
fn has_plain_letters(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_ascii())
}

/// Whether a character is Chinese, Japanese or Thai, which have no spaces between words.
fn is_of_script_without_spaces(character: char) -> bool {
    matches!(character, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}')
}

/// The language that is analysed and knows more than half of the words of the text, and more than any other.
pub(super) fn by_words(text: &str) -> Option<&'static str> {
    let mut words: Vec<String> = Vec::new();
    each_word(text, |_, _, _, word| {
        if word.starts_with(char::is_alphabetic) {
            words.push(word.to_owned());
        }
    });
    let known = |language: &Language| words.iter().filter(|word| language.knows(word)).count();
    let mut counts: Vec<(usize, &str)> =
        Language::all().filter(|it| it.is_read()).map(|it| (known(it), it.tag())).collect();
    counts.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    let [(most, tag), (second, _), ..] = counts[..] else { return None };
    (most > second && most * 2 > words.len()).then_some(tag)
}

/// Whether one of the words is in the lexicon of the language.
fn has_word(text: &str, language: &Language) -> bool {
    let mut found = false;
    each_word(text, |_, _, _, word| {
        found |= word.len() >= TELLING && language.is_word(word);
    });
    found
}
