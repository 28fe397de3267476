//! Reads the sheets of an Excel workbook (.xlsx). Each becomes a CSV file in the stage, with one line for
//! each of its rows, so that a row has the same number in messages as in the workbook.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::PathBuf,
};

use ::zip::ZipArchive;
use calamine::{Data, Reader, SheetType, SheetVisible, Style, Xlsx};

mod scan;

use self::scan::PartScan;
use super::{
    SourceFile, Visit,
    unpack::{NamedArchive, UnpackBudget, reason, zip_reason},
};
use crate::{error::ImportError, rows::MAX_ROW};

/// The part that makes an archive a workbook.
pub(super) const MARK: &str = "xl/workbook.xml";
/// Largest size of the texts of all cells: 64 MiB. They are held in memory.
const MAX_TEXTS: u64 = 64 << 20;
/// Bytes that the library holds for a text beside its words.
const TEXT: u64 = 32;
/// Largest size of all other parts together, but the sheets: 16 MiB.
const MAX_OTHERS: u64 = 16 << 20;
/// The part with the texts of all cells.
const TEXTS: &str = "xl/sharedStrings.xml";
const DAMAGED: &str =
    "the workbook is damaged or has a password; save it again without a password, or as CSV";
/// Most sheets. The library looks through all parts for each of them.
const MAX_SHEETS: usize = 1_000;
/// Cells that make a row the names of columns.
const HEADER_CELLS: usize = 2;

/// Visits each sheet that has a row of column names. A sheet among several is named after the workbook.
pub(super) fn read<R: Read + Seek>(
    mut archive: ZipArchive<R>,
    named: &NamedArchive<'_>,
    budget: &UnpackBudget,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    check(&mut archive, named, budget)?;
    let unreadable = |_: calamine::XlsxError| named.unreadable(DAMAGED);
    let mut workbook = Xlsx::new(BufReader::new(archive.into_inner())).map_err(unreadable)?;
    let metadata = workbook.sheets_metadata().iter();
    let names: Vec<(String, bool)> = metadata
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| (sheet.name.clone(), sheet.visible != SheetVisible::Visible))
        .collect();
    if names.len() > MAX_SHEETS {
        return Err(
            named.unreadable("it has more than 1,000 sheets; save the one with reviews as CSV")
        );
    }
    let mut sheets = Vec::new();
    for (name, is_hidden) in names {
        if is_hidden {
            visit(SourceFile { is_hidden, ..named.item(&name, budget, io::empty()) })?;
            continue;
        }
        let path = named.stage.join(format!("sheet-{}.csv", sheets.len()));
        let file = File::create(&path).map_err(ImportError::io(&path))?;
        let mut table = Table::new(BufWriter::new(budget.guard_writer(file)));
        let mut cells = workbook.worksheet_cells_reader(&name).map_err(unreadable)?;
        while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(unreadable)? {
            let (row, column) = cell.get_position();
            let value = shown(&Data::from(cell.get_value().clone()), cells.styles().get(style));
            table.cell(row, column, value).map_err(|error| named.unreadable(error))?;
        }
        let has_columns = table.end().map_err(|error| named.unreadable(error))?;
        has_columns.then(|| sheets.push((name, path)));
    }
    visit_sheets(&sheets, named, budget, visit)
}

fn visit_sheets(
    sheets: &[(String, PathBuf)],
    named: &NamedArchive<'_>,
    budget: &UnpackBudget,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let is_one = sheets.len() == 1;
    for (name, path) in sheets {
        let reader = File::open(path).map_err(ImportError::io(path))?;
        let item = named.item(&name.replace(['/', '\\'], " "), budget, reader);
        visit(if is_one { named.whole(item) } else { item })?;
    }
    if sheets.is_empty() { visit(named.whole(named.item("", budget, io::empty()))) } else { Ok(()) }
}

