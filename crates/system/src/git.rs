//! Asks git about a checkout that may have files of other people.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Git in a folder. No program that the configuration of a repository names is run, and a repository among the
/// files of the checkout is not read.
pub fn command(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-C"])
        .arg(folder);
    git
}

/// Whether git tracks a file, or a symbolic link that leads to it from its folder or as its folder; `None` where git
/// cannot tell. False outside a checkout.
pub fn tracks(file: &Path) -> Option<bool> {
    let links = [Some(file), file.parent()].into_iter().flatten().filter(|path| path.is_symlink());
    // A link could also lead to files that are tracked under another name.
    let mut paths: Vec<PathBuf> = file.canonicalize().into_iter().collect();
    for link in links {
        let folder = link.parent().filter(|folder| !folder.as_os_str().is_empty());
        paths.push(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(link.file_name()?));
    }
    let mut any = false;
    for path in paths {
        any |= has(&path)?;
    }
    Some(any)
}

/// Whether git tracks a symbolic link that is a part of the path; `None` where git cannot tell. False outside a checkout.
pub fn tracks_link(path: &Path) -> Option<bool> {
    let mut any = false;
    for link in path.ancestors().filter(|part| part.is_symlink()) {
        let folder = link.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        any |= has(&folder.join(link.file_name()?))?;
    }
    Some(any)
}

/// Whether git tracks what is at a path without links before its last part.
fn has(file: &Path) -> Option<bool> {
    let folder = file.parent()?;
    if !folder.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok()) {
        return Some(false);
    }
    // In a container the checkout often belongs to another user.
    let mut git = command(folder);
    git.args(["-c", "safe.directory=*", "ls-files", "--error-unmatch", "--"])
        .arg(file.file_name()?);
    match git.output().ok()?.status.code() {
        Some(0) => Some(true),
        Some(1) => Some(false),
        _ => None,
    }
}
