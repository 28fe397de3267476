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
mod error;
pub mod forget;

mod format;
mod ids;
mod join;
pub mod listing;
mod merge;
mod node;
mod normalise;
mod options;
mod rating;
mod raw;
mod read;
mod report;
mod rows;
mod source;
mod store;
mod table;
mod tombstones;
mod witness;
mod write;

use std::{path::Path, sync::atomic::AtomicBool};

use jiff::Timestamp;

pub use error::ImportError;
pub use format::ExportFormat;
pub use node::ANONYMOUS;
pub use normalise::{DateFormat, is_email};
pub use options::{ImportOptions, MAX_SIZE};
pub use report::{EmptiedColumn, ImportCounts, ImportOutcome, Merged, Read, Rejection};
pub use source::{GoogleAccess, Input};

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
    text::printable,
};
use system::progress::Progress;

/// Businesses that a message lists.
const MAX_BUSINESSES: usize = 20;

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
    let mut reading =
        read::ExportReader { run: &run, context: &context, nodes: &mut nodes }.read()?;
    run.check_interrupt()?;

    choose_locations(options, &mut reading, &mut nodes)?;
    refuse_nothing(options, &reading, &nodes)?;
    drop_failed_units(options, &mut reading, &mut nodes);
    witness::check_ids(&mut nodes, &mut reading, &context.tombstones);
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
        return Err(ImportError::Setting(if all.is_empty() {
            format!("--location {wanted}: the input names no business; leave it away")
        } else {
            format!("--location {wanted}: there is no such business; known are\n{}", list(all))
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
