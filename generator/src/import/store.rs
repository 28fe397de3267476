//! The content folder as an import changes it: files are read, changed ones staged next to it, and put
//! in place all together.

mod commit;
mod existing;
mod lines;

use std::{
    fs::File,
    path::{Path, PathBuf},
};

pub(crate) use commit::{FileChange, commit};
pub use commit::{complete, is_interrupted, lock_content};
pub(super) use existing::{ReviewFile, StoredLine, read_stored};
pub(super) use lines::{with_line, without};

use super::ImportError;
use crate::{journal, root::Root};

/// The folder in `content/` where an import works. It hides itself from version control.
pub(crate) const STAGE: &str = ".candor-import";

/// The right to change a content folder, and the place to prepare the change in. Dropping it removes
/// what was prepared.
#[derive(Debug)]
pub(crate) struct ImportStage {
    content: PathBuf,
    folder: PathBuf,
    _lock: File,
}

impl ImportStage {
    /// Completes an interrupted import, and makes an empty stage.
    pub(crate) fn open(content: &Path) -> Result<Self, ImportError> {
        let lock = commit::lock_content(content)?;
        let folder = content.join(STAGE);
        let make = || {
            std::fs::create_dir(&folder)?;
            std::fs::write(folder.join(".gitignore"), "*\n")
        };
        make().map_err(ImportError::io(&folder))?;
        Ok(Self { content: content.to_owned(), folder, _lock: lock })
    }

    pub(crate) fn content(&self) -> &Path {
        &self.content
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The text of a file of the content folder; empty where there is no such file.
pub(super) fn read_or_empty(content: &Path, path: &Path) -> Result<String, ImportError> {
    let text = Root::at(content).text(path).map_err(ImportError::io(path))?;
    Ok(text.unwrap_or_default())
}

impl Drop for ImportStage {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next import.
        if !journal::exists(&self.folder) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
