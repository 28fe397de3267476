//! Prints and writes the report of an import.

use std::path::Path;

use anyhow::Context as _;

use crate::cli::{Context, output::plural};
use contract::text::printable_json;
use import::{ImportError, ImportOutcome};
use system::access::explained;

/// Rows and reviews that are listed one by one; the report has them all.
const LISTED: usize = 20;

/// Writes what happened as JSON.
pub(super) fn write_report(
    path: &Path,
    outcome: &Result<ImportOutcome, ImportError>,
) -> anyhow::Result<()> {
    let text = match outcome {
        Ok(outcome) => serde_json::to_string_pretty(outcome)?,
        Err(error) => serde_json::to_string_pretty(
            &serde_json::json!({ "changed": false, "error": error.to_string() }),
        )?,
    };
    std::fs::write(path, format!("{}\n", printable_json(&text)))
        .map_err(explained(path))
        .with_context(|| format!("the report {} cannot be written", path.display()))
}

/// Prints the report.
pub(super) fn say(context: &Context, outcome: &ImportOutcome) {
    let out = &context.out;
    for rejection in outcome.rejections.iter().take(LISTED) {
        out.error(&rejection.to_string());
    }
    let more = outcome.rejections.len().saturating_sub(LISTED);
    if more > 0 {
        out.error(&format!("and {more} more; --report FILE lists them all"));
    }
    say_files(context, outcome);
    for merged in outcome.merged.iter().take(LISTED) {
        out.say(&format!("{} is merged with {}: {}", merged.row, merged.review, merged.why));
    }
    let more = outcome.merged.len().saturating_sub(LISTED);
    if more > 0 {
        out.say(&format!(
            "and {more} more were merged by similarity; --report FILE lists them all"
        ));
    }
    for warning in outcome.warnings.iter().take(LISTED) {
        out.warn(&format!("warning: {warning}"));
    }
    let more = outcome.warnings.len().saturating_sub(LISTED);
    if more > 0 {
        out.warn(&format!("and {more} more such rows; --report FILE lists them all"));
    }
    for vanished in &outcome.vanished {
        out.warn(&format!(
            "warning: {} is absent in all rows, and was present in the last {} import",
            vanished.column, vanished.format
        ));
    }
    for note in &outcome.notes {
        out.say(note);
    }
    for place in &outcome.same {
        out.detail(&format!("  {place} is the same as another row"));
    }
    for (word, ids) in
        [("new", &outcome.new), ("updated", &outcome.updated), ("removed", &outcome.removed)]
    {
        for id in ids {
            out.detail(&format!("  {word} {id}"));
        }
    }
    for (id, since) in &outcome.missing {
        out.detail(&format!("  missing since {since} {id}"));
    }
    let dry_run = if outcome.dry_run { "; a dry run: nothing was written" } else { "" };
    out.say(&format!("{}{dry_run}", outcome.counts));
}

/// Prints the format of each file, files alike in one line.
fn say_files(context: &Context, outcome: &ImportOutcome) {
    for alike in outcome
        .files
        .chunk_by(|a, b| (a.format, &a.why, &a.source) == (b.format, &b.why, &b.source))
    {
        let first = &alike[0];
        let files = match alike.len() {
            1 => first.file.clone(),
            count => format!("{} and {} more files", first.file, count - 1),
        };
        let rows: u64 = alike.iter().map(|file| file.rows).sum();
        let rows = plural(usize::try_from(rows).unwrap_or(usize::MAX), "review", "reviews");
        context.out.say(&format!(
            "{files}: {} ({}), {rows} from {}",
            first.format, first.why, first.source
        ));
    }
}
