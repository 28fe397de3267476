use std::{io::Read, ops::ControlFlow};

use csv::{ByteRecord, ErrorKind, ReaderBuilder};
use serde_json::Value;

use super::{At, Cells, Rows, Unreadable};

pub(super) fn read(
    reader: impl Read,
    delimiter: u8,
    rows: &mut dyn Rows,
) -> Result<(), Unreadable> {
    let mut table = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .buffer_capacity(1 << 16)
        .from_reader(reader);
    let header = table.byte_headers().map_err(unreadable)?.clone();
    let columns: Vec<String> =
        header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
    columns.iter().filter(|column| !column.is_empty()).for_each(|column| rows.key(column));
    let mut record = ByteRecord::new();
    while table.read_byte_record(&mut record).map_err(unreadable)? {
        let line = record.position().map_or(0, csv::Position::line);
        let flow = match cells(&columns, &record) {
            Ok(Some(cells)) => rows.row(At::Line(line), cells, None),
            Ok(None) => {
                rows.empty();
                ControlFlow::Continue(())
            }
            Err(reason) => rows.broken(At::Line(line), reason),
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// The cells by column, blank ones left out; `None` for a row without any. A column without a name,
/// as an index column has none, is left out too.
fn cells(columns: &[String], record: &ByteRecord) -> Result<Option<Cells>, String> {
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
        let cell = str::from_utf8(cell)
            .map_err(|_| format!("the cell {column:?} is not UTF-8; save the file as UTF-8"))?;
        // Of two columns with one name the first counts.
        if !column.is_empty() && !cell.trim().is_empty() && !cells.contains_key(column) {
            cells.insert(column.clone(), Value::from(cell));
        }
    }
    Ok(Some(cells))
}

fn unreadable(error: csv::Error) -> Unreadable {
    let position = error.position().cloned();
    match error.into_kind() {
        ErrorKind::Io(error) => Unreadable::Io(error),
        kind => Unreadable::Syntax {
            line: position.map_or(0, |at| usize::try_from(at.line()).unwrap_or(0)),
            column: 1,
            reason: format!("{kind:?}"),
        },
    }
}
