//! The journal: names that an unfinished build has written, or may have written, to the public directory.

use std::path::Path;

use super::{PublishError, STAGE};
use contract::manifest::is_safe_path;
use system::journal::{self, JournalError, UnsafePath};

/// Reads the names of the last build's files if it did not complete; `None` if it did.
pub(super) fn read(public: &Path) -> Result<Option<Vec<String>>, PublishError> {
    let stage = public.join(STAGE);
    let owned: Option<Vec<String>> = journal::read(&stage)?;
    if let Some(path) = owned.iter().flatten().find(|path| !is_safe_path(path)) {
        let reason = UnsafePath::Outside(path.clone()).to_string();
        return Err(JournalError::refused(&stage, reason).into());
    }
    Ok(owned)
}

/// Writes and syncs the journal, before the first file is renamed into place.
pub(super) fn write(public: &Path, owned: &[String]) -> Result<(), PublishError> {
    Ok(journal::write(&public.join(STAGE), &owned)?)
}
