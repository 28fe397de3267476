//! Removing a review for good: its line, and everything that would bring it back.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    error::ImportError,
    node::folded_name,
    read_context,
    store::{read_stored, without},
    undo,
    write::{self, tombstone_of},
};
use content::{
    Record, SALTS_FILE, TOMBSTONES_FILE, Tombstone, TombstoneReason,
    change::{ContentStage, FileChange, commit},
};
use contract::model::{ReviewId, WithheldReason};

/// The reviews to remove permanently.
#[derive(Clone, Debug)]
pub struct RemovalRequest {
    /// Reviews to remove, by id.
    pub ids: Vec<ReviewId>,
    /// The author of further reviews to remove; case and accents do not matter.
    pub author: Option<String>,
    /// The reason that the tombstones name.
    pub reason: WithheldReason,
}

/// The result of a permanent removal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Reviews that were stored.
    pub removed: Vec<ReviewId>,
    /// Ids of which there was but a tombstone.
    pub known: Vec<ReviewId>,
    /// The files they were in.
    pub files: Vec<PathBuf>,
    /// Files that were imported, by the names of the log: they may still hold them.
    pub exports: Vec<String>,
}

/// Removes reviews and leaves tombstones that every later import obeys.
///
/// # Errors
/// When nothing was removed: the id or the author is unknown, or a file cannot be read or written.
pub fn run(
    content: &Path,
    request: &RemovalRequest,
    now: Timestamp,
) -> Result<Forgotten, ImportError> {
    let context = read_context(content)?;
    let stage = ContentStage::open(content)?;
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let found = find(content, request)?;
    let removed: BTreeSet<ReviewId> = found.records.iter().map(|record| record.id).collect();

    let mut tombstones = context.tombstones.clone();
    let mut known = Vec::new();
    for &id in request.ids.iter().filter(|id| !removed.contains(id)) {
        let tombstone = tombstones.iter_mut().find(|tombstone| tombstone.id == id);
        let tombstone = tombstone.ok_or_else(|| {
            ImportError::Setting(format!("there is no review {id}; candor list shows the ids"))
        })?;
        tombstone.reason = TombstoneReason::Forgotten(request.reason);
        known.push(id);
    }
    if let Some(author) =
        request.author.as_deref().filter(|_| removed.is_empty() && known.is_empty())
    {
        return Err(ImportError::Setting(format!("there is no review by {author:?}")));
    }
    let reason = TombstoneReason::Forgotten(request.reason);
    tombstones.retain(|tombstone: &Tombstone| !removed.contains(&tombstone.id));
    tombstones.extend(found.records.iter().map(|record| tombstone_of(record, now, reason)));

    let mut changes = found.changes(&stage, &removed)?;
    let staged = stage.folder().join("tombstones");
    std::fs::write(&staged, write::tombstone_lines(&tombstones)?)
        .map_err(ImportError::io(&staged))?;
    changes.push(FileChange::Replace { staged, path: content.join(TOMBSTONES_FILE) });
    let erased: BTreeSet<ReviewId> = removed.iter().chain(&known).copied().collect();
    changes.extend(without_salts(&stage, &erased)?);
    // What the last import kept to be taken back holds the reviews, too.
    undo::remove_kept(content)?;
    commit(&stage, &changes)?;

    let exports: BTreeSet<String> =
        context.imports.iter().flat_map(|line| &line.files).map(|file| file.file.clone()).collect();
    Ok(Forgotten {
        removed: removed.into_iter().collect(),
        known,
        files: found.files.into_keys().collect(),
        exports: exports.into_iter().collect(),
    })
}

/// The salts of the transparency log without those of these reviews: then nobody can tell which text a
/// hash in the log stands for.
fn without_salts(
    stage: &ContentStage,
    erased: &BTreeSet<ReviewId>,
) -> Result<Option<FileChange>, ImportError> {
    let path = stage.content().join(SALTS_FILE);
    if !path.exists() {
        return Ok(None);
    }
    without(stage.content(), &path, false, stage.folder().join("salts"), erased).map(Some)
}

/// The reviews that go, and the files they are in; `true` for one array.
struct RemovalTargets {
    records: Vec<Record>,
    files: BTreeMap<PathBuf, bool>,
}

fn find(content: &Path, request: &RemovalRequest) -> Result<RemovalTargets, ImportError> {
    let author = request.author.as_deref().map(folded_name);
    let (mut records, mut numbers) = (Vec::new(), BTreeSet::new());
    let files = read_stored(content, &mut |record, line| {
        let is_theirs = author.as_ref().is_some_and(|name| folded_name(&record.author.0) == *name);
        if is_theirs || request.ids.contains(&record.id) {
            numbers.insert(line.file);
            records.push(record);
        }
        Ok(())
    })?;
    let files = files.into_iter().enumerate().filter(|(number, _)| numbers.contains(number));
    Ok(RemovalTargets {
        records,
        files: files.map(|(_, file)| (file.path, file.is_array)).collect(),
    })
}

impl RemovalTargets {
    fn changes(
        &self,
        stage: &ContentStage,
        removed: &BTreeSet<ReviewId>,
    ) -> Result<Vec<FileChange>, ImportError> {
        let mut changes = Vec::new();
        for (number, (path, is_array)) in self.files.iter().enumerate() {
            let staged = stage.folder().join(format!("reviews-{number}"));
            changes.push(without(stage.content(), path, *is_array, staged, removed)?);
        }
        Ok(changes)
    }
}
