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
mod choose;
mod cluster;
mod columns;
mod date;
mod detect;
pub mod edit;
mod encoding;
mod error;
mod explain;
pub mod forget;

mod format;
mod ids;
mod join;
pub mod listing;
mod merge;
mod node;
mod normalise;
mod options;
mod places;
mod platform;
mod purchase;
mod rating;
mod raw;
mod read;
mod report;
mod rows;
mod source;
mod status;
mod store;
mod table;
mod tombstones;
mod undo;
mod witness;
mod write;

use std::{path::Path, sync::atomic::AtomicBool};

use jiff::Timestamp;

pub use date::DateFormat;
pub use error::{ImportError, Refusal};
pub use explain::{ExplainedColumn, ExplainedTable, Explanation};
pub use format::ExportFormat;
pub use normalise::{author_name, is_email};
pub use options::{ImportOptions, MAX_SIZE};
pub use platform::source_of;
pub use report::{EmptiedColumn, ImportCounts, ImportOutcome, Merged, Read, Rejection};
pub use source::{GoogleAccess, Input};
pub use undo::undo;

use join::join;
use node::Node;
use options::Run;
use read::Reading;

use content::{
    ImportContext,
    change::{ContentStage, complete},
};
use contract::{
    model::Day,
    problem::{Report, Severity},
};
use system::progress::Progress;

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
    let run = (now, interrupted, progress);
    run_with(content, options, run, &mut Reading::default())
}

/// Explains what an import would do and why, whether it can be done or not. Nothing is written.
pub fn explain(
    content: &Path,
    options: &ImportOptions,
    now: Timestamp,
    interrupted: &AtomicBool,
    progress: &dyn Progress,
) -> (Explanation, Result<ImportOutcome, ImportError>) {
    let options = ImportOptions { dry_run: true, ..options.clone() };
    let mut reading = Reading::default();
    reading.explanation = Some(Explanation::default());
    let run = (now, interrupted, progress);
    let outcome = run_with(content, &options, run, &mut reading);
    (reading.explanation.unwrap_or_default(), outcome)
}

fn run_with(
    content: &Path,
    options: &ImportOptions,
    (now, interrupted, progress): (Timestamp, &AtomicBool, &dyn Progress),
    reading: &mut Reading,
) -> Result<ImportOutcome, ImportError> {
    let options = &ImportOptions {
        source: options.source.as_deref().map(source_of),
        only_sources: options.only_sources.iter().map(|name| source_of(name)).collect(),
        ..options.clone()
    };
    let mut context = read_context(content)?;
    context.places.iter_mut().for_each(|place| place.source = source_of(&place.source));
    let stage = ContentStage::open(content)?;
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let run = Run { options, stage: &stage, now, interrupted, progress };
    if let Some(day) = options.relative_to.filter(|day| Day::from(*day) > run.latest_day()) {
        return Err(ImportError::Setting(format!(
            "--relative-to {day} is in the future; name the day on which the export was made"
        )));
    }

    let mut nodes = Vec::new();
    let files = store::read_stored(content, &mut |record, line| {
        nodes.push(Node::of_record(&record, line));
        run.check_interrupt()
    })?;
    let read = read::ExportReader { run: &run, context: &context, nodes: &mut nodes }.read(reading);
    reading.explain_rows(&nodes);
    read?;
    run.check_interrupt()?;

    choose::sources(options, reading, &mut nodes)?;
    choose::locations(options, reading, &mut nodes)?;
    let places = places::check(options, &context, reading, &nodes)?;
    refuse_nothing(options, reading, &nodes)?;
    drop_failed_units(options, reading, &mut nodes);
    witness::check_ids(&mut nodes, reading, &context.tombstones);
    let mut joined = join(&run, reading, &mut nodes)?;
    let known = places.as_deref().unwrap_or_default();
    places::warn_of_scales(&context, known, &nodes, &mut joined.clusters, reading);
    run.check_interrupt()?;
    write::write(&run, &context, reading, nodes, joined, (&files, places))
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
