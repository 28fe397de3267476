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

/// Characters of a longer value, which is not a name.
const LONGEST: usize = 40;

const SOURCES: &str = include_str!("../data/sources.txt");
/// The platforms by their names, as these are compared.
static NAMES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    table::by_word(SOURCES).into_iter().map(|(name, platform)| (key(&name), platform)).collect()
});

impl Platform {
    /// Reads a cell: a name, or an address of the platform.
    pub(super) fn read(cell: &str) -> Self {
        let name = fold(cell.trim());
        let is_address = name.contains("://") || name.starts_with("www.");
        match NAMES.get(&key(&name)).copied().or_else(|| of_address(&name)) {
            Some("channel") => Self::Unnamed,
            Some("none") => Self::Invented(slug(&name)),
            Some(platform) => Self::Known(platform.to_owned()),
            None if is_address || name.chars().count() > LONGEST => Self::Unnamed,
            // Trustpilot's "InvitationLinkApi".
            None if name.contains("invitation") => Self::Unnamed,
            // "Fiktiv (Platzhalter)" is as little a platform as its words are.
            None if !name.contains('.')
                && words(&name).any(|word| word.len() > 3 && names_nothing(word)) =>
            {
                Self::Invented(slug(&name))
            }
            None => Some(slug(&name)).filter(|s| !s.is_empty()).map_or(Self::Unnamed, Self::Other),
        }
    }

    /// Returns the name of a platform that the table knows.
    pub(super) fn known(self) -> Option<String> {
        match self {
            Self::Known(platform) => Some(platform),
            _ => None,
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

/// The source of this name: a platform has one, whatever it is called.
#[must_use]
pub fn source_of(name: &str) -> String {
    match Platform::read(name) {
        Platform::Known(platform) => platform,
        _ => name.to_owned(),
    }
}

/// The other names of a source under which reviews may have been stored.
pub(super) fn other_names(source: &str) -> impl Iterator<Item = String> {
    let names = table::lines(SOURCES).filter(move |(platform, _)| *platform == source);
    names.flat_map(|(_, names)| names.map(slug)).filter(move |name| name != source)
}

/// Whether a column of this name, in lower case, with these values names the platform. A name that may mean something else
/// does so only where a value is in the table.
pub(super) fn is_named_by<'a>(column: &str, mut values: impl Iterator<Item = &'a str>) -> bool {
    let is_doubtful = table::words(table::COLUMNS, "doubtful").any(|doubtful| doubtful == column);
    values.any(|value| match Platform::read(value) {
        Platform::Known(_) | Platform::Invented(_) => true,
        Platform::Other(_) => !is_doubtful,
        Platform::Unnamed => false,
    })
}

/// A name without its ending.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').filter(|(_, end)| !end.contains(' ')).map_or(name, |(stem, _)| stem)
}

/// The name of a file or a sheet without its folder, its ending, numbers and words such as "reviews".
pub(super) fn name_of_file(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let words = table::spaced(stem(name));
    let is_word = |word: &&str| {
        let is_other = ["export", "all", "reviews"].contains(word)
            || table::words(table::COLUMN_WORDS, "text").any(|of_text| of_text == *word);
        word.contains(char::is_alphabetic) && !is_other
    };
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(is_word);
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a source, as sources are written, is the name of nothing, or has a word that is.
pub(super) fn is_invented(source: &str) -> bool {
    matches!(Platform::read(source), Platform::Invented(_))
}

/// Whether the table has it as a name of nothing.
pub(super) fn names_nothing(name: &str) -> bool {
    NAMES.get(&key(name)) == Some(&"none")
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric())
}

/// The platform of an address, with or without a scheme. `booking.acme.example` is a site of Acme's.
fn of_address(name: &str) -> Option<&'static str> {
    let host = name.split_once("://").map_or(name, |(_, rest)| rest).split('/').next()?;
    let labels: Vec<&str> = host.rsplit('.').collect();
    let own = labels.iter().skip(1).find(|label| label.len() > 3 || labels.len() < 3);
    // A platform may be a part of another one's site: `play.google.com`.
    let of_host = || NAMES.get(&key(host.strip_prefix("www.").unwrap_or(host))).copied();
    let of_label = || own.or(labels.get(1)).and_then(|label| NAMES.get(&key(label)).copied());
    let known = of_host().or_else(of_label);
    known.filter(|known| !matches!(*known, "channel" | "none") && !host.contains(' '))
}

/// A name without what its spellings differ in: `google-maps` is `Google Maps`.
fn key(name: &str) -> String {
    slug(name).replace('-', "")
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
            ("google_maps", Some("google")),
            ("TripAdvisor.co.uk", Some("tripadvisor")),
            ("Well. Booking", Some("well-booking")),
            ("Trusted Shops", Some("trustedshops")),
            ("Fictive", Some("fictive")),
            ("http://play.google.com/console/1", Some("google-play")),
            ("https://docs.google.com/forms/1", None),
            ("GOOGLEMYBUSINESS", Some("google")),
            ("FIRSTPARTY", None),
            ("InvitationLinkApi", None),
            ("AFSv2", None),
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
