//! Cosignatures of witnesses: somebody else signs that they saw a checkpoint, and that its log
//! continued the one that they had seen before (C2SP tlog-cosignature).

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use ed25519_dalek::{Signature, SignatureError, Signer as _, SigningKey, VerifyingKey};
use jiff::Timestamp;
use rand_core::OsRng;
use signed_note::{Note, NoteError, Signer, Verifier, VerifierList};

use crate::checkpoint::{Checkpoint, CheckpointError};

/// The algorithm of cosignatures, the first byte of their keys (C2SP signed-note).
const ALGORITHM: u8 = 4;
/// The prefix of a private key.
const PRIVATE: &str = "PRIVATE+KEY+";

/// A witness's key or signature cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The private key cannot be read. The message never has the key.
    #[error(
        "the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log \
         witness-key` printed; this one is incomplete, has other characters, or is of another kind"
    )]
    Private,
    /// The verifier key cannot be read.
    #[error(
        "{0:?} is not the verifier key of a witness: it must be <name>+<id>+<base64>, as `candor log \
         witness-key` printed it"
    )]
    Verifier(String),
    /// A name cannot be that of a key.
    #[error(
        "the name {0:?} of a witness must have at least one character, and neither white space nor +"
    )]
    Name(String),
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

/// The private key of a witness, an Ed25519 key with a name.
#[derive(Clone)]
pub struct WitnessKey {
    name: String,
    secret: SigningKey,
}

impl WitnessKey {
    /// A new key from the operating system's random numbers. The name is a URL without a scheme, by
    /// which readers know the witness: `witness.example.com/reviews`.
    ///
    /// # Errors
    ///
    /// If it cannot be the name of a key.
    ///
    /// # Panics
    ///
    /// If the operating system has no random numbers.
    pub fn generate(name: &str) -> Result<Self, WitnessError> {
        if is_name(name) {
            Ok(Self { name: name.to_owned(), secret: SigningKey::generate(&mut OsRng) })
        } else {
            Err(WitnessError::Name(name.to_owned()))
        }
    }

    /// Reads a private key as [`Self::to_text`] writes it. White space around it is ignored.
    ///
    /// # Errors
    ///
    /// If it is not such a key.
    pub fn from_text(text: &str) -> Result<Self, WitnessError> {
        let text = text.trim();
        let fields = text.strip_prefix(PRIVATE).and_then(decoded);
        let (name, secret) = fields.ok_or(WitnessError::Private)?;
        let key = Self { name: name.to_owned(), secret: SigningKey::from_bytes(&secret) };
        // The id is that of the public key.
        if key.to_text() == text { Ok(key) } else { Err(WitnessError::Private) }
    }

    /// The private key, `PRIVATE+KEY+<name>+<id>+<base64>`. It must be kept secret.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{PRIVATE}{}", encoded(&self.name, self.key_id(), self.secret.as_bytes()))
    }

    /// The public key: `<name>+<id>+<base64>`.
    #[must_use]
    pub fn verifier_key(&self) -> String {
        encoded(&self.name, self.key_id(), self.secret.verifying_key().as_bytes())
    }

    /// The name of the witness.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

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

    fn key_id(&self) -> u32 {
        key_id(&self.name, &self.secret.verifying_key())
    }
}

/// Prints the public part only.
impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WitnessKey({})", self.verifier_key())
    }
}

/// A key at a time.
struct Cosigner<'a> {
    key: &'a WitnessKey,
    at: Timestamp,
}

impl Signer for Cosigner<'_> {
    fn name(&self) -> &str {
        &self.key.name
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
        let (name, public) = decoded(text).ok_or_else(invalid)?;
        let key = VerifyingKey::from_bytes(&public).map_err(|_| invalid())?;
        let id = key_id(name, &key);
        if encoded(name, id, &public) == text {
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
        encoded(&self.name, self.id, self.key.as_bytes())
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

fn is_name(name: &str) -> bool {
    signed_note::is_key_name_valid(name) && !name.contains(char::is_control)
}

fn key_id(name: &str, public: &VerifyingKey) -> u32 {
    signed_note::key_id(name, &[&[ALGORITHM][..], public.as_bytes()].concat())
}

/// Returns a key as text: `<name>+<id>+<base64>`.
fn encoded(name: &str, id: u32, key: &[u8; 32]) -> String {
    let bytes = [&[ALGORITHM][..], key].concat();
    format!("{name}+{id:08x}+{}", BASE64_STANDARD.encode(bytes))
}

/// The name and the key in `<name>+<id>+<base64>`. The id is not checked.
fn decoded(text: &str) -> Option<(&str, [u8; 32])> {
    let mut fields = text.splitn(3, '+');
    let name = fields.next().filter(|name| is_name(name))?;
    let bytes = BASE64_STANDARD.decode(fields.nth(1)?).ok()?;
    let (algorithm, key) = bytes.split_first()?;
    Some((name, <[u8; 32]>::try_from(key).ok().filter(|_| *algorithm == ALGORITHM)?))
}
