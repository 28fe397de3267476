//! The report of an import.

use std::collections::{BTreeMap, HashSet};

use super::ImportPlan;
use crate::{
    absence::Absence,
    join::Joined,
    node::Node,
    options::Run,
    read::{FileRead, Reading},
    report::{EmptiedColumn, ImportOutcome, Merged, Read},
};
use content::ImportContext;
use contract::model::ReviewId;

/// Reviews that a note lists.
const LISTED: usize = 10;

/// The outcome of an import.
pub(super) fn outcome(
    run: &Run<'_>,
    context: &ImportContext,
    reading: &Reading,
    absence: Absence,
    plan: ImportPlan,
    merged: Vec<Merged>,
    changed: bool,
) -> ImportOutcome {
    let read = reading.files.iter().map(|file| Read {
        file: file.name.clone(),
        format: file.format.word(),
        why: file.why.clone(),
        source: file.several.as_ref().unwrap_or(&file.source).clone(),
        rows: file.rows,
    });
    let listed = ImportOutcome::MAX_LISTED;
    ImportOutcome {
        dry_run: run.options.dry_run,
        changed,
        counts: plan.counts,
        files: read.collect(),
        new: plan.new.iter().take(listed).map(|new| new.id).collect(),
        updated: plan.updated_ids.iter().take(listed).copied().collect(),
        missing: plan.missing.iter().take(listed).copied().collect(),
        removed: plan.removed.iter().map(|record| record.id).collect(),
        rejections: reading.rejections.clone(),
        merged,
        same: plan.same.clone(),
        vanished: vanished(reading, context),
        warnings: [reading.warnings.clone(), plan.lowered.clone()].concat(),
        notes: notes(run, context, reading, &absence, &plan),
        sources: absence.sources,
    }
}

/// The reviews that were joined by similarity, with the row of each.
pub(super) fn merged(
    reading: &Reading,
    nodes: &[Node],
    joined: &mut Joined,
    plan: &ImportPlan,
) -> Vec<Merged> {
    let guesses = joined.merges.iter().filter(|merge| merge.why.is_guess());
    let mut merged: Vec<Merged> = guesses
        .take(ImportOutcome::MAX_LISTED)
        .filter_map(|merge| {
            let review: ReviewId = *plan.ids.get(&joined.clusters.root(merge.row))?;
            let row = reading.place(nodes[merge.row as usize].row()?);
            Some(Merged { row, review, why: merge.why.words() })
        })
        .collect();
    merged.sort_by(|a, b| (&a.review, &a.row).cmp(&(&b.review, &b.row)));
    merged
}

/// Columns that had values when this format was imported last, and have none now.
fn vanished(reading: &Reading, context: &ImportContext) -> Vec<EmptiedColumn> {
    let mut formats: Vec<&str> = Vec::new();
    for file in reading.files.iter().filter(|file| file.rows > 0) {
        if !formats.contains(&file.format.word()) {
            formats.push(file.format.word());
        }
    }
    let mut vanished = Vec::new();
    for format in formats {
        let last = context.imports.iter().rev().flat_map(|line| &line.files);
        let Some(last) = last.into_iter().find(|file| file.format == format) else { continue };
        let files = reading.files.iter().filter(|file| file.format.word() == format);
        let columns = files.flat_map(|file: &FileRead| &file.columns).filter(|(_, seen)| *seen);
        let there: HashSet<&str> = columns.map(|(name, _)| &**name).collect();
        let gone = last.columns.iter().filter(|column| !there.contains(&***column));
        // A table that shares less with the last one is another table.
        if gone.clone().count() * 3 <= last.columns.len() * 2 {
            vanished.extend(
                gone.map(|column| EmptiedColumn {
                    format: format.to_owned(),
                    column: column.clone(),
                }),
            );
        }
    }
    vanished
}

/// Returns a warning about platforms' terms before the first reviews that a program collected are stored.
fn terms(reading: &Reading, context: &ImportContext) -> Option<String> {
    let file = reading.files.iter().find(|file| file.format.is_scraped())?;
    let format = file.format.word();
    let earlier = context.imports.iter().flat_map(|line| &line.files);
    let is_known =
        earlier.into_iter().any(|earlier| earlier.format.split(',').any(|f| f == format));
    (!is_known).then(|| {
        format!(
            "{format} collects what {} shows: the terms of platforms forbid to copy, store and publish reviews that were collected so, and whether you do is your decision; Takeout and the Business Profile API are the owner's ways",
            file.source
        )
    })
}

/// Everything else that is reported.
fn notes(
    run: &Run<'_>,
    context: &ImportContext,
    reading: &Reading,
    absence: &Absence,
    plan: &ImportPlan,
) -> Vec<String> {
    let mut notes = Vec::new();
    let rows = |count: u64| if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
    for (name, refusal) in &reading.refused {
        notes.push(format!("{name} was skipped: {}", refusal.reason));
    }
    if reading.passed_over > 0 {
        let files = if reading.passed_over == 1 { "file was" } else { "files were" };
        notes
            .push(format!("{} {files} skipped: no reviews of a known format", reading.passed_over));
    }
    if reading.empty > 0 {
        notes.push(format!("without anything in them: {}", rows(reading.empty)));
    }
    notes.extend(reading.statements.iter().cloned());
    notes.extend(terms(reading, context));
    let mut pending = BTreeMap::<u8, u64>::new();
    for ((_, stars), count) in &reading.pending {
        *pending.entry(*stars).or_default() += count;
    }
    if !pending.is_empty() {
        let count = |(stars, count): (&u8, &u64)| match stars {
            0 => format!("without a rating {count}"),
            1 => format!("1 star {count}"),
            stars => format!("{stars} stars {count}"),
        };
        let counts: Vec<String> = pending.iter().map(count).collect();
        notes.push(format!(
            "not yet approved at their source, and left out: {}; until that is decided the source is incomplete",
            counts.join(", ")
        ));
    }
    for (note, count) in &reading.notes {
        notes.push(format!("{}: {}", note.words(), rows(*count)));
    }
    for source in &absence.sources {
        if let Some(total) = source.claimed_total.filter(|total| *total != source.reviews) {
            let (name, reviews) = (&source.source, source.reviews);
            let left_out = reading.left_out(name);
            notes.push(if left_out > 0 && total == reviews + left_out {
                format!("of {total} reviews from {name} in this export {reviews} are imported")
            } else {
                format!("{name} says there are {total} reviews; this import has {reviews}")
            });
        }
    }
    if absence.is_doubtful {
        notes.push(format!(
            "{} of {} stored reviews are not in this import: the export is probably incomplete, so no review is marked as missing; pass --allow-shrink to accept it",
            absence.missing.len(),
            absence.stored
        ));
    }
    if !run.options.keep_going {
        for unit in reading.failed() {
            let name = &reading.units[unit as usize];
            notes.push(format!(
                "nothing of {name} was imported: --keep-going imports its good rows"
            ));
        }
    }
    if !plan.replies_missing.is_empty() {
        let ids = plan.replies_missing.iter().take(LISTED).map(ToString::to_string);
        let ids = ids.collect::<Vec<_>>().join(", ");
        let count = plan.replies_missing.len();
        let (are, them) = if count == 1 { ("answer is", "it") } else { ("answers are", "them") };
        let more = if count > LISTED { ", …" } else { "" };
        notes.push(format!(
            "{count} {are} gone at the source and kept until another export, seven days later, lacks {them} too; --remove-replies removes {them} now: {ids}{more}"
        ));
    }
    if !plan.revived.is_empty() {
        notes.push(format!("{} removed reviews are back under their ids", plan.revived.len()));
    }
    notes
}
