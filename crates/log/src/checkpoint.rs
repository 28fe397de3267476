//! Checkpoints: the size and root of a log, signed.

use signed_note::{Note, NoteError, Signer, StandardVerifier, Verifier, VerifierList};
use tlog_tiles::Hash;

use crate::{
    key::{self, KeyError, LogKey},
    tree::Tree,
};

/// The size and root of a log at one time, with a checked signature of the log's key.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The log, for example `reviews.example.com/log`.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// The root hash of the tree.
    pub root: Hash,
    /// The verifier keys whose signatures are valid.
    pub signed_by: Vec<String>,
}

/// A checkpoint cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A verifier key is unreadable, or none was given.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The bytes are not a signed note, or its text is not a checkpoint.
    #[error(
        "this is not a checkpoint of a log: it must have the log's name, its size and its root hash, \
         then an empty line and signatures. Fetch it again; if it stays so, the site publishes no log"
    )]
    Malformed,
    /// No known key has signed it.
    #[error(
        "the checkpoint is signed by none of the log's known keys ({known}): somebody else made it, or \
         the log has a new key. If the owner announced a new key, use that one as well"
    )]
    UnknownKey {
        /// The keys that would do.
        known: String,
    },
    /// A known key is named, but its signature is wrong.
    #[error(
        "the signature of the key {key} does not fit the checkpoint: it was changed after it was signed, \
         or was made by somebody who does not have the key"
    )]
    Forged {
        /// The name and id of the key.
        key: String,
    },
    /// The checkpoint is signed by the key of another log.
    #[error(
        "the checkpoint is of the log {found}, and the key that signed it is of the log {expected}"
    )]
    OtherLog {
        /// The name of the log in the checkpoint.
        found: String,
        /// The name of the key.
        expected: String,
    },
}

/// The checkpoint of the tree, signed with each of the keys.
///
/// # Errors
///
/// If there is no key, or one is of another log.
pub fn sign(origin: &str, tree: &Tree, keys: &[LogKey]) -> Result<Vec<u8>, KeyError> {
    if keys.is_empty() {
        return Err(KeyError::None);
    }
    if let Some(other) = keys.iter().find(|key| key.name() != origin) {
        let key = other.name().to_owned();
        return Err(KeyError::OtherLog { key, origin: origin.to_owned() });
    }
    let invalid = || KeyError::Name(origin.to_owned());
    let checkpoint = tlog_tiles::Checkpoint::new(origin, tree.size(), tree.root(), "");
    let text = checkpoint.map_err(|_| invalid())?.to_bytes();
    let mut note = Note::new(&text, &[]).map_err(|_| invalid())?;
    let signers: Vec<&dyn Signer> = keys.iter().map(|key| key as &dyn Signer).collect();
    note.add_sigs(&signers).map_err(|_| invalid())?;
    Ok(note.to_bytes())
}

impl Checkpoint {
    /// The origin and the size that a note claims, signed or not; `None` where there is no number.
    #[must_use]
    pub fn claimed(note: &[u8]) -> Option<(&str, u64)> {
        let mut lines = std::str::from_utf8(note).ok()?.lines();
        Some((lines.next()?, lines.next()?.parse().ok()?))
    }

    /// Reads a signed note and checks its signatures with the log's verifier keys. Signatures of
    /// other keys, for example of witnesses, are ignored.
    ///
    /// # Errors
    ///
    /// If it is not a checkpoint, if none of the keys has signed it, or if a signature is wrong.
    pub fn open(note: &[u8], verifier_keys: &[String]) -> Result<Self, CheckpointError> {
        let known = Known::new(verifier_keys)?;
        let note = Note::from_bytes(note).map_err(|_| CheckpointError::Malformed)?;
        let signed_by = known.check(&note)?;
        let text = tlog_tiles::Checkpoint::from_bytes(note.text());
        let text = text.map_err(|_| CheckpointError::Malformed)?;
        let mut names = signed_by.iter().map(|key| key.verifier.name());
        if let Some(other) = names.find(|name| *name != text.origin()) {
            let (found, expected) = (text.origin().to_owned(), other.to_owned());
            return Err(CheckpointError::OtherLog { found, expected });
        }
        Ok(Self {
            origin: text.origin().to_owned(),
            size: text.size(),
            root: *text.hash(),
            signed_by: signed_by.iter().map(|key| key.text.clone()).collect(),
        })
    }
}

/// The keys that a reader knows.
pub(crate) struct Known(Vec<KnownKey>);

pub(crate) struct KnownKey {
    text: String,
    verifier: StandardVerifier,
}

impl KnownKey {
    fn is(&self, name: &str, id: u32) -> bool {
        self.verifier.name() == name && self.verifier.key_id() == id
    }
}

impl Known {
    pub(crate) fn new(verifier_keys: &[String]) -> Result<Self, KeyError> {
        let mut keys: Vec<KnownKey> = Vec::new();
        for text in verifier_keys {
            let verifier = key::verifier(text)?;
            let (name, id) = (verifier.name(), verifier.key_id());
            if !keys.iter().any(|key| key.is(name, id)) {
                keys.push(KnownKey { text: text.clone(), verifier });
            }
        }
        Ok(Self(keys))
    }

    /// The keys that have signed the note.
    pub(crate) fn check(&self, note: &Note) -> Result<Vec<&KnownKey>, CheckpointError> {
        let verifiers =
            self.0.iter().map(|key| Box::new(key.verifier.clone()) as Box<dyn Verifier>);
        let list = VerifierList::new(verifiers.collect());
        let (valid, _) = note.verify(&list).map_err(|error| self.explain(&error))?;
        let has_signed = |key: &&KnownKey| valid.iter().any(|it| key.is(it.name(), it.id()));
        Ok(self.0.iter().filter(has_signed).collect())
    }

    fn explain(&self, error: &NoteError) -> CheckpointError {
        match error {
            NoteError::UnverifiedNote => {
                let known: Vec<&str> = self.0.iter().map(|key| key.text.as_str()).collect();
                CheckpointError::UnknownKey { known: known.join(", ") }
            }
            NoteError::InvalidSignature { name, id } => {
                CheckpointError::Forged { key: format!("{name}+{id:08x}") }
            }
            _ => CheckpointError::Malformed,
        }
    }
}
