//! Changes several files of a content folder at once. They are staged next to it, and renamed together. Before the
//! journal is written nothing has changed; after it is, the next command that writes completes the change.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use contract::files::sync_folder;

use super::{
    import_log::LOG_FILE,
    overrides::OVERRIDES_FILE,
    places::PLACES_FILE,
    tombstones::TOMBSTONES_FILE,
    transparency::{
        CHECKPOINT_FILE, EARLIER_FILE, ENTRIES_FILE, SALTS_FILE, TRANSPARENCY_SETTINGS,
    },
};
use system::{
    access::explained,
    folder_lock::{LockError, lock_folder},
    journal::{self, JournalError, resolve},
};

/// The reason why the content was not changed, or is changed only by the next command that writes.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The change is prepared, and one of its steps fails.
    #[error("{0}: {1}; the change has begun: once that is mended, the same command completes it")]
    Begun(PathBuf, io::Error),
    /// Another command is changing the content.
    #[error("another command is changing {0}; wait for it to end")]
    Locked(PathBuf),
    /// The journal names a file that no command changes.
    #[error("the change of {0} is not safe: {1}")]
    Unsafe(PathBuf, String),
    /// The change that an interrupted command left cannot be completed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ChangeError {
    /// Makes an error of a file operation on this file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io(path.to_owned(), explained(path)(error))
    }
}

/// The folder in `content/` where a change is prepared. It hides itself from version control.
pub const STAGE: &str = ".candor-import";

/// The lock of a content folder, and the folder in which a change is prepared. Dropping it removes the prepared files.
#[derive(Debug)]
pub struct ContentStage {
    content: PathBuf,
    folder: PathBuf,
    _lock: File,
}

impl ContentStage {
    /// Completes an interrupted import, and makes an empty stage.
    pub fn open(content: &Path) -> Result<Self, ChangeError> {
        let lock = lock_content(content)?;
        let folder = content.join(STAGE);
        let make = || {
            std::fs::create_dir(&folder)?;
            std::fs::write(folder.join(".gitignore"), "*\n")
        };
        make().map_err(ChangeError::io(&folder))?;
        Ok(Self { content: content.to_owned(), folder, _lock: lock })
    }

    /// The content folder.
    pub fn content(&self) -> &Path {
        &self.content
    }

    /// The folder in which changed files are prepared.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for ContentStage {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next import.
        if !journal::exists(&self.folder) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The change of a file of the content folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// A staged file replaces the file.
    Replace {
        /// The path in the folder of the stage.
        staged: PathBuf,
        /// The path in the content folder.
        path: PathBuf,
    },
    /// The file is removed.
    Remove {
        /// The path in the content folder.
        path: PathBuf,
    },
}

impl FileChange {
    /// The file of the content folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::Replace { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// The journal of an import.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ContentChanges {
    /// The name of each file in the stage, with its path in the content folder.
    renames: Vec<(String, String)>,
    /// The paths in the content folder that are removed.
    removals: Vec<String>,
}

/// The changes of a journal with absolute paths.
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

    /// Resolves every path, before the first file is touched.
    fn resolve(&self, content: &Path) -> Result<Resolved, String> {
        let target = |path: &String| {
            if is_target(path) {
                resolve(content, path).map_err(|error| error.to_string())
            } else {
                Err(format!("it names {path:?}, which no import writes"))
            }
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
    let in_log = [TRANSPARENCY_SETTINGS, ENTRIES_FILE, SALTS_FILE, CHECKPOINT_FILE, EARLIER_FILE];
    (in_reviews && is_reviews)
        || in_log.contains(&path)
        || [LOG_FILE, TOMBSTONES_FILE, OVERRIDES_FILE, PLACES_FILE, "reviews.json"].contains(&path)
}

/// Returns the path relative to the content folder, so that a folder that was moved can be completed too.
fn inside(content: &Path, path: &Path) -> Result<String, String> {
    let parts = path.strip_prefix(content).unwrap_or(path).iter();
    let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
    parts
        .map(|parts| parts.join("/"))
        .ok_or_else(|| format!("{} is not UTF-8; rename the file", path.display()))
}

/// Makes all changes. After an error nothing has changed, or the journal is written and the next command completes the
/// change.
pub fn commit(stage: &ContentStage, changes: &[FileChange]) -> Result<(), ChangeError> {
    if changes.is_empty() {
        return Ok(());
    }
    let content = stage.content();
    let journal = ContentChanges::of(content, changes).and_then(|journal| {
        let resolved = journal.resolve(content)?;
        Ok((journal, resolved))
    });
    let (journal, resolved) =
        journal.map_err(|reason| ChangeError::Unsafe(content.to_owned(), reason))?;
    for (staged, _) in &resolved.renames {
        let synced = File::open(staged).and_then(|file| file.sync_all());
        synced.map_err(ChangeError::io(staged))?;
    }
    journal::write(stage.folder(), &journal)?;
    finish(content)
}

/// Makes the changes of the journal, if there is one, and removes the stage. The caller holds the lock.
fn finish(content: &Path) -> Result<(), ChangeError> {
    let stage = content.join(STAGE);
    if let Some(changes) = journal::read::<ContentChanges>(&stage)? {
        let refused = |reason| JournalError::refused(&stage, reason);
        let changes = changes.resolve(content).map_err(refused)?;
        apply(content, &changes)?;
    }
    match std::fs::remove_dir_all(&stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ChangeError::io(&stage)(error))
        }
        _ => Ok(()),
    }
}

