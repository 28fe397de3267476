//! Imports reviews from exports into `content/reviews/`.
//!
//! ```text
//! source ─▶ detect ─▶ rows ─▶ format ─▶ normalise ─▶ nodes, with the stored reviews
//! file,      what     one by   what the   exact or          │
//! archive,   it is    one      keys mean  rejected          ▼
//! address                                         cluster ─▶ merge ─▶ write ─▶ store
//!                                                 which are   fields    lines,    all or
//!                                                 one review            log       nothing
//! ```
//!
//! Rows and stored reviews are held in memory, at about two kilobytes for a review that is in both.
//! Nothing in `content/` changes before everything is ready.

mod absence;
mod cluster;
mod columns;
mod detect;
pub mod edit;
mod encoding;
pub mod forget;

mod format;
mod ids;
mod join;
pub mod listing;
mod merge;
mod node;
mod normalise;
mod raw;
mod read;
mod report;
mod rows;
mod source;
mod store;
mod write;

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use jiff::{Timestamp, civil::Date};

pub use format::ExportFormat;
pub use normalise::DateFormat;
pub use report::{EmptiedColumn, ImportCounts, ImportOutcome, Merged, Read, Rejection};
pub use source::{GoogleAccess, Input};

use join::join;
use node::Node;
use read::Reading;

use content::{
    ColumnMap, ImportContext,
    change::{ChangeError, ContentStage, complete},
};
use contract::{
    problem::{Problem, Report, Severity},
    text::printable,
};
use system::progress::Progress;

/// Businesses that a message lists.
const MAX_BUSINESSES: usize = 20;

/// Bytes of rows and texts that an import holds in memory: 256 MiB. A row counts its texts and 1 KiB.
pub const MAX_SIZE: u64 = 256 << 20;

/// What the user requested.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What to read.
    pub inputs: Vec<Input>,
    /// The format, if it is not to be detected.
    pub format: Option<ExportFormat>,
    /// The columns of a generic export.
    pub map: Option<ColumnMap>,
    /// The platform of exports that do not name one.
    pub source: Option<String>,
    /// How dates are written.
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

/// Why nothing was imported. The content is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// An input cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, String),
    /// An input is no export, or one that cannot be imported.
    #[error("{0} cannot be imported: {1}; {2}")]
    Unknown(String, String, String),
    /// Content that belongs to the import is wrong.
    #[error("the content has errors that an import cannot go on with; candor check shows them")]
    Content(Vec<Problem>),
    /// A stored review cannot be read.
    #[error("{0}")]
    Stored(String),
    /// Options contradict each other or the input.
    #[error("{0}")]
    Setting(String),
    /// The inputs hold no review at all.
    #[error(
        "{0}: there is no review in it; an empty export usually means a failed export, so nothing was changed; pass --allow-shrink to accept it"
    )]
    Nothing(String),
    /// More than one business.
    #[error(
        "the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n{0}"
    )]
    Locations(String),
    /// Too much would be removed.
    #[error(
        "{removed} of {stored} stored reviews would be removed, more than 5 or a tenth of them; look whether the export is whole, and add --allow-shrink if it is"
    )]
    Shrink {
        /// How many would go.
        removed: u64,
        /// Of how many.
        stored: u64,
    },
    /// `--prune` with an export that is not complete.
    #[error(
        "--prune needs a complete export, and this one has {reviews} of {claimed} reviews from {source_name}; leave --prune away, or export everything"
    )]
    Incomplete {
        /// The platform.
        source_name: String,
        /// In the import.
        reviews: u64,
        /// At the source.
        claimed: String,
    },
    /// The content cannot be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// Ctrl-C.
    #[error("interrupted; nothing was changed")]
    Interrupted,
    /// Should not happen.
    #[error("internal: {0}")]
    Internal(String),
}

impl ImportError {
    /// An error of the system with this file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io(path.to_owned(), error)
    }

    fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }
}

/// One import under way.
struct Run<'a> {
    options: &'a ImportOptions,
    stage: &'a ContentStage,
    now: Timestamp,
    interrupted: &'a AtomicBool,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn check_interrupt(&self) -> Result<(), ImportError> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(ImportError::Interrupted),
            false => Ok(()),
        }
    }
}

