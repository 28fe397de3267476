use std::{cell::RefCell, ops::ControlFlow, sync::atomic::Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MAX_REJECTIONS, Reading, StagedRow, TombstoneIndex};
use crate::{
    content::ColumnMap,
    import::{
        ImportError, Run,
        format::Header,
        index::{Index, RowPlace},
        normalise::{Fault, Rules, normalise, rating},
        raw::{Raw, Row},
        report::Rejection,
        rows::{At, Cells, Rows, Table, Unreadable},
        store::TempFile,
    },
};

/// Where in its file a row stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct RowPosition {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in super::super) line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in super::super) pointer: Option<String>,
}

impl RowPosition {
    fn of(at: &At) -> Self {
        Self { line: at.line(), pointer: at.pointer() }
    }
}

/// Judges the rows of one file and puts them aside.
pub(super) struct Collector<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) tombstone_index: &'a TombstoneIndex,
    pub(super) temp_file: &'a mut TempFile,
    pub(super) index: &'a mut Index,
    pub(super) reading: RefCell<&'a mut Reading>,
    pub(super) rules: Rules<'a>,
    pub(super) map: &'a ColumnMap,
    pub(super) folder: &'a str,
    /// The file's first row in the index.
    pub(super) first: usize,
    pub(super) header: Header,
    /// Where the file is CSV.
    pub(super) table: Option<Table>,
    /// Why the reading was broken off.
    pub(super) failure: Option<ImportError>,
}

impl Rows for Collector<'_> {
    fn row(&mut self, at: At, cells: Cells, place: Option<&Cells>) -> ControlFlow<()> {
        if self.run.interrupted.load(Ordering::Relaxed) {
            self.failure = Some(ImportError::Interrupted);
            return ControlFlow::Break(());
        }
        let taken = self.take(&at, Row { cells: &cells, place });
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn broken(&mut self, at: At, reason: String) -> ControlFlow<()> {
        let help = "correct the row or remove it".to_owned();
        let fault = Fault { field: String::new(), code: "no-review", reason, help };
        self.reject(&RowPosition::of(&at), 0, vec![fault]);
        ControlFlow::Continue(())
    }

    fn table(&mut self, table: &Table) {
        self.table = Some(table.clone());
    }

    fn empty(&mut self) {
        self.reading.borrow_mut().empty += 1;
    }

    fn header(&mut self, header: &Cells) {
        self.header = self.rules.format.header(header);
    }
}

