//! One review as an export has it, its fields named but not yet validated.

use serde::Serialize;
use serde_json::Value;

use super::{error::Refusal, rows::Cells, table};

/// A row as the reader of its format returns it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct RawReview {
    /// The platform; the format's own where it is `None`.
    pub(super) source: Option<String>,
    /// The column and the value that tell whether a shop shows it.
    #[serde(skip)]
    pub(super) status: Option<(String, String)>,
    /// Whether a column marks it as one of a verified purchase.
    #[serde(skip)]
    pub(super) purchase: bool,
    /// The precision of the date, and the connection to disclose, in Candor's words.
    #[serde(skip)]
    pub(super) precision: Option<String>,
    #[serde(skip)]
    pub(super) disclosure: Option<String>,
    /// Whether the row says that the owner wrote it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_owners: bool,
    /// The field that it has in several languages, and the reason why none of them is taken.
    #[serde(skip)]
    pub(super) unclear: Option<(String, Refusal)>,
    /// Whether it is of another kind: a question, a note.
    #[serde(skip)]
    pub(super) is_other: bool,
    /// Whether the author wants no name.
    #[serde(skip)]
    pub(super) is_anonymous: bool,
    /// The id of the review that it answers.
    #[serde(skip)]
    pub(super) answer_to: Option<String>,
    /// The business it is about.
    pub(super) location: Option<Location>,
    /// Every id the row carries, as it is written there.
    pub(super) ids: Vec<String>,
    pub(super) author: Option<String>,
    pub(super) author_id: Option<String>,
    pub(super) avatar: Option<String>,
    pub(super) rating: Option<NamedValue>,
    /// The best rating there is, where that is not 5.
    pub(super) best: Option<NamedValue>,
    pub(super) date: Option<NamedValue>,
    pub(super) updated: Option<NamedValue>,
    pub(super) title: Option<String>,
    pub(super) text: Option<String>,
    pub(super) translation: Option<(String, Option<String>)>,
    pub(super) language: Option<String>,
    pub(super) url: Option<String>,
    pub(super) reply: Option<String>,
    pub(super) reply_date: Option<NamedValue>,
    /// The reply is a draft, or for the customer alone.
    pub(super) is_reply_private: bool,
    /// The answers of a list that are the owner's; `None` where there is no list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<Vec<Answer>>,
    /// The number of reviews that the business has, as the source states.
    pub(super) claimed_total: Option<u64>,
    /// The average of all of them, as the source states.
    #[serde(skip)]
    pub(super) claimed_average: Option<f64>,
}

/// An answer of a list, with its date.
pub(super) type Answer = (String, Option<Value>);

/// A business in an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(super) struct Location {
    pub(super) id: String,
    pub(super) name: Option<String>,
}

/// A value with the name of its field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct NamedValue {
    pub(super) field: String,
    pub(super) value: Value,
}

/// A row's cells with those of the object around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) cells: &'a Cells,
    pub(super) place: Option<&'a Cells>,
}

impl<'a> Row<'a> {
    /// The value at a dotted path; `null` and blank texts are absent. Tables flatten an object's keys
    /// with dots or slashes.
    pub(super) fn at(&self, path: &str) -> Option<&'a Value> {
        find(self.cells, path)
    }

    /// The value as a text.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.at(path).and_then(as_text)
    }

    /// The first of these that has a text.
    pub(super) fn first_text(&self, paths: &[&str]) -> Option<String> {
        paths.iter().find_map(|path| self.text(path))
    }

    /// The first of these that has a value, with its name.
    pub(super) fn first(&self, paths: &[&str]) -> Option<NamedValue> {
        paths.iter().find_map(|path| {
            self.at(path)
                .map(|value| NamedValue { field: (*path).to_owned(), value: value.clone() })
        })
    }

    /// A text of the object around the row, or else of the row.
    pub(super) fn place_text(&self, paths: &[&str]) -> Option<String> {
        let around = paths.iter().find_map(|path| find(self.place?, path).and_then(as_text));
        around.or_else(|| self.first_text(paths))
    }

    /// A value of the object around the row, or else of the row.
    pub(super) fn place_value(&self, path: &str) -> Option<&'a Value> {
        self.place.and_then(|place| find(place, path)).or_else(|| self.at(path))
    }
}

/// The value at a dotted path of some cells.
pub(super) fn find<'a>(cells: &'a Cells, path: &str) -> Option<&'a Value> {
    let present = |value: &&Value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    };
    if let Some(value) = cells.get(path) {
        return Some(value).filter(present);
    }
    let (head, rest) = path.split_once('.')?;
    match cells.get(head) {
        Some(Value::Object(inner)) => find(inner, rest),
        Some(_) => None,
        None => cells.get(&path.replace('.', "/")).filter(present),
    }
}

/// The texts of an object that has one in each language: `{"en": "…", "de": "…"}`.
pub(super) fn by_language(value: &Value) -> Option<&Cells> {
    let is_known = |tag: &str| table::words(table::COLUMNS, "languages").any(|known| known == tag);
    let is_tag = |key: &String| key.split(['-', '_']).next().is_some_and(is_known);
    value.as_object().filter(|cells| !cells.is_empty() && cells.keys().all(is_tag))
}

/// Texts as they are, numbers as they are written.
pub(super) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reads a text, a number, `true` or `false`.
pub(super) fn as_word(value: &Value) -> Option<String> {
    as_text(value).or_else(|| value.as_bool().map(|is| is.to_string()))
}

/// A count written as a number or a text.
pub(super) fn as_count(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_u64(),
    }
}

/// An average of stars from 1 to 5, with one or two decimals.
pub(super) fn as_average(value: &Value) -> Option<f64> {
    let average: f64 = as_text(value)?.trim().parse().ok()?;
    (1.0..=5.0).contains(&average).then(|| (average * 100.0).round() / 100.0)
}