/// Imports. `now` stamps what changes, to the second.
///
/// # Errors
/// When nothing was imported; the content is as it was.
pub fn run(
    content: &Path,
    options: &ImportOptions,
    now: Timestamp,
    interrupted: &AtomicBool,
    progress: &dyn Progress,
) -> Result<ImportOutcome, ImportError> {
    let context = read_context(content)?;
    let stage = ContentStage::open(content)?;
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let run = Run { options, stage: &stage, now, interrupted, progress };

    let mut nodes = Vec::new();
    let files = store::read_stored(content, &mut |record, line| {
        nodes.push(Node::of_record(&record, line));
        run.check_interrupt()
    })?;
    let mut reading =
        read::ExportReader { run: &run, context: &context, nodes: &mut nodes }.read()?;
    run.check_interrupt()?;

    choose_locations(options, &mut reading, &mut nodes)?;
    refuse_nothing(options, &reading, &nodes)?;
    drop_failed_units(options, &mut reading, &mut nodes);
    let joined = join(&run, &mut reading, &mut nodes)?;
    run.check_interrupt()?;
    write::write(&run, &context, &reading, nodes, joined, &files)
}

fn read_context(content: &Path) -> Result<ImportContext, ImportError> {
    complete(content)?;
    let report = Report::default();
    let context = content::load_for_import(content, &report);
    let mut problems = report.into_problems();
    problems.retain(|problem| problem.severity == Severity::Error);
    match context {
        Some(context) if problems.is_empty() => Ok(context),
        _ => Err(ImportError::Content(problems)),
    }
}

/// Keeps the rows of the requested businesses. Several businesses without a request are an error.
fn choose_locations(
    options: &ImportOptions,
    reading: &mut Reading,
    nodes: &mut Vec<Node>,
) -> Result<(), ImportError> {
    let mut rows = std::collections::HashMap::<u32, u64>::new();
    for row in nodes.iter().filter_map(Node::row) {
        *rows.entry(row.location).or_default() += 1;
    }
    let count = |number: u32| rows.get(&number).copied().unwrap_or(0);
    let list = |found: Vec<read::LocationCount>| {
        let lines = found.iter().take(MAX_BUSINESSES).map(|counted| {
            let id = &counted.location.id;
            let name = match counted.location.name.as_deref() {
                // In a table without ids the name is the id.
                Some(name) if name == id => String::new(),
                name => format!("  {}", printable(name.unwrap_or("(no name)"))),
            };
            format!("  {}{name}  {} reviews", printable(id), counted.rows)
        });
        let more = found.len().saturating_sub(MAX_BUSINESSES);
        let more = (more > 0).then(|| format!("  and {more} more"));
        lines.chain(more).collect::<Vec<_>>().join("\n")
    };
    if options.locations.is_empty() {
        let Some(found) = reading.locations.several(count) else { return Ok(()) };
        let doubt = reading.files.iter().find_map(|file| columns::doubtful_location(&file.map));
        let doubt = doubt.map(|(column, map)| {
            format!(
                "\nif {} does not name the business, import all of them with {map}",
                printable(&column)
            )
        });
        return Err(ImportError::Locations(list(found) + &doubt.unwrap_or_default()));
    }
    let chosen = reading.locations.chosen(&options.locations);
    if chosen.is_empty() {
        let all = reading.locations.all(count);
        let wanted = options.locations.join(", ");
        return Err(ImportError::Setting(match all.is_empty() {
            true => format!("--location {wanted}: the input names no business; leave it away"),
            false => {
                format!("--location {wanted}: there is no such business; known are\n{}", list(all))
            }
        }));
    }
    let is_wanted = |location: u32| location == 0 || chosen.contains(&location);
    let before = nodes.len();
    nodes.retain(|node| node.row().is_none_or(|row| is_wanted(row.location)));
    reading.elsewhere += (before - nodes.len()) as u64;
    reading.keep_locations(is_wanted);
    Ok(())
}

fn refuse_nothing(
    options: &ImportOptions,
    reading: &Reading,
    nodes: &[Node],
) -> Result<(), ImportError> {
    let is_empty = nodes.iter().all(Node::is_stored) && reading.rejections.is_empty();
    if is_empty && !options.allow_shrink {
        let inputs: Vec<String> = options.inputs.iter().map(Input::shown).collect();
        return Err(ImportError::Nothing(inputs.join(", ")));
    }
    Ok(())
}

/// A file with a bad row is not imported at all, unless its good rows were asked for.
fn drop_failed_units(options: &ImportOptions, reading: &mut Reading, nodes: &mut Vec<Node>) {
    if options.keep_going {
        return;
    }
    let (failed, before) = (reading.failed(), nodes.len());
    nodes.retain(|node| node.unit().is_none_or(|unit| !failed.contains(&unit)));
    reading.held_back += (before - nodes.len()) as u64;
}
