//! The state directory: what must survive a restart, held by one process at a time.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use contract::{files, lock};
use jiff::Timestamp;

/// The key of the MCP sessions, inside the state directory.
pub(crate) const SESSION_KEY_FILE: &str = "mcp-session-key";

const LOCK_FILE: &str = "lock";

/// A state directory that is ours until this is dropped.
#[derive(Debug)]
pub(crate) struct StateDir {
    path: PathBuf,
    _lock: File,
}

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It can neither be made nor opened.
    #[error("cannot use the state directory {path}: {source}")]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has it.
    #[error(
        "the state directory {path} is held by {holder}: stop that one, or give this one another \
         --state"
    )]
    Held {
        /// The directory.
        path: PathBuf,
        /// What the lock file says of its holder.
        holder: String,
    },
}

impl StateDir {
    /// Makes the directory if there is none, and takes its lock as [`lock::acquire`]
    /// does. Blocks.
    pub(crate) fn open(path: &Path, wait: Duration) -> Result<Self, StateError> {
        let unusable = |source| StateError::Unusable { path: path.to_path_buf(), source };
        if make(path).map_err(unusable)? {
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
        sign(&file).map_err(unusable)?;
        Ok(Self { path: path.to_path_buf(), _lock: file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces a file: readers and a crash find the old bytes or the new, never a mix.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        files::replace(&self.path.join(name), bytes)
    }
}

/// Whether it had to be made.
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

/// Writes who holds the lock into it.
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
        state.write("file", b"bytes").unwrap();
        assert_eq!(fs::read(path.join("file")).unwrap(), b"bytes");
        assert!(!path.join("file.tmp").exists());
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
