//! Cosignatures of witnesses: somebody else signs that they saw a checkpoint, and that its log
//! continued the one that they had seen before (C2SP tlog-cosignature).

use ed25519_dalek::{Signature, SignatureError, Signer as _, VerifyingKey};
use jiff::Timestamp;
use signed_note::{Note, NoteError, Signer, Verifier, VerifierList};

use crate::{
    checkpoint::{Checkpoint, CheckpointError},
    key::{COSIGNATURE, WitnessKey, decoded, encoded, key_id},
};

/// A witness's key or signature cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The verifier key cannot be read.
    #[error(
        "{0:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, as `candor log \
         witness-key` printed it"
    )]
    Verifier(String),
    /// The checkpoint cannot be trusted, whoever has signed it as a witness.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The witness has not signed.
    #[error("the witness {0} has not signed the checkpoint")]
    Unsigned(String),
    /// The signature is wrong.
    #[error(
        "the signature of the witness {0} does not fit the checkpoint: one of them was changed, or \
         somebody who does not have the key made the signature"
    )]
    Forged(String),
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

/// A checkpoint whose signatures, of the log and of a witness, were checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Cosigned {
    /// The checkpoint that the witness has signed.
    pub checkpoint: Checkpoint,
    /// The name of the witness.
    pub witness: String,
    /// The time of the signature, by its own clock.
    pub at: Timestamp,
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

    /// The id of the key: eight hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{:08x}", self.id)
    }

    /// The public key as [`Self::new`] reads it.
    #[must_use]
    pub fn to_text(&self) -> String {
        encoded(&self.name, self.id, COSIGNATURE, self.key.as_bytes())
    }

    /// Reads a checkpoint that the witness has signed, and checks its signature and those of the log.
    ///
    /// # Errors
    ///
    /// If it is not a checkpoint, if none of `log_keys` has signed it, if the witness has not, or if a
    /// signature is wrong.
    pub fn open(&self, note: &[u8], log_keys: &[String]) -> Result<Cosigned, WitnessError> {
        let checkpoint = Checkpoint::open(note, log_keys)?;
        let note = Note::from_bytes(note).map_err(|_| CheckpointError::Malformed)?;
        let list = VerifierList::new(vec![Box::new(self.clone())]);
        let (valid, _) = note.verify(&list).map_err(|error| match error {
            NoteError::UnverifiedNote => WitnessError::Unsigned(self.name.clone()),
            _ => WitnessError::Forged(self.name.clone()),
        })?;
        let seconds = valid.first().and_then(|signature| parts(signature.signature()));
        let seconds = seconds.and_then(|(seconds, _)| i64::try_from(seconds).ok());
        let at = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let at = at.ok_or_else(|| WitnessError::Forged(self.name.clone()))?;
        Ok(Cosigned { checkpoint, witness: self.name.clone(), at })
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
