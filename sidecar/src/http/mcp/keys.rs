//! The keys of the session ids: a file that the operator gives to every replica, or one that is made at the first start
//! in the state directory.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use contract::files;

use super::session::{Session, SessionKey};
use crate::runtime::{
    degraded::{Degraded, Part},
    random::Random,
    state::{SESSION_KEY_FILE, set_aside},
};

/// Minimum characters of a key, so that it cannot be guessed.
const MIN_LENGTH: usize = 32;

/// Keys of the session ids: the first signs, all are accepted.
#[derive(Debug)]
pub(super) struct Keys(Vec<SessionKey>);

/// The reason why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or made.
    #[error("cannot use the session keys in {path}: {source}")]
    Unusable {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file has no keys.
    #[error(
        "{path} holds no session key: write one line of at least {MIN_LENGTH} random characters, \
         such as the output of openssl rand -hex 32"
    )]
    Empty {
        /// The path of the file.
        path: PathBuf,
    },
    /// A key is so short that it could be guessed.
    #[error(
        "{path}:{line}: a session key has at least {MIN_LENGTH} characters: take the output of \
         openssl rand -hex 32"
    )]
    Short {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
}

impl KeyError {
    /// Whether the file was read and has no valid key.
    fn is_damage(&self) -> bool {
        match self {
            Self::Unusable { source, .. } => source.kind() == io::ErrorKind::InvalidData,
            Self::Empty { .. } | Self::Short { .. } => true,
        }
    }
}

impl Keys {
    /// Reads the operator's file, or the one of the state directory, where a key is made if there is none. A file that
    /// cannot be used is reported, and another key signs.
    pub(super) fn open(
        given: Option<&Path>,
        state: &Path,
        degraded: &Degraded,
    ) -> Result<Self, KeyError> {
        let error = match Self::read(given, state) {
            Ok(keys) => return Ok(keys),
            Err(error) => error,
        };
        let path = state.join(SESSION_KEY_FILE);
        if given.is_none()
            && error.is_damage()
            && let Ok(kept) = set_aside(&path, &[])
            && let Ok(keys) = Self::read(None, state)
        {
            let kept = kept.display();
            let reason = format!(
                "{error}. It is kept as {kept}, and a new key was made: MCP clients begin new \
                 sessions. This report ends with the next start"
            );
            degraded.report(Part::McpSessionKeys, reason);
            return Ok(keys);
        }
        let key = Random::new().challenge();
        let key =
            key.map_err(|error| KeyError::Unusable { path, source: io::Error::other(error) })?;
        let reason = format!(
            "{error}. A key in memory signs until the process ends: its sessions end with it, and no \
             other replica accepts them. Correct the file and restart"
        );
        degraded.report(Part::McpSessionKeys, reason);
        Ok(Self(vec![SessionKey::derive(key.as_bytes())]))
    }

    fn read(given: Option<&Path>, state: &Path) -> Result<Self, KeyError> {
        let path = given.map_or_else(|| state.join(SESSION_KEY_FILE), Path::to_path_buf);
        let unusable = |source| KeyError::Unusable { path: path.clone(), source };
        let text = match fs::read_to_string(&path) {
            Err(error) if given.is_none() && error.kind() == io::ErrorKind::NotFound => {
                make(&path).map_err(unusable)?
            }
            read => read.map_err(unusable)?,
        };
        let mut keys = Vec::new();
        for (at, line) in text.lines().map(str::trim).enumerate() {
            match line.len() {
                0 => {}
                length if length < MIN_LENGTH => {
                    return Err(KeyError::Short { path, line: at + 1 });
                }
                _ => keys.push(SessionKey::derive(line.as_bytes())),
            }
        }
        if keys.is_empty() { Err(KeyError::Empty { path }) } else { Ok(Self(keys)) }
    }

    /// Returns a new id of a session, signed with the first key.
    pub(super) fn new_id(&self, session: &Session) -> io::Result<String> {
        let key = self.0.first().ok_or(io::ErrorKind::NotFound)?;
        key.new_id(session).map_err(io::Error::other)
    }

    /// Whether one of the keys signed the id.
    pub(super) fn signed(&self, id: &str) -> bool {
        self.0.iter().any(|key| key.signed(id))
    }
}

