//! `imports.log.ndjson`: the results of each import that changed something, and the completeness of each source since
//! then.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ndjson;
use contract::problem::Report;
use system::root::Root;

/// The file's name in `content/`.
pub const LOG_FILE: &str = "imports.log.ndjson";

/// One import. Lines of later versions may have more keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportLine {
    /// The time of the import.
    pub at: Timestamp,
    /// The files that were read.
    pub files: Vec<ImportedFile>,
    /// Reviews that were not known before.
    pub new: u64,
    /// Reviews whose record changed.
    pub updated: u64,
    /// Reviews whose record did not change.
    pub unchanged: u64,
    /// Stored reviews of these sources that the import lacked.
    pub missing: u64,
    /// Rows that could not be read.
    pub rejected: u64,
    /// Reviews that were removed because their source no longer has them.
    #[serde(default)]
    pub removed: u64,
    /// Further rows of a review, with other values.
    #[serde(default)]
    pub merged: u64,
    /// Rows with the same values as another row.
    #[serde(default)]
    pub same: u64,
    /// All rows that were read.
    #[serde(default)]
    pub rows: u64,
    /// The figures of each source.
    pub sources: Vec<ImportedSource>,
}

/// A file, folder or address that was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// The name without the folders above it; of an address, without its query.
    pub file: String,
    /// The BLAKE3 hash of the bytes, in hexadecimal; of a folder, over its files' names and hashes.
    pub blake3: String,
    /// The format it was read as.
    pub format: String,
    /// The columns the format knows that had a value in at least one row.
    #[serde(default)]
    pub columns: Vec<String>,
}

/// The figures of one source in an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedSource {
    /// The platform.
    pub source: String,
    /// The number of different reviews in the import.
    pub reviews: u64,
    /// The number of reviews that the source states.
    pub claimed_total: Option<u64>,
    /// The average that the source states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_average: Option<f64>,
    /// Whether the import had all of them; `null` if nothing shows it.
    pub complete: Option<bool>,
}

pub(super) fn read(dir: &Path, report: &Report) -> Vec<ImportLine> {
    let lines = ndjson::read(&Root::at(dir), LOG_FILE, ndjson::MACHINE_WRITTEN, report);
    lines.into_iter().map(|(_, line)| line).collect()
}
