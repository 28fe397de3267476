//! The results that a build computed, kept for the next one in `.candor-cache/` beside the content: values under the
//! hash of everything they were computed from. Without it a build gives the same bytes, later.
//!
//! The file is checked as a whole when it is read; one that is cut short, damaged or of another format is ignored. That
//! does not show who wrote it: whoever can write it can change what is published.

mod inputs;

use std::{
    collections::HashMap,
    fs::File,
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use contract::files;
use insights::Memory;

use system::{git, root::Root};

pub use inputs::hash_folder;

/// The name of the folder.
pub const FOLDER: &str = ".candor-cache";
/// The name of the file in it.
const FILE: &str = "build";
/// Builds that a value is kept for without being used, so that two sites of one content, such as a preview and the
/// published one, keep their values.
const MAX_AGE: u8 = 3;
/// The text of `CACHEDIR.TAG`, by which backup programs know that the folder can be made again (bford.info/cachedir).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// Hashes parts, each distinct from the ones before and after.
#[derive(Clone, Debug, Default)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Adds a part.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The hash of all parts.
    #[must_use]
    pub fn finish(&self) -> [u8; 16] {
        let mut hash = [0; 16];
        hash.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        hash
    }
}

/// The hash of this program, which no two builds of it share, as versions may; `None` where the program
/// cannot be read.
fn program() -> Option<Vec<u8>> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::env::current_exe().and_then(File::open).ok()?).ok()?;
    Some(hasher.finalize().as_bytes().to_vec())
}

/// The key of this program's hash, so that not every build reads the whole program. The program is the
/// same while its file has the same number, length and times: nothing writes to a file without a new time
/// of change. `None` where files have none.
fn program_key() -> Option<[u8; 16]> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let file = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        let mut hasher = Hasher::default();
        hasher.add(format!("{} {} {} {times:?}", file.dev(), file.ino(), file.len()).as_bytes());
        Some(hasher.finish())
    }
    #[cfg(not(unix))]
    None
}

/// A value of an earlier build.
struct Stored {
    /// The place of the value in the bytes of the file.
    value: Range<usize>,
    age: u8,
    used: AtomicBool,
}

/// The values of earlier builds, and those of this one.
#[derive(Default)]
pub struct Cache {
    /// The path of the file; `None` if nothing is kept.
    file: Option<PathBuf>,
    /// The hash of this program.
    program: Vec<u8>,
    bytes: Vec<u8>,
    stored: HashMap<[u8; 16], Stored>,
    new: Mutex<HashMap<[u8; 16], Box<[u8]>>>,
    refused: Option<String>,
}

impl Cache {
    /// A cache that keeps nothing.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The cache of a content folder, beside it.
    #[must_use]
    pub fn folder_beside(content: &Path) -> PathBuf {
        crate::workspace::site_folder(content).join(FOLDER)
    }

    /// Returns the reason why the values of earlier builds are not used, if there are some.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Reads the cache of a folder, which need not exist. `clean` discards the values of earlier builds.
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
        // What is not read is not written either: a link could lead anywhere.
        let file = Some(file).filter(|_| refused.is_none());
        let mut cache = Self { file, bytes, stored, refused, ..Self::default() };
        let key = program_key();
        let known = key.and_then(|key| cache.value(&key)).map(<[u8]>::to_vec);
        let Some(program) = known.clone().or_else(program) else {
            return Self { refused: cache.refused, ..Self::none() };
        };
        if let Some(key) = key.filter(|_| known.is_none()) {
            cache.keep(key, program.clone());
        }
        cache.program = program;
        cache
    }

    fn key(&self, kind: &str, parts: &[&[u8]]) -> [u8; 16] {
        let mut hasher = Hasher::default();
        hasher.add(&self.program);
        hasher.add(kind.as_bytes());
        parts.iter().for_each(|part| hasher.add(part));
        hasher.finish()
    }

    fn value(&self, key: &[u8; 16]) -> Option<&[u8]> {
        let stored = self.stored.get(key)?;
        stored.used.store(true, Ordering::Relaxed);
        Some(&self.bytes[stored.value.clone()])
    }

    fn keep(&self, key: [u8; 16], value: Vec<u8>) {
        if self.file.is_some() {
            let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
            new.insert(key, value.into());
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

/// Returns the reason why the file is not used. Its values are published unseen, so it must be one of builds on this
/// machine, and not one from a repository.
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

impl Memory for Cache {
    fn get(&self, kind: &str, parts: &[&[u8]]) -> Option<&[u8]> {
        self.value(&self.key(kind, parts))
    }

    fn put(&self, kind: &str, parts: &[&[u8]], value: Vec<u8>) {
        self.keep(self.key(kind, parts), value);
    }
}

fn checksum(entries: &[u8]) -> [u8; blake3::OUT_LEN] {
    *blake3::hash(entries).as_bytes()
}

/// Appends the key, the age, the length and the value.
fn append(bytes: &mut Vec<u8>, key: &[u8; 16], age: u8, value: &[u8]) {
    bytes.extend_from_slice(key);
    bytes.push(age);
    bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
    bytes.extend_from_slice(value);
}

/// Reads the values of a file; `None` if it is not whole.
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

    fn keep(folder: &Path, names: &[&str]) {
        let cache = Cache::open(folder, false);
        names.iter().for_each(|name| cache.put(name, &[], name.as_bytes().to_vec()));
        cache.save().unwrap();
    }

    fn kept(folder: &Path, name: &str) -> Option<String> {
        let cache = Cache::open(folder, false);
        cache.get(name, &[]).map(|value| String::from_utf8(value.to_vec()).unwrap())
    }

    #[test]
    fn a_value_is_kept_until_it_is_not_used_for_some_builds() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join(FOLDER);
        keep(&folder, &["used", "unused"]);
        for build in 0..=MAX_AGE {
            assert!(kept(&folder, "unused").is_some(), "build {build}");
            let cache = Cache::open(&folder, false);
            assert_eq!(cache.get("used", &[]), Some(&b"used"[..]));
            cache.put(&format!("of build {build}"), &[], vec![build]);
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
        let of = |parts: &[&[u8]]| Cache::none().key("kind", parts);
        assert_ne!(of(&[b"a", b"bc"]), of(&[b"ab", b"c"]));
        assert_ne!(of(&[b"a"]), of(&[b"a", b""]));
    }
}
