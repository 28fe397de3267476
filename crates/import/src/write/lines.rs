//! The files of reviews in which a line changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use super::ImportPlan;
use crate::{
    error::ImportError,
    node::{Node, StoredOutcome, StoredReview},
    options::Run,
    store::ReviewFile,
};
use content::change::FileChange;
use contract::model::{Day, ReviewId};

/// Stages every file of reviews in which a line changes. Lines that do not change are copied byte for
/// byte; a file is in the order of date and id.
pub(super) fn stage(
    run: &Run<'_>,
    nodes: &[Node],
    files: &[ReviewFile],
    plan: &ImportPlan,
) -> Result<Vec<FileChange>, ImportError> {
    let assignment = FileAssignment::new(run.stage.content(), files, nodes);
    let mut contents: BTreeMap<PathBuf, Vec<LineEntry<'_>>> =
        assignment.changed(nodes, plan).into_iter().map(|path| (path, Vec::new())).collect();
    let mut put = |path: &Path, entry| {
        if let Some(entries) = contents.get_mut(path) {
            entries.push(entry);
        }
    };
    for (node, stored) in stored_nodes(nodes) {
        let day = match stored.outcome {
            StoredOutcome::Removed => continue,
            StoredOutcome::Unchanged if assignment.stays_in_array(stored) => continue,
            StoredOutcome::Changed(day) => day,
            StoredOutcome::Unchanged => node.day,
        };
        let entry = LineEntry { day, id: node.id, line: &stored.line.bytes };
        put(&assignment.after(node, stored), entry);
    }
    for new in &plan.new {
        put(&assignment.by_year(new.day), LineEntry { day: new.day, id: new.id, line: &new.bytes });
    }
    let mut changes = Vec::new();
    for (number, (path, entries)) in contents.into_iter().enumerate() {
        run.check_interrupt()?;
        changes.extend(stage_file(run, number, path, entries)?);
    }
    let emptied = assignment.arrays.iter().map(|&array| files[array].path.clone());
    changes.extend(emptied.map(|path| FileChange::Remove { path }));
    Ok(changes)
}

fn stored_nodes(nodes: &[Node]) -> impl Iterator<Item = (&Node, &StoredReview)> {
    nodes.iter().filter_map(|node| Some((node, node.stored()?)))
}

/// A line of a file to be.
#[derive(Clone, Copy, Debug)]
struct LineEntry<'a> {
    day: Day,
    id: ReviewId,
    line: &'a [u8],
}

fn stage_file(
    run: &Run<'_>,
    number: usize,
    path: PathBuf,
    mut entries: Vec<LineEntry<'_>>,
) -> Result<Option<FileChange>, ImportError> {
    if entries.is_empty() {
        return Ok(path.symlink_metadata().is_ok().then_some(FileChange::Remove { path }));
    }
    entries.sort_unstable_by_key(|entry| (entry.day, entry.id));
    let staged = run.stage.folder().join(format!("reviews-{number}"));
    let write = || {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&staged)?);
        for entry in entries {
            out.write_all(entry.line)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(ImportError::io(&staged))?;
    Ok(Some(FileChange::Replace { staged, path }))
}

/// The file that each review is in after the import.
struct FileAssignment<'a> {
    folder: PathBuf,
    files: &'a [ReviewFile],
    /// Arrays in which something changes: their reviews move to the files of their years.
    arrays: BTreeSet<usize>,
}

impl<'a> FileAssignment<'a> {
    fn new(content: &Path, files: &'a [ReviewFile], nodes: &[Node]) -> Self {
        let arrays = stored_nodes(nodes)
            .filter(|(_, stored)| stored.outcome != StoredOutcome::Unchanged)
            .map(|(_, stored)| stored.line.file)
            .filter(|&file| files[file].is_array)
            .collect();
        Self { folder: content.join("reviews"), files, arrays }
    }

    /// The files of lines in which a line changes.
    fn changed(&self, nodes: &[Node], plan: &ImportPlan) -> BTreeSet<PathBuf> {
        let mut changed: BTreeSet<PathBuf> =
            plan.new.iter().map(|new| self.by_year(new.day)).collect();
        for (node, stored) in stored_nodes(nodes) {
            let is_changed = stored.outcome != StoredOutcome::Unchanged;
            if is_changed || self.arrays.contains(&stored.line.file) {
                changed.insert(self.after(node, stored));
                changed.extend(self.before(stored).map(Path::to_owned));
            }
        }
        changed
    }

    fn by_year(&self, day: Day) -> PathBuf {
        self.folder.join(format!("{:04}.ndjson", day.date().year()))
    }

    /// Whether a review is in an array in which nothing changes.
    fn stays_in_array(&self, stored: &StoredReview) -> bool {
        let file = stored.line.file;
        self.files[file].is_array && !self.arrays.contains(&file)
    }

    /// The file of lines a review is in now.
    fn before(&self, stored: &StoredReview) -> Option<&Path> {
        let file = &self.files[stored.line.file];
        (!file.is_array).then_some(&file.path)
    }

    /// Returns the file it is in now, unless its date has moved out of its year's file, or it is leaving an array.
    fn after(&self, node: &Node, stored: &StoredReview) -> PathBuf {
        let day = match stored.outcome {
            StoredOutcome::Changed(day) => day,
            _ => node.day,
        };
        let is_same_year = node.day.date().year() == day.date().year();
        match self.before(stored) {
            Some(path) if is_same_year || path != self.by_year(node.day) => path.to_owned(),
            _ => self.by_year(day),
        }
    }
}
