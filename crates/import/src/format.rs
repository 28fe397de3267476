//! The formats: the names of their fields, and what they state about the reviews.

mod answers;
mod fields;
mod keys;
mod place;

use std::{fmt, str::FromStr};

pub(super) use keys::{marks, why};

use super::{raw::Location, rows::Container};
use content::ColumnMap;
use contract::problem::unknown_help;

macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)+) => {
        /// A known format of exports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ExportFormat { $($(#[$doc])* $variant,)+ }

        impl ExportFormat {
            /// The names of all formats.
            pub const WORDS: &[&str] = &[$($word),+];

            /// Returns the name that `--format` takes.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for ExportFormat {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(unknown_help(text, Self::WORDS.iter().copied())),
                }
            }
        }
    };
}

formats! {
    /// The owner's export by Google Takeout.
    GoogleTakeout = "google-takeout",
    /// The Business Profile API, v4.
    GoogleBusiness = "google-business",
    /// Apify's Google Maps scrapers.
    Apify = "apify",
    /// Outscraper.
    Outscraper = "outscraper",
    /// Google Places API, new and legacy.
    Places = "places",
    /// SerpAPI, engine google_maps_reviews.
    Serpapi = "serpapi",
    /// The Yelp academic data set.
    YelpAcademic = "yelp-academic",
    /// schema.org reviews in a page or a JSON file.
    Jsonld = "jsonld",
    /// A table with a column map.
    Csv = "csv",
    /// One JSON object a line, with a column map.
    Ndjson = "ndjson",
    /// A JSON document, with a column map.
    Json = "json",
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The properties that follow from the format alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    /// A time without a zone is UTC, as the name of the column states.
    pub(super) utc: bool,
    /// `03/04/2025` is March 4.
    pub(super) american: bool,
    /// Whether a missing reply means that there is none.
    pub(super) replies: Replies,
    /// Ids are Google's, with their several spellings; texts may be in its translation envelope.
    pub(super) google: bool,
    /// Texts hold HTML entities and line breaks.
    pub(super) html: bool,
    /// Never all reviews of a business.
    pub(super) partial: bool,
}

/// The meaning of a row without a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replies {
    /// The format has no replies: nothing follows.
    Unknown,
    /// The business did not reply, if any review of the import has a reply.
    IfAny,
    /// The business did not reply.
    Always,
}

impl ExportFormat {
    pub(super) fn traits(self) -> Traits {
        let has = |word: &str| keys::line(self, "traits").contains(&word);
        Traits {
            utc: has("utc"),
            american: has("american"),
            replies: match (has("replies"), has("all replies")) {
                (_, true) => Replies::Always,
                (true, _) => Replies::IfAny,
                _ => Replies::Unknown,
            },
            google: has("google"),
            html: has("html"),
            partial: has("partial"),
        }
    }

    /// The platform of its reviews; `None` if the user must name it.
    pub(super) fn source(self) -> Option<&'static str> {
        keys::line(self, "platform").first().copied()
    }

    /// The keys of the addresses of its reviews, unless its rows name their platforms.
    pub(super) fn urls(self) -> Option<&'static [&'static str]> {
        self.source_key().is_none().then(|| keys::line(self, "url"))
    }

    /// The key of the platform of a review, where a format has one of its own.
    pub(super) fn source_key(self) -> Option<&'static str> {
        keys::line(self, "source").first().copied()
    }

    /// Whether a program made it that collects what a platform shows.
    pub(super) fn is_scraped(self) -> bool {
        keys::line(self, "traits").contains(&"scraped")
    }

    /// Whether its columns are those of a map.
    pub(super) fn is_generic(self) -> bool {
        matches!(self, Self::Csv | Self::Ndjson | Self::Json)
    }

    /// The format of any rows in a container; `None` where only known ones are read.
    pub(super) fn generic(container: Container) -> Option<Self> {
        match container {
            Container::Csv(..) => Some(Self::Csv),
            Container::Ndjson => Some(Self::Ndjson),
            Container::Json => Some(Self::Json),
            Container::Html => None,
        }
    }

    /// The columns it reads, as dotted paths; for a generic format those of the map.
    pub(super) fn columns(self, map: &ColumnMap) -> Vec<String> {
        let known = keys::line(self, "columns").iter().copied();
        map.parts().map(|(_, column)| column).chain(known).map(str::to_owned).collect()
    }

    /// Columns a table must have.
    pub(super) fn required(self, map: &ColumnMap) -> Vec<String> {
        let known = keys::line(self, "required").iter().copied();
        map.parts().map(|(_, column)| column).chain(known).map(str::to_owned).collect()
    }
}

/// The statements of a document about all its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Header {
    pub(super) location: Option<Location>,
    pub(super) claimed_total: Option<u64>,
    pub(super) claimed_average: Option<f64>,
    /// There are more pages.
    pub(super) goes_on: bool,
}
