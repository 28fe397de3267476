//! Checks that there is room for a publication: by the operator's limit, and on the disk of the state directory.

use std::{collections::HashSet, path::Path};

use contract::etag::ETag;

use super::{LoadError, Objects, WantedObject};

/// The limits of a publication, by the lengths that its manifest states.
#[derive(Debug)]
pub(crate) struct Room {
    /// Maximum bytes of all files that are served.
    max_publication: u64,
    /// Returns the bytes that may still be written to the disk of a directory, if the system knows them.
    free: fn(&Path) -> Option<u64>,
}

impl Room {
    pub(crate) fn new(max_publication: u64) -> Self {
        Self { max_publication, free: free_space }
    }

    /// Refuses a publication that does not fit before its first byte is copied. `manifest` is the place of the lengths.
    /// Returns the tags and lengths of missing objects.
    pub(crate) fn check<'w>(
        &self,
        manifest: String,
        wanted: &'w [WantedObject],
        objects: &mut Objects,
    ) -> Result<HashSet<(&'w ETag, u64)>, LoadError> {
        let mut seen = HashSet::new();
        let all: Vec<&WantedObject> =
            wanted.iter().filter(|file| seen.insert((&file.etag, file.length))).collect();
        let sum = |files: &[&WantedObject]| {
            files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.length))
        };
        let (length, limit) = (sum(&all), self.max_publication);
        if length > limit {
            return Err(LoadError::TooLarge { file: manifest, length, limit });
        }
        let missing: Vec<&WantedObject> =
            all.into_iter().filter(|file| !objects.has(file)).collect();
        let needed = sum(&missing);
        match (self.free)(objects.directory()) {
            Some(free) if needed > free => Err(LoadError::NoSpace { file: manifest, needed, free }),
            _ => Ok(missing.into_iter().map(|file| (&file.etag, file.length)).collect()),
        }
    }
}

#[cfg(unix)]
fn free_space(directory: &Path) -> Option<u64> {
    /// Bytes of the disk that stay free for the hub's store: 64 MiB, or this part of a small disk.
    const RESERVE: u64 = 64 << 20;
    const RESERVED_PART: u64 = 16;
    let found = rustix::fs::statvfs(directory).ok()?;
    let reserve = RESERVE.min(found.f_blocks.saturating_mul(found.f_frsize) / RESERVED_PART);
    Some(found.f_bavail.saturating_mul(found.f_frsize).saturating_sub(reserve))
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(name: &str, length: u64) -> WantedObject {
        let etag = ETag::of(name.as_bytes());
        WantedObject { name: name.into(), coding: None, etag, length }
    }

    fn check(room: &Room, wanted: &[WantedObject]) -> Result<(), String> {
        let state = tempfile::tempdir().unwrap();
        let mut objects = Objects::open(state.path()).unwrap();
        // The store has one object already.
        std::fs::write(objects.path(&ETag::of(b"kept")), b"kept").unwrap();
        let checked = room.check("m.json".to_owned(), wanted, &mut objects);
        checked.map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn all_files_count_against_the_limit_and_each_of_them_once() {
        let room = Room { max_publication: 10, free: |_| None };
        let fitting = [wanted("kept", 4), wanted("a", 6), wanted("a", 6)];
        assert_eq!(check(&room, &fitting), Ok(()));
        let refused = "m.json lists files of 11 bytes together, and --max-publication is 10";
        assert!(check(&room, &[wanted("kept", 4), wanted("a", 7)]).unwrap_err().contains(refused));
        let endless = [wanted("a", 1 << 40), wanted("b", u64::MAX), wanted("c", u64::MAX)];
        assert!(
            check(&room, &endless).unwrap_err().contains("files of 18446744073709551615 bytes")
        );
    }

    #[test]
    fn missing_files_must_fit_on_the_disk() {
        let room = Room { max_publication: u64::MAX, free: |_| Some(10) };
        assert_eq!(check(&room, &[wanted("kept", 4), wanted("a", 10)]), Ok(()));
        assert_eq!(
            check(&room, &[wanted("kept", 4), wanted("a", 11)]).unwrap_err(),
            "m.json lists 11 bytes that are not in the state directory, whose disk has 10 bytes \
             left for them: make room, or move --state (or TMPDIR, of `mcp`) to a larger disk"
        );
        assert!(check(&room, &[wanted("a", 1 << 40)]).is_err());
        let full = Room { max_publication: u64::MAX, free: |_| Some(0) };
        assert_eq!(check(&full, &[wanted("kept", 4)]), Ok(()));
    }

    #[test]
    #[cfg(unix)]
    fn the_system_says_how_much_is_free() {
        let free = free_space(tempfile::tempdir().unwrap().path()).unwrap();
        assert!(free > 0 && free < 1 << 60, "{free}");
        assert_eq!(free_space(Path::new("/no/such/directory")), None);
    }
}
