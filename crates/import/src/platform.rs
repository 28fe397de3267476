//! The platforms that rows name in a column.

use std::{collections::HashMap, sync::LazyLock};

use crate::table;
use contract::text::fold;

/// The meaning of a cell in a column that may name platforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// A platform that the table knows.
    Known(String),
    /// Any other name, as sources are written.
    Other(String),
    /// Names of nothing: "fictive", "demo".
    Invented(String),
    /// A way of collecting reviews, which names no platform.
    Unnamed,
}

/// Names of columns that may mean something else: they are read only where a value is in the table.
const DOUBTFUL: [&str; 10] = [
    "origin",
    "site",
    "channel",
    "provider",
    "portal",
    "website",
    "via",
    "network",
    "herkunft",
    "provenance",
];
/// Characters of a longer value, which is not a name.
const LONGEST: usize = 40;

static NAMES: LazyLock<HashMap<String, &str>> =
    LazyLock::new(|| table::by_word(include_str!("../data/sources.txt")));

impl Platform {
    /// Reads a cell: a name, or an address of the platform.
    pub(super) fn read(cell: &str) -> Self {
        let name = fold(cell.trim());
        if let Some(host) = host(&name) {
            // `booking.acme.example` is a site of Acme's.
            let labels: Vec<&str> = host.rsplit('.').collect();
            let own = labels.iter().skip(1).find(|label| label.len() > 3 || labels.len() < 3);
            let known = own.or(labels.get(1)).and_then(|label| NAMES.get(*label).copied());
            let platform = known.filter(|known| !matches!(*known, "channel" | "none"));
            return platform.map_or(Self::Unnamed, |platform| Self::Known(platform.to_owned()));
        }
        match NAMES.get(&*name).copied() {
            Some("channel") => Self::Unnamed,
            Some("none") => Self::Invented(slug(&name)),
            Some(platform) => Self::Known(platform.to_owned()),
            None if name.chars().count() > LONGEST => Self::Unnamed,
            None => Some(slug(&name)).filter(|s| !s.is_empty()).map_or(Self::Unnamed, Self::Other),
        }
    }

    /// Returns the name as sources are written; `None` where the cell names none.
    pub(super) fn source(self) -> Option<String> {
        match self {
            Self::Known(source) | Self::Other(source) | Self::Invented(source) => Some(source),
            Self::Unnamed => None,
        }
    }
}

/// Whether a column of this name, in lower case, with these values names the platform.
pub(super) fn is_named_by<'a>(column: &str, mut values: impl Iterator<Item = &'a str>) -> bool {
    let is_doubtful = DOUBTFUL.contains(&column);
    values.any(|value| match Platform::read(value) {
        Platform::Known(_) | Platform::Invented(_) => true,
        Platform::Other(_) => !is_doubtful,
        Platform::Unnamed => false,
    })
}

/// The name of a file or a sheet without its folder, its ending, numbers and words such as "reviews".
pub(super) fn name_of_file(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let words = table::spaced(stem);
    let is_word = |word: &&str| {
        let is_other = ["export", "all", "reviews"].contains(word)
            || table::words(table::COLUMN_WORDS, "text").any(|of_text| of_text == *word);
        word.contains(char::is_alphabetic) && !is_other
    };
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(is_word);
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a source, as sources are written, is the name of nothing.
pub(super) fn is_invented(source: &str) -> bool {
    NAMES.iter().any(|(name, platform)| *platform == "none" && slug(name) == source)
}

/// The host of an address, with or without a scheme.
fn host(name: &str) -> Option<&str> {
    let rest = name.split_once("://").map(|(_, rest)| rest);
    rest.or_else(|| Some(name).filter(|name| name.starts_with("www.")))?.split('/').next()
}

/// A name as sources are written.
fn slug(name: &str) -> String {
    let name = fold(name.trim());
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let slug: String = letters.collect();
    slug.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_is_known_by_each_of_its_names() {
        for (cell, source) in [
            ("Google", Some("google")),
            ("Google Maps", Some("google")),
            ("https://www.google.com/maps/place/x", Some("google")),
            ("https://se.trustpilot.com/reviews/1", Some("trustpilot")),
            ("ProvenExpert", Some("provenexpert")),
            ("Trusted Shops", Some("trustedshops")),
            ("Fictive", Some("fictive")),
            ("e-mail", None),
            ("https://acme.example/p/1", None),
            ("A sentence that is much too long for the name of a platform", None),
        ] {
            assert_eq!(Platform::read(cell).source().as_deref(), source, "{cell}");
        }
        assert!(!is_invented("google"));
        for cell in ["demo", "N/A", "Lorem ipsum"] {
            assert!(is_invented(&Platform::read(cell).source().unwrap()), "{cell}");
        }
        assert!(is_named_by("site", ["google"].into_iter()));
        assert!(!is_named_by("site", ["Berlin"].into_iter()));
        assert!(is_named_by("source", ["holidaycheck"].into_iter()));
        assert!(!is_named_by("source", ["web", "email"].into_iter()));
    }
}
