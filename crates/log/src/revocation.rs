//! Revoked keys: another key of the log signs from which day on the signatures of a lost one do not count.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use signed_note::Note;

use crate::{
    checkpoint::Known,
    key::{KeyError, LogKey},
};

/// The first line of the signed text. The second is the key, so that the text is not a checkpoint.
const TITLE: &str = "candor log revocation v1";

/// The key that was revoked, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// The verifier key.
    pub key: String,
    /// The first day, in UTC, on which a signature of the key does not count.
    pub from: Date,
}

/// A text does not revoke a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a revocation must name a key of the log and a day, and another key of the log must have signed it"
)]
pub struct RevocationError;

impl Revocation {
    /// The signed note with which one key of a log revokes another.
    ///
    /// # Errors
    ///
    /// If the text of the key has a line break.
    pub fn sign(&self, by: &LogKey) -> Result<String, KeyError> {
        let text = format!("{TITLE}\n{}\n{}\n", self.key, self.from);
        let invalid = || KeyError::Verifier(self.key.clone());
        let mut note = Note::new(text.as_bytes(), &[]).map_err(|_| invalid())?;
        note.add_sigs(&[by]).map_err(|_| invalid())?;
        String::from_utf8(note.to_bytes()).map_err(|_| invalid())
    }

    /// Reads the notes of a log with these keys. A key that an earlier note revokes signs none.
    ///
    /// # Errors
    ///
    /// If one of them does not revoke a key of the log.
    pub fn read(notes: &[String], keys: &[String]) -> Result<Vec<Self>, RevocationError> {
        let mut read = Vec::new();
        for note in notes {
            let counting = unrevoked(keys, &read);
            read.push(Self::open(note, counting).ok_or(RevocationError)?);
        }
        Ok(read)
    }

    fn open(note: &str, mut keys: Vec<String>) -> Option<Self> {
        let note = Note::from_bytes(note.as_bytes()).ok()?;
        let text = std::str::from_utf8(note.text()).ok()?;
        let [TITLE, key, from] = *text.lines().collect::<Vec<_>>() else { return None };
        let at = keys.iter().position(|known| known == key)?;
        let key = keys.remove(at);
        Known::new(&keys).ok()?.check(&note).ok()?;
        Some(Self { key, from: from.parse().ok()? })
    }

    /// The revocation because of which a checkpoint of this time counts for nothing: all of its keys are
    /// revoked from that day on, or from an earlier one.
    pub fn of<'a>(revoked: &'a [Self], signed_by: &[String], at: Timestamp) -> Option<&'a Self> {
        let day = at.to_zoned(TimeZone::UTC).date();
        let ends = |key: &String| revoked.iter().find(|it| it.key == *key && it.from <= day);
        signed_by.iter().map(ends).reduce(Option::and).flatten()
    }
}

/// The keys whose every signature counts.
#[must_use]
pub fn unrevoked(keys: &[String], revoked: &[Revocation]) -> Vec<String> {
    let counts = |key: &&String| !revoked.iter().any(|it| it.key == **key);
    keys.iter().filter(counts).cloned().collect()
}
