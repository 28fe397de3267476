//! The table of query parameters.

use serde_json::{Value, json};

use super::{
    CHANGES_CURSOR_LENGTH, CURSOR_LENGTH, MAX_WORDS, Sentiment, Sort, filter::facet_names,
};
use crate::model::Rating;

/// The number of reviews in a response if `limit` is absent.
pub const DEFAULT_LIMIT: usize = 20;
/// The maximum number of reviews in a response.
pub const MAX_LIMIT: usize = 100;
/// The maximum number of ids in `id`.
pub const MAX_IDS: usize = 100;
/// Maximum length of `query` and `q` in characters.
pub const MAX_NEEDLE_LENGTH: usize = 1_000;
/// Maximum length of a name in characters: a technician's, a service's, a source's and so on.
pub const MAX_NAME_LENGTH: usize = 200;

/// A query parameter, the same for REST and MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The kind of thing that a name in a query refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A person who does the work.
    Technician,
    /// Work that the business does.
    Service,
    /// A subject that customers judge.
    Aspect,
    /// A platform where reviews were collected.
    Source,
    /// A language in which reviews are written.
    Language,
    /// A place where the business works.
    Area,
    /// Something that the owner listed and reviews mention.
    Topic,
}

impl Subject {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Technician,
        Self::Service,
        Self::Aspect,
        Self::Source,
        Self::Language,
        Self::Area,
        Self::Topic,
    ];

    /// The word for one of the kind.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Technician => "technician",
            Self::Service => "service",
            Self::Aspect => "aspect",
            Self::Source => "source",
            Self::Language => "language",
            Self::Area => "service area",
            Self::Topic => "topic",
        }
    }

    /// The document and its key that list all of the kind.
    fn listed_in(self) -> (&'static str, &'static str) {
        match self {
            Self::Technician => ("/reviews.json", "business.technicians"),
            Self::Service => ("/reviews.json", "business.services"),
            Self::Aspect => ("/insights.json", "aspects"),
            Self::Source => ("/reviews.json", "sources"),
            Self::Language => ("/reviews.json", "reviews[].language"),
            Self::Area => ("/reviews.json", "business.service_areas"),
            Self::Topic => ("/insights.json", "topics"),
        }
    }
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
    /// A year of the calendar.
    Year,
    /// A text of at most this many characters.
    Text(usize),
    /// An id or another name of something that the site has.
    Name(Subject),
    /// Words of at most this many characters in all; at most [`MAX_WORDS`].
    Words(usize),
    /// Ids of reviews with commas between them, at most [`MAX_IDS`].
    Ids,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Names of [`facets`](super::facets), with commas between them.
    Facets,
    /// A number from 1 to [`MAX_LIMIT`]; the default is [`DEFAULT_LIMIT`].
    Limit,
    /// A value of `next_cursor` in a response.
    Cursor,
    /// An instant (RFC 3339), or a day, which begins at midnight UTC.
    Instant,
    /// A value of `next_cursor` in a response with changes.
    ChangesCursor,
}

