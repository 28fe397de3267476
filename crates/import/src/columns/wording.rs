//! Maps as messages show them.

use super::{
    Columns, is_of_ids,
    values::{is_date, is_rating},
};
use crate::error::Refusal;
use content::{ColumnMap, Field, NO_COLUMN};
use serde_json::Value;

/// The fields without which there is no review.
pub(super) const REQUIRED: [Field; 3] = [Field::Author, Field::Rating, Field::Date];

impl Columns<'_> {
    /// Refuses columns that do not make reviews. `map`: what is known of them.
    pub(in super::super) fn unknown(&self, reason: String, map: &ColumnMap) -> Refusal {
        let first = || self.all.iter().map(|column| Value::from(&*column.path));
        if first().any(|name| is_rating(&name)) && first().any(|name| is_date(&name)) {
            let reason = "its first line is a review, and not the names of the columns".to_owned();
            let help = "add a line above it that names them, such as author,rating,date,text";
            return Refusal::new(reason, help.to_owned());
        }
        let map = confirmation(&self.with_gaps(map));
        let help = format!(
            "candor help import-formats lists the known formats; name one with --format, or say which column means what with {map}"
        );
        Refusal::new(reason, help).answered_by(map)
    }
}

/// Whether a map has the fields without which there is no review.
pub(in super::super) fn is_complete(map: &ColumnMap) -> bool {
    REQUIRED.iter().all(|field| map.columns.contains_key(field))
}

pub(super) fn pairs(map: &ColumnMap) -> String {
    let pair = |(field, column): (&Field, &String)| format!("{}={column}", field.word());
    map.columns.iter().map(pair).collect::<Vec<_>>().join(",")
}

/// Words the remedy that gives a map by hand: an option that can be pasted into a shell, or `import.toml` if
/// a name cannot be written in an option.
pub(in super::super) fn confirmation(map: &ColumnMap) -> String {
    let pairs = pairs(map);
    let is_plain = |c: char| c.is_alphanumeric() || "=,._-/+…".contains(c);
    let in_names = |c: char| map.columns.values().any(|column| column.contains(c));
    if in_names(',') || pairs.contains(char::is_control) {
        let pair = |(field, column): (&Field, &String)| format!("{} = {column:?}", field.word());
        let pairs: Vec<String> = map.columns.iter().map(pair).collect();
        return format!(
            "a [[map]] of content/import.toml with name = \"mine\" and columns = {{ {} }}",
            pairs.join(", ")
        );
    }
    if pairs.chars().all(is_plain) {
        format!("--map {pairs}")
    } else if pairs.contains(|c| "\"$`\\!".contains(c)) {
        format!("--map {}", quoted(&pairs))
    } else {
        format!("--map \"{pairs}\"")
    }
}

/// A text as one word of a shell.
pub(in super::super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The column a guess takes for the name of the business, and the confirmation that it is not;
/// `None` where there is none, or the column is one of ids.
pub(in super::super) fn doubtful_location(map: &ColumnMap) -> Option<(String, String)> {
    let column = map.columns.get(&Field::Location).filter(|column| *column != NO_COLUMN)?;
    if is_of_ids(column) {
        return None;
    }
    Some((column.clone(), without(map, Field::Location)))
}

/// The map with the ratings in a column `stars`; `None` for a format that has its own column of ratings.
pub(in super::super) fn with_stars(map: &ColumnMap) -> Option<String> {
    let mut map = map.clone();
    map.columns.insert(Field::Rating, "stars".to_owned()).map(|_| confirmation(&map))
}

/// The confirmation of a map in which no column has this field.
pub(in super::super) fn without(map: &ColumnMap, field: Field) -> String {
    let mut without = map.clone();
    let column = without.columns.insert(field, NO_COLUMN.to_owned());
    without
        .columns
        .retain(|other, of_other| *other == field || Some(&*of_other) != column.as_ref());
    if field == Field::Location {
        without.columns.remove(&Field::LocationName);
    }
    confirmation(&without)
}
