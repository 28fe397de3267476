//! What a build computed, kept for the next one in `.candor-cache/` beside the content: values under
//! the hash of everything they were computed from. Without it a build gives the same bytes, later.
//!
//! The file is checked as a whole when it is read; one that is cut short, damaged or of another format
//! is ignored. It says nothing about who wrote it: whoever can write it can change what is published.

mod inputs;

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use contract::files;
use serde::{Serialize, de::DeserializeOwned};

use system::{git, root::Root};

pub use inputs::hash_folder;

/// The folder's name.
pub const FOLDER: &str = ".candor-cache";
/// The file in it.
const FILE: &str = "build";
/// Builds that a value survives without being used: two sites of one content, such as a preview and the
/// published one, keep theirs.
const MAX_AGE: u8 = 3;
/// Says to backup programs that everything here can be made again (bford.info/cachedir).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// The hash that a value is kept under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 16]);

/// Hashes what a value is computed from; what is written to it becomes part of the key.
#[derive(Clone, Debug)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// For values of this kind, computed by this program.
    #[must_use]
    pub fn new(kind: &str) -> Self {
        let mut hasher = Self(blake3::Hasher::new());
        hasher.add(program());
        hasher.add(kind.as_bytes());
        hasher
    }

    /// A part, distinct from the ones before and after.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> Key {
        let mut key = [0; 16];
        key.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        Key(key)
    }
}

/// The hash of this program, which no two builds of it share, as versions may; empty where the program
/// cannot be read.
static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();

fn program() -> &'static [u8] {
    PROGRAM.get_or_init(|| {
        let mut hasher = blake3::Hasher::new();
        let file = std::env::current_exe().and_then(File::open);
        let read = file.and_then(|file| hasher.update_reader(file).map(drop));
        read.map(|()| hasher.finalize().as_bytes().to_vec()).unwrap_or_default()
    })
}

/// The key of this program's hash, so that not every build reads the whole program. The program is the
/// same while its file has the same number, length and times: nothing writes to a file without a new time
/// of change. `None` where files have none.
fn program_key() -> Option<Key> {
    #[cfg(unix)]
    {
        use std::{hash::Hash, os::unix::fs::MetadataExt};
        let file = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let (device, length) = (file.dev(), file.len());
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        let mut hasher = Hasher(blake3::Hasher::new());
        (device, file.ino(), length, times).hash(&mut hasher);
        Some(hasher.key())
    }
    #[cfg(not(unix))]
    None
}

/// For values that derive `Hash`: all their fields, and none can be forgotten.
impl std::hash::Hasher for Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let Key([a, b, c, d, e, f, g, h, ..]) = self.key();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Key {
    /// The key's bytes, as part of another value.
    #[must_use]
    pub fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// A value of an earlier build.
struct Stored {
    /// In the bytes of the file.
    value: Range<usize>,
    age: u8,
    used: AtomicBool,
}

/// The values of earlier builds, and those of this one.
#[derive(Default)]
pub struct Cache {
    /// `None` where nothing is kept.
    file: Option<PathBuf>,
    bytes: Vec<u8>,
    stored: HashMap<[u8; 16], Stored>,
    new: Mutex<HashMap<[u8; 16], Box<[u8]>>>,
    refused: Option<String>,
}

impl Cache {
    /// Keeps nothing.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The cache of a content folder, beside it.
    #[must_use]
    pub fn folder_beside(content: &Path) -> PathBuf {
        let content = std::path::absolute(content).unwrap_or_else(|_| content.to_owned());
        content.parent().unwrap_or(&content).join(FOLDER)
    }

    /// Why the values of earlier builds are not used, where there are some.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Reads the cache of a folder, which need not exist. `clean` forgets what earlier builds kept.
    #[must_use]
    pub fn open(folder: &Path, clean: bool) -> Self {
        let file = folder.join(FILE);
        let refused = if clean { None } else { refusal(&file) };
        let bytes = if clean || refused.is_some() {
            Vec::new()
        } else {
            Root::at(folder).read(&file).unwrap_or_default()
        };
        let stored = read(&bytes).unwrap_or_default();
        let cache = Self { file: Some(file), bytes, stored, new: Mutex::default(), refused };
        if let Some(key) = program_key() {
            match cache.get(key) {
                Some(known) => drop(PROGRAM.set(known)),
                None => cache.put(key, &program()),
            }
        }
        if program().is_empty() {
            return Self::none();
        }
        cache
    }

    /// The value under a key.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        postcard::from_bytes(self.bytes_of(key)?).ok()
    }

    fn bytes_of(&self, key: Key) -> Option<&[u8]> {
        let stored = self.stored.get(&key.0)?;
        stored.used.store(true, Ordering::Relaxed);
        Some(&self.bytes[stored.value.clone()])
    }

    /// Keeps a value, in place of any other under the key.
    pub fn put(&self, key: Key, value: &impl Serialize) {
        if let Ok(bytes) = postcard::to_allocvec(value) {
            self.put_bytes(key, bytes);
        }
    }

    fn put_bytes(&self, key: Key, bytes: Vec<u8>) {
        if self.file.is_some() {
            let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
            new.insert(key.0, bytes.into());
        }
    }

