use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use serde_json::value::RawValue;

use super::{Span, TempFile};
use crate::{
    content::{Record, review_files},
    import::ImportError,
};
use contract::problem::Report;

/// The stored reviews, visited one by one.
pub(in super::super) struct Existing {
    /// Files of lines, in the order of their numbers from `first`.
    pub(in super::super) lines: Vec<PathBuf>,
    /// Files with one array each: whatever changes in them moves to files of lines.
    pub(in super::super) arrays: Vec<PathBuf>,
}

impl Existing {
    /// Visits every stored review: where its bytes lie, which array it stands in, and the record.
    /// Files of lines are numbered from `first`; arrays are copied into `temp_file`.
    pub(in super::super) fn read(
        content: &Path,
        first: u32,
        temp_file: &mut TempFile,
        visit: &mut dyn FnMut(Span, Option<usize>, Record) -> Result<(), ImportError>,
    ) -> Result<Self, ImportError> {
        let report = Report::default();
        let mut existing = Self { lines: Vec::new(), arrays: Vec::new() };
        for path in review_files(content, &report) {
            if path.extension().is_some_and(|extension| extension == "json") {
                let number = existing.arrays.len();
                read_array(&path, temp_file, &mut |span, record| {
                    visit(span, Some(number), record)
                })?;
                existing.arrays.push(path);
            } else {
                let number = first + u32::try_from(existing.lines.len()).unwrap_or(u32::MAX);
                read_lines(&path, number, &mut |span, record| visit(span, None, record))?;
                existing.lines.push(path);
            }
        }
        match report.into_problems().into_iter().find(|p| p.code == "unreadable") {
            Some(problem) => Err(ImportError::Stored(problem.to_string())),
            None => Ok(existing),
        }
    }
}

type Found<'v> = dyn FnMut(Span, Record) -> Result<(), ImportError> + 'v;

fn read_lines(path: &Path, number: u32, visit: &mut Found<'_>) -> Result<(), ImportError> {
    let file = File::open(path).map_err(ImportError::io(path))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut bytes = Vec::new();
    let mut offset = 0;
    for line in 1_u64.. {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes).map_err(ImportError::io(path))?;
        if read == 0 {
            break;
        }
        let mark = if line == 1 && bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let text = bytes[mark..].trim_ascii_end();
        if !text.is_empty() {
            let record =
                serde_json::from_slice(text).map_err(|error| broken(path, line, &error))?;
            let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
            visit(Span { offset: offset + mark as u64, length, file: number }, record)?;
        }
        offset += read as u64;
    }
    Ok(())
}

fn read_array(
    path: &Path,
    temp_file: &mut TempFile,
    visit: &mut Found<'_>,
) -> Result<(), ImportError> {
    let text = std::fs::read_to_string(path).map_err(ImportError::io(path))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let items: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| broken(path, error.line() as u64, &error))?;
    // Lines are counted once, walking forward.
    let (mut line, mut counted) = (1, 0);
    for item in items {
        let offset = item.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text[counted..offset].matches('\n').count() as u64;
        counted = offset;
        let record: Record =
            serde_json::from_str(item.get()).map_err(|error| broken(path, line, &error))?;
        // In lines a record is one line, however it was laid out.
        let one_line = serde_json::to_vec(&record).map_err(|error| broken(path, line, &error))?;
        visit(temp_file.append(&one_line)?, record)?;
    }
    Ok(())
}

/// What cannot be read cannot be kept: nothing is touched before it is fixed.
fn broken(path: &Path, line: u64, error: &serde_json::Error) -> ImportError {
    ImportError::Stored(format!(
        "{}:{line} cannot be read ({error}), so it could not be kept; fix it first: candor check says how",
        path.display()
    ))
}
