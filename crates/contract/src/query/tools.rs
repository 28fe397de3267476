//! What only tools take: their parameters, and the reading of them.

use std::borrow::Cow;

use super::{
    Filter, Given, Issue, Kind, MAX_LIMIT, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, Parameter, Search,
    parameter::DEFAULT_LIMIT,
    search::{Values, position},
};

const LIMIT: Parameter = Parameter {
    name: "limit",
    kind: Kind::Limit,
    description: "How many to return at most.",
    example: "50",
};

/// The parameters of the reviews since a day.
pub const SINCE: &[Parameter] = &[
    super::SINCE_DATE,
    LIMIT,
    Parameter {
        name: "cursor",
        kind: Kind::Cursor,
        description: "The page after the one whose `next_cursor` this is. Send it with the same \
                      `date`; `limit` may change.",
        example: "07e9010901942a000000000000000000000000003c5d1f0e9b42a7d3180c",
    },
];

/// The parameters of the list of changes.
pub const CHANGES: &[Parameter] = &[
    Parameter {
        name: "since",
        kind: Kind::Instant,
        description: "Only changes at this instant or later.",
        example: "2026-01-01T00:00:00Z",
    },
    LIMIT,
    Parameter {
        name: "cursor",
        kind: Kind::ChangesCursor,
        description: "The page after the one whose `next_cursor` this is. Send it with the same \
                      `since`; `limit` may change.",
        example: "",
    },
];

/// A review by its id.
pub const REVIEW_ID: Parameter = Parameter {
    name: "id",
    kind: Kind::Text(MAX_NAME_LENGTH),
    description: "The review's `id`, 26 letters and digits, as every list of reviews gives it.",
    example: "01JH0000000000000000000007",
};

/// A subject customers speak of.
pub const ASPECT: Parameter = Parameter {
    name: "aspect",
    kind: Kind::Text(MAX_NAME_LENGTH),
    description: "The aspect's id or label, capital or small letters alike.",
    example: "punctuality",
};

/// Somebody who works for the business.
pub const TECHNICIAN: Parameter = Parameter {
    name: "technician",
    kind: Kind::Text(MAX_NAME_LENGTH),
    description: "The technician's id or name, capital or small letters alike. `get_business` \
                  lists them.",
    example: "maria-lopez",
};

/// Something the business does.
pub const SERVICE: Parameter = Parameter {
    name: "service",
    kind: Kind::Text(MAX_NAME_LENGTH),
    description: "The service's id or label, capital or small letters alike. `get_business` lists \
                  them.",
    example: "drain-cleaning",
};

/// Words of a question.
pub const FAQ_QUERY: Parameter = Parameter {
    name: "query",
    kind: Kind::Text(MAX_NEEDLE_LENGTH),
    description: "Only questions and answers that contain each of these words, capital or small \
                  letters alike. Without it, all of them.",
    example: "weekend",
};

impl Search {
    /// Reads the arguments of [`SINCE`]; without a date there are no filters.
    ///
    /// # Errors
    /// With everything that is wrong, in the order of [`SINCE`].
    pub fn parse_since<'a>(
        given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
    ) -> Result<Self, Vec<Issue>> {
        let mut values = Values::collect(SINCE, given);
        let since = values.read("date", Given::day);
        let filter = Filter { since, ..Filter::default() };
        let known = values.issues.is_empty().then_some(&filter);
        let limit = values.read("limit", |given| given.count(MAX_LIMIT));
        let after = values.read("cursor", |given| position(given, known));
        match values.issues.is_empty() {
            true => Ok(Self {
                filter,
                limit: limit.unwrap_or(DEFAULT_LIMIT),
                after,
                ignored: Vec::new(),
            }),
            false => Err(values.issues),
        }
    }
}

/// Reads the one argument of a tool that takes a word or a name; `None` where it is absent.
///
/// # Errors
/// When it is no text, or too long.
pub fn word<'a>(
    table: &'static [Parameter; 1],
    given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
) -> Result<Option<String>, Vec<Issue>> {
    let mut values = Values::collect(table, given);
    let [parameter] = table;
    let most = match parameter.kind {
        Kind::Text(most) => most,
        _ => usize::MAX,
    };
    let word = values.read(parameter.name, |given| given.short_text(most).map(str::to_owned));
    match values.issues.is_empty() {
        true => Ok(word),
        false => Err(values.issues),
    }
}
