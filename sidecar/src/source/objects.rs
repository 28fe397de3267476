//! Immutable copies of published files in the state directory, named by the hash in their tag.
//!
//! A response reads its bytes from here and not from the public directory, where the next build may replace a file
//! between two reads.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use actix_web::web::Bytes;
use contract::{etag::ETag, manifest::Coding};

use super::{LoadError, PublicationSource};

const DIRECTORY: &str = "objects";
const TEMPORARY: &str = ".incoming";

/// A file that a snapshot needs.
#[derive(Clone, Debug)]
pub(crate) struct WantedObject {
    /// The name below the public directory or URL.
    pub(crate) name: String,
    /// The coding, if it is a precompressed sibling.
    pub(crate) coding: Option<Coding>,
    /// The tag of its bytes in the manifest.
    pub(crate) etag: ETag,
    /// The length in bytes.
    pub(crate) length: u64,
}

/// The object store. One thread writes to it; every object in use stays readable until [`Objects::sweep`] is called
/// without it.
#[derive(Debug)]
pub(crate) struct Objects {
    directory: PathBuf,
    /// The tags of objects that this process has hashed.
    verified: HashSet<ETag>,
}

impl Objects {
    /// Opens the store of a state directory.
    pub(crate) fn open(state: &Path) -> io::Result<Self> {
        let directory = state.join(DIRECTORY);
        fs::create_dir_all(&directory)?;
        // A process that was killed may have left it.
        let _ = fs::remove_file(directory.join(TEMPORARY));
        Ok(Self { directory, verified: HashSet::new() })
    }

    /// Copies the objects of another state directory.
    pub(crate) fn copy_from(&self, state: &Path) -> io::Result<()> {
        for entry in fs::read_dir(state.join(DIRECTORY))? {
            let entry = entry?;
            fs::copy(entry.path(), self.directory.join(entry.file_name()))?;
        }
        Ok(())
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the path of the object with this ETag.
    pub(crate) fn path(&self, etag: &ETag) -> PathBuf {
        self.directory.join(etag.hex())
    }

    /// Returns the bytes of an object in the store.
    pub(crate) fn read(&self, etag: &ETag) -> Result<Bytes, LoadError> {
        fs::read(self.path(etag)).map(Bytes::from).map_err(LoadError::Store)
    }

    /// Whether the object exists undamaged. Its bytes are hashed once per process.
    pub(crate) fn has(&mut self, wanted: &WantedObject) -> bool {
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

    /// Frees the memory for the tags of hashed objects; this process hashes them again.
    pub(crate) fn forget(&mut self) {
        self.verified = HashSet::new();
    }

    /// Copies the file into the store if it lacks it. Bytes of another hash are refused.
    ///
    /// The copy is not synced: an object is hashed again when a process first uses it, so one
    /// damaged by a power failure is noticed and copied again.
    pub(crate) fn ensure(
        &mut self,
        wanted: &WantedObject,
        source: &PublicationSource,
    ) -> Result<(), LoadError> {
        if self.has(wanted) {
            return Ok(());
        }
        let temporary = self.directory.join(TEMPORARY);
        let copied = self.copy(wanted, source, &temporary);
        if copied.is_err() {
            // The disk may be full.
            let _ = fs::remove_file(&temporary);
        }
        copied
    }

    fn copy(
        &mut self,
        wanted: &WantedObject,
        source: &PublicationSource,
        temporary: &Path,
    ) -> Result<(), LoadError> {
        let mut incoming =
            ObjectWriter::create(temporary, wanted.length).map_err(LoadError::Store)?;
        source.copy(wanted, &mut incoming)?;
        let (actual, length) = incoming.finish();
        if actual != wanted.etag || length != wanted.length {
            return Err(LoadError::Mismatch {
                file: source.location(&wanted.name),
                expected: wanted.etag.clone(),
                expected_length: wanted.length,
                actual,
                actual_length: length,
            });
        }
        fs::rename(temporary, self.path(&wanted.etag)).map_err(LoadError::Store)?;
        self.verified.insert(wanted.etag.clone());
        Ok(())
    }

    /// Removes every object but these, and the files of an interrupted copy.
    pub(crate) fn sweep(&mut self, keep: &HashSet<&str>) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str().filter(|name| !keep.contains(name)) else { continue };
            if name == TEMPORARY || format!("\"b3-{name}\"").parse::<ETag>().is_ok() {
                fs::remove_file(self.directory.join(name))?;
            }
        }
        self.verified.retain(|etag| keep.contains(etag.hex()));
        Ok(())
    }
}

