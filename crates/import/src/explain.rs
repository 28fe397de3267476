//! Explains an import before it is made: how each column is read, and what the rows contain.

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

/// The columns and rows of the inputs, whether they can be imported or not.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Explanation {
    /// The columns of the files, those with the same columns as one.
    pub tables: Vec<ExplainedTable>,
    /// Rows that were read as reviews, those that are left out among them.
    pub rows: u64,
    /// The number of rows with each rating, as the files write it.
    pub ratings: BTreeMap<String, u64>,
    /// The first and the last day of the reviews; `None` without reviews.
    pub days: Option<(Day, Day)>,
    /// The number of dates that are known to the day, the month and the year.
    pub precisions: BTreeMap<&'static str, u64>,
    /// The number of reviews of each platform.
    pub sources: BTreeMap<String, u64>,
    /// The number of reviews about each business, by its name or else its id.
    pub businesses: BTreeMap<String, u64>,
    /// Sentences about the files, such as the number of rows with each status.
    pub statuses: Vec<String>,
    /// The number of reviews that state each language.
    pub languages: BTreeMap<String, u64>,
    /// Reviews with an id of their source.
    pub with_id: u64,
    /// Those of them whose id a stored review has; and how many of these agree with it in something else.
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
    /// The columns, in the order of the file.
    pub columns: Vec<ExplainedColumn>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedColumn {
    /// The name of the column, or the dotted path of a key.
    pub column: String,
    /// The field that it is read as; `None` if it is not read.
    pub field: Option<&'static str>,
    /// The reason why it is read so.
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
