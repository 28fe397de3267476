//! The content folder as an import changes it: files are read, changed ones staged next to it, and put
//! in place all together.

mod existing;
mod lines;

use std::path::Path;

pub(super) use existing::{ReviewFile, StoredLine, read_stored};
pub(super) use lines::{with_line, without};

use super::error::ImportError;
use system::root::Root;

/// The text of a file of the content folder; empty where there is no such file.
pub(super) fn read_or_empty(content: &Path, path: &Path) -> Result<String, ImportError> {
    let text = Root::at(content).text(path).map_err(ImportError::io(path))?;
    Ok(text.unwrap_or_default())
}
