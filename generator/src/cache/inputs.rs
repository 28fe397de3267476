//! What a build reads.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use contract::parallel::parallel;

use super::Hasher;

/// Adds the names and bytes of all files in a folder. Names that begin with a dot are not content.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn hash_folder(folder: &Path, hasher: &mut Hasher) -> io::Result<()> {
    let mut files = Vec::new();
    list(folder, &mut files, hasher)?;
    let hashes = parallel(files.len(), |at| hash_file(&files[at]))?;
    for (path, hash) in files.iter().zip(hashes) {
        hasher.add(path.as_os_str().as_encoded_bytes());
        hasher.add(hash.as_bytes());
    }
    Ok(())
}

/// Lists the files of a folder and of those in it, by name, and adds the names of the folders.
fn list(folder: &Path, files: &mut Vec<PathBuf>, hasher: &mut Hasher) -> io::Result<()> {
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        // Links are followed, as when the content is read.
        if path.is_dir() {
            hasher.add(path.as_os_str().as_encoded_bytes());
            list(&path, files, hasher)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads it piece by piece: a file of reviews may have many megabytes.
fn hash_file(path: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path)?)?;
    Ok(hasher.finalize())
}

/// By name.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}
