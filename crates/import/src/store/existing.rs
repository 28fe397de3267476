//! Reads the stored reviews, each with the bytes of its line.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde_json::value::RawValue;

use crate::error::ImportError;
use content::{Record, review_files};
use contract::problem::Report;
use system::root::Root;

/// A file of stored reviews.
pub(in super::super) struct ReviewFile {
    pub(in super::super) path: PathBuf,
    /// Whether it is one array: if anything in it changes, its reviews move to files of lines.
    pub(in super::super) is_array: bool,
}

/// A stored review as bytes.
#[derive(Debug)]
pub(in super::super) struct StoredLine {
    /// The review as its file has it; one line of JSON where that file is an array.
    pub(in super::super) bytes: Box<[u8]>,
    /// The number of its file.
    pub(in super::super) file: usize,
}

/// A function that is called with each stored review.
type Visit<'v> = dyn FnMut(Record, StoredLine) -> Result<(), ImportError> + 'v;

/// Visits every stored review. The files, by their numbers.
pub(in super::super) fn read_stored(
    content: &Path,
    visit: &mut Visit<'_>,
) -> Result<Vec<ReviewFile>, ImportError> {
    let report = Report::default();
    let (root, mut files) = (Root::at(content), Vec::new());
    for path in review_files(content, &report) {
        let is_array = path.extension().is_some_and(|extension| extension == "json");
        if is_array {
            read_array(&root, &path, files.len(), visit)?
        } else {
            read_lines(&root, &path, files.len(), visit)?
        }
        files.push(ReviewFile { path, is_array });
    }
    match report
        .into_problems()
        .into_iter()
        .find(|p| matches!(p.code, "unreadable" | "not-followed"))
    {
        Some(problem) => Err(ImportError::Stored(problem.to_string())),
        None => Ok(files),
    }
}

fn read_lines(
    root: &Root,
    path: &Path,
    file: usize,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let bytes = root.read(path).map_err(ImportError::io(path))?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii_end();
        if !text.is_empty() {
            let record =
                serde_json::from_slice(text).map_err(|error| broken(path, line, &error))?;
            visit(record, StoredLine { bytes: text.into(), file })?;
        }
    }
    Ok(())
}

fn read_array(
    root: &Root,
    path: &Path,
    file: usize,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let text = root.open(path).and_then(io::read_to_string).map_err(ImportError::io(path))?;
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
        visit(record, StoredLine { bytes: one_line.into(), file })?;
    }
    Ok(())
}

/// Refuses a line that cannot be read and so could not be kept: nothing is changed before it is fixed.
fn broken(path: &Path, line: u64, error: &serde_json::Error) -> ImportError {
    ImportError::Stored(format!(
        "{}:{line} cannot be read ({error}), so it could not be kept; fix it first: candor check says how",
        path.display()
    ))
}
