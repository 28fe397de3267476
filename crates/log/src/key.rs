//! The key of a log.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use rand_core::OsRng;
use signed_note::{Signer, StandardSigner, StandardVerifier, Verifier};

/// The private key of a log, an Ed25519 key with the log's origin as its name.
#[derive(Clone)]
pub struct LogKey {
    text: String,
    verifier_key: String,
    pub(crate) signer: StandardSigner,
}

/// A text is not a key, or not one of this log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The private key cannot be read. The message never has the key.
    #[error(
        "the private key must be the whole line PRIVATE+KEY+<origin>+<id>+<base64> that `candor log \
         init` printed; this one is incomplete, has other characters, or is of another kind"
    )]
    Private,
    /// A verifier key cannot be read.
    #[error(
        "{0:?} is not a verifier key: it must be <origin>+<id>+<base64>, as in the log's log.toml"
    )]
    Verifier(String),
    /// An origin cannot be the name of a key.
    #[error("the origin {0:?} must have at least one character, and neither white space nor +")]
    Origin(String),
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

impl LogKey {
    /// A new key from the operating system's random numbers, for the log with this origin.
    ///
    /// # Errors
    ///
    /// If the origin cannot be the name of a key.
    ///
    /// # Panics
    ///
    /// If the operating system has no random numbers.
    pub fn generate(origin: &str) -> Result<Self, KeyError> {
        if !signed_note::is_key_name_valid(origin) || origin.contains(char::is_control) {
            return Err(KeyError::Origin(origin.to_owned()));
        }
        Self::from_text(&signed_note::generate_key(&mut OsRng, origin).0)
    }

    /// Reads a private key, `PRIVATE+KEY+<origin>+<id>+<base64>`. White space around it is ignored.
    ///
    /// # Errors
    ///
    /// If it is not such a key.
    pub fn from_text(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let signer = StandardSigner::new(text).map_err(|_| KeyError::Private)?;
        // PRIVATE, KEY, the origin, the id, and then base64, which can have a plus itself.
        let seed = text.splitn(5, '+').nth(4);
        let seed = seed.and_then(|seed| BASE64_STANDARD.decode(seed).ok());
        // The first byte is the algorithm, which `StandardSigner` has checked.
        let secret = seed.and_then(|seed| <[u8; 32]>::try_from(seed.get(1..)?).ok());
        let public = ed25519_dalek::SigningKey::from_bytes(&secret.ok_or(KeyError::Private)?);
        let verifier_key =
            signed_note::new_ed25519_verifier_key(signer.name(), &public.verifying_key());
        Ok(Self { text: text.to_owned(), verifier_key, signer })
    }

    /// The private key as [`Self::from_text`] reads it. It must be kept secret.
    #[must_use]
    pub fn to_text(&self) -> &str {
        &self.text
    }

    /// The public key: `<origin>+<id>+<base64>`.
    #[must_use]
    pub fn verifier_key(&self) -> &str {
        &self.verifier_key
    }

    /// The origin of the log that it signs for.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.signer.name()
    }
}

/// Prints the public part only.
impl fmt::Debug for LogKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LogKey({})", self.verifier_key)
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
