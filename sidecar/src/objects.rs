//! Immutable copies of published files in the state directory, named by the hash in their tag.
//!
//! An answer reads its bytes from here and not from the public directory, where the next publish
//! may replace a file between two reads.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use reviews::etag::ETag;

use crate::load::LoadError;

const DIRECTORY: &str = "objects";
const TEMPORARY: &str = ".incoming";

/// Bytes read, hashed and written at a time.
const COPY_PIECE: usize = 256 * 1024;

/// A file a snapshot needs.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Its name in the public directory.
    pub(crate) name: String,
    /// The tag the manifest gives its bytes.
    pub(crate) etag: ETag,
    /// In bytes.
    pub(crate) length: u64,
}

/// The object store. One thread writes to it; every object in use stays readable until
/// [`Objects::sweep`] is told that it is not.
#[derive(Debug)]
pub(crate) struct Objects {
    directory: PathBuf,
    /// Hashed by this process.
    verified: HashSet<ETag>,
}

impl Objects {
    /// Opens the store of a state directory.
    pub(crate) fn open(state: &Path) -> io::Result<Self> {
        let directory = state.join(DIRECTORY);
        fs::create_dir_all(&directory)?;
        Ok(Self { directory, verified: HashSet::new() })
    }

    /// Where the bytes of this tag lie.
    pub(crate) fn path(&self, etag: &ETag) -> PathBuf {
        self.directory.join(etag.hex())
    }

    /// Whether the object is there and whole. Its bytes are hashed once per process.
    pub(crate) fn has(&mut self, wanted: &Wanted) -> bool {
        let path = self.path(&wanted.etag);
        if !fs::metadata(&path).is_ok_and(|found| found.len() == wanted.length) {
            self.verified.remove(&wanted.etag);
            return false;
        }
        if self.verified.contains(&wanted.etag) {
            return true;
        }
        let whole = hash_file(&path).is_ok_and(|etag| etag == wanted.etag);
        if whole {
            self.verified.insert(wanted.etag.clone());
        }
        whole
    }

    /// Copies the file in, unless the store has it. What does not hash to the tag is refused.
    pub(crate) fn ensure(
        &mut self,
        wanted: &Wanted,
        public: &Path,
        stop: &AtomicBool,
    ) -> Result<(), LoadError> {
        if self.has(wanted) {
            return Ok(());
        }
        let source = public.join(&wanted.name);
        let temporary = self.directory.join(TEMPORARY);
        let (actual, length) = copy(&source, &temporary, stop)?;
        if actual != wanted.etag || length != wanted.length {
            return Err(LoadError::Mismatch {
                file: source,
                expected: wanted.etag.clone(),
                expected_length: wanted.length,
                actual,
                actual_length: length,
            });
        }
        fs::rename(&temporary, self.path(&wanted.etag)).map_err(LoadError::Store)?;
        self.verified.insert(wanted.etag.clone());
        Ok(())
    }

    /// Removes every object but these, and what an interrupted copy left.
    pub(crate) fn sweep(&mut self, keep: &HashSet<&str>) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let ours = name == TEMPORARY || format!("\"b3-{name}\"").parse::<ETag>().is_ok();
            if ours && !keep.contains(name) {
                fs::remove_file(self.directory.join(name))?;
            }
        }
        self.verified.retain(|etag| keep.contains(etag.hex()));
        Ok(())
    }
}

/// Copies while hashing: the tag and length of what was copied.
///
/// The copy is not synced: an object is hashed again when a process first uses it, so one torn by
/// a power cut is seen and fetched anew.
fn copy(source: &Path, target: &Path, stop: &AtomicBool) -> Result<(ETag, u64), LoadError> {
    let unreadable = |error| LoadError::Unreadable { file: source.to_path_buf(), source: error };
    // Opening a named pipe would wait for its writer.
    if !fs::metadata(source).map_err(unreadable)?.is_file() {
        return Err(unreadable(io::Error::other("it is not a regular file")));
    }
    let mut input = File::open(source).map_err(unreadable)?;
    let mut output = File::create(target).map_err(LoadError::Store)?;
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; COPY_PIECE];
    let mut length = 0;
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(LoadError::Stopped);
        }
        let read = match input.read(&mut piece) {
            Ok(0) => return Ok((ETag::from_hash(&hasher.finalize()), length)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(error)),
        };
        hasher.update(&piece[..read]);
        output.write_all(&piece[..read]).map_err(LoadError::Store)?;
        length += read as u64;
    }
}

fn hash_file(path: &Path) -> io::Result<ETag> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(ETag::from_hash(&hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(name: &str, bytes: &[u8]) -> Wanted {
        Wanted { name: name.into(), etag: ETag::of(bytes), length: bytes.len() as u64 }
    }

    #[test]
    fn only_the_right_bytes_come_in() {
        let (public, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut objects = Objects::open(state.path()).unwrap();
        let (good, stop) = (wanted("a.json", b"good"), AtomicBool::new(false));
        fs::write(public.path().join("a.json"), b"torn").unwrap();
        let error = objects.ensure(&good, public.path(), &stop).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{} is not the file the manifest lists: expected {} (4 bytes), found {} (4 bytes)",
                public.path().join("a.json").display(),
                ETag::of(b"good"),
                ETag::of(b"torn")
            )
        );
        fs::write(public.path().join("a.json"), b"good").unwrap();
        objects.ensure(&good, public.path(), &stop).unwrap();
        fs::remove_file(public.path().join("a.json")).unwrap();
        objects.ensure(&good, public.path(), &stop).unwrap();
    }

    #[test]
    fn a_new_process_hashes_what_it_finds() {
        let state = tempfile::tempdir().unwrap();
        let good = wanted("a.json", b"good");
        let mut objects = Objects::open(state.path()).unwrap();
        fs::write(objects.path(&good.etag), b"good").unwrap();
        assert!(objects.has(&good));
        let mut objects = Objects::open(state.path()).unwrap();
        fs::write(objects.path(&good.etag), b"rots").unwrap();
        assert!(!objects.has(&good));
    }

    #[test]
    fn sweeping_leaves_what_is_kept_and_what_is_not_ours() {
        let state = tempfile::tempdir().unwrap();
        let mut objects = Objects::open(state.path()).unwrap();
        let (kept, gone) = (wanted("a", b"a"), wanted("b", b"b"));
        let stranger = state.path().join(DIRECTORY).join("README");
        fs::write(objects.path(&kept.etag), b"a").unwrap();
        fs::write(objects.path(&gone.etag), b"b").unwrap();
        fs::write(&stranger, b"").unwrap();
        objects.sweep(&HashSet::from([kept.etag.hex()])).unwrap();
        assert!(objects.has(&kept) && !objects.has(&gone) && stranger.exists());
    }
}
