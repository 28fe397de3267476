//! Looks at each part of a path, and then opens it, for systems without `openat`.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use super::{Refused, parts};

/// Opens what is at a path. A link that replaces the file after the look is opened itself, and not followed.
pub(super) fn open(base: &Path, below: &Path) -> io::Result<File> {
    let path = walk(base, below)?;
    let mut options = OpenOptions::new();
    #[cfg(windows)]
    {
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
        let flags = FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let file = options.read(true).open(&path)?;
    if file.metadata()?.is_symlink() {
        return Err(Refused::Link(path).into());
    }
    Ok(file)
}

/// The names in a folder.
pub(super) fn names(base: &Path, below: &Path) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(walk(base, below)?)?;
    entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

fn walk(base: &Path, below: &Path) -> io::Result<PathBuf> {
    let mut path = base.to_owned();
    for name in parts(below)? {
        path.push(name);
        if path.symlink_metadata()?.is_symlink() {
            return Err(Refused::Link(path).into());
        }
    }
    Ok(path)
}
