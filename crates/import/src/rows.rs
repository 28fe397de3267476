//! Reads rows: one object per review, with its location in the file. `format` knows what the keys mean.

mod allowance;
mod csv;
mod html;
mod json;
mod microdata;

use std::{
    io::{self, BufRead, Read},
    ops::ControlFlow,
    rc::Rc,
};

use serde_json::{Map, Value};

pub(super) use json::is_review_node;

/// The column of the names of the lists of a document.
pub(super) const LIST_KEY: &str = "key";

/// One row's keys and values. A table's cells are texts.
pub(super) type Cells = Map<String, Value>;

/// The kind of a file that has rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// A table with this delimiter, below so many lines; its first line names the columns.
    Csv(u8, u64),
    /// One JSON value a line.
    Ndjson,
    /// One JSON document.
    Json,
    /// A page with JSON-LD or microdata in it.
    Html,
}

/// The place of a row in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RowLocation {
    /// The line it begins on, from 1.
    Line(u64),
    /// The element of a list: JSON pointer of the list, number in it from 0.
    Element(Rc<str>, usize),
    /// The document itself.
    Document,
}

impl RowLocation {
    pub(super) fn element(list: &str, number: usize) -> Self {
        Self::Element(list.into(), number)
    }

    pub(super) fn line(&self) -> Option<u64> {
        match self {
            Self::Line(line) => Some(*line),
            _ => None,
        }
    }

    /// The place in a file of this name, as messages show it.
    pub(super) fn within(&self, file: &str) -> String {
        match self {
            Self::Line(line) => format!("{file}:{line}"),
            Self::Element(list, number) => format!("{file}#{list}/{number}"),
            Self::Document => file.to_owned(),
        }
    }

    /// The JSON pointer (RFC 6901).
    pub(super) fn pointer(&self) -> Option<String> {
        match self {
            Self::Element(list, number) => Some(format!("{list}/{number}")),
            Self::Document => Some(String::new()),
            Self::Line(_) => None,
        }
    }
}

/// The columns of a CSV file and their delimiter.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// The byte that separates the cells.
    delimiter: u8,
    /// The names of the columns, in their order; empty where a column has none.
    columns: Vec<String>,
}

/// Receives the rows of a file. Breaking off ends the reading.
pub(super) trait Rows {
    /// A key of the document's outermost object.
    fn key(&mut self, _key: &str) {}
    /// Receives the columns before the first row of a CSV file.
    fn table(&mut self, _table: &Table) {}
    /// A row; `place` is the object around it, which may describe the business.
    fn row(&mut self, at: RowLocation, cells: Cells, place: Option<&Cells>) -> ControlFlow<()>;
    /// Receives the place of something that is not a row, and the reason.
    fn broken(&mut self, at: RowLocation, reason: String) -> ControlFlow<()>;
    /// A cell that is not UTF-8, in this column, and was read as Windows-1252.
    fn decoded(&mut self, _at: &RowLocation, _column: &str) {}
    /// Reviews beside a list of reviews, under a key that does not say that they are of the same business.
    fn other(&mut self, _at: &RowLocation, _key: &str) {}
    /// A `null`, a blank line of a table.
    fn empty(&mut self) {}
    /// Receives the rest of the document's outermost object, at the end.
    fn header(&mut self, _header: &Cells) {}
}

/// The reason why a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    /// The disk or the connection.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is truncated, malformed or too large from here on.
    #[error("line {line}, column {column}: {reason}; {help}")]
    Syntax { line: usize, column: usize, reason: String, help: &'static str },
}

/// The remedy for a truncated or malformed file.
const DOWNLOAD_AGAIN: &str = "download the export again";

/// The remedy for a key that an object has twice.
pub(super) const DOUBLED: &str = "remove the wrong one";

/// Keys of an object that may describe the business of the rows in it. One with more does not.
pub(super) const MAX_PLACE: usize = 200;

/// Largest row: 1 MiB.
pub(super) const MAX_ROW: usize = 1 << 20;
pub(super) const ROW_TOO_LARGE: &str = "the row is larger than 1 MiB";
/// Largest page: 16 MiB. A page is held in memory; a larger one is refused, not cut.
const MAX_PAGE: u64 = 16 << 20;

/// Reads every row. Breaking off is not an error.
pub(super) fn read(
    container: Container,
    mut reader: impl BufRead,
    rows: &mut dyn Rows,
) -> Result<(), Unreadable> {
    if reader.fill_buf()?.starts_with("\u{feff}".as_bytes()) {
        reader.consume(3);
    }
    match container {
        Container::Csv(delimiter, above) => {
            for _ in 0..above {
                reader.skip_until(b'\n')?;
            }
            csv::read(reader, delimiter, above + 1, rows)
        }
        Container::Ndjson => json::read_lines(reader, rows),
        Container::Json => json::read_document(reader, rows),
        Container::Html => {
            let mut bytes = Vec::new();
            reader.take(MAX_PAGE + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > MAX_PAGE {
                return Err(io::Error::other("the page is larger than 16 MiB").into());
            }
            html::read(&String::from_utf8_lossy(&bytes), rows);
            Ok(())
        }
    }
}

/// The first column with a character that stands for one that could not be read.
pub(super) fn unreadable_column(cells: &Cells) -> Option<&str> {
    fn is_in(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\u{fffd}'),
            Value::Array(items) => items.iter().any(is_in),
            Value::Object(cells) => cells.values().any(is_in),
            _ => false,
        }
    }
    cells.iter().find(|(_, value)| is_in(value)).map(|(column, _)| column.as_str())
}

/// The bytes of all keys and texts, and one for each other value.
pub(super) fn size_of(cells: &Cells) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(of).sum(),
            Value::Object(cells) => size_of(cells),
            _ => 1,
        }
    }
    cells.iter().map(|(key, value)| key.len() + of(value)).sum()
}
