//! The phrases of the pages: one file of strings per language, with plural forms.

use std::{collections::BTreeMap, fmt, ops::Range, sync::LazyLock};

use toml::de::{DeTable, DeValue};

use super::plural;

/// Shipped languages and their phrases; phrases that others lack are in the first.
pub const LANGUAGES: [(&str, &str); 5] = [
    ("en", include_str!("strings/en.toml")),
    ("de", include_str!("strings/de.toml")),
    ("es", include_str!("strings/es.toml")),
    ("fr", include_str!("strings/fr.toml")),
    ("nl", include_str!("strings/nl.toml")),
];

/// A phrase with places for values: `{n} reviews`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// One text for every number.
    Text(String),
    /// A text for each plural category of `n`; `other` is always there.
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

    /// Returns a value that these words name and `shipped` does not have.
    pub(crate) fn unknown_value(&self, shipped: &Self) -> Option<String> {
        let known: Vec<&str> = shipped.texts().flat_map(places).collect();
        self.texts().flat_map(places).find(|place| !known.contains(place)).map(str::to_owned)
    }

    /// Whether `shipped` says the number and these words do not.
    pub(crate) fn lacks_number(&self, shipped: &Self) -> bool {
        let says = |phrase: &Self| phrase.usual().is_some_and(|words| words.contains("{n}"));
        says(shipped) && !says(self)
    }

    /// The words for most numbers.
    fn usual(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Forms(forms) => forms.get("other").map(String::as_str),
        }
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

/// A fault in a file of phrases, and its place.
pub(crate) struct PhraseProblem {
    pub span: Range<usize>,
    pub message: String,
}

/// Phrases by key, each with the places of its key and of its words.
pub(crate) type Phrases = BTreeMap<String, (Phrase, [Range<usize>; 2])>;

/// Reads the table of a `strings.toml`.
pub(crate) fn read_phrases(table: &DeTable<'_>) -> (Phrases, Vec<PhraseProblem>) {
    let (mut phrases, mut problems) = (BTreeMap::new(), Vec::new());
    for (key, value) in table {
        let phrase = match value.get_ref() {
            DeValue::String(text) => Some(Phrase::Text(text.to_string())),
            DeValue::Table(forms) => forms_of(forms).map(Phrase::Forms),
            _ => None,
        };
        match phrase {
            Some(phrase) => {
                let spans = [key.span(), value.span()];
                drop(phrases.insert(key.get_ref().to_string(), (phrase, spans)));
            }
            None => problems.push(PhraseProblem {
                span: value.span(),
                message: format!("{}: neither words nor plural forms with other", key.get_ref()),
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

/// The phrases of a language; none if it is not shipped.
pub fn shipped(language: &str) -> BTreeMap<String, Phrase> {
    static SHIPPED: LazyLock<BTreeMap<&str, BTreeMap<String, Phrase>>> =
        LazyLock::new(|| LANGUAGES.iter().map(|(tag, text)| (*tag, read_shipped(text))).collect());
    SHIPPED.get(language).cloned().unwrap_or_default()
}

fn read_shipped(text: &str) -> BTreeMap<String, Phrase> {
    let phrases =
        DeTable::parse(text).map(|root| read_phrases(root.get_ref()).0).unwrap_or_default();
    phrases.into_iter().map(|(key, (phrase, _))| (key, phrase)).collect()
}

/// Whether the pages are translated into a language, by its primary tag.
pub(crate) fn is_shipped(primary: &str) -> bool {
    LANGUAGES.iter().any(|(tag, _)| *tag == primary)
}

/// All phrases, in English.
pub fn shipped_keys() -> BTreeMap<String, Phrase> {
    shipped(LANGUAGES[0].0)
}

/// The first part of a BCP 47 tag, in small letters.
pub fn primary_tag(tag: &str) -> String {
    tag.split('-').next().unwrap_or(tag).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_the_same_things_with_the_same_values() {
        let english = shipped_keys();
        for (tag, text) in LANGUAGES {
            let (phrases, problems) = read_phrases(DeTable::parse(text).unwrap().get_ref());
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
}
