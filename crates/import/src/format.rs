//! The formats: the names of their fields, and what they state about the reviews.

mod apify;
mod generic;
mod google;
mod jsonld;
mod outscraper;
mod places;
mod serpapi;
mod yelp;

use std::{fmt, str::FromStr};

use serde_json::Value;

use super::{
    raw::{RawReview, Row},
    rows::Cells,
};
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
        let traits = Traits {
            utc: false,
            american: false,
            replies: Replies::Unknown,
            google: false,
            html: false,
            partial: false,
        };
        match self {
            Self::GoogleTakeout | Self::GoogleBusiness => {
                Traits { google: true, replies: Replies::Always, ..traits }
            }
            Self::Apify | Self::Serpapi => {
                Traits { google: true, replies: Replies::IfAny, html: true, ..traits }
            }
            Self::Outscraper => Traits {
                google: true,
                replies: Replies::IfAny,
                american: true,
                utc: true,
                html: true,
                ..traits
            },
            Self::Places => Traits { google: true, partial: true, ..traits },
            Self::YelpAcademic => traits,
            Self::Jsonld => Traits { html: true, ..traits },
            Self::Csv | Self::Ndjson | Self::Json => Traits { replies: Replies::IfAny, ..traits },
        }
    }

    /// The platform of its reviews; `None` if the user must name it.
    pub(super) fn source(self) -> Option<&'static str> {
        match self {
            Self::YelpAcademic => Some("yelp"),
            Self::Jsonld => Some("website"),
            Self::Csv | Self::Ndjson | Self::Json => None,
            _ => Some("google"),
        }
    }

    /// Whether a program made it that collects what a platform shows.
    pub(super) fn is_scraped(self) -> bool {
        matches!(self, Self::Apify | Self::Outscraper | Self::Serpapi)
    }

    /// The columns it reads, as dotted paths; for a generic format those of the map.
    pub(super) fn columns(self, map: &ColumnMap) -> Vec<String> {
        let columns: &[&str] = match self {
            Self::GoogleTakeout | Self::GoogleBusiness => google::COLUMNS,
            Self::Apify => apify::COLUMNS,
            Self::Outscraper => outscraper::COLUMNS,
            Self::Places => places::COLUMNS,
            Self::Serpapi => serpapi::COLUMNS,
            Self::YelpAcademic => yelp::COLUMNS,
            Self::Jsonld => jsonld::COLUMNS,
            Self::Csv | Self::Ndjson | Self::Json => {
                return map.parts().map(|(_, column)| column.to_owned()).collect();
            }
        };
        columns.iter().map(|column| (*column).to_owned()).collect()
    }

    /// Columns a table must have.
    pub(super) fn required(self, map: &ColumnMap) -> Vec<String> {
        let columns: &[&str] = match self {
            Self::GoogleTakeout | Self::GoogleBusiness => &["starRating", "createTime"],
            Self::Apify => &["stars"],
            Self::Outscraper => &["review_rating"],
            Self::Places | Self::Serpapi => &["rating"],
            Self::YelpAcademic => &["stars", "date"],
            Self::Jsonld => &[],
            Self::Csv | Self::Ndjson | Self::Json => {
                return map.parts().map(|(_, column)| column.to_owned()).collect();
            }
        };
        columns.iter().map(|column| (*column).to_owned()).collect()
    }

    /// The row's parts; `None` for a row that holds no review at all.
    pub(super) fn row(self, row: Row<'_>, map: &ColumnMap) -> Option<RawReview> {
        match self {
            Self::GoogleTakeout | Self::GoogleBusiness => google::row(row),
            Self::Apify => apify::row(row),
            Self::Outscraper => outscraper::row(row),
            Self::Places => Some(places::row(row)),
            Self::Serpapi => Some(serpapi::row(row)),
            Self::YelpAcademic => Some(yelp::row(row)),
            Self::Jsonld => Some(jsonld::row(row)),
            Self::Csv | Self::Ndjson | Self::Json => generic::row(row, map),
        }
    }

    /// Reads the statements of a document about all its rows.
    pub(super) fn header(self, header: &Cells) -> Header {
        match self {
            Self::GoogleTakeout | Self::GoogleBusiness => google::header(header),
            Self::Places => places::header(header),
            Self::Serpapi => serpapi::header(header),
            Self::Jsonld => jsonld::header(header),
            Self::Csv | Self::Ndjson | Self::Json => generic::header(header),
            _ => Header::default(),
        }
    }
}

/// The statements of a document about all its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) location: Option<super::raw::Location>,
    pub(super) claimed_total: Option<u64>,
    /// There are more pages.
    pub(super) goes_on: bool,
}

fn non_blank(value: Option<&Value>) -> bool {
    value.is_some_and(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    })
}
