//! Keeps two commands from changing one folder at the same time.

use std::{fs::File, path::Path, time::Duration};

use contract::lock;

/// The reason why a directory could not be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process has the lock.
    Held,
    /// The directory could not be opened or locked.
    Io(std::io::Error),
}

/// Locks a directory against other commands that lock it, until the file is dropped.
pub fn lock_folder(folder: &Path) -> Result<File, LockError> {
    let file = open(folder).map_err(LockError::Io)?;
    match lock::acquire(&file, Duration::ZERO) {
        Ok(true) => Ok(file),
        Ok(false) => Err(LockError::Held),
        Err(error) => Err(LockError::Io(error)),
    }
}

/// The directory itself: nothing of the lock is ever deployed or left behind.
#[cfg(unix)]
fn open(public: &Path) -> std::io::Result<File> {
    File::open(public)
}

/// Opens a file in the temporary folder instead, because this system cannot open a directory.
#[cfg(not(unix))]
fn open(public: &Path) -> std::io::Result<File> {
    let canonical = public.canonicalize()?;
    let name = blake3::hash(canonical.as_os_str().as_encoded_bytes()).to_hex();
    File::create(std::env::temp_dir().join(format!("candor-{}.lock", &name[..32])))
}
