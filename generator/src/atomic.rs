//! Files that are written whole or not at all. The folders they are written to can come from a
//! repository, so that no name in them is trusted to be a plain file.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// Makes a new file. What was at the path is removed first: a symbolic link there is never followed.
///
/// # Errors
/// When it cannot be removed or made, or somebody else makes it at the same time.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
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
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = Path::new(&temporary);
    let mut file = create(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(temporary, path)
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
}