/// Creates a key. The key of another process that creates it at the same time is used instead.
fn make(path: &Path) -> io::Result<String> {
    let mut text = Random::new().challenge().map_err(io::Error::other)?;
    text.push('\n');
    let bytes = files::create_private(path, text.as_bytes())?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: Session = Session { revision: String::new(), has_views: false };
    use crate::runtime::state::kept_aside;

    fn open(text: &str) -> Result<Keys, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("keys");
        fs::write(&path, text).unwrap();
        let opened = Keys::read(Some(&path), directory.path());
        opened.map_err(|error| error.to_string().replace(&path.display().to_string(), "keys"))
    }

    #[test]
    fn a_key_is_made_once_and_for_its_owner_alone() {
        let state = tempfile::tempdir().unwrap();
        let id = Keys::read(None, state.path()).unwrap().new_id(&SESSION).unwrap();
        assert!(Keys::read(None, state.path()).unwrap().signed(&id));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let found = fs::metadata(state.path().join(SESSION_KEY_FILE)).unwrap();
            assert_eq!(found.permissions().mode() & 0o777, 0o600);
        }
        let other = tempfile::tempdir().unwrap();
        assert!(!Keys::read(None, other.path()).unwrap().signed(&id));
    }

    #[test]
    fn during_a_rotation_the_first_signs_and_all_are_accepted() {
        let (old, new) = ("o".repeat(32), "n".repeat(32));
        let before = open(&old).unwrap();
        let during = open(&format!("{new}\n\n  {old}\r\n")).unwrap();
        let after = open(&new).unwrap();
        let (old_id, new_id) = (before.new_id(&SESSION).unwrap(), during.new_id(&SESSION).unwrap());
        assert!(during.signed(&old_id) && during.signed(&new_id));
        assert!(!after.signed(&old_id) && after.signed(&new_id) && !before.signed(&new_id));
    }

    #[test]
    fn what_is_no_key_says_what_would_be() {
        assert_eq!(
            open("\n").unwrap_err(),
            "keys holds no session key: write one line of at least 32 random characters, such as \
             the output of openssl rand -hex 32"
        );
        assert_eq!(
            open(&format!("{}\nsecret\n", "k".repeat(32))).unwrap_err(),
            "keys:2: a session key has at least 32 characters: take the output of openssl rand \
             -hex 32"
        );
        let error = Keys::read(Some(Path::new("/nowhere/keys")), Path::new("/")).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("cannot use the session keys in /nowhere/keys: "), "{error}");
    }

    #[test]
    fn a_file_without_keys_is_kept_and_another_key_signs() {
        let (state, degraded) = (tempfile::tempdir().unwrap(), Degraded::default());
        let path = state.path().join(SESSION_KEY_FILE);
        fs::write(&path, "").unwrap();
        let id = Keys::open(None, state.path(), &degraded).unwrap().new_id(&SESSION).unwrap();
        assert!(Keys::read(None, state.path()).unwrap().signed(&id), "the next process knows it");
        let kept = kept_aside(&path).unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"");
        let reason = degraded.describe(None).unwrap()[0]["reason"].clone();
        let expected = format!(
            "{} holds no session key: write one line of at least 32 random characters, such as the \
             output of openssl rand -hex 32. It is kept as {}, and a new key was made: MCP clients \
             begin new sessions. This report ends with the next start",
            path.display(),
            kept.display()
        );
        assert_eq!(reason, expected);
    }

    #[test]
    fn a_file_of_the_operator_is_not_changed() {
        let (state, degraded) = (tempfile::tempdir().unwrap(), Degraded::default());
        let given = state.path().join("given");
        let open = || Keys::open(Some(&given), state.path(), &degraded).unwrap();
        let id = open().new_id(&SESSION).unwrap();
        assert!(!given.exists() && !open().signed(&id));
        fs::write(&given, "short\n").unwrap();
        open();
        assert_eq!(fs::read_dir(state.path()).unwrap().count(), 1);
        let reason = degraded.describe(None).unwrap()[0]["reason"].clone();
        let expected = format!(
            "{}:1: a session key has at least 32 characters: take the output of openssl rand -hex \
             32. A key in memory signs until the process ends: its sessions end with it, and no \
             other replica accepts them. Correct the file and restart",
            given.display()
        );
        assert_eq!(reason, expected);
    }
}
