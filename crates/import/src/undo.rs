//! Takes back the last import: what it changed is kept beside the content until the next one.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::error::ImportError;
use content::{
    OVERRIDES_FILE,
    change::{ContentStage, FileChange, commit},
};
use contract::model::ReviewId;
use jiff::Timestamp;
use system::root::Root;

/// The folder in `content/`. It hides itself from version control.
const FOLDER: &str = ".candor-undo";
/// The list of the files in it.
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
    /// The path in the content folder.
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
    let (root, folder) = (Root::at(content), content.join(FOLDER));
    fs::create_dir(&folder).map_err(ImportError::io(&folder))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        write_synced(&path, bytes).map_err(ImportError::io(&path))
    };
    write(".gitignore", b"*\n")?;
    let mut files = Vec::with_capacity(changes.len());
    for (number, change) in changes.iter().enumerate() {
        let name = number.to_string();
        let before = copy(&root, change.path(), &folder.join(&name))?.then_some(name);
        let after = match change {
            FileChange::Replace { staged, .. } => hash(&root, staged)?,
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
/// When none is kept, when a file has changed since, or when a review that it added is corrected or
/// quoted by now. Nothing has changed then.
pub fn undo(content: &Path) -> Result<(Timestamp, Vec<PathBuf>), ImportError> {
    let stage = ContentStage::open(content)?;
    // A repository may have put the folder here: nothing outside of the content is read.
    let (root, folder) = (Root::at(content), content.join(FOLDER));
    let index = root.read(&folder.join(INDEX)).ok();
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
        if hash(&root, &path)? != after {
            return Err(ImportError::Setting(format!(
                "{} has changed since the import of {at}; take both back with version control",
                path.display()
            )));
        }
        changes.push(match before {
            None => FileChange::Remove { path },
            Some(name) => {
                let (from, staged) = (folder.join(&name), stage.folder().join(&name));
                let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
                if !is_number || !copy(&root, &from, &staged)? {
                    let index = folder.join(INDEX).display().to_string();
                    let reason = format!("{name:?} is not a file that an import kept");
                    return Err(ImportError::Read(index, reason));
                }
                FileChange::Replace { staged, path }
            }
        });
    }
    refuse_mentioned(&root, &changes)?;
    commit(&stage, &changes)?;
    remove_kept(content)?;
    Ok((at, changes.into_iter().map(|change| change.path().to_owned()).collect()))
}

/// Refuses to remove a review that the owner has replied to, corrected or quoted since: those files
/// would name a review that is gone.
fn refuse_mentioned(root: &Root, changes: &[FileChange]) -> Result<(), ImportError> {
    let read = |path: &Path| -> Result<String, ImportError> {
        let Some(mut file) = open(root, path)? else { return Ok(String::new()) };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(ImportError::io(path))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (mut now, mut before) = (String::new(), String::new());
    for change in changes {
        now.push_str(&read(change.path())?);
        if let FileChange::Replace { staged, .. } = change {
            before.push_str(&read(staged)?);
        }
    }
    for file in [OVERRIDES_FILE, "faq.toml"].map(|name| root.path().join(name)) {
        let text = read(&file)?;
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let mut ids = words.filter(|word| word.parse::<ReviewId>().is_ok());
        if let Some(id) = ids.find(|id| now.contains(*id) && !before.contains(*id)) {
            return Err(ImportError::Setting(format!(
                "{} names {id}, which this import added; remove it there first",
                file.display()
            )));
        }
    }
    Ok(())
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

/// A file of the content folder; `None` where it is not there.
fn open(root: &Root, path: &Path) -> Result<Option<fs::File>, ImportError> {
    match root.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some).map_err(ImportError::io(path)),
    }
}

/// Copies a file if it is there.
fn copy(root: &Root, from: &Path, to: &Path) -> Result<bool, ImportError> {
    let Some(file) = open(root, from)? else { return Ok(false) };
    write_synced(to, file).map(|()| true).map_err(ImportError::io(to))
}

/// Writes a file that is whole after a loss of power, if it is there then: half of one would be taken back as
/// the whole.
fn write_synced(path: &Path, mut from: impl io::Read) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    io::copy(&mut from, &mut file)?;
    file.sync_all()
}

/// The hash of a file; `None` where it is not there.
fn hash(root: &Root, path: &Path) -> Result<Option<String>, ImportError> {
    let Some(file) = open(root, path)? else { return Ok(None) };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(ImportError::io(path))?;
    Ok(Some(hasher.finalize().to_string()))
}
