//! Asks git about a checkout that may have files of other people.

use std::{path::Path, process::Command};

/// Git in a folder. No program that the configuration of a repository names is run, and a repository among the
/// files of the checkout is not read.
pub fn command(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.args(["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-C"])
        .arg(folder);
    git
}

/// Whether git tracks a file; `None` where git cannot tell. False outside a checkout.
pub fn tracks(file: &Path) -> Option<bool> {
    // A link to the folder could lead to files that are tracked under another name.
    let Ok(file) = file.canonicalize() else { return Some(false) };
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