/// A file that is written to the store, and hashed meanwhile. Of a file that is longer than the manifest states the
/// rest is only hashed.
#[derive(Debug)]
pub(crate) struct ObjectWriter {
    file: File,
    hasher: blake3::Hasher,
    length: u64,
    stated: u64,
}

impl ObjectWriter {
    fn create(path: &Path, stated: u64) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, hasher: blake3::Hasher::new(), length: 0, stated })
    }

    /// Returns the tag and the length of the written bytes.
    fn finish(self) -> (ETag, u64) {
        (ETag::from_hash(&self.hasher.finalize()), self.length)
    }
}

impl Write for ObjectWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.stated.saturating_sub(self.length);
        let written = match usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()))
        {
            0 => bytes.len(),
            kept => self.file.write(&bytes[..kept])?,
        };
        self.hasher.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
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
    use crate::{
        runtime::stop::Stop,
        source::{RemoteConfig, SourceOpener},
    };

    fn wanted(name: &str, bytes: &[u8]) -> WantedObject {
        let (etag, length) = (ETag::of(bytes), bytes.len() as u64);
        WantedObject { name: name.into(), coding: None, etag, length }
    }

    #[test]
    fn only_the_right_bytes_come_in() {
        let (public, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut objects = Objects::open(state.path()).unwrap();
        let good = wanted("a.json", b"good");
        let source =
            SourceOpener::new(RemoteConfig::default(), Stop::default()).open(&public.path().into());
        let source = source.unwrap();
        fs::write(public.path().join("a.json"), b"torn").unwrap();
        let error = objects.ensure(&good, &source).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{} is not the file the manifest lists: expected {} (4 bytes), found {} (4 bytes)",
                public.path().join("a.json").display(),
                ETag::of(b"good"),
                ETag::of(b"torn")
            )
        );
        assert!(!state.path().join(DIRECTORY).join(TEMPORARY).exists());
        fs::write(public.path().join("a.json"), b"good").unwrap();
        objects.ensure(&good, &source).unwrap();
        fs::remove_file(public.path().join("a.json")).unwrap();
        objects.ensure(&good, &source).unwrap();
    }

    #[test]
    fn no_more_is_written_than_the_manifest_states() {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join("a");
        let mut incoming = ObjectWriter::create(&path, 6).unwrap();
        for bytes in [b"good", b"torn", b"more"] {
            incoming.write_all(bytes).unwrap();
        }
        assert_eq!(incoming.finish(), (ETag::of(b"goodtornmore"), 12));
        assert_eq!(fs::read(path).unwrap(), b"goodto");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_keeps_no_half_of_a_file() {
        let (public, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut objects = Objects::open(state.path()).unwrap();
        let source =
            SourceOpener::new(RemoteConfig::default(), Stop::default()).open(&public.path().into());
        let source = source.unwrap();
        fs::write(public.path().join("a.json"), b"good").unwrap();
        let left = state.path().join(DIRECTORY).join(TEMPORARY);
        // A device on which nothing has room.
        std::os::unix::fs::symlink("/dev/full", &left).unwrap();
        let error = objects.ensure(&wanted("a.json", b"good"), &source).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write to the state directory: No space left on device (os error 28)"
        );
        assert!(left.symlink_metadata().is_err());
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let state = tempfile::tempdir().unwrap();
        let left = state.path().join(DIRECTORY).join(TEMPORARY);
        fs::create_dir_all(left.parent().unwrap()).unwrap();
        fs::write(&left, b"half").unwrap();
        Objects::open(state.path()).unwrap();
        assert!(!left.exists());
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
