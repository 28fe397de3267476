//! Keys with names (C2SP signed-note): those that sign a log, and those of witnesses.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use ed25519_dalek::{SignatureError, Signer as _, SigningKey, VerifyingKey};
use rand_core::OsRng;
use signed_note::{Signer, StandardVerifier, Verifier};

/// The algorithm of a log's key, the first byte of the encoded key.
const LOG: u8 = 1;
/// The algorithm of a witness's key.
pub(crate) const COSIGNATURE: u8 = 4;
/// The prefix of a private key.
const PRIVATE: &str = "PRIVATE+KEY+";

/// The private key of a log, whose name is the log's origin.
pub type LogKey = PrivateKey<LOG>;
/// The private key of a witness. Its name is a URL without a scheme, by which readers know the witness:
/// `witness.example.com/reviews`.
pub type WitnessKey = PrivateKey<COSIGNATURE>;

/// A private Ed25519 key with a name, for signatures of one kind.
#[derive(Clone)]
pub struct PrivateKey<const ALGORITHM: u8> {
    name: String,
    text: String,
    verifier_key: String,
    pub(crate) secret: SigningKey,
}

/// A text is not a key, or not one of this log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The private key cannot be read. The message never has the key.
    #[error(
        "the private key must be the whole line PRIVATE+KEY+<name>+<id>+<base64> that `candor log init` \
         or `candor log cosign --name` made; this one is incomplete, has other characters, or is of \
         another kind"
    )]
    Private,
    /// A verifier key cannot be read.
    #[error(
        "{0:?} is not a verifier key: it must be <origin>+<id>+<base64>, as in the log's log.toml"
    )]
    Verifier(String),
    /// A text cannot be the name of a key.
    #[error(
        "the name {0:?} of a key must have at least one character, and neither white space nor +"
    )]
    Name(String),
    /// The key is of another log.
    #[error(
        "the private key is of the log {key}, and this is the log {origin}: use the key of this log"
    )]
    OtherLog {
        /// The name of the key.
        key: String,
        /// The origin of the log.
        origin: String,
    },
    /// There is no key to sign with.
    #[error("a checkpoint needs at least one private key")]
    None,
}

impl<const ALGORITHM: u8> PrivateKey<ALGORITHM> {
    /// A new key from the operating system's random numbers.
    ///
    /// # Errors
    ///
    /// If the text cannot be the name of a key.
    ///
    /// # Panics
    ///
    /// If the operating system has no random numbers.
    pub fn generate(name: &str) -> Result<Self, KeyError> {
        let invalid = || KeyError::Name(name.to_owned());
        is_name(name).then(|| Self::new(name, SigningKey::generate(&mut OsRng))).ok_or_else(invalid)
    }

    fn new(name: &str, secret: SigningKey) -> Self {
        let public = secret.verifying_key();
        let id = key_id(name, ALGORITHM, &public);
        let text = format!("{PRIVATE}{}", encoded(name, id, ALGORITHM, secret.as_bytes()));
        let verifier_key = encoded(name, id, ALGORITHM, public.as_bytes());
        Self { name: name.to_owned(), text, verifier_key, secret }
    }

    /// Reads a private key, `PRIVATE+KEY+<name>+<id>+<base64>`. White space around it is ignored.
    ///
    /// # Errors
    ///
    /// If it is not such a key.
    pub fn from_text(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let fields = text.strip_prefix(PRIVATE).and_then(|text| decoded(text, ALGORITHM));
        let (name, secret) = fields.ok_or(KeyError::Private)?;
        let key = Self::new(name, SigningKey::from_bytes(&secret));
        // The id is that of the public key.
        if key.text == text { Ok(key) } else { Err(KeyError::Private) }
    }

    /// The private key as [`Self::from_text`] reads it. It must be kept secret.
    #[must_use]
    pub fn to_text(&self) -> &str {
        &self.text
    }

    /// The public key: `<name>+<id>+<base64>`.
    #[must_use]
    pub fn verifier_key(&self) -> &str {
        &self.verifier_key
    }

    /// The origin of the log, or the name of the witness.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn key_id(&self) -> u32 {
        key_id(&self.name, ALGORITHM, &self.secret.verifying_key())
    }
}

/// Prints the public part only.
impl<const ALGORITHM: u8> fmt::Debug for PrivateKey<ALGORITHM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey({})", self.verifier_key)
    }
}

impl Signer for LogKey {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.key_id()
    }

    fn sign(&self, text: &[u8]) -> Result<Vec<u8>, SignatureError> {
        Ok(self.secret.try_sign(text)?.to_vec())
    }
}

/// Checks that the text is a verifier key, and returns the origin it is for.
///
/// # Errors
///
/// If it is not.
pub fn check_verifier_key(text: &str) -> Result<String, KeyError> {
    verifier(text).map(|verifier| verifier.name().to_owned())
}

pub(crate) fn verifier(text: &str) -> Result<StandardVerifier, KeyError> {
    StandardVerifier::new(text).map_err(|_| KeyError::Verifier(text.to_owned()))
}

fn is_name(name: &str) -> bool {
    signed_note::is_key_name_valid(name) && !name.contains(char::is_control)
}

pub(crate) fn key_id(name: &str, algorithm: u8, public: &VerifyingKey) -> u32 {
    signed_note::key_id(name, &[&[algorithm][..], public.as_bytes()].concat())
}

/// Returns a key as text: `<name>+<id>+<base64>`.
pub(crate) fn encoded(name: &str, id: u32, algorithm: u8, key: &[u8; 32]) -> String {
    let bytes = [&[algorithm][..], key].concat();
    format!("{name}+{id:08x}+{}", BASE64_STANDARD.encode(bytes))
}

/// The name and the key in `<name>+<id>+<base64>`. The id is not checked.
pub(crate) fn decoded(text: &str, algorithm: u8) -> Option<(&str, [u8; 32])> {
    let mut fields = text.splitn(3, '+');
    let name = fields.next().filter(|name| is_name(name))?;
    let bytes = BASE64_STANDARD.decode(fields.nth(1)?).ok()?;
    let (found, key) = bytes.split_first()?;
    Some((name, <[u8; 32]>::try_from(key).ok().filter(|_| *found == algorithm)?))
}
