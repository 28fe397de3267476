//! The lines an import adds to its log and to the tombstones.

use std::collections::{HashMap, HashSet};

use super::ImportPlan;
use crate::{
    absence::Absence,
    error::ImportError,
    ids,
    node::is_distinctive,
    options::Run,
    read::{FileRead, Reading},
    store::read_or_empty,
};
use content::{
    ImportContext, ImportLine, ImportedFile, ImportedSource, KnownPlace, LOG_FILE, PLACES_FILE,
    Record, TOMBSTONES_FILE, Tombstone, TombstoneReason, change::FileChange,
};
use contract::problem::Place;
use jiff::SignedDuration;

/// Age of a source's last logged import after which an import without news is logged too, so that
/// `last_import` says whether imports run. A nightly import is then logged every second night.
const CONFIRMED_AFTER: SignedDuration = SignedDuration::from_hours(36);

/// The line an import adds to the log.
pub(super) fn line(
    run: &Run<'_>,
    reading: &Reading,
    plan: &ImportPlan,
    absence: &Absence,
) -> ImportLine {
    let mut by_input: HashMap<usize, Vec<&FileRead>> = HashMap::new();
    reading.files.iter().for_each(|file| by_input.entry(file.input).or_default().push(file));
    let files = run.options.inputs.iter().enumerate().map(|(number, input)| {
        let read = by_input.remove(&number).unwrap_or_default();
        ImportedFile {
            file: input.logged(),
            blake3: reading.hashes.get(number).cloned().unwrap_or_default(),
            format: formats(&read),
            columns: columns(&read),
        }
    });
    let counts = &plan.counts;
    ImportLine {
        at: run.now,
        files: files.collect(),
        new: counts.new,
        updated: counts.updated,
        unchanged: counts.unchanged,
        missing: counts.missing,
        rejected: counts.rejected,
        removed: counts.removed,
        merged: counts.merged,
        same: counts.same,
        rows: counts.rows,
        // A source all of whose rows were rejected is left out.
        sources: absence
            .sources
            .iter()
            .filter(|source| source.reviews > 0 || counts.rejected == 0)
            .cloned()
            .collect(),
    }
}

/// The formats of an input's files.
fn formats(files: &[&FileRead]) -> String {
    let mut formats: Vec<&str> = files.iter().map(|file| file.format.word()).collect();
    formats.sort_unstable();
    formats.dedup();
    formats.join(",")
}

/// The columns that had a value in any of the files, in the format's order.
fn columns(files: &[&FileRead]) -> Vec<String> {
    let mut known = HashSet::new();
    let all = files.iter().flat_map(|file| &file.columns);
    let columns = all.filter(|(column, seen)| *seen && known.insert(column));
    columns.map(|(column, _)| column.clone()).collect()
}

/// Whether a line is worth logging although no review changed: rows were rejected for the first time,
/// a source has another total or completeness, or its last logged import is old.
pub(super) fn is_news(line: &ImportLine, earlier: &[ImportLine]) -> bool {
    let hashes =
        |line: &ImportLine| line.files.iter().map(|file| file.blake3.clone()).collect::<Vec<_>>();
    let was_said =
        earlier.iter().any(|old| old.rejected == line.rejected && hashes(old) == hashes(line));
    if line.rejected > 0 {
        return !was_said;
    }
    let mut lasts = HashMap::new();
    for old in earlier {
        lasts.extend(old.sources.iter().map(|source| (&*source.source, (old.at, source))));
    }
    line.sources.iter().any(|source| {
        lasts.get(&*source.source).is_none_or(|(at, last)| {
            let claims = |of: &ImportedSource| (of.claimed_total, of.claimed_average, of.complete);
            claims(last) != claims(source) || line.at.duration_since(*at) > CONFIRMED_AFTER
        })
    })
}

/// Stages the log with one more line.
pub(super) fn stage_line(run: &Run<'_>, line: &ImportLine) -> Result<FileChange, ImportError> {
    let path = run.stage.content().join(LOG_FILE);
    let mut text = read_or_empty(run.stage.content(), &path)?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&serde_json::to_string(line).map_err(ImportError::internal)?);
    text.push('\n');
    stage(run, "log", path, &text)
}

/// Stages what is known of the business.
pub(super) fn stage_places(
    run: &Run<'_>,
    places: &[KnownPlace],
) -> Result<FileChange, ImportError> {
    let path = run.stage.content().join(PLACES_FILE);
    stage(run, "places", path, &content::places_file(places))
}

/// Stages the tombstones of what is removed, without those of what has come back.
pub(super) fn stage_tombstones(
    run: &Run<'_>,
    context: &ImportContext,
    plan: &ImportPlan,
) -> Result<Option<FileChange>, ImportError> {
    if plan.removed.is_empty() && plan.revived.is_empty() {
        return Ok(None);
    }
    let kept = (0..).zip(&context.tombstones).filter(|(number, _)| !plan.revived.contains(number));
    let mut tombstones: Vec<Tombstone> = kept.map(|(_, tombstone)| tombstone.clone()).collect();
    tombstones.extend(
        plan.removed.iter().map(|record| tombstone_of(record, run.now, TombstoneReason::Missing)),
    );
    let path = run.stage.content().join(TOMBSTONES_FILE);
    stage(run, "tombstones", path, &lines(&tombstones)?).map(Some)
}

/// Tombstones as their file has them.
pub(in super::super) fn lines(tombstones: &[Tombstone]) -> Result<String, ImportError> {
    let mut text = String::new();
    for tombstone in tombstones {
        text.push_str(&serde_json::to_string(tombstone).map_err(ImportError::internal)?);
        text.push('\n');
    }
    Ok(text)
}

/// Returns the tombstone of a review: its ids and its text as hashes, nothing of its author.
pub(in super::super) fn tombstone_of(
    record: &Record,
    at: jiff::Timestamp,
    reason: TombstoneReason,
) -> Tombstone {
    let source = &*record.source.0;
    let by_id = record.source_ids.iter().map(|id| ids::key(source, ids::bare(source, id)));
    let text = record.text.as_ref().and_then(|words| words.0.as_deref());
    let by_text = text.filter(|text| is_distinctive(text)).map(|text| ids::text_key(source, text));
    let keys = by_id.chain(by_text);
    Tombstone {
        id: record.id,
        at,
        reason,
        hashes: keys.map(ids::hex).collect(),
        place: Place::default(),
    }
}

fn stage(
    run: &Run<'_>,
    name: &str,
    path: std::path::PathBuf,
    text: &str,
) -> Result<FileChange, ImportError> {
    let staged = run.stage.folder().join(name);
    std::fs::write(&staged, text).map_err(ImportError::io(&staged))?;
    Ok(FileChange::Replace { staged, path })
}
