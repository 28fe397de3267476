//! Takes back the last import: what it changed is kept beside the content until the next one.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::error::ImportError;
use content::change::{ContentStage, FileChange, commit};
use jiff::Timestamp;

/// The folder in `content/`. It hides itself from version control.
const FOLDER: &str = ".candor-undo";
/// What the files in it are.
const INDEX: &str = "undo.json";

/// The last import.
#[derive(Debug, Serialize, Deserialize)]
struct LastImport {
    at: Timestamp,
    files: Vec<ChangedFile>,
}

/// A file that it changed.
#[derive(Debug, Serialize, Deserialize)]
struct ChangedFile {
    /// In the content folder.
    path: String,
    /// The name in the folder of the file as it was; `None`: it was not there.
    before: Option<String>,
    /// The BLAKE3 hash of the file as the import left it; `None`: it is not there.
    after: Option<String>,
}

/// Keeps the files that an import is about to change.
pub(super) fn keep(
    stage: &ContentStage,
    changes: &[FileChange],
    at: Timestamp,
) -> Result<(), ImportError> {
    let content = stage.content();
    remove_kept(content)?;
    let folder = content.join(FOLDER);
    fs::create_dir(&folder).map_err(ImportError::io(&folder))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(ImportError::io(&path))
    };
    write(".gitignore", b"*\n")?;
    let mut files = Vec::with_capacity(changes.len());
    for (number, change) in changes.iter().enumerate() {
        let name = number.to_string();
        let kept = folder.join(&name);
        let before = match fs::copy(change.path(), &kept) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            copied => copied.map(|_| Some(name)).map_err(ImportError::io(change.path()))?,
        };
        let after = match change {
            FileChange::Replace { staged, .. } => hash(staged)?,
            FileChange::Remove { .. } => None,
        };
        let path = change.path().strip_prefix(content).unwrap_or(change.path());
        let path = path.to_string_lossy().into_owned();
        files.push(ChangedFile { path, before, after });
    }
    let index = serde_json::to_vec(&LastImport { at, files }).map_err(ImportError::internal)?;
    write(INDEX, &index)
}

/// Takes back the last import: its time, and the files that are as they were before it.
///
/// # Errors
/// When none is kept, or when a file has changed since. Nothing has changed then.
pub fn undo(content: &Path) -> Result<(Timestamp, Vec<PathBuf>), ImportError> {
    let stage = ContentStage::open(content)?;
    let folder = content.join(FOLDER);
    let index = fs::read(folder.join(INDEX)).ok();
    let index = index.and_then(|bytes| serde_json::from_slice::<LastImport>(&bytes).ok());
    let Some(LastImport { at, files }) = index else {
        return Err(ImportError::Setting(
            "there is no import to take back in this folder; one that was made elsewhere is taken back with version control, such as git revert"
                .to_owned(),
        ));
    };
    let mut changes = Vec::with_capacity(files.len());
    for ChangedFile { path, before, after } in files {
        let path = content.join(path);
        if hash(&path)? != after {
            return Err(ImportError::Setting(format!(
                "{} has changed since the import of {at}; take both back with version control",
                path.display()
            )));
        }
        changes.push(match before {
            None => FileChange::Remove { path },
            Some(name) => {
                let (from, staged) = (folder.join(&name), stage.folder().join(&name));
                // A repository may have put the folder here: nothing outside of it is read.
                let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
                if !is_number || !from.symlink_metadata().is_ok_and(|kept| kept.is_file()) {
                    let reason = format!("{name:?} is not a file that an import kept");
                    return Err(ImportError::Read(
                        folder.join(INDEX).display().to_string(),
                        reason,
                    ));
                }
                fs::copy(&from, &staged).map_err(ImportError::io(&from))?;
                FileChange::Replace { staged, path }
            }
        });
    }
    commit(&stage, &changes)?;
    remove_kept(content)?;
    Ok((at, changes.into_iter().map(|change| change.path().to_owned()).collect()))
}

/// Removes what is kept.
pub(super) fn remove_kept(content: &Path) -> Result<(), ImportError> {
    let folder = content.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ImportError::io(&folder)(error))
        }
        _ => Ok(()),
    }
}

/// The hash of a file; `None` where it is not there.
fn hash(path: &Path) -> Result<Option<String>, ImportError> {
    let mut hasher = blake3::Hasher::new();
    match fs::File::open(path).and_then(|file| hasher.update_reader(file).map(drop)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(|()| Some(hasher.finalize().to_string())).map_err(ImportError::io(path)),
    }
}
