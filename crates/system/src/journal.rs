//! Journals: what a command has begun to change in a folder, so that the next command can complete it.
//!
//! A journal is in a stage, a work folder inside the folder that changes (`content/` or `public/`).
//! Both can come from a repository, an archive or a cache, with a journal that somebody else wrote. So
//! a journal is followed only if this program wrote it into this very stage, and only for paths that
//! `resolve` accepts.

use std::{
    fs::Metadata,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::access::explained;
use contract::{files, manifest::is_safe_path};

/// The journal's name in its stage.
const NAME: &str = "journal.json";

/// The reason why a journal cannot be read, written or followed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason; part of the message, and so no source.
        error: io::Error,
    },
    /// The journal, or the stage it is in, is not this program's, or names an unsafe path.
    #[error("{path} is not followed: {reason}; {}", remedy(.path))]
    Refused {
        /// The journal, or its stage where that is not a folder.
        path: PathBuf,
        /// The fault of the journal.
        reason: String,
    },
}

/// Returns the remedy for a journal that is refused.
pub fn remedy(path: &Path) -> String {
    let stage = path.parent().filter(|_| path.ends_with(NAME)).unwrap_or(path);
    format!(
        "remove {}, also from the repository or archive it came with, and run the command again",
        stage.display()
    )
}

impl JournalError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io { path: path.to_owned(), error: explained(path)(error) }
    }

    /// The journal of `stage` is not to be followed.
    pub fn refused(stage: &Path, reason: impl Into<String>) -> Self {
        Self::Refused { path: stage.join(NAME), reason: reason.into() }
    }
}

/// The identity of a folder, which no copy of it has. A checkout, an archive or `cp` makes a folder with
/// another inode and another time; a restart or a rename keeps both.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct StageIdentity {
    /// The inode; 0 where the system has none.
    inode: u64,
    /// The time when the folder was made, where the file system keeps that.
    created: Option<SystemTime>,
}

impl StageIdentity {
    fn of(folder: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(folder);
        #[cfg(not(unix))]
        let inode = 0;
        Self { inode, created: folder.created().ok() }
    }
}

/// The file: the stage it was written into, and what is to be done.
#[derive(Serialize, Deserialize)]
struct Journal<T> {
    stage: StageIdentity,
    changes: T,
}

/// Whether there is a journal, of whatever origin.
pub fn exists(stage: &Path) -> bool {
    stage.join(NAME).symlink_metadata().is_ok()
}

/// Reads the journal of a stage; `None` where there is none.
///
/// # Errors
/// [`JournalError::Refused`] when this program did not write it into this stage.
pub fn read<T: DeserializeOwned>(stage: &Path) -> Result<Option<T>, JournalError> {
    let Some(folder) = metadata(stage)? else { return Ok(None) };
    if !folder.is_dir() {
        let reason = "it is not a folder".to_owned();
        return Err(JournalError::Refused { path: stage.to_owned(), reason });
    }
    let path = stage.join(NAME);
    let Some(file) = metadata(&path)? else { return Ok(None) };
    let foreign = || JournalError::refused(stage, "candor did not write it into this folder");
    if !file.is_file() {
        return Err(foreign());
    }
    let bytes = std::fs::read(&path).map_err(JournalError::io(&path))?;
    // It is renamed into place whole, so that a journal of this program can always be read.
    let journal: Journal<T> = serde_json::from_slice(&bytes).map_err(|_| foreign())?;
    if journal.stage == StageIdentity::of(&folder) {
        Ok(Some(journal.changes))
    } else {
        Err(foreign())
    }
}

/// Returns the metadata of the file itself, not of what a symbolic link points to.
fn metadata(path: &Path) -> Result<Option<Metadata>, JournalError> {
    match path.symlink_metadata() {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::io(path)(error)),
    }
}

/// Writes the journal of a stage, so that it survives a loss of power once this returns.
pub fn write(stage: &Path, changes: &impl Serialize) -> Result<(), JournalError> {
    let path = stage.join(NAME);
    let write = || {
        let stage_now = StageIdentity::of(&stage.symlink_metadata()?);
        let journal = serde_json::to_vec(&Journal { stage: stage_now, changes })?;
        files::replace(&path, &journal)
    };
    write().map_err(JournalError::io(&path))
}

