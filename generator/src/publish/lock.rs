use std::{
    fs::{File, TryLockError},
    path::Path,
};

use super::PublishError;

/// Keeps other builds out of one public directory until it is dropped.
pub(super) fn acquire(public: &Path) -> Result<File, PublishError> {
    let file = open(public).map_err(PublishError::io(public))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(PublishError::Locked(public.to_owned())),
        Err(TryLockError::Error(error)) => Err(PublishError::io(public)(error)),
    }
}

/// The directory itself: nothing of the lock is ever deployed or left behind.
#[cfg(unix)]
fn open(public: &Path) -> std::io::Result<File> {
    File::open(public)
}

/// Where a directory cannot be opened, a file in the temporary folder stands for it.
#[cfg(not(unix))]
fn open(public: &Path) -> std::io::Result<File> {
    let canonical = public.canonicalize()?;
    let name = blake3::hash(canonical.as_os_str().as_encoded_bytes()).to_hex();
    File::create(std::env::temp_dir().join(format!("candor-{}.lock", &name[..32])))
}
