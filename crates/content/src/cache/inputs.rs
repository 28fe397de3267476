//! Hashes the files that a build reads.

use std::{
    io,
    path::{Path, PathBuf},
};

use contract::parallel::parallel;

use super::Hasher;
use system::root::Root;

/// Adds the names and bytes of all files in a folder. Names that begin with a dot are not content.
///
/// # Errors
/// When a file cannot be read, or is not one that is read as content.
pub fn hash_folder(root: &Root, hasher: &mut Hasher) -> io::Result<()> {
    let mut files = Vec::new();
    list(root, Path::new(""), &mut files, hasher)?;
    let hashes = parallel(files.len(), |at| hash_file(root, &files[at]))?;
    for (path, hash) in files.iter().zip(hashes) {
        hasher.add(root.shown(path).as_os_str().as_encoded_bytes());
        hasher.add(hash.as_bytes());
    }
    Ok(())
}

/// Lists the files of a folder and of those in it, by name, and adds the names of the folders.
fn list(
    root: &Root,
    folder: &Path,
    files: &mut Vec<PathBuf>,
    hasher: &mut Hasher,
) -> io::Result<()> {
    for name in root.names(folder)? {
        let path = folder.join(name);
        match root.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                hasher.add(root.shown(&path).as_os_str().as_encoded_bytes());
                list(root, &path, files, hasher)?;
            }
            opened => {
                opened?;
                files.push(path);
            }
        }
    }
    Ok(())
}

/// Hashes a file piece by piece: a file of reviews may have many megabytes.
fn hash_file(root: &Root, path: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(root.open(path)?)?;
    Ok(hasher.finalize())
}
