//! Reads lists of answers: `replies: [{text, date, role}]`.

use serde_json::Value;

use crate::{
    columns::is_owners,
    raw::{Answer, Row, as_text},
    rows::Cells,
    table,
};
use content::Field;

/// The names of the text and of the date of an answer, the likelier first.
const TEXTS: [&str; 7] = ["text", "comment", "body", "content", "message", "reply", "response"];
const DATES: [&str; 7] =
    ["updated at", "date", "created at", "published at", "time", "timestamp", "created"];
/// The ends of names of what says who wrote an answer.
const WRITERS: [&str; 3] = ["type", "role", "kind"];

/// The answers of the list in the first of these columns that has one, without those that are not known to be the
/// owner's: the name of the list says so, or a value beside the answer.
pub(super) fn of_owner(row: Row<'_>, columns: &[&str]) -> Option<Vec<Answer>> {
    let list = |column: &str| row.at(column)?.as_array().filter(|list| !list.is_empty());
    let (column, list) = columns.iter().find_map(|column| Some((column, list(column)?)))?;
    let is_owners_list = is_owners(column);
    let answer = |answer: &Value| match answer {
        Value::Object(cells) if is_owners_list || says_owner(cells, 0) => {
            Some((as_text(named(cells, &TEXTS)?)?, named(cells, &DATES).cloned()))
        }
        text => Some((as_text(text).filter(|_| is_owners_list)?, None)),
    };
    Some(list.iter().filter_map(answer).collect())
}

/// What an object says in the column of a name, of stars or of a text.
pub(super) fn inner(field: Field, value: &Value) -> Option<&Value> {
    let names: &[&str] = match field {
        Field::Author => &["name", "display name", "full name"],
        Field::Rating => &["value", "stars", "score", "rating"],
        _ => &TEXTS,
    };
    named(value.as_object()?, names)
}

/// The value of the first of these names that has one.
fn named<'c>(cells: &'c Cells, names: &[&str]) -> Option<&'c Value> {
    let of = |name: &str| cells.iter().find(|(key, _)| table::spaced(key) == name);
    names.iter().find_map(|name| of(name)).map(|(_, value)| value)
}

/// Whether a value says that the owner wrote the answer: `is_owner: true`, `author: {type: "business"}`.
fn says_owner(cells: &Cells, depth: usize) -> bool {
    cells.iter().any(|(key, value)| match value {
        Value::Bool(is) => *is && is_owners(key),
        Value::String(word) => {
            WRITERS.iter().any(|writer| table::spaced(key).ends_with(writer)) && is_owners(word)
        }
        Value::Object(inner) => depth == 0 && says_owner(inner, 1),
        _ => false,
    })
}
