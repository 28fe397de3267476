//! The options of an import, and the import under way.

use std::sync::atomic::{AtomicBool, Ordering};

use content::{ColumnMap, change::ContentStage};
use contract::model::Day;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use system::progress::Progress;

use crate::{
    date::DateFormat,
    error::ImportError,
    format::ExportFormat,
    source::{GoogleAccess, Input},
};

/// Bytes of rows and texts that an import holds in memory: 256 MiB. A row counts its texts and 1 KiB.
pub const MAX_SIZE: u64 = 256 << 20;

/// The options of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The files and addresses to read.
    pub inputs: Vec<Input>,
    /// The format, if it is not to be detected.
    pub format: Option<ExportFormat>,
    /// The columns of a generic export.
    pub map: Option<ColumnMap>,
    /// The platform of rows that do not name one.
    pub source: Option<String>,
    /// The platforms whose rows are imported, where rows name several; empty if they name one.
    pub only_sources: Vec<String>,
    /// The best rating there is; `None` where that is 5.
    pub best: Option<u32>,
    /// The format in which dates are written.
    pub date_format: Option<DateFormat>,
    /// Decode HTML entities and line breaks in texts.
    pub html_entities: bool,
    /// Repair texts that were encoded twice.
    pub repair_encoding: bool,
    /// The day relative dates count back from.
    pub relative_to: Option<Date>,
    /// The businesses to import, by id or name; empty if there is only one.
    pub locations: Vec<String>,
    /// Write nothing.
    pub dry_run: bool,
    /// Remove the stored reviews that a complete export lacks.
    pub prune: bool,
    /// Remove the stored replies that an export lacks.
    pub remove_replies: bool,
    /// Accept an export that lacks many reviews, or all of them.
    pub allow_shrink: bool,
    /// Import the valid rows of a file with rejected rows.
    pub keep_going: bool,
    /// Bytes of rows and texts that are held in memory at most; [`MAX_SIZE`] if it is `None`.
    pub max_size: Option<u64>,
    /// A header line to send to addresses.
    pub header: Option<String>,
    /// The credentials of Google's APIs; required for [`Input::Google`].
    pub google: Option<GoogleAccess>,
}

/// One import under way.
pub(crate) struct Run<'a> {
    pub(crate) options: &'a ImportOptions,
    pub(crate) stage: &'a ContentStage,
    pub(crate) now: Timestamp,
    pub(crate) interrupted: &'a AtomicBool,
    pub(crate) progress: &'a dyn Progress,
}

impl Run<'_> {
    /// The latest day that is not in the future.
    pub(crate) fn latest_day(&self) -> Day {
        content::latest_day(self.now.to_zoned(TimeZone::UTC).date())
    }

    pub(crate) fn check_interrupt(&self) -> Result<(), ImportError> {
        if self.interrupted.load(Ordering::Relaxed) {
            Err(ImportError::Interrupted)
        } else {
            Ok(())
        }
    }
}
