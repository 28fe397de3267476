use serde_json::{Value, json};

use super::{CHANGES_CURSOR_LENGTH, CURSOR_LENGTH};
use crate::model::Rating;

/// Reviews of an answer when `limit` is not given.
pub const DEFAULT_LIMIT: usize = 20;
/// Reviews of an answer at most.
pub const MAX_LIMIT: usize = 100;
/// Characters of `query` at most.
pub const MAX_NEEDLE_LENGTH: usize = 1_000;
/// Characters of a technician's or a service's name at most.
pub const MAX_NAME_LENGTH: usize = 200;

/// One thing a client may say, the same for REST and MCP.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As it is written in a URL or an object of arguments.
    pub name: &'static str,
    /// What it can be.
    pub kind: Kind,
    /// What it does, in Markdown.
    pub description: &'static str,
    /// A value somebody might send.
    pub example: &'static str,
}

/// What a parameter's value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of stars.
    Stars,
    /// A number of stars, fractions allowed.
    LeastStars,
    /// `YYYY-MM-DD`, a day of the calendar.
    Day,
    /// Text of at most this many characters.
    Text(usize),
    /// [`DEFAULT_LIMIT`], [`MAX_LIMIT`]
    Limit,
    /// What an answer gave as `next_cursor`.
    Cursor,
    /// An instant (RFC 3339).
    Instant,
    /// What an answer of changes gave as `next_cursor`.
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
        description: "Only reviews of this day or later, in the business's time zone.",
        example: "2025-01-01",
    },
    Parameter {
        name: "until",
        kind: Kind::Day,
        description: "Only reviews of this day or earlier, in the business's time zone.",
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
    description: "Reviews of this day or later, in the business's time zone.",
    example: "2025-01-01",
};

impl Parameter {
    /// The example as the value it stands for: a number for a number.
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
    /// What a value must be, to be said after the parameter's name.
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

    /// The same as JSON Schema.
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