/// Removes everything in a stage but its journal, and the stage itself where that leaves it empty.
/// What cannot be removed is left to the next command.
pub fn clear(stage: &Path) {
    let Ok(entries) = std::fs::read_dir(stage) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name() != NAME) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = if is_folder {
            std::fs::remove_dir_all(entry.path())
        } else {
            std::fs::remove_file(entry.path())
        };
    }
    let _ = std::fs::remove_dir(stage);
}

/// The reason why a path is not to be written to or removed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsafePath {
    /// Absolute, with `..`, or not a path that every system reads alike.
    #[error("it names {0:?}, which is not inside the folder")]
    Outside(String),
    /// A folder on the way is a symbolic link, or no folder.
    #[error("it names a path through {}, which is not a folder", .0.display())]
    Through(PathBuf),
}

/// The file `path` below `root`: relative, with `/` between its parts, and through no symbolic link.
/// The root itself may be one.
pub fn resolve(root: &Path, path: &str) -> Result<PathBuf, UnsafePath> {
    if !is_safe_path(path) {
        return Err(UnsafePath::Outside(path.to_owned()));
    }
    let parents = path.match_indices('/').map(|(end, _)| root.join(&path[..end]));
    for parent in parents {
        match parent.symlink_metadata() {
            Ok(metadata) if !metadata.is_dir() => return Err(UnsafePath::Through(parent)),
            Ok(_) => {}
            // What is not there yet is made as a folder.
            Err(_) => break,
        }
    }
    Ok(root.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_read_in_the_stage_it_was_written_into_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let (stage, copy) = (folder.path().join("stage"), folder.path().join("copy"));
        std::fs::create_dir(&stage).unwrap();
        std::fs::create_dir(&copy).unwrap();
        assert_eq!(read::<String>(&stage).unwrap(), None);
        write(&stage, &"changes").unwrap();
        assert_eq!(read::<String>(&stage).unwrap().as_deref(), Some("changes"));
        std::fs::copy(stage.join(NAME), copy.join(NAME)).unwrap();
        let error = read::<String>(&copy).unwrap_err().to_string();
        let path = copy.join(NAME);
        assert_eq!(
            error,
            format!(
                "{} is not followed: candor did not write it into this folder; remove {}, also from the repository or archive it came with, and run the command again",
                path.display(),
                copy.display()
            )
        );
        // Moved along with its folder it is still the same stage.
        let moved = folder.path().join("moved");
        std::fs::rename(&stage, &moved).unwrap();
        assert_eq!(read::<String>(&moved).unwrap().as_deref(), Some("changes"));
    }

    #[test]
    fn a_stage_that_is_made_anew_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let stage = folder.path().join("stage");
        std::fs::create_dir(&stage).unwrap();
        write(&stage, &1).unwrap();
        let bytes = std::fs::read(stage.join(NAME)).unwrap();
        // File systems may give an inode out again at once: the time tells the two apart there.
        std::fs::rename(&stage, folder.path().join("old")).unwrap();
        std::fs::create_dir(&stage).unwrap();
        std::fs::write(stage.join(NAME), bytes).unwrap();
        assert!(matches!(read::<u8>(&stage), Err(JournalError::Refused { .. })));
    }

    #[test]
    fn only_paths_inside_the_folder_are_resolved() {
        let root = Path::new("/nowhere");
        for path in ["/etc/passwd", "../x", "a/../../x", "a/./b", "", "a//b", "C:/x", "a\\b"] {
            assert_eq!(resolve(root, path), Err(UnsafePath::Outside(path.to_owned())));
        }
        assert_eq!(resolve(root, "a/b.json"), Ok(root.join("a/b.json")));
    }

    #[cfg(unix)]
    #[test]
    fn no_path_is_resolved_through_a_symbolic_link() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("real")).unwrap();
        std::os::unix::fs::symlink(folder.path(), root.join("link")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        assert_eq!(resolve(&root, "link/x"), Err(UnsafePath::Through(root.join("link"))));
        assert_eq!(resolve(&root, "file/x"), Err(UnsafePath::Through(root.join("file"))));
        assert_eq!(resolve(&root, "real/new/x"), Ok(root.join("real/new/x")));
        assert_eq!(resolve(&root, "link"), Ok(root.join("link")), "the file itself may be one");
    }
}