impl Collector<'_> {
    fn take(&mut self, at: &At, row: Row<'_>) -> Result<(), ImportError> {
        let format = self.rules.format;
        let Some(mut raw) = format.row(row, self.map) else {
            self.empty();
            return Ok(());
        };
        let location = {
            let reading = &mut **self.reading.borrow_mut();
            let file = reading.files.last_mut().ok_or(ImportError::Interrupted)?;
            for (column, seen) in file.columns.iter_mut().filter(|(_, seen)| !seen) {
                *seen = row.at(column).is_some();
            }
            file.replies |= raw.reply.is_some();
            file.claimed_total = file.claimed_total.max(raw.claimed_total);
            reading.locations.number(format, raw.location.take(), self.folder)
        };
        let position = RowPosition::of(at);
        if let Some(lines) = self.swallowed_rows(row.cells, &raw) {
            let reading = &mut **self.reading.borrow_mut();
            let (line, file) =
                (position.line.unwrap_or(0), reading.files.last().map(|file| &file.name));
            reading.warnings.push(format!(
                "{}:{line}: {lines} lines within a text look like rows of the table; a quote may be missing, so look at the row",
                file.map_or("", String::as_str)
            ));
        }
        let mut remarks = Vec::new();
        let outcome = normalise(raw, &self.rules, &mut remarks);
        match outcome {
            Err(faults) => self.reject(&position, location, faults),
            Ok(row) => {
                let reading = &mut **self.reading.borrow_mut();
                for remark in remarks {
                    *reading.remarks.entry(remark).or_default() += 1;
                }
                let number = reading.files.len() - 1;
                let file = &mut reading.files[number];
                file.rows += 1;
                let (revives, forgotten) = match self.tombstone_index.look_up(&row) {
                    Some((tombstone, forgotten)) => (tombstone + 1, forgotten),
                    None => (0, false),
                };
                let waiting = StagedRow { row, position };
                let bytes = serde_json::to_vec(&waiting).map_err(ImportError::internal)?;
                let span = self.temp_file.append(&bytes)?;
                let file_number = u32::try_from(number).unwrap_or(u32::MAX);
                let place = RowPlace {
                    span,
                    unit: file.unit,
                    file: file_number,
                    location,
                    forgotten,
                    revives,
                };
                self.index.add_row(&waiting.row, place);
            }
        }
        Ok(())
    }

    /// How many lines of a cell look like rows of their own; `None` below two.
    fn swallowed_rows(&self, cells: &Cells, raw: &Raw) -> Option<usize> {
        let (table, rating) = (self.table.as_ref()?, raw.rating.as_ref()?);
        let best = raw.best.as_ref().map(|best| &best.value);
        let is_rating = |cell: &str| rating::read(&Value::from(cell), best).is_ok();
        let texts = cells.values().filter_map(Value::as_str);
        let lines = texts.map(|text| table.rows_within(text, &rating.field, is_rating));
        lines.max().filter(|&lines| lines >= 2)
    }

    fn reject(&mut self, position: &RowPosition, location: u32, faults: Vec<Fault>) {
        let reading = &mut **self.reading.borrow_mut();
        let Some(file) = reading.files.last() else { return };
        reading.rejected += 1;
        if reading.rejections.len() >= MAX_REJECTIONS {
            return;
        }
        for fault in faults {
            let Fault { field, code, reason, help } = fault;
            reading.rejections.push(Rejection {
                file: file.name.clone(),
                line: position.line,
                pointer: position.pointer.clone(),
                field: Some(field).filter(|field| !field.is_empty()),
                code,
                reason,
                help,
                unit: file.unit,
                location,
            });
        }
    }

    /// After the last row: what the rest of the document says of all of them.
    pub(super) fn finish(mut self, outcome: Result<(), Unreadable>) -> Result<(), ImportError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        match outcome {
            Ok(()) => {}
            Err(Unreadable::Io(error)) => {
                let reading = self.reading.borrow();
                let name = reading.files.last().map_or("", |file| &file.name);
                return Err(ImportError::Read(name.to_owned(), error.to_string()));
            }
            Err(Unreadable::Syntax { line, column, reason }) => {
                let position = RowPosition { line: Some(line as u64), pointer: None };
                let place = if column > 0 { format!("column {column}: ") } else { String::new() };
                let reason = format!("{place}the file cannot be read on: {reason}");
                self.unreadable(&position, reason, "download the export again");
            }
            Err(Unreadable::Encoding(reason)) => {
                let help = "save the file as UTF-8 and import it again";
                self.unreadable(&RowPosition::default(), reason.to_owned(), help);
            }
        }
        self.finish_header();
        Ok(())
    }

    fn unreadable(&mut self, position: &RowPosition, reason: String, help: &str) {
        let fault =
            Fault { field: String::new(), code: "unreadable", reason, help: help.to_owned() };
        self.reject(position, 0, vec![fault]);
    }

    fn finish_header(&mut self) {
        let reading = &mut **self.reading.borrow_mut();
        let Header { location, claimed_total, goes_on } = std::mem::take(&mut self.header);
        let Some(file) = reading.files.last_mut() else { return };
        file.claimed_total = file.claimed_total.max(claimed_total);
        file.goes_on = goes_on;
        if let Some(location) = location {
            let number = reading.locations.number(self.rules.format, Some(location), self.folder);
            for node in &mut self.index.nodes[self.first..] {
                if node.location == 0 {
                    node.location = number;
                }
            }
        }
    }
}
