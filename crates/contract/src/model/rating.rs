//! A star rating.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A star rating, 1 to 5. Never rounded, never clamped: any other number is an error.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "serde_json::Value", into = "u8")]
#[schemars(inline, extend("minimum" = Self::WORST, "maximum" = Self::BEST))]
pub struct Rating(u8);

impl Rating {
    /// The lowest rating.
    pub const WORST: u8 = 1;
    /// The highest rating.
    pub const BEST: u8 = 5;

    /// Every rating, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::WORST..=Self::BEST).map(Self)
    }

    /// The number of stars.
    #[must_use]
    pub fn stars(self) -> u8 {
        self.0
    }

    /// The index in an array with one element per star, 0 to 4.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0 - Self::WORST)
    }
}

/// The number is not a rating.
#[derive(Debug, thiserror::Error)]
#[error("rating must be a whole number from 1 to 5, found {0}")]
pub struct InvalidRating(String);

impl TryFrom<serde_json::Value> for Rating {
    type Error = InvalidRating;

    /// `5.0` is not a whole number in JSON's grammar. Imports normalise the ratings of exports.
    fn try_from(number: serde_json::Value) -> Result<Self, InvalidRating> {
        let stars = number.as_u64().and_then(|n| u8::try_from(n).ok());
        stars
            .filter(|stars| (Self::WORST..=Self::BEST).contains(stars))
            .map(Self)
            .ok_or_else(|| InvalidRating(number.to_string()))
    }
}

impl TryFrom<u8> for Rating {
    type Error = InvalidRating;

    fn try_from(stars: u8) -> Result<Self, InvalidRating> {
        serde_json::Value::from(stars).try_into()
    }
}

impl From<Rating> for u8 {
    fn from(rating: Rating) -> Self {
        rating.0
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
