//! The parameters that only tools have, and their parsers.

use std::borrow::Cow;

use super::{
    Filter, Given, Issue, Kind, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, Parameter, Search, Sort,
    Subject, search::Values,
};

const LIMIT: Parameter = Parameter {
    name: "limit",
    kind: Kind::Limit,
    description: "How many to return at most.",
    example: "50",
};

/// The parameters of `get_reviews_since`.
pub const SINCE: &[Parameter] = &[
    super::SINCE_DATE,
    LIMIT,
    Parameter {
        name: "cursor",
        kind: Kind::Cursor,
        description: "The page after the one whose `next_cursor` this is. Send it with the same \
                      `date`; `limit` may change.",
        example: "07e9010901942a00000000000000000000000000053c5d1f0e9b42a7d3180c",
    },
];

/// The parameters of `compare_businesses`, which are those of a search.
pub const COMPARE: &[Parameter] = &[
    super::parameter::WORDS,
    Parameter {
        name: "since",
        kind: Kind::Day,
        description: "Only reviews of this day or later.",
        example: "2026-01-01",
    },
];

/// The parameters of `get_changes`.
pub const CHANGES: &[Parameter] = &[
    Parameter {
        name: "since",
        kind: Kind::Instant,
        description: "Only changes at this instant or later. A day begins at midnight UTC.",
        example: "2026-01-01",
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

/// The id of a review.
pub const REVIEW_ID: Parameter = Parameter {
    name: "id",
    kind: Kind::Text(MAX_NAME_LENGTH),
    description: "The review's `id`, 26 letters and digits, as every list of reviews gives it.",
    example: "01JH0000000000000000000007",
};

/// The words of `search`, the tool of ChatGPT's connectors.
pub const CONNECTOR_QUERY: Parameter = Parameter {
    name: "query",
    kind: Kind::Text(MAX_NEEDLE_LENGTH),
    description: "Whole words that the reviews contain.",
    example: "on time",
};

/// The id or label of an aspect.
pub const ASPECT: Parameter = Parameter {
    name: "aspect",
    kind: Kind::Name(Subject::Aspect),
    description: "The aspect's id or label.",
    example: "punctuality",
};

/// The name or id of a technician.
pub const TECHNICIAN: Parameter = Parameter {
    name: "technician",
    kind: Kind::Name(Subject::Technician),
    description: "The technician, who may have retired: id, name, or an alias or first name that \
                  only one has.",
    example: "maria-lopez",
};

/// The id or label of a service.
pub const SERVICE: Parameter = Parameter {
    name: "service",
    kind: Kind::Name(Subject::Service),
    description: "The service: id, label, or an alias that only one has.",
    example: "drain-cleaning",
};

/// The words of a question.
pub const FAQ_QUERY: Parameter = Parameter {
    name: "query",
    kind: Kind::Text(MAX_NEEDLE_LENGTH),
    description: "Only questions and answers that contain each of these words, capital or small \
                  letters alike. Without it, all of them.",
    example: "weekend",
};

impl Search {
    /// Parses the arguments of [`SINCE`]. Without a date there are no filters.
    ///
    /// # Errors
    /// With all issues, in the order of [`SINCE`].
    pub fn parse_since<'a>(
        given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
    ) -> Result<Self, Vec<Issue>> {
        let mut values = Values::collect(SINCE, given);
        let since = values.read("date", Given::day);
        let filter = Filter { since, ..Filter::default() };
        let search = values.page_of(filter, Sort::Newest)?;
        Ok(Self { ignored: Vec::new(), ..search })
    }
}

/// Parses the only argument of a tool that takes a word or a name; `None` if it is absent.
///
/// # Errors
/// When the value is not text, or too long.
pub fn word<'a>(
    table: &'static [Parameter; 1],
    given: impl IntoIterator<Item = (Cow<'a, str>, Given<'a>)>,
) -> Result<Option<String>, Vec<Issue>> {
    let mut values = Values::collect(table, given);
    let [parameter] = table;
    let most = match parameter.kind {
        Kind::Text(most) => most,
        Kind::Name(_) => MAX_NAME_LENGTH,
        _ => usize::MAX,
    };
    let word = values.read(parameter.name, |given| given.short_text(most).map(str::to_owned));
    if values.issues.is_empty() { Ok(word) } else { Err(values.issues) }
}
