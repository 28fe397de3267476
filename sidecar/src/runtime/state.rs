//! The state directory: the files that must survive a restart, locked by one process at a time.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use contract::lock;
use jiff::Timestamp;
use tempfile::{NamedTempFile, TempDir};

use crate::runtime::degraded::{Degraded, Part};

/// The name of the key of the MCP sessions in the state directory.
pub(crate) const SESSION_KEY_FILE: &str = "mcp-session-key";

const LOCK_FILE: &str = "lock";

/// The text after the name of a file in the name of its damaged predecessor.
const KEPT: &str = ".damaged-";

/// A state directory that no other process uses until this is dropped.
#[derive(Debug)]
pub(crate) struct StateDir {
    path: PathBuf,
    _lock: Option<File>,
    substitute: Option<Substitute>,
}

/// A temporary directory in place of one that cannot be written.
#[derive(Debug)]
struct Substitute {
    _directory: TempDir,
    replaced: PathBuf,
}

/// The reason why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The directory can be neither made nor opened.
    #[error("cannot use the state directory {path}: {source}")]
    Unusable {
        /// The path of the directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another process has locked it.
    #[error(
        "the state directory {path} is held by {holder}: stop that one, or give this one another \
         --state"
    )]
    Held {
        /// The path of the directory.
        path: PathBuf,
        /// The holder that the lock file names.
        holder: String,
    },
}

impl StateDir {
    /// Makes the directory if there is none, and locks it as [`lock::acquire`] does. Blocks.
    pub(crate) fn open(path: &Path, wait: Duration) -> Result<Self, StateError> {
        let unusable = |source| StateError::Unusable { path: path.to_path_buf(), source };
        let is_new = make(path).map_err(unusable)?;
        // An existing lock file may be writable in a directory that is not.
        NamedTempFile::new_in(path).map_err(unusable)?;
        if is_new {
            tracing::warn!(
                state = %path.display(),
                "made a new state directory: keep it across restarts"
            );
        }
        let name = path.join(LOCK_FILE);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&name).map_err(unusable)?;
        if !lock::acquire(&file, wait).map_err(unusable)? {
            return Err(StateError::Held { path: path.to_path_buf(), holder: holder(&name) });
        }
        if let Err(error) = sign(&file) {
            // The disk is full: the lock is held all the same.
            tracing::warn!(%error, "cannot write the lock file of the state directory");
        }
        Ok(Self { path: path.to_path_buf(), _lock: Some(file), substitute: None })
    }

    /// Opens the directory, or makes a temporary one if it cannot be written: published files are copied there, so that
    /// reads continue.
    pub(crate) fn open_or_substitute(
        path: &Path,
        wait: Duration,
        degraded: &Degraded,
    ) -> Result<Self, StateError> {
        let error = match Self::open(path, wait) {
            Err(error) if error.is_unwritable() => error,
            opened => return opened,
        };
        let unusable = |source| StateError::Unusable { path: path.to_path_buf(), source };
        let directory = tempfile::Builder::new().prefix("candor-state-").tempdir();
        let directory = directory.map_err(unusable)?;
        degraded.report(
            Part::State,
            format!(
                "{error}. Copies of the published files are in {} until the process ends: make the \
                 state directory writable and restart",
                directory.path().display()
            ),
        );
        let (path, replaced) = (directory.path().to_path_buf(), path.to_path_buf());
        let substitute = Some(Substitute { _directory: directory, replaced });
        Ok(Self { path, _lock: None, substitute })
    }

    /// Returns the state directory that cannot be written, if this one is a substitute.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.substitute.as_ref().map(|substitute| substitute.replaced.as_path())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl StateError {
    /// Whether the directory cannot be written; it may be readable.
    fn is_unwritable(&self) -> bool {
        let Self::Unusable { source, .. } = self else { return false };
        use ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem | StorageFull | QuotaExceeded)
    }
}

/// Renames a damaged file, and the files beside it with these suffixes, so that nothing replaces or
/// deletes it. Returns its new path.
pub(crate) fn set_aside(path: &Path, suffixes: &[&str]) -> io::Result<PathBuf> {
    let at = Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ");
    let kept = with_suffix(path, &format!("{KEPT}{at}"));
    if kept.exists() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(path, &kept)?;
    for suffix in suffixes {
        match fs::rename(with_suffix(path, suffix), with_suffix(&kept, suffix)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(kept)
}

/// Returns the newest file that [`set_aside`] made of this one.
pub(crate) fn kept_aside(path: &Path) -> Option<PathBuf> {
    let name = format!("{}{KEPT}", path.file_name()?.to_str()?);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_kept = |path: &PathBuf| {
        path.file_name().and_then(|found| found.to_str()).is_some_and(|found| {
            // Not a file that was beside it.
            found.starts_with(&name) && found.ends_with('Z')
        })
    };
    paths.filter(is_kept).max()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Makes the directory. Returns whether it did not exist.
fn make(path: &Path) -> io::Result<bool> {
    if path.is_dir() {
        return Ok(false);
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)?;
    Ok(true)
}

/// Writes the holder of the lock into it.
fn sign(mut lock: &File) -> io::Result<()> {
    lock.set_len(0)?;
    let started = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    lock.write_all(format!("process {}, started {started}\n", process::id()).as_bytes())
}

fn holder(lock: &Path) -> String {
    match fs::read_to_string(lock) {
        Ok(text) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_directory_is_for_its_owner_alone() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/state");
        let state = StateDir::open(&path, Duration::ZERO).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        }
        drop(state);
    }

    #[test]
    fn a_damaged_file_is_kept_with_what_belongs_to_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("hub.db");
        assert_eq!(kept_aside(&path), None);
        fs::write(&path, b"damaged").unwrap();
        fs::write(directory.path().join("hub.db-wal"), b"log").unwrap();
        let kept = set_aside(&path, &["-wal", "-shm"]).unwrap();
        assert!(!path.exists() && !directory.path().join("hub.db-wal").exists());
        assert_eq!(fs::read(&kept).unwrap(), b"damaged");
        assert_eq!(fs::read(with_suffix(&kept, "-wal")).unwrap(), b"log");
        assert_eq!(kept_aside(&path), Some(kept));
    }

    #[test]
    fn a_second_holder_is_told_who_the_first_is() {
        let directory = tempfile::tempdir().unwrap();
        let first = StateDir::open(directory.path(), Duration::ZERO).unwrap();
        let error = StateDir::open(directory.path(), Duration::from_millis(150)).unwrap_err();
        let message = error.to_string();
        let path = directory.path().display();
        let opening = format!("the state directory {path} is held by process {}", process::id());
        assert!(message.starts_with(&opening), "{message}");
        assert!(message.ends_with(": stop that one, or give this one another --state"));
        drop(first);
        StateDir::open(directory.path(), Duration::ZERO).unwrap();
    }
}
