//! Reads the rows of tables.

mod quotes;

use std::{borrow::Cow, io::BufRead, ops::ControlFlow};

use csv::{ByteRecord, ErrorKind, ReaderBuilder};
use encoding_rs::WINDOWS_1252;
use serde_json::Value;

use self::quotes::{Faults, Quotes};
use super::{Cells, DOWNLOAD_AGAIN, RowLocation, Rows, Table, Unreadable};

/// Largest cell in bytes. Platforms end texts at some thousand characters; a larger cell is a part of
/// the table behind a quote that is missing.
const MAX_CELL: usize = contract::text::MAX_TEXT;

pub(super) fn read(
    reader: impl BufRead,
    delimiter: u8,
    first_line: u64,
    rows: &mut dyn Rows,
) -> Result<(), Unreadable> {
    let faults = Faults::default();
    let mut table = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .buffer_capacity(1 << 16)
        .from_reader(Quotes::new(reader, (delimiter, first_line), faults.clone()));
    let header = table.byte_headers().map_err(unreadable)?.clone();
    let columns: Vec<String> =
        header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
    columns.iter().filter(|column| !column.is_empty()).for_each(|column| rows.key(column));
    let end = table.position().byte();
    let line = faults.line(end);
    if let Some(reason) = faults.before(end) {
        let _ = rows.broken(RowLocation::Line(line), reason);
        return Ok(());
    }
    rows.table(&Table { delimiter, columns: columns.clone() });
    let mut record = ByteRecord::new();
    while table.read_byte_record(&mut record).map_err(unreadable)? {
        let end = table.position().byte();
        let line = faults.line(end);
        let row = match faults.before(end) {
            Some(reason) => Err(reason),
            None => cells(&columns, &record, &mut |column| {
                rows.decoded(&RowLocation::Line(line), column);
            }),
        };
        let flow = match row {
            Ok(Some(cells)) => rows.row(RowLocation::Line(line), cells, None),
            Ok(None) => {
                rows.empty();
                ControlFlow::Continue(())
            }
            Err(reason) => rows.broken(RowLocation::Line(line), reason),
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// The cells by column, blank ones left out; `None` for a row without any. A column without a name,
/// as an index column has none, is left out too.
fn cells(
    columns: &[String],
    record: &ByteRecord,
    decoded: &mut dyn FnMut(&str),
) -> Result<Option<Cells>, String> {
    if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
        return Ok(None);
    }
    if record.len() != columns.len() {
        return Err(format!(
            "the row has {} cells where the table has {} columns; a quote may be missing",
            record.len(),
            columns.len()
        ));
    }
    let mut cells = Cells::new();
    for (column, cell) in columns.iter().zip(record) {
        if cell.len() > MAX_CELL {
            return Err(format!(
                "the cell {column:?} has {} bytes, and {MAX_CELL} are allowed; a quote may be missing",
                cell.len()
            ));
        }
        // What was pasted from elsewhere; a file in another encoding was decoded as a whole.
        let cell = str::from_utf8(cell).map_or_else(
            |_| {
                decoded(column);
                WINDOWS_1252.decode_without_bom_handling(cell).0
            },
            Cow::from,
        );
        // Of two columns with one name the first counts.
        if !column.is_empty() && !cell.trim().is_empty() && !cells.contains_key(column) {
            cells.insert(column.clone(), Value::from(&*cell));
        }
    }
    Ok(Some(cells))
}

impl Table {
    /// The number of a column, from 0.
    pub(in super::super) fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| name == column)
    }

    /// Counts the lines of a cell that could be rows of this table themselves: as many cells as there are
    /// columns, and a value that `is_rating` in the column at `rating`.
    pub(in super::super) fn rows_within(
        &self,
        cell: &str,
        rating: usize,
        is_rating: impl Fn(&str) -> bool,
    ) -> usize {
        let delimiters = |line: &str| line.bytes().filter(|&b| b == self.delimiter).count();
        let is_row = |line: &&str| {
            if delimiters(line) + 1 < self.columns.len() {
                return false;
            }
            let mut reader = ReaderBuilder::new();
            let reader = reader.delimiter(self.delimiter).has_headers(false);
            let reader = reader.buffer_capacity(line.len());
            let row = reader.from_reader(line.as_bytes()).into_records().next();
            row.and_then(Result::ok)
                .is_some_and(|row| row.len() == self.columns.len() && is_rating(&row[rating]))
        };
        cell.lines().filter(is_row).count()
    }
}

fn unreadable(error: csv::Error) -> Unreadable {
    let position = error.position().cloned();
    match error.into_kind() {
        ErrorKind::Io(error) => Unreadable::Io(error),
        kind => Unreadable::Syntax {
            line: position.map_or(0, |at| usize::try_from(at.line()).unwrap_or(0)),
            column: 1,
            reason: format!("{kind:?}"),
            help: DOWNLOAD_AGAIN,
        },
    }
}