    /// Writes what this build used and made. Where nothing is new, the file stays as it is.
    ///
    /// # Errors
    /// When the folder cannot be written to. The next build then takes longer, and nothing else.
    pub fn save(self) -> io::Result<()> {
        let new = self.new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = self.file.filter(|_| !new.is_empty()) else { return Ok(()) };
        let mut bytes = vec![0; blake3::OUT_LEN];
        for (key, stored) in &self.stored {
            let age = if stored.used.load(Ordering::Relaxed) { 0 } else { stored.age + 1 };
            if age <= MAX_AGE && !new.contains_key(key) {
                append(&mut bytes, key, age, &self.bytes[stored.value.clone()]);
            }
        }
        for (key, value) in &new {
            append(&mut bytes, key, 0, value);
        }
        let sum = checksum(&bytes[blake3::OUT_LEN..]);
        bytes[..blake3::OUT_LEN].copy_from_slice(&sum);
        let folder = file.parent().unwrap_or(Path::new("."));
        if !folder.exists() {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(".gitignore"), "*\n")?;
            std::fs::write(folder.join("CACHEDIR.TAG"), TAG)?;
        }
        files::replace(&file, &bytes)
    }
}

/// What a cache has is published unseen, so it must be what builds on this machine kept, and not what came
/// with a repository.
fn refusal(file: &Path) -> Option<String> {
    let reason = match git::tracks(file) {
        Some(false) => return None,
        Some(true) => "git tracks it, so whoever may commit can have written it",
        None => "git does not say whether it came with the repository",
    };
    let folder = file.parent().unwrap_or(file).display();
    Some(format!(
        "the cache {} is not used: {reason}; remove it with git rm -r --cached {folder}, or name a folder outside the checkout with --cache DIR",
        file.display()
    ))
}

impl insights::Memory for Cache {
    fn get(&self, kind: &str, parts: &[&[u8]]) -> Option<&[u8]> {
        self.bytes_of(key_of(kind, parts))
    }

    fn put(&self, kind: &str, parts: &[&[u8]], value: Vec<u8>) {
        self.put_bytes(key_of(kind, parts), value);
    }
}

fn key_of(kind: &str, parts: &[&[u8]]) -> Key {
    let mut hasher = Hasher::new(kind);
    parts.iter().for_each(|part| hasher.add(part));
    hasher.key()
}

fn checksum(entries: &[u8]) -> [u8; blake3::OUT_LEN] {
    *blake3::hash(entries).as_bytes()
}

/// Key, age, length, value.
fn append(bytes: &mut Vec<u8>, key: &[u8; 16], age: u8, value: &[u8]) {
    bytes.extend_from_slice(key);
    bytes.push(age);
    bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
    bytes.extend_from_slice(value);
}

/// `None` if the file is not whole.
fn read(bytes: &[u8]) -> Option<HashMap<[u8; 16], Stored>> {
    let (sum, mut rest) = bytes.split_first_chunk()?;
    let at = |rest: &[u8]| bytes.len() - rest.len();
    if checksum(rest) != *sum {
        return None;
    }
    let mut stored = HashMap::new();
    while let Some((key, after)) = rest.split_first_chunk() {
        let (&[age], after) = after.split_first_chunk()?;
        let (length, after) = after.split_first_chunk()?;
        let (_, end) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let entry = Stored { value: at(after)..at(end), age, used: AtomicBool::new(false) };
        stored.insert(*key, entry);
        rest = end;
    }
    Some(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        Hasher::new(name).key()
    }

    fn keep(folder: &Path, names: &[&str]) {
        let cache = Cache::open(folder, false);
        names.iter().for_each(|name| cache.put(key(name), &name.to_string()));
        cache.save().unwrap();
    }

    fn kept(folder: &Path, name: &str) -> Option<String> {
        Cache::open(folder, false).get(key(name))
    }

    #[test]
    fn a_value_is_kept_until_it_is_not_used_for_some_builds() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join(FOLDER);
        keep(&folder, &["used", "unused"]);
        for build in 0..=MAX_AGE {
            assert!(kept(&folder, "unused").is_some(), "build {build}");
            let cache = Cache::open(&folder, false);
            assert_eq!(cache.get::<String>(key("used")).as_deref(), Some("used"));
            cache.put(key(&format!("of build {build}")), &build);
            cache.save().unwrap();
        }
        assert_eq!((kept(&folder, "unused"), kept(&folder, "used").is_some()), (None, true));
    }

    #[test]
    fn a_damaged_file_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join(FOLDER);
        keep(&folder, &["one", "two"]);
        let whole = std::fs::read(folder.join(FILE)).unwrap();
        for length in 0..whole.len() {
            std::fs::write(folder.join(FILE), &whole[..length]).unwrap();
            assert_eq!(kept(&folder, "one"), None, "cut at {length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(folder.join(FILE), damaged).unwrap();
            assert_eq!(kept(&folder, "one"), None, "another bit at {at}");
        }
        keep(&folder, &["one"]);
        assert_eq!(kept(&folder, "one").as_deref(), Some("one"));
    }

    #[test]
    fn parts_of_a_key_do_not_run_together() {
        let of = |parts: &[&[u8]]| key_of("kind", parts);
        assert_ne!(of(&[b"a", b"bc"]), of(&[b"ab", b"c"]));
        assert_ne!(of(&[b"a"]), of(&[b"a", b""]));
    }
}
