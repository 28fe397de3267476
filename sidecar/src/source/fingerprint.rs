//! Checks that a file is still the one that was read.

use std::{fs, path::Path, time::SystemTime};

/// The metadata of a file, without its bytes. The generator sets a file's time to that of the manifest, so that the
/// time alone would miss a change; the inode and its change time, if there are any, do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
    inode: (u64, u64, i64, i64),
}

impl Fingerprint {
    /// Returns the fingerprint; `None` if there is no such file, or if only its bytes show a change.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(Self { length: found.len(), modified: found.modified().ok(), inode: inode(&found)? })
    }
}

#[cfg(unix)]
fn inode(found: &fs::Metadata) -> Option<(u64, u64, i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino(), found.ctime(), found.ctime_nsec()))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<(u64, u64, i64, i64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_replaced_file_shows_at_equal_length_and_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let put = |bytes: &str| {
            let staged = directory.path().join("b");
            fs::write(&staged, bytes).unwrap();
            let file = fs::File::options().write(true).open(&staged).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            fs::rename(&staged, &path).unwrap();
            Fingerprint::of(&path)
        };
        assert_eq!(Fingerprint::of(&path), None);
        let first = put("old");
        assert_eq!(first, Fingerprint::of(&path));
        assert_ne!(first, put("new"));
    }
}
