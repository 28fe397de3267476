//! The table of query parameters.

use serde_json::{Value, json};

use super::{CHANGES_CURSOR_LENGTH, CURSOR_LENGTH};
use crate::model::Rating;

/// The number of reviews in a response if `limit` is absent.
pub const DEFAULT_LIMIT: usize = 20;
/// The maximum number of reviews in a response.
pub const MAX_LIMIT: usize = 100;
/// Maximum length of `query` in characters.
pub const MAX_NEEDLE_LENGTH: usize = 1_000;
/// Maximum length of a technician's or a service's name in characters.
pub const MAX_NAME_LENGTH: usize = 200;

/// A query parameter, the same for REST and MCP.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in a URL or in an object of arguments.
    pub name: &'static str,
    /// The kind of value.
    pub kind: Kind,
    /// The effect of the parameter, in Markdown.
    pub description: &'static str,
    /// An example value.
    pub example: &'static str,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of stars.
    Stars,
    /// A number of stars; fractions are allowed.
    LeastStars,
    /// A day of the calendar, `YYYY-MM-DD`.
    Day,
    /// A text of at most this many characters.
    Text(usize),
    /// A number from 1 to [`MAX_LIMIT`]; the default is [`DEFAULT_LIMIT`].
    Limit,
    /// A value of `next_cursor` in a response.
    Cursor,
    /// An instant (RFC 3339).
    Instant,
    /// A value of `next_cursor` in a response with changes.
    ChangesCursor,
}

/// The parameters of a search.
pub const SEARCH: &[Parameter] = &[
    Parameter {
        name: "rating",
        kind: Kind::Stars,
        description: "Only reviews with exactly this many stars.",
        example: "5",
    },
    Parameter {
        name: "min_rating",
        kind: Kind::LeastStars,
        description: "Only reviews with this many stars or more.",
        example: "4",
    },
    Parameter {
        name: "since",
        kind: Kind::Day,
        description: "Only reviews whose `date` is this day or later, in the business's time zone; a date \
                      known to its month or year counts as it is written.",
        example: "2025-01-01",
    },
    Parameter {
        name: "until",
        kind: Kind::Day,
        description: "Only reviews whose `date` is this day or earlier, likewise.",
        example: "2025-12-31",
    },
    Parameter {
        name: "query",
        kind: Kind::Text(MAX_NEEDLE_LENGTH),
        description: "Only reviews whose text contains this, capital or small letters alike \
                      (Unicode full case folding: `STRASSE` finds `Straße`). Blanks at its ends \
                      count, accents too.",
        example: "on time",
    },
    Parameter {
        name: "mentions_technician",
        kind: Kind::Text(MAX_NAME_LENGTH),
        description: "Only reviews that mention this technician, by name or id, capital or small \
                      letters alike. `/reviews.json` lists them in `business.technicians`. An \
                      unknown one is mentioned by no review.",
        example: "maria-lopez",
    },
    Parameter {
        name: "mentions_service",
        kind: Kind::Text(MAX_NAME_LENGTH),
        description: "Only reviews that mention this service, by id or label, capital or small \
                      letters alike. `/reviews.json` lists them in `business.services`. An unknown \
                      one is mentioned by no review.",
        example: "drain-cleaning",
    },
    Parameter {
        name: "limit",
        kind: Kind::Limit,
        description: "How many reviews to return at most.",
        example: "50",
    },
    Parameter {
        name: "cursor",
        kind: Kind::Cursor,
        description: "The page after the one whose `next_cursor` this is. Send it with the same \
                      filters; `limit` may change.",
        example: "07e9010901942a000000000000000000000000003c5d1f0e9b42a7d3180c",
    },
];

/// The day in the path of `since`.
pub const SINCE_DATE: Parameter = Parameter {
    name: "date",
    kind: Kind::Day,
    description: "Reviews whose `date` is this day or later, in the business's time zone; a date known \
                  to its month or year counts as it is written.",
    example: "2025-01-01",
};

impl Parameter {
    /// The example as JSON: a number for a numeric parameter.
    #[must_use]
    pub fn example_value(&self) -> Value {
        match self.kind {
            Kind::Stars | Kind::LeastStars | Kind::Limit => {
                serde_json::from_str(self.example).unwrap_or(Value::Null)
            }
            Kind::Day | Kind::Text(_) | Kind::Cursor | Kind::Instant | Kind::ChangesCursor => {
                self.example.into()
            }
        }
    }
}

impl Kind {
    /// The requirement on a value, as a phrase after the parameter's name.
    #[must_use]
    pub fn rule(self) -> String {
        let (worst, best) = (Rating::WORST, Rating::BEST);
        match self {
            Self::Stars => format!("must be a whole number from {worst} to {best}"),
            Self::LeastStars => format!("must be a number from {worst} to {best}"),
            Self::Day => "must be a day of the calendar, written YYYY-MM-DD".to_owned(),
            Self::Text(most) => format!("must be text of at most {most} characters"),
            Self::Limit => format!("must be a whole number from 1 to {MAX_LIMIT}"),
            Self::Cursor | Self::ChangesCursor => {
                "must be the next_cursor of an answer, unchanged".to_owned()
            }
            Self::Instant => {
                "must be an instant with its offset, written YYYY-MM-DDTHH:MM:SSZ".to_owned()
            }
        }
    }

    /// The requirement as JSON Schema.
    #[must_use]
    pub fn schema(self) -> Value {
        let (worst, best) = (Rating::WORST, Rating::BEST);
        match self {
            Self::Stars => json!({ "type": "integer", "minimum": worst, "maximum": best }),
            Self::LeastStars => json!({ "type": "number", "minimum": worst, "maximum": best }),
            Self::Day => json!({ "type": "string", "format": "date" }),
            Self::Text(most) => json!({ "type": "string", "maxLength": most }),
            Self::Limit => json!({
                "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT,
            }),
            Self::Cursor => json!({
                "type": "string", "pattern": format!("^[0-9a-f]{{{CURSOR_LENGTH}}}$"),
            }),
            Self::Instant => json!({ "type": "string", "format": "date-time" }),
            Self::ChangesCursor => json!({
                "type": "string", "pattern": format!("^[0-9a-f]{{{CHANGES_CURSOR_LENGTH}}}$"),
            }),
        }
    }
}
