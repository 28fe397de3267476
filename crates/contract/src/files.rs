//! Files that are written whole or not at all. The folders they are written to can come from a
//! repository, so no name in them is trusted to be a plain file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write},
    path::Path,
};

/// Creates a new file. What was at the path is removed first, so a symbolic link is never followed.
///
/// # Errors
/// When it cannot be removed or created, or another process creates it at the same time.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options().write(true).create_new(true).open(path)
}

/// Replaces a file by one with these bytes. A reader sees the old file or the new one, also after a
/// loss of power.
///
/// # Errors
/// When the new file cannot be written; the old one is unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = Path::new(&temporary);
    let mut file = create(temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(temporary, path)).inspect_err(|_| {
        // The disk may be full.
        let _ = fs::remove_file(temporary);
    })?;
    match path.parent() {
        Some(folder) if folder != Path::new("") => sync_folder(folder),
        _ => sync_folder(Path::new(".")),
    }
}

/// Creates a file with these bytes that only its owner can read, and returns the bytes of the file:
/// those of another process if it created the file first.
///
/// # Errors
/// When the file cannot be written or read.
pub fn create_private(path: &Path, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let temporary = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = private().create(true).truncate(true).open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    // A link, unlike a rename, does not replace a file.
    let linked = written.and_then(|()| fs::hard_link(&temporary, path));
    fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::read(path),
    }
}

/// Reads a file that the user named, which may be a pipe, of at most so many bytes.
///
/// # Errors
/// When it cannot be read, or has more bytes, as a device may.
pub fn read_small(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let reason = format!("it has more than {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Options to write a file that only its owner can read, if they create it.
#[must_use]
pub fn private() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes the names in a folder durable, on systems that can sync a folder.
///
/// # Errors
/// When the system cannot sync it.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn no_link_is_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, path) = (folder.path().join("victim"), folder.path().join("a"));
        std::fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("a.new")).unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert!(path.symlink_metadata().unwrap().is_file());
    }

    #[test]
    fn a_file_that_cannot_be_replaced_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::create_dir_all(path.join("b")).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_first_private_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        assert_eq!(create_private(&path, b"first").unwrap(), b"first");
        assert_eq!(create_private(&path, b"second").unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
