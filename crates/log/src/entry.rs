//! Leaves of the log.

use contract::model::{Rating, ReviewId, WithheldReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{commitment::Commitment, set::Set};

/// The length that a leaf may have, in bytes: an entry bundle has two bytes for it.
pub const MAX_LEAF: usize = u16::MAX as usize;

/// One leaf: what became public, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The time when it was logged; not earlier than that of the entry before.
    pub at: Timestamp,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of one review, or the state of all reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The review was published for the first time.
    Published {
        /// The review.
        review: ReviewId,
        /// Commits to its facts.
        record: Commitment,
        /// Commits to the business's answer, if there is one.
        reply: Option<Commitment>,
    },
    /// The author's part changed, and maybe the answer too.
    Changed {
        /// The review.
        review: ReviewId,
        /// Commits to its facts.
        record: Commitment,
        /// Commits to the business's answer, if there is one.
        reply: Option<Commitment>,
    },
    /// The business's answer alone was added, changed or removed.
    ReplyChanged {
        /// The review.
        review: ReviewId,
        /// Commits to its facts, as before.
        record: Commitment,
        /// Commits to the answer; `None` if it was removed.
        reply: Option<Commitment>,
    },
    /// The review is not published. Reason and stars are in clear, the text never.
    Withheld {
        /// The review.
        review: ReviewId,
        /// The reason why it is withheld.
        reason: WithheldReason,
        /// The stars of the review.
        rating: Rating,
    },
    /// The review is published again.
    Restored {
        /// The review.
        review: ReviewId,
        /// Commits to its facts.
        record: Commitment,
        /// Commits to the business's answer, if there is one.
        reply: Option<Commitment>,
    },
    /// The review is no longer in the content.
    Removed {
        /// The review.
        review: ReviewId,
    },
    /// The review was erased, and its salt with it.
    Forgotten {
        /// The review.
        review: ReviewId,
        /// The reason why it was erased.
        reason: WithheldReason,
    },
    /// The totals of `reviews.json` from here on.
    Set(Set),
}

/// The bytes are not a leaf that [`Entry::to_leaf`] writes.
#[derive(Debug, thiserror::Error)]
pub enum LeafError {
    /// The bytes are not an entry at all.
    #[error("is not an entry of a review log: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The bytes are an entry in another spelling, which has another hash.
    #[error("is an entry, but not spelled as the log writes it: {expected}")]
    Spelling {
        /// The same entry as the log writes it.
        expected: String,
    },
}

impl Event {
    /// The word for it in JSON.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Published { .. } => "published",
            Self::Changed { .. } => "changed",
            Self::ReplyChanged { .. } => "reply_changed",
            Self::Withheld { .. } => "withheld",
            Self::Restored { .. } => "restored",
            Self::Removed { .. } => "removed",
            Self::Forgotten { .. } => "forgotten",
            Self::Set(_) => "set",
        }
    }

    /// The state of the review after it: `published`, `withheld`, `removed` or `forgotten`; `None` for the
    /// set.
    #[must_use]
    pub fn status(&self) -> Option<&'static str> {
        match self {
            Self::Published { .. }
            | Self::Changed { .. }
            | Self::ReplyChanged { .. }
            | Self::Restored { .. } => Some("published"),
            Self::Set(_) => None,
            _ => Some(self.word()),
        }
    }

    /// The review it is about; `None` for the set.
    #[must_use]
    pub fn review(&self) -> Option<ReviewId> {
        match self {
            Self::Published { review, .. }
            | Self::Changed { review, .. }
            | Self::ReplyChanged { review, .. }
            | Self::Withheld { review, .. }
            | Self::Restored { review, .. }
            | Self::Removed { review }
            | Self::Forgotten { review, .. } => Some(*review),
            Self::Set(_) => None,
        }
    }
}

impl Entry {
    /// The bytes of the leaf: one compact JSON object with its keys in a fixed order, without a line
    /// break and shorter than [`MAX_LEAF`].
    #[must_use]
    pub fn to_leaf(&self) -> Vec<u8> {
        // The types of an entry have text keys and no other failure.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a leaf.
    ///
    /// # Errors
    ///
    /// If these are not exactly the bytes that [`Self::to_leaf`] writes.
    pub fn from_leaf(leaf: &[u8]) -> Result<Self, LeafError> {
        let entry: Self = serde_json::from_slice(leaf)?;
        let expected = entry.to_leaf();
        if expected == leaf {
            Ok(entry)
        } else {
            Err(LeafError::Spelling { expected: String::from_utf8_lossy(&expected).into_owned() })
        }
    }
}
