//! The issues of a query.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Given, Parameter};

/// Maximum number of parameters of a request, and of arguments of a tool.
pub const MAX_PARAMETERS: usize = 64;
/// Maximum number of characters of a received name or value in a response.
const MAX_RECEIVED: usize = 200;

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Issue")]
pub struct Issue {
    /// Where it is: the parameter's name. Empty if it is the number of parameters.
    pub path: Vec<String>,
    /// What is wrong, for programs.
    pub code: Code,
    /// What would be right, for people.
    pub message: String,
    /// The value received; long values are cut.
    pub received: Value,
}

/// The kind of fault of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A number outside the allowed range.
    OutOfRange,
    /// Not of the form the parameter has.
    Malformed,
    /// Bytes that are not UTF-8 text.
    NotUtf8,
    /// More characters or words than allowed.
    TooLong,
    /// The parameter was given more than once.
    Repeated,
    /// More parameters than allowed.
    TooMany,
    /// A cursor that was made for other filters or another order.
    OtherFilters,
}

impl Issue {
    /// The issue of a value that `parameter` does not accept.
    #[must_use]
    pub(super) fn of(parameter: &Parameter, code: Code, received: &Given<'_>) -> Self {
        let (name, rule) = (parameter.name, parameter.kind.rule());
        let message = match code {
            Code::Repeated => format!("{name} must be given once"),
            Code::NotUtf8 => format!("{name} must be UTF-8 text, percent-encoded"),
            Code::OtherFilters => {
                format!(
                    "{name} belongs to other filters or another order: send those it came with, or \
                     leave it out"
                )
            }
            Code::Malformed if matches!(received, Given::BrokenEscape(_)) => {
                format!(
                    "{name} must write a percent sign as %25 unless two hexadecimal digits follow it"
                )
            }
            Code::OutOfRange | Code::Malformed | Code::TooLong | Code::TooMany => {
                format!("{name} {rule}")
            }
        };
        Self { path: vec![name.to_owned()], code, message, received: repeated(received) }
    }
}

/// The value as a response repeats it. What is long and not a string is repeated as its JSON text.
fn repeated(received: &Given<'_>) -> Value {
    match received {
        Given::Json(Value::String(text)) => shortened(text).into(),
        Given::Json(value) => match value.to_string() {
            json if json.len() > MAX_RECEIVED => shortened(&json).into(),
            _ => (*value).clone(),
        },
        Given::Text(text) | Given::NotUtf8(text) | Given::BrokenEscape(text) => {
            shortened(text).into()
        }
    }
}

/// A value of a client as a response repeats it: cut if it is long.
#[must_use]
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_RECEIVED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
