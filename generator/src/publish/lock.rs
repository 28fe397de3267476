use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use super::PublishError;

/// Keeps other builds out of one public directory until it is dropped. The lock lies in the
/// system's temporary folder, so that nothing of it is ever deployed.
pub(super) fn acquire(public: &Path) -> Result<File, PublishError> {
    let canonical = public.canonicalize().map_err(PublishError::io(public))?;
    let name = blake3::hash(canonical.as_os_str().as_encoded_bytes()).to_hex();
    let path = std::env::temp_dir().join(format!("candor-{}.lock", &name[..32]));
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(PublishError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(PublishError::Locked(public.to_owned())),
        Err(TryLockError::Error(error)) => Err(PublishError::io(&path)(error)),
    }
}
