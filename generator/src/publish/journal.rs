//! The names an unfinished build has put, or may have put, into the public directory.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{PublishError, STAGE};

fn path(public: &Path) -> PathBuf {
    public.join(STAGE).join("journal.json")
}

/// What the last build owned if it did not come to its end.
pub(super) fn read(public: &Path) -> Result<Vec<String>, PublishError> {
    let path = path(public);
    match std::fs::read(&path) {
        // The journal is renamed into place whole; anything else is not ours to trust.
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(PublishError::io(&path)(error)),
    }
}

/// Written and synced before the first file is renamed into place.
pub(super) fn write(public: &Path, owned: &[String]) -> Result<(), PublishError> {
    let path = path(public);
    let temporary = path.with_extension("new");
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(serde_json::json!(owned).to_string().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&temporary, &path)
    };
    write().map_err(PublishError::io(&path))
}
