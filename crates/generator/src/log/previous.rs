//! Compares the log with the published one, which must be its beginning.

use std::path::Path;

use review_log::{
    CHECKPOINT_PATH, Checkpoint, LOG_FOLDER, MAX_BUNDLE, first_difference, is_bundle, parse_bundle,
    tile_paths,
};

use super::LogError;
use crate::previous::{Previous, PreviousError};
use content::{ENTRIES_FILE, TransparencyLog, entry_lines, entry_place};
use contract::{
    manifest::MANIFEST_PATH,
    problem::{Place, Problem, Severity},
};
use system::root::Root;

/// Maximum bytes of a checkpoint: witnesses add a line each.
const MAX_CHECKPOINT: u64 = 64 * 1024;

/// The code of a log whose files do not agree.
const DAMAGED: &str = "damaged-log";

/// The place of an earlier publication.
#[derive(Clone, Copy, Debug)]
pub enum Earlier<'a> {
    /// The folder it was published to.
    Folder(&'a Path),
    /// The manifest and its place, from which other documents are read; else the live site of this address.
    Manifest(&'a Previous, &'a str),
}

impl Earlier<'_> {
    /// Reads a document; `None` if there is none.
    fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, LogError> {
        let read = |previous: &Previous| {
            previous.document(path, limit).map_err(|error: PreviousError| {
                LogError::Published(format!("{:#}", anyhow::Error::new(error)))
            })
        };
        match self {
            Self::Folder(folder) => read(&Previous::File(folder.join(MANIFEST_PATH))),
            // A manifest that was kept alone has no documents beside it.
            Self::Manifest(previous @ Previous::File(_), base_url) => match read(previous)? {
                None => read(
                    &format!("{base_url}/{MANIFEST_PATH}")
                        .parse::<Previous>()
                        .map_err(LogError::Published)?,
                ),
                found => Ok(found),
            },
            Self::Manifest(previous, _) => read(previous),
        }
    }
}

/// Returns the fault if the log is published after the earlier one; `None` if that one is its beginning, or there is no
/// earlier log.
///
/// # Errors
/// When there is an earlier log that cannot be read.
pub fn compare(
    log: Option<&TransparencyLog>,
    content: &Path,
    earlier: &Earlier<'_>,
) -> Result<Option<Problem>, LogError> {
    let Some(note) = earlier.read(CHECKPOINT_PATH, MAX_CHECKPOINT)? else { return Ok(None) };
    let file = || Place::file(content.join(ENTRIES_FILE).display().to_string());
    let Some(log) = log else {
        return Ok(Some(rewritten(
            file(),
            "a log is published, and the content has none".to_owned(),
        )));
    };
    let published = match Checkpoint::open(&note, &log.keys) {
        Ok(published) => published,
        Err(error) => {
            let message = format!("the published checkpoint does not belong to this log: {error}");
            return Ok(Some(rewritten(file(), message)));
        }
    };
    if log.tree.root_at(published.size) == Some(published.root) {
        return Ok(None);
    }
    let size = log.tree.size();
    let entries = read_entries(earlier, published.size)?;
    let difference = first_difference(&entries, log.tree.leaves());
    let place = difference.filter(|leaf| *leaf < size).map(|leaf| entry_place(content, leaf));
    let message = match difference {
        Some(leaf) if leaf < size => {
            format!("entry {leaf} of the log is not the one that is published")
        }
        Some(_) => format!("{} entries are published, and the log has {size}", published.size),
        None => {
            "the published entries are in the log, but the published checkpoint is about others"
                .to_owned()
        }
    };
    Ok(Some(rewritten(place.unwrap_or_else(file), message)))
}

fn rewritten(place: Place, message: String) -> Problem {
    Problem {
        severity: Severity::Error,
        code: "rewritten-log",
        place,
        message: format!("{message}: readers who know that log would see that history was rewritten"),
        help: "take content/log as it was at the last publication from version control, then run candor log add".to_owned(),
    }
}

/// Returns the entry that was changed in a damaged log, by the published one; the checkpoint alone does not show it.
pub fn first_damaged(
    problems: &[Problem],
    content: &Path,
    earlier: &Earlier<'_>,
) -> Option<Problem> {
    let is_damaged = |problem: &Problem| problem.code == DAMAGED;
    let note = problems.iter().find(|problem| is_damaged(problem))?;
    let published = Checkpoint::claimed(&earlier.read(CHECKPOINT_PATH, MAX_CHECKPOINT).ok()??)?.1;
    let published = read_entries(earlier, published).ok()?;
    let bytes = Root::at(content).read(ENTRIES_FILE.as_ref()).ok()?;
    let lines: Vec<Vec<u8>> = entry_lines(&bytes)?.into_iter().map(<[u8]>::to_vec).collect();
    let leaf = first_difference(&published, &lines)?;
    let message = format!("entry {leaf} is the first one that is not as it was published");
    let place = entry_place(content, leaf);
    (place != note.place).then(|| Problem { message, place, ..note.clone() })
}

/// Reads all entries of an earlier publication.
fn read_entries(earlier: &Earlier<'_>, size: u64) -> Result<Vec<Vec<u8>>, LogError> {
    let mut entries = Vec::new();
    for path in tile_paths(size).filter(|path| is_bundle(path)) {
        let path = format!("{LOG_FOLDER}{path}");
        let bytes = earlier.read(&path, MAX_BUNDLE)?;
        let bytes = bytes.ok_or_else(|| LogError::Published(format!("there is no {path}")))?;
        let bundle = parse_bundle(&bytes);
        entries.extend(bundle.map_err(|error| LogError::Published(format!("{path}: {error}")))?);
    }
    Ok(entries)
}
