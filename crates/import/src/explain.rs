//! What an import makes of its inputs, for someone who has yet to decide: the columns, and what the rows hold.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::raw::as_word;
use contract::{model::Day, text::printable};

/// Different ratings and businesses that are counted one by one.
const COUNTED: usize = 1000;
/// Characters of a value that are shown.
const LONGEST_SAMPLE: usize = 30;
/// Values of a column that are shown.
const SAMPLES: usize = 3;

/// What was read, whether it can be imported or not.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// The columns of the files, those with the same columns as one.
    pub tables: Vec<ExplainedTable>,
    /// Rows that were read as reviews, those that are left out among them.
    pub rows: u64,
    /// How many rows have each rating, as the files write it.
    pub ratings: BTreeMap<String, u64>,
    /// The first and the last day of the reviews; `None` without reviews.
    pub days: Option<(Day, Day)>,
    /// How many dates are known to the day, the month and the year.
    pub precisions: BTreeMap<&'static str, u64>,
    /// How many reviews come from each platform.
    pub sources: BTreeMap<String, u64>,
    /// How many reviews are about each business, by its name or else its id.
    pub businesses: BTreeMap<String, u64>,
    /// How often each status occurs.
    pub statuses: Vec<String>,
    /// How many reviews state each language.
    pub languages: BTreeMap<String, u64>,
    /// Reviews with an id of their source.
    pub with_id: u64,
    /// Of those, reviews whose id a stored review has; and in how many something else agrees with it.
    /// `None` where the import was refused before.
    pub known: Option<(u64, u64)>,
}

/// The columns of one or more files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedTable {
    /// The first of the files.
    pub file: String,
    /// The files after it that have the same columns.
    pub more_files: u64,
    /// Its columns, in their order.
    pub columns: Vec<ExplainedColumn>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedColumn {
    /// Its name, or the dotted path of a key.
    pub column: String,
    /// The field that it is read as; `None` if it is not read.
    pub field: Option<&'static str>,
    /// Why it is read so.
    pub why: &'static str,
    /// A few of its values; none of a column that is never read.
    pub samples: Vec<String>,
}

impl ExplainedColumn {
    pub(super) fn new<'v>(
        column: &str,
        field: Option<&'static str>,
        why: &'static str,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> Self {
        let mut samples: Vec<String> = Vec::new();
        for value in values {
            let sample = shown(&as_word(value).unwrap_or_else(|| value.to_string()));
            if !samples.contains(&sample) {
                samples.push(sample);
            }
            if samples.len() == SAMPLES {
                break;
            }
        }
        Self { column: shown(column), field, why, samples }
    }
}

impl Explanation {
    pub(super) fn add_table(&mut self, file: &str, columns: Vec<ExplainedColumn>) {
        let names = |columns: &[ExplainedColumn]| -> Vec<_> {
            columns.iter().map(|column| (column.column.clone(), column.field)).collect()
        };
        let own = names(&columns);
        match self.tables.iter_mut().find(|table| names(&table.columns) == own) {
            Some(table) => table.more_files += 1,
            None => {
                self.tables.push(ExplainedTable { file: file.to_owned(), more_files: 0, columns })
            }
        }
    }

    pub(super) fn count_rating(&mut self, rating: Option<&Value>) {
        let text = rating.map(|value| as_word(value).unwrap_or_else(|| value.to_string()));
        count(&mut self.ratings, &shown(&text.unwrap_or_else(|| "none".to_owned())));
    }
}

/// Counts a value among not too many.
pub(super) fn count(counts: &mut BTreeMap<String, u64>, value: &str) {
    if let Some(count) = counts.get_mut(value) {
        *count += 1;
    } else if counts.len() < COUNTED {
        counts.insert(value.to_owned(), 1);
    } else {
        *counts.entry("…".to_owned()).or_default() += 1;
    }
}

/// A value in one short line.
pub(super) fn shown(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(LONGEST_SAMPLE) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text).to_string(),
    }
}
