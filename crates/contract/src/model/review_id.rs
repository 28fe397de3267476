//! The id of a review: a ULID.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// A review's identity: a ULID, generated once and kept for ever. Ordered as its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline, extend("pattern" = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"))]
pub struct ReviewId(Ulid);

/// The text is not a ULID.
#[derive(Debug, thiserror::Error)]
#[error("an id is a ULID, 26 of 0-9 A-Z without I, L, O and U, found {0:?}")]
pub struct InvalidReviewId(String);

impl ReviewId {
    /// The id with the time part `at` and the first 80 bits of `entropy`.
    #[must_use]
    pub fn from_parts(at: Timestamp, entropy: &blake3::Hash) -> Self {
        let milliseconds = u64::try_from(at.as_millisecond()).unwrap_or(0);
        let random = entropy.as_bytes()[..10].iter().fold(0, |n, b| (n << 8) | u128::from(*b));
        Self(Ulid::from_parts(milliseconds, random))
    }

    /// The 128 bits, most significant byte first. They sort as the text does.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_bytes()
    }

    /// The id with these bits. Every value of 128 bits is an id.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Ulid::from_bytes(bytes))
    }
}

impl FromStr for ReviewId {
    type Err = InvalidReviewId;

    /// Accepts the canonical spelling only, so that equal ids are equal texts.
    fn from_str(text: &str) -> Result<Self, InvalidReviewId> {
        let ulid = Ulid::from_string(text).ok();
        ulid.map(Self)
            .filter(|id| id.to_string() == text)
            .ok_or_else(|| InvalidReviewId(text.to_owned()))
    }
}

impl TryFrom<String> for ReviewId {
    type Error = InvalidReviewId;

    fn try_from(text: String) -> Result<Self, InvalidReviewId> {
        text.parse()
    }
}

impl From<ReviewId> for String {
    fn from(id: ReviewId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.array_to_str(&mut [0; ulid::ULID_LEN]))
    }
}

impl fmt::Debug for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_per_id() {
        let id = "01HQ3S5B00ABCDEFGHJKMNPQRS";
        assert_eq!(id.parse::<ReviewId>().unwrap().to_string(), id);
        for bad in [
            "01hq3s5b00abcdefghjkmnpqrs",
            "01HQ3S5B00ABCDEFGHJKMNPQR",
            "81HQ3S5B00ABCDEFGHJKMNPQRS",
            "01HQ3S5B00ABCDEFGHJKMNPQRI",
            "",
        ] {
            assert!(bad.parse::<ReviewId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_time_part_is_the_instant() {
        let at: Timestamp = "2024-03-01T00:00:00Z".parse().unwrap();
        let id = ReviewId::from_parts(at, &blake3::hash(b"google:abc"));
        assert_eq!(id, ReviewId::from_parts(at, &blake3::hash(b"google:abc")));
        assert!(id.to_string().starts_with("01HQVMZ100"), "{id}");
    }
}
