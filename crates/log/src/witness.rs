//! Cosignatures of witnesses: somebody else signs that they saw a checkpoint, and that its log
//! continued the one that they had seen before (C2SP tlog-cosignature).

use contract::hex::to_hex;
use ed25519_dalek::{Signature, SignatureError, Signer as _, VerifyingKey};
use jiff::Timestamp;
use ring::digest;
use signed_note::{Note, NoteError, Signer, Verifier, VerifierList};

use crate::{
    checkpoint::CheckpointError,
    key::{COSIGNATURE, WitnessKey, decoded, encoded, key_id},
    tree::TreeHashes,
};

/// A witness's key or signature cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The verifier key cannot be read.
    #[error(
        "{0:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, with an Ed25519 \
         key for cosignatures"
    )]
    Verifier(String),
    /// What the witness has signed is not a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The signature is wrong.
    #[error(
        "the signature of the witness {0} does not fit the checkpoint: one of them was changed, or \
         somebody who does not have the key made the signature"
    )]
    Forged(String),
}

/// The request by which a witness is asked to sign the checkpoint of a tree: `old` is the size that it
/// signed last (C2SP tlog-witness, add-checkpoint). `None` if the tree is smaller.
#[must_use]
pub fn add_checkpoint(hashes: &TreeHashes, old: u64, note: &str) -> Option<String> {
    let proof = hashes.prove_consistency(old)?;
    let proof: String = proof.iter().map(|hash| format!("{hash}\n")).collect();
    Some(format!("old {old}\n{proof}\n{note}"))
}

/// The path below the address of a witness of what it signed of a log last (C2SP tlog-witness, monitor
/// retrieval).
#[must_use]
pub fn monitoring_path(origin: &str) -> String {
    let hash = digest::digest(&digest::SHA256, origin.as_bytes());
    format!("{}/checkpoint", to_hex(hash.as_ref()))
}

impl WitnessKey {
    /// Adds the signature of the witness to a checkpoint, in place of an earlier one of the same key.
    /// The witness has verified the log before.
    ///
    /// # Errors
    ///
    /// If it is not a signed note.
    pub fn cosign(&self, checkpoint: &[u8], at: Timestamp) -> Result<Vec<u8>, WitnessError> {
        let malformed = |_| CheckpointError::Malformed;
        let mut note = Note::from_bytes(checkpoint).map_err(malformed)?;
        note.add_sigs(&[&Cosigner { key: self, at }]).map_err(malformed)?;
        Ok(note.to_bytes())
    }
}

/// A key at a time.
struct Cosigner<'a> {
    key: &'a WitnessKey,
    at: Timestamp,
}

impl Signer for Cosigner<'_> {
    fn name(&self) -> &str {
        self.key.name()
    }

    fn key_id(&self) -> u32 {
        self.key.key_id()
    }

    fn sign(&self, text: &[u8]) -> Result<Vec<u8>, SignatureError> {
        let seconds = u64::try_from(self.at.as_second()).unwrap_or_default();
        let signature = self.key.secret.try_sign(&message(seconds, text))?;
        Ok([&seconds.to_be_bytes()[..], &signature.to_bytes()].concat())
    }
}

/// The public key of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessVerifier {
    name: String,
    id: u32,
    key: VerifyingKey,
}

impl WitnessVerifier {
    /// Reads a verifier key, `<name>+<id>+<base64>`.
    ///
    /// # Errors
    ///
    /// If it is not the verifier key of a witness.
    pub fn new(text: &str) -> Result<Self, WitnessError> {
        let invalid = || WitnessError::Verifier(text.to_owned());
        let (name, public) = decoded(text, COSIGNATURE).ok_or_else(invalid)?;
        let key = VerifyingKey::from_bytes(&public).map_err(|_| invalid())?;
        let id = key_id(name, COSIGNATURE, &key);
        if encoded(name, id, COSIGNATURE, &public) == text {
            Ok(Self { name: name.to_owned(), id, key })
        } else {
            Err(invalid())
        }
    }

    /// The name of the witness.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time and the line of the witness's signature on a note; `None` if there is none. The signatures
    /// of the log are not checked.
    ///
    /// # Errors
    ///
    /// If it is not a signed note, or the signature is wrong.
    pub fn cosignature(&self, note: &[u8]) -> Result<Option<(Timestamp, String)>, WitnessError> {
        let note = Note::from_bytes(note).map_err(|_| CheckpointError::Malformed)?;
        let signature = match note.verify(&VerifierList::new(vec![Box::new(self.clone())])) {
            Ok((valid, _)) => valid.into_iter().next(),
            Err(NoteError::UnverifiedNote) => return Ok(None),
            Err(_) => None,
        };
        let signed = signature.and_then(|signature| {
            let seconds = i64::try_from(parts(signature.signature())?.0).ok()?;
            let line = String::from_utf8(signature.to_bytes()).ok()?;
            Some((Timestamp::from_second(seconds).ok()?, line))
        });
        signed.map(Some).ok_or_else(|| WitnessError::Forged(self.name.clone()))
    }
}

impl Verifier for WitnessVerifier {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        parts(signature).is_some_and(|(seconds, signature)| {
            self.key.verify_strict(&message(seconds, text), &signature).is_ok()
        })
    }
}

/// Returns the bytes that a witness signs (C2SP tlog-cosignature).
fn message(seconds: u64, text: &[u8]) -> Vec<u8> {
    [format!("cosignature/v1\ntime {seconds}\n").as_bytes(), text].concat()
}

/// The time and the Ed25519 signature of a cosignature.
fn parts(signature: &[u8]) -> Option<(u64, Signature)> {
    let (seconds, signature) = signature.split_first_chunk()?;
    Some((u64::from_be_bytes(*seconds), Signature::from_slice(signature).ok()?))
}
