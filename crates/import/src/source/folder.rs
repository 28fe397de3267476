//! A folder of exports.

use std::path::{Path, PathBuf};

use super::{ImportError, MAX_FILES};

/// Deepest nesting of folders.
const MAX_DEPTH: usize = 16;

/// Every file below a folder, but for hidden ones.
pub(super) fn list(
    folder: &Path,
    depth: usize,
    files: &mut Vec<PathBuf>,
) -> Result<(), ImportError> {
    let too_much = |what: &str| {
        ImportError::Read(folder.display().to_string(), format!("the folder holds {what}"))
    };
    if depth > MAX_DEPTH {
        return Err(too_much("folders more than 16 deep"));
    }
    for entry in std::fs::read_dir(folder).map_err(ImportError::io(folder))? {
        let entry = entry.map_err(ImportError::io(folder))?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(ImportError::io(&entry.path()))?;
        if kind.is_dir() {
            list(&entry.path(), depth + 1, files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        } else {
            let what = if kind.is_symlink() { "a symbolic link" } else { "not a regular file" };
            let fault = format!("it is {what}; name what it leads to as an argument, or remove it");
            return Err(ImportError::Read(entry.path().display().to_string(), fault));
        }
        if files.len() > MAX_FILES {
            return Err(too_much("more than 100,000 files"));
        }
    }
    Ok(())
}
