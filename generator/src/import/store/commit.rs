//! The moment content changes. A journal is the point of no return: before it nothing has changed,
//! after it the change is finished by whichever command comes next.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{STAGE, Stage};
use crate::{
    import::ImportError,
    publish::{LockError, lock},
};

pub(super) const JOURNAL: &str = "journal.json";

/// What becomes of a file of the content folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Change {
    /// The staged file takes its place.
    Replace { staged: PathBuf, path: PathBuf },
    /// It goes.
    Remove { path: PathBuf },
}

/// Names relative to the content folder, so that a folder that was moved can be finished too.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Journal {
    renames: Vec<(String, String)>,
    removals: Vec<String>,
}

/// Puts everything in place. After an error nothing has changed, or the journal stands and the next
/// command finishes.
pub(in super::super) fn commit(stage: &Stage, changes: &[Change]) -> Result<(), ImportError> {
    if changes.is_empty() {
        return Ok(());
    }
    let content = stage.content();
    let mut journal = Journal::default();
    for change in changes {
        match change {
            Change::Replace { staged, path } => {
                let synced = File::open(staged).and_then(|file| file.sync_all());
                synced.map_err(ImportError::io(staged))?;
                journal.renames.push((inside(content, staged), inside(content, path)));
            }
            Change::Remove { path } => journal.removals.push(inside(content, path)),
        }
    }
    let path = stage.folder().join(JOURNAL);
    let write = || {
        let temporary = path.with_extension("new");
        let mut file = File::create(&temporary)?;
        serde_json::to_writer(&mut file, &journal)?;
        file.flush()?;
        file.sync_all()?;
        std::fs::rename(&temporary, &path)?;
        sync_folder(stage.folder())
    };
    write().map_err(ImportError::io(&path))?;
    finish(content)
}

fn inside(content: &Path, path: &Path) -> String {
    path.strip_prefix(content).unwrap_or(path).to_string_lossy().into_owned()
}

/// Finishes what a journal says, and clears the stage away. The caller holds the lock.
pub(super) fn finish(content: &Path) -> Result<(), ImportError> {
    let stage = content.join(STAGE);
    let path = stage.join(JOURNAL);
    match std::fs::read(&path) {
        Ok(bytes) => {
            // The journal is renamed into place whole: anything else is not ours.
            let journal: Journal = serde_json::from_slice(&bytes)
                .map_err(|error| ImportError::io(&path)(io::Error::other(error)))?;
            apply(content, &journal).map_err(ImportError::io(content))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(ImportError::io(&path)(error)),
    }
    match std::fs::remove_dir_all(&stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ImportError::io(&stage)(error))
        }
        _ => Ok(()),
    }
}

/// Every step can be done twice.
fn apply(content: &Path, journal: &Journal) -> io::Result<()> {
    let mut folders = vec![content.to_owned()];
    for (staged, path) in &journal.renames {
        let (staged, path) = (content.join(staged), content.join(path));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
            folders.push(folder.to_owned());
        }
        match std::fs::rename(staged, path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    for path in &journal.removals {
        match std::fs::remove_file(content.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    folders.dedup();
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Makes renames in a folder durable, where the system lets one open a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Finishes an import that was killed while it put its files in place; before anything reads the
/// content. Where there is none, or one is at work, nothing happens.
///
/// # Errors
/// When it cannot be finished.
pub(crate) fn recover(content: &Path) -> Result<(), ImportError> {
    if !content.join(STAGE).join(JOURNAL).exists() {
        return Ok(());
    }
    match lock(content) {
        Ok(_lock) => finish(content),
        Err(LockError::Held) => Ok(()),
        Err(LockError::Io(error)) => Err(ImportError::io(content)(error)),
    }
}