/// Unpacks the parts once without keeping them: the library limits none of their sizes.
fn check<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    named: &NamedArchive<'_>,
    budget: &UnpackBudget,
) -> Result<(), ImportError> {
    let mut others = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| named.unreadable(zip_reason(error)))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let mut part = budget.guard(entry);
        let mut scan = PartScan::default();
        let io = |error: io::Error| named.unreadable(reason(&error));
        if name.starts_with("xl/worksheets/") && name.ends_with(".xml") {
            io::copy(&mut part, &mut scan).map_err(io)?;
        } else if name == TEXTS {
            let mut texts = Vec::new();
            let length = part.take(MAX_TEXTS + 1).read_to_end(&mut texts).map_err(io)? as u64;
            let too_large = || named.unreadable("its texts are larger than 64 MiB; save it as CSV");
            if length > MAX_TEXTS {
                return Err(too_large());
            }
            scan.write_all(&texts).map_err(io)?;
            if length + scan.ends * TEXT > MAX_TEXTS {
                return Err(too_large());
            }
            // The library reserves memory for as many texts as the part says that it has.
            if stated_counts(&String::from_utf8_lossy(&texts)).any(|count| count > length) {
                return Err(named.unreadable("it states more texts than it has"));
            }
        } else {
            others += io::copy(&mut part.take(MAX_OTHERS + 1), &mut io::sink()).map_err(io)?;
            if others > MAX_OTHERS {
                let reason = "its pictures and formats are larger than 16 MiB; save it as CSV";
                return Err(named.unreadable(reason));
            }
        }
    }
    Ok(())
}

fn stated_counts(part: &str) -> impl Iterator<Item = u64> {
    part.split("uniqueCount").skip(1).filter_map(|rest| {
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        // A number that is too large for its type is too large.
        (end > 0).then(|| digits[..end].parse().unwrap_or(u64::MAX))
    })
}

/// Whether cells of this style show a month and a year, and no day.
fn shows_months(style: &&Style) -> bool {
    let format = style.number_format.as_ref().map_or("", |format| &format.format_code);
    // "[$-409]mmm yyyy;@"
    let shown = format.rsplit(']').next().unwrap_or_default().to_lowercase();
    ["m", "y"].iter().all(|part| shown.contains(part)) && !shown.contains(['d', 'h', 's'])
}

/// A value as a text. A date is a month, or a day, with the time if it has one.
fn shown(value: &Data, style: Option<&Style>) -> String {
    match value {
        Data::Empty | Data::Error(_) => String::new(),
        Data::DateTime(at) if at.is_datetime() => {
            let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
            match (hour, minute, second) {
                _ if style.filter(shows_months).is_some() => format!("{year:04}-{month:02}"),
                (0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
                _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
            }
        }
        Data::DateTime(duration) => duration.as_f64().to_string(),
        value => value.to_string(),
    }
}

/// A sheet as it is written as CSV. Rows before the names of the columns become blank lines.
struct Table<W: Write> {
    out: W,
    /// The row that is being read, from 0, and its cells.
    row: u32,
    cells: Vec<(u32, String)>,
    /// Bytes of these cells.
    length: usize,
    /// The columns that have names.
    columns: Vec<u32>,
}

impl<W: Write> Table<W> {
    fn new(out: W) -> Self {
        Self { out, row: 0, cells: Vec::new(), length: 0, columns: Vec::new() }
    }

    fn cell(&mut self, row: u32, column: u32, value: String) -> io::Result<()> {
        while self.row < row {
            self.end_row()?;
        }
        let has_name = self.columns.is_empty() || self.columns.binary_search(&column).is_ok();
        // Of a row that is too large enough is kept to be rejected for that.
        if has_name && self.length <= MAX_ROW && !value.trim().is_empty() {
            self.length += value.len();
            self.cells.push((column, value));
        }
        Ok(())
    }

    fn end_row(&mut self) -> io::Result<()> {
        self.row += 1;
        // The first one of several cells at one place counts.
        self.cells.sort_by_key(|(column, _)| *column);
        if self.columns.is_empty() && self.cells.len() >= HEADER_CELLS {
            self.columns = self.cells.iter().map(|(column, _)| *column).collect();
            self.columns.dedup();
        }
        if !self.columns.is_empty() && !self.cells.is_empty() {
            for (number, column) in self.columns.iter().enumerate() {
                let first = self.cells.partition_point(|(at, _)| at < column);
                let found = self.cells.get(first).filter(|(at, _)| at == column);
                let value = found.map_or("", |(_, value)| value);
                // A line end within a cell is CR, which ends no line of the file.
                let value = value.replace("\r\n", "\r").replace('\n', "\r").replace('"', "\"\"");
                write!(self.out, "{}\"{value}\"", if number > 0 { "," } else { "" })?;
            }
        }
        self.cells.clear();
        self.length = 0;
        self.out.write_all(b"\n")
    }

    /// Whether the sheet has names of columns.
    fn end(mut self) -> io::Result<bool> {
        self.end_row()?;
        self.out.flush()?;
        Ok(!self.columns.is_empty())
    }
}
