//! `imports.log.ndjson`: what each import that changed something did, and what is known of the
//! completeness of each source since.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ndjson;
use contract::problem::Report;
use system::root::Root;

/// The file's name in `content/`.
pub const LOG_FILE: &str = "imports.log.ndjson";

/// One import. Lines of later versions may say more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportLine {
    /// When it was.
    pub at: Timestamp,
    /// The files that were read.
    pub files: Vec<ImportedFile>,
    /// Reviews that were not known before.
    pub new: u64,
    /// Reviews whose record changed.
    pub updated: u64,
    /// Reviews that were as they are stored.
    pub unchanged: u64,
    /// Stored reviews of these sources that the import lacked.
    pub missing: u64,
    /// Rows that could not be read.
    pub rejected: u64,
    /// Reviews that were removed because their source has them no more.
    #[serde(default)]
    pub removed: u64,
    /// Further rows of a review, with other values.
    #[serde(default)]
    pub merged: u64,
    /// Rows with the same values as another row.
    #[serde(default)]
    pub same: u64,
    /// Everything that was read as a row.
    #[serde(default)]
    pub rows: u64,
    /// What the import says about each source.
    pub sources: Vec<ImportedSource>,
}

/// A file, folder or address that was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name without the folders above it; an address without its query.
    pub file: String,
    /// Of the bytes, in hexadecimal; of a folder, over its files' names and hashes.
    pub blake3: String,
    /// The format it was read as.
    pub format: String,
    /// The columns the format knows that had a value in at least one row.
    #[serde(default)]
    pub columns: Vec<String>,
}

/// What an import says about one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedSource {
    /// The platform.
    pub source: String,
    /// How many different reviews the import had.
    pub reviews: u64,
    /// How many the source says there are.
    pub claimed_total: Option<u64>,
    /// Whether these are all; `null` where nothing tells.
    pub complete: Option<bool>,
}

pub(super) fn read(dir: &Path, report: &Report) -> Vec<ImportLine> {
    let lines = ndjson::read(&Root::at(dir), LOG_FILE, ndjson::MACHINE_WRITTEN, report);
    lines.into_iter().map(|(_, line)| line).collect()
}
