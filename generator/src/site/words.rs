//! The pages' own words: one `strings.toml` per language, plural forms, numbers and dates.

use std::{collections::BTreeMap, fmt, ops::Range};

use toml::de::{DeTable, DeValue};

use super::plural;
use crate::content::Site;
use contract::model::Day;

/// Shipped languages; the first stands in for all others.
const LANGUAGES: [(&str, &str); 4] = [
    ("en", include_str!("strings/en.toml")),
    ("de", include_str!("strings/de.toml")),
    ("es", include_str!("strings/es.toml")),
    ("fr", include_str!("strings/fr.toml")),
];

/// Languages written from right to left, by their primary tag.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"];

/// Words with places for values: `{n} reviews`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// The same for every number.
    Text(String),
    /// By the plural category of `n`; `other` is always there.
    Forms(BTreeMap<String, String>),
}

impl Phrase {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let (one, many) = match self {
            Self::Text(text) => (Some(text.as_str()), None),
            Self::Forms(forms) => (None, Some(forms.values().map(String::as_str))),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }

    /// A value these words name that `shipped` has not.
    pub(crate) fn unknown_value(&self, shipped: &Self) -> Option<String> {
        let known: Vec<&str> = shipped.texts().flat_map(places).collect();
        self.texts().flat_map(places).find(|place| !known.contains(place)).map(str::to_owned)
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.texts().map(|text| format!("{text:?}")).collect();
        f.write_str(&texts.join(" or "))
    }
}

/// The names between braces.
fn places(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// What is wrong in a file of phrases, and where.
pub(crate) struct PhraseProblem {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
}

/// Phrases by key, each with its place in the text.
pub(crate) type Phrases = BTreeMap<String, (Phrase, Range<usize>)>;

/// Reads a `strings.toml`.
pub(crate) fn parse_phrases(text: &str) -> (Phrases, Vec<PhraseProblem>) {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut problems: Vec<PhraseProblem> = errors
        .iter()
        .map(|error| PhraseProblem {
            span: error.span().unwrap_or_default(),
            message: error.message().to_owned(),
        })
        .collect();
    let mut phrases = BTreeMap::new();
    for (key, value) in root.get_ref() {
        let phrase = match value.get_ref() {
            DeValue::String(text) => Some(Phrase::Text(text.to_string())),
            DeValue::Table(forms) => forms_of(forms).map(Phrase::Forms),
            _ => None,
        };
        match phrase {
            Some(phrase) => drop(phrases.insert(key.get_ref().to_string(), (phrase, value.span()))),
            None => problems.push(PhraseProblem {
                span: value.span(),
                message: format!("{}: neither words nor their plural forms", key.get_ref()),
            }),
        }
    }
    (phrases, problems)
}

fn forms_of(table: &DeTable<'_>) -> Option<BTreeMap<String, String>> {
    let form = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &toml::Spanned<std::borrow::Cow<'_, str>> = name;
        let known = plural::CATEGORIES.contains(&&**name.get_ref());
        known.then(|| Some((name.get_ref().to_string(), value.get_ref().as_str()?.to_owned())))?
    };
    let forms: BTreeMap<String, String> = table.iter().map(form).collect::<Option<_>>()?;
    forms.contains_key("other").then_some(forms)
}

fn shipped(language: &str) -> BTreeMap<String, Phrase> {
    let text = LANGUAGES.iter().find(|(tag, _)| *tag == language).map_or("", |(_, text)| text);
    parse_phrases(text).0.into_iter().map(|(key, (phrase, _))| (key, phrase)).collect()
}

/// Every phrase there is, with the English words.
pub(crate) fn shipped_keys() -> BTreeMap<String, Phrase> {
    shipped(LANGUAGES[0].0)
}

/// The words of one site.
#[derive(Debug)]
pub(crate) struct Words {
    /// BCP 47 tag of these words.
    pub(crate) language: String,
    primary: String,
    phrases: BTreeMap<String, Phrase>,
}

impl Words {
    /// The site's language as far as it is shipped or the owner wrote it, English for the rest.
    pub(crate) fn new(site: &Site) -> Self {
        let primary = primary_tag(&site.language);
        let is_shipped = LANGUAGES.iter().any(|(tag, _)| *tag == primary);
        let mut phrases = shipped_keys();
        phrases.extend(shipped(&primary));
        phrases.extend(site.look.words.clone());
        phrases.extend(site.look.labels.clone());
        let speaks = is_shipped || !site.look.words.is_empty();
        let language = if speaks { site.language.clone() } else { LANGUAGES[0].0.to_owned() };
        Self { primary: primary_tag(&language), language, phrases }
    }

