//! Witnesses: the key of one, its signature of a checkpoint, and the copy in the owner's content.

use std::path::Path;

use review_log::{Cosigned, WitnessError, WitnessKey, WitnessVerifier};

use super::{KeyPlace, KeySource, LogError, init, keys};
use content::{TRANSPARENCY_SETTINGS, TransparencyLog, Witness, change::commit};

/// The variable with the private key of a witness.
pub const WITNESS_KEY_VARIABLE: &str = "CANDOR_WITNESS_KEY";

/// The key of a witness that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWitnessKey {
    /// The verifier key, with which readers check signatures.
    pub verifier_key: String,
    /// The private key, if it was not written to a file.
    pub private_key: Option<String>,
}

/// Makes the key of a witness with this name.
///
/// # Errors
/// When the name cannot be that of a key, or the file cannot be written.
pub fn witness_key(name: &str, place: KeyPlace<'_>) -> Result<NewWitnessKey, LogError> {
    let key = WitnessKey::generate(name)?;
    if let Some(path) = place.file {
        keys::write(path, key.to_text(), place.exposed)?;
    }
    let private_key = place.file.is_none().then(|| key.to_text().to_owned());
    Ok(NewWitnessKey { verifier_key: key.verifier_key().to_owned(), private_key })
}

/// Reads the private key of a witness.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn read_witness_key(source: Option<&KeySource>) -> Result<WitnessKey, LogError> {
    let source = source.ok_or(LogError::NoWitnessKey)?;
    WitnessKey::from_text(&source.text()?)
        .map_err(|error| LogError::InvalidKey { place: source.place(), reason: error.to_string() })
}

/// Stores a checkpoint that a witness has signed, for the next build to publish, in place of the one that it signed
/// before. `new` is the verifier key of a witness that the log does not have yet. Returns `None` if the stored one is
/// as new.
///
/// # Errors
/// When no witness has signed it, it is not of this log, or a file cannot be written.
pub fn keep(content: &Path, note: &[u8], new: Option<&str>) -> Result<Option<Cosigned>, LogError> {
    let (stage, log) = init::existing(content)?;
    let listed = log.witnesses.iter().map(|witness| witness.verifier.clone());
    let new = new.map(WitnessVerifier::new).transpose()?;
    let new = new.filter(|new| !listed.clone().any(|known| known == *new));
    let (verifier, cosigned) = signed_by(note, listed.clone().chain(new.clone()), &log.keys)?;
    let Cosigned { checkpoint, witness, .. } = &cosigned;
    if log.tree.root_at(checkpoint.size) != Some(checkpoint.root) {
        let (witness, size) = (witness.clone(), checkpoint.size);
        return Err(LogError::OtherLog { witness, size });
    }
    if kept_before(&log, &verifier).is_some_and(|kept| is_as_new(&kept, &cosigned)) {
        return Ok(None);
    }
    let mut files = vec![(content::witness_file(&verifier), note.to_vec())];
    if let Some(new) = new {
        let mut settings = log.settings();
        settings.witnesses.push(new.to_text());
        let text = content::log_settings_text(&settings).into_bytes();
        files.push((TRANSPARENCY_SETTINGS.to_owned(), text));
    }
    commit(&stage, &init::stage_files(&stage, &files)?)?;
    Ok(Some(cosigned))
}

/// Returns the witness that has signed.
fn signed_by(
    note: &[u8],
    witnesses: impl Iterator<Item = WitnessVerifier>,
    log_keys: &[String],
) -> Result<(WitnessVerifier, Cosigned), LogError> {
    let mut known = Vec::new();
    for witness in witnesses {
        match witness.open(note, log_keys) {
            Ok(cosigned) => return Ok((witness, cosigned)),
            Err(WitnessError::Unsigned(name)) => known.push(name),
            Err(error) => return Err(error.into()),
        }
    }
    Err(LogError::Unwitnessed(known))
}

fn kept_before(log: &TransparencyLog, verifier: &WitnessVerifier) -> Option<Cosigned> {
    let is_it = |witness: &&Witness| witness.verifier == *verifier;
    let note = log.witnesses.iter().find(is_it)?.note.as_ref()?;
    verifier.open(note, &log.keys).ok()
}

/// Whether the stored checkpoint is at least as new as the other.
fn is_as_new(kept: &Cosigned, new: &Cosigned) -> bool {
    (kept.checkpoint.size, kept.at) >= (new.checkpoint.size, new.at)
}
