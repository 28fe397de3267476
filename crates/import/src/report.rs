//! The outcome of an import, for people and for programs.

use std::fmt;

use serde::Serialize;

use content::ImportedSource;
use contract::model::{Day, ReviewId};
use contract::text::printable;

/// A row that was not imported, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// The file.
    pub file: String,
    /// The line the row begins on, from 1.
    pub line: Option<u64>,
    /// The JSON pointer of the row (RFC 6901).
    pub pointer: Option<String>,
    /// The name of the field in the export.
    pub field: Option<String>,
    /// A stable code for programs.
    pub code: &'static str,
    /// The reason.
    pub reason: String,
    /// The remedy.
    pub help: String,
    /// An option to add to the command, if that is enough.
    #[serde(skip)]
    pub option: Option<String>,
    #[serde(skip)]
    pub(super) unit: u32,
    #[serde(skip)]
    pub(super) location: u32,
    /// The platform of the row.
    #[serde(skip)]
    pub(super) source: String,
}

impl fmt::Display for Rejection {
    /// `file:line: error[code]: field: reason; help`, or `file#/pointer: …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, pointer, field, code, reason, help, .. } = self;
        f.write_str(&printable(file))?;
        match (line, pointer) {
            (Some(line), _) => write!(f, ":{line}")?,
            (None, Some(pointer)) if !pointer.is_empty() => write!(f, "#{pointer}")?,
            _ => {}
        }
        write!(f, ": error[{code}]: ")?;
        if let Some(field) = field {
            write!(f, "{}: ", printable(field))?;
        }
        write!(f, "{}; {}", printable(reason), printable(help))
    }
}

/// The numbers of reviews by the result of the import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportCounts {
    /// Reviews that were not known before.
    pub new: u64,
    /// Known, and their record changed.
    pub updated: u64,
    /// Reviews that are stored so already.
    pub unchanged: u64,
    /// Stored, and not in this import though they should be.
    pub missing: u64,
    /// Rows that were not imported.
    pub rejected: u64,
    /// Removed because their source no longer has them.
    pub removed: u64,
    /// Left out because they were removed permanently.
    pub forgotten: u64,
    /// Further rows of a review, with other values than its first row.
    pub merged: u64,
    /// Rows with the same values as another row.
    pub same: u64,
    /// Rows of businesses that were not asked for.
    pub elsewhere: u64,
    /// Good rows of a file that was not imported because of its rejected rows.
    pub held_back: u64,
    /// Rows of platforms that were not asked for.
    pub other_source: u64,
    /// Rows that their shop marked as spam or deleted.
    pub spam: u64,
    /// Reviews that their shop has not yet approved.
    pub pending: u64,
    /// Rows that are answers to other rows.
    pub answers: u64,
    /// Rows of another kind: questions, notes of a shop.
    pub others: u64,
    /// Everything that was read as a row: `new`, `updated`, `unchanged`, `rejected`, `forgotten`, `merged`, `same`,
    /// `elsewhere`, `held_back`, `other_source`, `spam`, `pending`, `answers` and `others` together.
    pub rows: u64,
}

impl fmt::Display for ImportCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { new, updated, unchanged, missing, rejected, removed, forgotten, rows, .. } =
            self;
        write!(
            f,
            "new {new} · updated {updated} · unchanged {unchanged} · missing {missing} · rejected {rejected}"
        )?;
        let of_rows = [
            ("merged", self.merged),
            ("same as another row", self.same),
            ("of another business", self.elsewhere),
            ("held back", self.held_back),
            ("of another source", self.other_source),
            ("spam", self.spam),
            ("not yet approved", self.pending),
            ("answers", self.answers),
            ("questions and notes", self.others),
        ];
        let further = [("removed", *removed), ("forgotten", *forgotten)].into_iter().chain(of_rows);
        for (word, count) in further.filter(|(_, count)| *count > 0) {
            write!(f, " · {word} {count}")?;
        }
        // Elsewhere the rows are the reviews counted above.
        if of_rows.iter().any(|(_, count)| *count > 0) {
            write!(f, "; {rows} rows read")
        } else {
            Ok(())
        }
    }
}

/// A file and its format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The name of the file.
    pub file: String,
    /// The format.
    pub format: &'static str,
    /// The reason why this format was chosen.
    pub why: String,
    /// The platform.
    pub source: String,
    /// The number of reviews in it.
    pub rows: u64,
}

/// A row that was joined with a review by similarity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// The place of the row.
    pub row: String,
    /// The review it became.
    pub review: ReviewId,
    /// The values that are similar.
    pub why: &'static str,
}

/// A column that had values in the last import and has none now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EmptiedColumn {
    /// The format.
    pub format: String,
    /// The column.
    pub column: String,
}

/// The result of an import or, in a dry run, the result that it would have. Lists of reviews end at
/// [`MAX_LISTED`](Self::MAX_LISTED); the counts do not.
#[derive(Clone, Debug, Serialize)]
pub struct ImportOutcome {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Whether content changed, or would.
    pub changed: bool,
    /// The numbers of reviews by the result of the import.
    pub counts: ImportCounts,
    /// The files that were read.
    pub files: Vec<Read>,
    /// The number of reviews that each source states.
    pub sources: Vec<ImportedSource>,
    /// Ids of new reviews.
    pub new: Vec<ReviewId>,
    /// Ids of updated ones.
    pub updated: Vec<ReviewId>,
    /// Ids of missing ones, and since when.
    pub missing: Vec<(ReviewId, Day)>,
    /// Ids of removed ones.
    pub removed: Vec<ReviewId>,
    /// Rows that were not imported.
    pub rejections: Vec<Rejection>,
    /// Reviews joined by similarity.
    pub merged: Vec<Merged>,
    /// The places of rows with the same values as another row.
    pub same: Vec<String>,
    /// Columns that lost all values.
    pub vanished: Vec<EmptiedColumn>,
    /// Rows that may be wrong: `file:line: why`.
    pub warnings: Vec<String>,
    /// Anything else that is reported.
    pub notes: Vec<String>,
}

/// If one row in this many is rejected, the file is read wrongly. If fewer are, the rows themselves are wrong.
const READ_WRONGLY_ONE_IN: u64 = 10;

impl ImportOutcome {
    /// Returns the option to add to the command so that it imports the rejected rows, or else the rest.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        let ImportCounts { rejected, rows, held_back, .. } = self.counts;
        let first = self.rejections.first()?.option.as_deref();
        let is_one = self.rejections.iter().all(|rejection| rejection.option.as_deref() == first);
        first
            .filter(|_| is_one && rejected * READ_WRONGLY_ONE_IN >= rows)
            .or((held_back > 0).then_some("--keep-going"))
    }

    /// Reviews listed by id.
    pub const MAX_LISTED: usize = 10_000;
}

/// Characters of a reason that are kept. It may quote a value of any length.
const LONGEST_REASON: usize = 600;

/// A reason without what is too long in it.
pub(super) fn shortened(reason: String) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason,
    }
}