    /// Whether pages of a site in this language are in it.
    pub(crate) fn speak(site: &Site) -> bool {
        let primary = primary_tag(&site.language);
        LANGUAGES.iter().any(|(tag, _)| *tag == primary) || !site.look.words.is_empty()
    }

    /// `ltr` or `rtl`
    pub(crate) fn direction(&self) -> &'static str {
        if RIGHT_TO_LEFT.contains(&self.primary.as_str()) { "rtl" } else { "ltr" }
    }

    /// The phrase with its values; `n` chooses the plural form. `None` for an unknown key or a value
    /// that is not given.
    pub(crate) fn say(
        &self,
        key: &str,
        n: Option<u64>,
        values: &[(&str, String)],
    ) -> Result<String, String> {
        let phrase = self.phrases.get(key).ok_or_else(|| format!("there are no words {key:?}"))?;
        let text = match phrase {
            Phrase::Text(text) => text,
            Phrase::Forms(forms) => {
                let category = plural::category(&self.primary, n.unwrap_or(0));
                forms.get(category).or(forms.get("other")).map_or("", String::as_str)
            }
        };
        let number = n.map(|n| self.count(n));
        fill(text, |name| match (name, &number) {
            ("n", Some(number)) => Some(number.clone()),
            _ => values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()),
        })
        .map_err(|name| format!("the words {key:?} need a value {name:?}"))
    }

    /// Words without values.
    pub(crate) fn word(&self, key: &str) -> String {
        let said = self.say(key, None, &[]);
        debug_assert!(said.is_ok(), "{said:?}");
        said.unwrap_or_default()
    }

    /// A whole number with its thousands apart.
    pub(crate) fn count(&self, n: u64) -> String {
        let digits = n.to_string();
        if digits.len() < 5 {
            return digits;
        }
        let mark = self.word("thousands");
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push_str(&mark);
            }
            grouped.push(digit);
        }
        grouped
    }

    /// A number with this many decimals.
    pub(crate) fn decimal(&self, value: f64, decimals: usize) -> String {
        format!("{value:.decimals$}").replace('.', &self.word("decimal"))
    }

    /// A day, as people write it.
    pub(crate) fn date(&self, day: Day) -> String {
        let date = day.date();
        let values = [
            ("day", date.day().to_string()),
            ("month", self.month(date.month(), "months")),
            ("year", date.year().to_string()),
        ];
        self.say("date", None, &values).unwrap_or_else(|_| day.to_string())
    }

    /// A month and its year.
    pub(crate) fn month_year(&self, day: Day, names: &str) -> String {
        let date = day.date();
        let month = self.month(date.month(), names);
        let values = [("month", month), ("year", date.year().to_string())];
        self.say("month_year", None, &values).unwrap_or_else(|_| day.month())
    }

    fn month(&self, month: i8, names: &str) -> String {
        let names = self.word(names);
        let at = usize::try_from(month - 1).unwrap_or(0);
        names.split('|').nth(at).unwrap_or_default().to_owned()
    }
}

fn primary_tag(tag: &str) -> String {
    tag.split('-').next().unwrap_or(tag).to_lowercase()
}

/// The text with its values in place; the error is a name nobody knows.
fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        filled.push_str(before);
        filled.push_str(&value(name).ok_or_else(|| name.to_owned())?);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_the_same_things_with_the_same_values() {
        let english = shipped_keys();
        for (tag, text) in LANGUAGES {
            let (phrases, problems) = parse_phrases(text);
            assert!(problems.is_empty(), "{tag}: {}", problems[0].message);
            assert_eq!(
                phrases.keys().collect::<Vec<_>>(),
                english.keys().collect::<Vec<_>>(),
                "{tag}"
            );
            for (key, (phrase, _)) in &phrases {
                assert_eq!(phrase.unknown_value(&english[key]), None, "{tag}: {key}");
                assert_eq!(english[key].unknown_value(phrase), None, "{tag}: {key}");
                if key.starts_with("months") {
                    assert_eq!(phrase.to_string().split('|').count(), 12, "{tag}: {key}");
                }
            }
        }
    }

    #[test]
    fn values_are_filled_in_once_and_none_is_forgotten() {
        let braces = fill("{a} of {b}", |name| Some(format!("{{{name}}}")));
        assert_eq!(braces.unwrap(), "{a} of {b}");
        assert_eq!(fill("{a} {c}", |name| (name == "a").then(String::new)), Err("c".to_owned()));
    }
}
