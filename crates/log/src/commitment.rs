//! Commitments to what is published, and the salts that keep them meaningless without the text.

use std::fmt;

use contract::hex::{from_hex, to_hex};
use rand_core::{OsRng, RngCore};
use ring::hmac;
use serde::{Deserialize, Serialize};

use crate::facts::{Facts, Reply};

/// The text is not 32 bytes in hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("must be 64 hexadecimal digits in lower case, found {0} characters")]
pub struct InvalidHex(usize);

/// Defines 32 bytes that JSON has as 64 hexadecimal digits.
macro_rules! bytes {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name([u8; 32]);

        impl $name {
            /// The value with these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidHex;

            fn try_from(text: String) -> Result<Self, InvalidHex> {
                from_hex(&text).map(Self).ok_or_else(|| InvalidHex(text.chars().count()))
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                to_hex(&value.0)
            }
        }
    };
}

bytes! {
    /// 32 bytes that stand for a record, a reply or a set without telling its content.
    Commitment
}

bytes! {
    /// The key of a review's commitments: random, kept in the content, published while the review is
    /// public. Once it is erased, nobody can try texts against the review's commitments.
    Salt
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Does not print the bytes: the salt of a review that is not public is secret.
impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(…)")
    }
}

impl Salt {
    /// A new salt from the operating system's random numbers.
    ///
    /// # Panics
    ///
    /// If the operating system has no random numbers.
    #[must_use]
    pub fn generate() -> Self {
        let mut bytes = [0; 32];
        OsRng.fill_bytes(&mut bytes);
        Self(bytes)
    }

    /// Commits to the facts of a review: HMAC-SHA256 with the salt as key over their canonical JSON.
    #[must_use]
    pub fn record(&self, facts: &Facts) -> Commitment {
        self.commit(facts)
    }

    /// Commits to the business's answer in the same way.
    #[must_use]
    pub fn reply(&self, reply: &Reply) -> Commitment {
        self.commit(reply)
    }

    fn commit(&self, value: &impl Serialize) -> Commitment {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        // The types that are committed to have text keys and no other failure.
        let bytes = serde_json::to_vec(value).unwrap_or_default();
        let mut commitment = [0; 32];
        commitment.copy_from_slice(hmac::sign(&key, &bytes).as_ref());
        Commitment(commitment)
    }
}
