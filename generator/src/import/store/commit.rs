//! Puts the staged files in place. A journal is the point of no return: before it nothing has changed,
//! after it the next command that writes completes the change.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use contract::files::sync_folder;

use super::{ImportStage, STAGE};
use crate::{
    content::{
        CHECKPOINT_FILE, ENTRIES_FILE, LOG_FILE, OVERRIDES_FILE, SALTS_FILE, TOMBSTONES_FILE,
        TRANSPARENCY_SETTINGS, is_witness_file,
    },
    import::ImportError,
    journal::{self, JournalError, resolve},
    publish::{LockError, lock_folder},
};

/// What becomes of a file of the content folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// The staged file takes its place.
    Replace { staged: PathBuf, path: PathBuf },
    /// It is removed.
    Remove { path: PathBuf },
}

impl FileChange {
    /// The file of the content folder.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Replace { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// The journal of an import.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ContentChanges {
    /// From the name of a file in the stage to a path in the content folder.
    renames: Vec<(String, String)>,
    /// Paths in the content folder.
    removals: Vec<String>,
}

/// The same, ready to be done.
struct Resolved {
    renames: Vec<(PathBuf, PathBuf)>,
    removals: Vec<PathBuf>,
}

impl ContentChanges {
    fn of(content: &Path, changes: &[FileChange]) -> Result<Self, String> {
        let mut journal = Self::default();
        for change in changes {
            match change {
                FileChange::Replace { staged, path } => {
                    let staged = staged.file_name().and_then(|name| name.to_str());
                    let staged = staged.ok_or("a staged file has no name")?;
                    journal.renames.push((staged.to_owned(), inside(content, path)?));
                }
                FileChange::Remove { path } => journal.removals.push(inside(content, path)?),
            }
        }
        Ok(journal)
    }

    /// Every path checked before the first file is touched.
    fn resolve(&self, content: &Path) -> Result<Resolved, String> {
        let target = |path: &String| match is_target(path) {
            true => resolve(content, path).map_err(|error| error.to_string()),
            false => Err(format!("it names {path:?}, which no import writes")),
        };
        let stage = content.join(STAGE);
        let staged = |name: &String| {
            let is_name = !name.contains('/');
            let path = resolve(&stage, name).ok().filter(|_| is_name);
            let path =
                path.ok_or_else(|| format!("it names {name:?}, which is not in the stage"))?;
            match path.symlink_metadata() {
                Ok(metadata) if !metadata.is_file() => {
                    Err(format!("it names {name:?}, which is not a file"))
                }
                _ => Ok(path),
            }
        };
        let rename = |(from, to): &(String, String)| Ok((staged(from)?, target(to)?));
        Ok(Resolved {
            renames: self.renames.iter().map(rename).collect::<Result<_, String>>()?,
            removals: self.removals.iter().map(target).collect::<Result<_, _>>()?,
        })
    }
}

/// Whether this is one of the files that imports, changes by hand and the log write or remove.
fn is_target(path: &str) -> bool {
    let in_reviews = path.strip_prefix("reviews/").is_some_and(|name| !name.contains('/'));
    let is_reviews = path.ends_with(".ndjson") || path.ends_with(".json");
    let in_log = [TRANSPARENCY_SETTINGS, ENTRIES_FILE, SALTS_FILE, CHECKPOINT_FILE];
    (in_reviews && is_reviews)
        || in_log.contains(&path)
        || is_witness_file(path)
        || [LOG_FILE, TOMBSTONES_FILE, OVERRIDES_FILE, "reviews.json"].contains(&path)
}

/// Relative to the content folder, so that a folder that was moved can be completed too.
fn inside(content: &Path, path: &Path) -> Result<String, String> {
    let parts = path.strip_prefix(content).unwrap_or(path).iter();
    let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
    parts
        .map(|parts| parts.join("/"))
        .ok_or_else(|| format!("{} is not UTF-8; rename the file", path.display()))
}

/// Puts everything in place. After an error nothing has changed, or the journal is written and the
/// next command completes the change.
pub(crate) fn commit(stage: &ImportStage, changes: &[FileChange]) -> Result<(), ImportError> {
    if changes.is_empty() {
        return Ok(());
    }
    let content = stage.content();
    let journal = ContentChanges::of(content, changes).and_then(|journal| {
        let resolved = journal.resolve(content)?;
        Ok((journal, resolved))
    });
    let (journal, resolved) = journal.map_err(|reason| {
        ImportError::Setting(format!("the change of {} is not safe: {reason}", content.display()))
    })?;
    for (staged, _) in &resolved.renames {
        let synced = File::open(staged).and_then(|file| file.sync_all());
        synced.map_err(ImportError::io(staged))?;
    }
    journal::write(stage.folder(), &journal)?;
    finish(content)
}

/// Makes the changes of the journal, if there is one, and removes the stage. The caller holds the lock.
pub(super) fn finish(content: &Path) -> Result<(), ImportError> {
    let stage = content.join(STAGE);
    if let Some(changes) = journal::read::<ContentChanges>(&stage)? {
        let refused = |reason| JournalError::refused(&stage, reason);
        let changes = changes.resolve(content).map_err(refused)?;
        apply(content, &changes).map_err(ImportError::io(content))?;
    }
    match std::fs::remove_dir_all(&stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ImportError::io(&stage)(error))
        }
        _ => Ok(()),
    }
}

/// Every step can be done twice.
fn apply(content: &Path, changes: &Resolved) -> io::Result<()> {
    let mut folders = vec![content.to_owned()];
    for (staged, path) in &changes.renames {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
            folders.push(folder.to_owned());
        }
        match std::fs::rename(staged, path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    for path in &changes.removals {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    folders.dedup();
    folders.iter().try_for_each(|folder| sync_folder(folder))
}

/// Completes an import that was killed while it put its files in place; for commands that write.
///
/// # Errors
/// When it cannot be completed, or its journal is not this program's.
pub fn complete(content: &Path) -> Result<(), ImportError> {
    match unfinished(content)? {
        Some(_lock) => finish(content),
        None => Ok(()),
    }
}

/// Keeps other commands from changing a content folder until the result is dropped, and completes
/// what an interrupted import left.
///
/// # Errors
/// When another command is changing the folder, or the import cannot be completed.
pub fn lock_content(content: &Path) -> Result<File, ImportError> {
    let lock = lock_folder(content).map_err(|error| match error {
        LockError::Held => ImportError::Locked(content.to_owned()),
        LockError::Io(error) => ImportError::io(content)(error),
    })?;
    finish(content)?;
    Ok(lock)
}

/// Whether an import was killed while it put its files in place; for commands that only read.
///
/// # Errors
/// When its journal cannot be read, or is not this program's.
pub fn is_interrupted(content: &Path) -> Result<bool, ImportError> {
    if unfinished(content)?.is_none() {
        return Ok(false);
    }
    let stage = content.join(STAGE);
    let Some(changes) = journal::read::<ContentChanges>(&stage)? else { return Ok(false) };
    let refused = |reason| JournalError::refused(&stage, reason);
    changes.resolve(content).map_err(refused)?;
    Ok(true)
}

/// The lock of a content folder in which there is a journal. An import that is at work removes its
/// journal within moments, and is waited for.
fn unfinished(content: &Path) -> Result<Option<File>, ImportError> {
    let stage = content.join(STAGE);
    while journal::exists(&stage) {
        match lock_folder(content) {
            Ok(lock) => return Ok(Some(lock)),
            Err(LockError::Held) => {}
            Err(LockError::Io(error)) => return Err(ImportError::io(content)(error)),
        }
    }
    Ok(None)
}