/// Whole words. What counts reviews about something uses them: `late` is not in `plate`.
pub(super) const WORDS: Parameter = Parameter {
    name: "words",
    kind: Kind::Words(MAX_NEEDLE_LENGTH),
    description: "Only reviews whose text has each of these as a whole word: `art` does not find \
                  `start`. `\"on time\"` is a phrase, `-late` leaves reviews out.",
    example: "on time",
};

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
        name: "year",
        kind: Kind::Year,
        description: "Only reviews whose `date` is in this year.",
        example: "2025",
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
        name: "q",
        kind: Kind::Words(MAX_NEEDLE_LENGTH),
        description: "Only reviews whose text has all of these words, in any order, as people type \
                      them: capital or small letters, accents and kinds of apostrophes, quotation \
                      marks and dashes alike, and parts of words too (`filter` finds `filters`). \
                      `\"on time\"` is a phrase; `-late` and `-\"too late\"` leave reviews out.",
        example: "\"on time\" -late",
    },
    WORDS,
    Parameter {
        name: "mentions_technician",
        kind: Kind::Name(Subject::Technician),
        description: "Only reviews that mention this technician, who may have retired: id, name, or \
                      an alias or first name that only one has.",
        example: "maria-lopez",
    },
    Parameter {
        name: "mentions_service",
        kind: Kind::Name(Subject::Service),
        description: "Only reviews that mention this service: id, label, or an alias that only one \
                      has.",
        example: "drain-cleaning",
    },
    Parameter {
        name: "mentions_area",
        kind: Kind::Name(Subject::Area),
        description: "Only reviews that mention this service area: id or name.",
        example: "north-side",
    },
    Parameter {
        name: "author",
        kind: Kind::Text(MAX_NAME_LENGTH),
        description: "Only reviews by authors whose name has these words.",
        example: "Maria",
    },
    Parameter {
        name: "source",
        kind: Kind::Name(Subject::Source),
        description: "Only reviews from this source, as `source` names it, capital or small letters \
                      alike.",
        example: "google",
    },
    Parameter {
        name: "language",
        kind: Kind::Name(Subject::Language),
        description: "Only reviews whose `language` is this BCP 47 tag or begins with its subtags: \
                      `en` finds `en-US` too. Reviews whose language is uncertain have none.",
        example: "en",
    },
    Parameter {
        name: "has_reply",
        kind: Kind::Flag,
        description: "Only reviews that the owner replied to, or only those without a reply.",
        example: "true",
    },
    Parameter {
        name: "has_text",
        kind: Kind::Flag,
        description: "Only reviews with words, or only ratings without words.",
        example: "true",
    },
    Parameter {
        name: "aspect",
        kind: Kind::Name(Subject::Aspect),
        description: "Only reviews that say something about this aspect: id or label.",
        example: "punctuality",
    },
    Parameter {
        name: "topic",
        kind: Kind::Name(Subject::Topic),
        description: "Only reviews that mention this topic: id or label.",
        example: "check-valve",
    },
    Parameter {
        name: "sentiment",
        kind: Kind::Choice(Sentiment::NAMES),
        description: "Only reviews that are judged so as a whole; with `aspect`, only those that \
                      speak so of that aspect.",
        example: "negative",
    },
    Parameter {
        name: "id",
        kind: Kind::Ids,
        description: "Only the reviews of these ids, with commas between them.",
        example: "01F60YR2005A9HTZ6CMEVCPRC1",
    },
    Parameter {
        name: "facets",
        kind: Kind::Facets,
        description: "Parameters whose values are counted: `facets` of the answer has, for each value, how \
                      many reviews meet it and all other conditions.",
        example: "rating,source",
    },
    Parameter {
        name: "sort",
        kind: Kind::Choice(Sort::NAMES),
        description: "The order: by day, or by stars and those of equal stars newest first. Without \
                      it, newest first.",
        example: "highest",
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
                      filters and order; `limit` may change.",
        example: "07e9010901942a00000000000000000000000000053c5d1f0e9b42a7d3180c",
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

/// The pattern of a review's id.
const ULID: &str = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

impl Parameter {
    /// The example as JSON: a number or a boolean where the parameter is one.
    #[must_use]
    pub fn example_value(&self) -> Value {
        match self.kind {
            Kind::Stars | Kind::LeastStars | Kind::Year | Kind::Limit | Kind::Flag => {
                serde_json::from_str(self.example).unwrap_or(Value::Null)
            }
            _ => self.example.into(),
        }
    }

    /// The description for users of the HTTP interface: for a name, with where all of them are
    /// listed, and what an unknown one means.
    #[must_use]
    pub fn http_description(&self) -> String {
        let Kind::Name(subject) = self.kind else { return self.description.to_owned() };
        let (document, key) = subject.listed_in();
        format!(
            "{} `{document}` lists them in `{key}`. No review is found for an unknown or ambiguous \
             one; `unresolved` then has the ids of similar ones.",
            self.description
        )
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
            Self::Year => "must be a year from 1 to 9999".to_owned(),
            Self::Text(most) => format!("must be text of at most {most} characters"),
            Self::Name(_) => Self::Text(MAX_NAME_LENGTH).rule(),
            Self::Words(most) => {
                format!("must be text of at most {most} characters and {MAX_WORDS} words")
            }
            Self::Ids => {
                format!("must be at most {MAX_IDS} ids of reviews, with commas between them")
            }
            Self::Choice(words) => format!("must be one of {}", words.join(", ")),
            Self::Flag => "must be true or false".to_owned(),
            Self::Facets => {
                format!("must be names of {}, with commas between them", facet_names(", "))
            }
            Self::Limit => format!("must be a whole number from 1 to {MAX_LIMIT}"),
            Self::Cursor | Self::ChangesCursor => {
                "must be the next_cursor of an answer, unchanged".to_owned()
            }
            Self::Instant => "must be a day, written YYYY-MM-DD, or an instant with its offset, \
                              written YYYY-MM-DDTHH:MM:SSZ"
                .to_owned(),
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
            Self::Year => json!({ "type": "integer", "minimum": 1, "maximum": 9999 }),
            Self::Text(most) | Self::Words(most) => {
                json!({ "type": "string", "maxLength": most })
            }
            Self::Name(_) => Self::Text(MAX_NAME_LENGTH).schema(),
            Self::Ids => {
                let more = MAX_IDS - 1;
                json!({ "type": "string", "pattern": format!("^{ULID}(,{ULID}){{0,{more}}}$") })
            }
            Self::Choice(words) => json!({ "type": "string", "enum": words }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Facets => {
                let name = format!("({})", facet_names("|"));
                json!({ "type": "string", "pattern": format!("^{name}(,{name})*$") })
            }
            Self::Limit => json!({
                "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT,
            }),
            Self::Cursor => json!({
                "type": "string", "pattern": format!("^[0-9a-f]{{{CURSOR_LENGTH}}}$"),
            }),
            Self::Instant => json!({ "type": "string" }),
            Self::ChangesCursor => json!({
                "type": "string", "pattern": format!("^[0-9a-f]{{{CHANGES_CURSOR_LENGTH}}}$"),
            }),
        }
    }
}
