//! Private keys: read from a file or a variable, and written to a file that only its owner can read.

use std::{
    io,
    path::{Path, PathBuf},
};

use contract::files::{create_private, read_small};
use review_log::LogKey;

use super::LogError;
use system::access::explained;

/// The variable with the private key: a secret of a CI system.
pub const KEY_VARIABLE: &str = "CANDOR_LOG_KEY";

/// Maximum bytes of a file of keys: each is a line.
const MAX_KEYS: u64 = 64 << 10;

/// The source of private keys: one key a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// A file.
    File(PathBuf),
    /// A variable and its value.
    Variable(&'static str, String),
}

impl KeySource {
    /// Returns the named file, else the variable, unless it is empty.
    #[must_use]
    pub fn choose(file: Option<PathBuf>, variable: &'static str) -> Option<Self> {
        let value = || std::env::var(variable).ok().filter(|text| !text.trim().is_empty());
        file.map(Self::File).or_else(|| Some(Self::Variable(variable, value()?)))
    }

    /// The file or the variable, for messages.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Variable(name, _) => (*name).to_owned(),
        }
    }

    pub(super) fn text(&self) -> Result<String, LogError> {
        match self {
            Self::Variable(_, text) => Ok(text.clone()),
            Self::File(path) => {
                let text = read_small(path, MAX_KEYS).and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
                });
                text.map_err(|error| LogError::InvalidKey {
                    place: self.place(),
                    reason: error.to_string(),
                })
            }
        }
    }

    /// Returns the private keys of the `trusted` ones among the `listed`; the newest, the last of them, is there.
    pub(super) fn signers(
        &self,
        listed: &[String],
        trusted: &[String],
    ) -> Result<Vec<LogKey>, LogError> {
        let (mut keys, place) = (self.read(listed)?, self.place());
        keys.retain(|key| trusted.iter().any(|it| it == key.verifier_key()));
        let Some(newest) = trusted.last() else { return Ok(keys) };
        if keys.iter().any(|key| key.verifier_key() == *newest) {
            Ok(keys)
        } else {
            Err(LogError::OldKey { place, newest: newest.clone() })
        }
    }

    /// Returns the private keys, each of which belongs to a listed one.
    pub(super) fn read(&self, listed: &[String]) -> Result<Vec<LogKey>, LogError> {
        let place = self.place();
        let invalid = |reason: String| LogError::InvalidKey { place: place.clone(), reason };
        let text = self.text()?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let keys = lines.map(|line| LogKey::from_text(line).map_err(|e| invalid(e.to_string())));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        if keys.is_empty() {
            return Err(invalid("there is no line in it".to_owned()));
        }
        match keys.iter().map(LogKey::verifier_key).find(|key| !listed.iter().any(|it| it == key)) {
            Some(found) => Err(LogError::ForeignKey { place, found: found.to_owned() }),
            None => Ok(keys),
        }
    }
}

/// Writes a private key to a new file, outside any repository. `exposed` are folders that are published or committed.
pub(super) fn write(path: &Path, key: &str, exposed: &[&Path]) -> Result<(), LogError> {
    let failed = |error| LogError::KeyFile(path.to_owned(), explained(path)(error));
    let absolute = |path: &Path| {
        std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or(path.into())
    };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = absolute(folder.unwrap_or(Path::new(".")));
    let is_repository = |folder: &&Path| folder.join(".git").exists();
    let outer = exposed.iter().copied().find(|outer| folder.starts_with(absolute(outer)));
    if let Some(outer) = outer.or_else(|| folder.ancestors().find(is_repository)) {
        return Err(LogError::ExposedKey(path.to_owned(), outer.to_owned()));
    }
    let text = format!("{key}\n");
    let kept = create_private(path, text.as_bytes()).map_err(failed)?;
    if kept == text.as_bytes() { Ok(()) } else { Err(failed(io::ErrorKind::AlreadyExists.into())) }
}