/// Renames and removes the files. Every step can be repeated.
fn apply(content: &Path, changes: &Resolved) -> Result<(), ChangeError> {
    let at = |path: &Path, done: io::Result<()>| {
        done.map_err(|error| ChangeError::Begun(path.to_owned(), explained(path)(error)))
    };
    let unless_gone = |done: io::Result<()>| match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    let mut folders = vec![content.to_owned()];
    for (staged, path) in &changes.renames {
        if let Some(folder) = path.parent() {
            at(folder, std::fs::create_dir_all(folder))?;
            folders.push(folder.to_owned());
        }
        at(path, unless_gone(std::fs::rename(staged, path)))?;
    }
    for path in &changes.removals {
        at(path, unless_gone(std::fs::remove_file(path)))?;
    }
    folders.dedup();
    folders.iter().try_for_each(|folder| at(folder, sync_folder(folder)))
}

/// Completes an import that was killed while it renamed its files; for commands that write.
///
/// # Errors
/// When it cannot be completed, or its journal is not this program's.
pub fn complete(content: &Path) -> Result<(), ChangeError> {
    match unfinished(content)? {
        Some(_lock) => finish(content),
        None => Ok(()),
    }
}

/// Keeps other commands from changing a content folder until the result is dropped, and completes an interrupted
/// import.
///
/// # Errors
/// When another command is changing the folder, or the import cannot be completed.
pub fn lock_content(content: &Path) -> Result<File, ChangeError> {
    let lock = lock_folder(content).map_err(|error| match error {
        LockError::Held => ChangeError::Locked(content.to_owned()),
        LockError::Io(error) => ChangeError::io(content)(error),
    })?;
    finish(content)?;
    Ok(lock)
}

/// Whether an import was killed while it renamed its files; for commands that only read.
///
/// # Errors
/// When its journal cannot be read, or is not this program's.
pub fn is_interrupted(content: &Path) -> Result<bool, ChangeError> {
    if unfinished(content)?.is_none() {
        return Ok(false);
    }
    let stage = content.join(STAGE);
    let Some(changes) = journal::read::<ContentChanges>(&stage)? else { return Ok(false) };
    let refused = |reason| JournalError::refused(&stage, reason);
    changes.resolve(content).map_err(refused)?;
    Ok(true)
}

/// Returns the lock of a content folder in which there is a journal. An import that is running removes its journal
/// within moments, and is waited for.
fn unfinished(content: &Path) -> Result<Option<File>, ChangeError> {
    let stage = content.join(STAGE);
    while journal::exists(&stage) {
        match lock_folder(content) {
            Ok(lock) => return Ok(Some(lock)),
            Err(LockError::Held) => {}
            Err(LockError::Io(error)) => return Err(ChangeError::io(content)(error)),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_cannot_be_made_names_the_file_and_is_completed_later() {
        let folder = tempfile::tempdir().unwrap();
        let (content, path) = (folder.path(), folder.path().join(OVERRIDES_FILE));
        std::fs::create_dir_all(path.join("in the way")).unwrap();
        let stage = ContentStage::open(content).unwrap();
        let staged = stage.folder().join("0");
        std::fs::write(&staged, "new").unwrap();
        let change = FileChange::Replace { staged, path: path.clone() };
        let said = commit(&stage, &[change]).unwrap_err().to_string();
        drop(stage);
        assert!(said.starts_with(&format!("{}: ", path.display())), "{said}");
        let remedy = "; the change has begun: once that is mended, the same command completes it";
        assert!(said.ends_with(remedy), "{said}");
        std::fs::remove_dir_all(&path).unwrap();
        complete(content).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    }
}
