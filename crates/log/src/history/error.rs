//! The errors because of which a log cannot be replayed.

use contract::model::ReviewId;
use jiff::Timestamp;

use crate::entry::LeafError;

/// An entry cannot follow the entries before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The review is not in a state in which that happens.
    #[error("says that review {review} {event}, but by the entries before it the review {before}")]
    Event {
        /// The review.
        review: ReviewId,
        /// The event, in words.
        event: &'static str,
        /// The state of the review before, in words.
        before: &'static str,
    },
    /// The entry is earlier than the entry before.
    #[error("has the time {at}, which is earlier than {before} of the entry before it")]
    Time {
        /// The time of the entry.
        at: Timestamp,
        /// The time of the entry before.
        before: Timestamp,
    },
    /// The counts of a set are not those of the entries before it.
    #[error("counts {said} for {what}; the entries before it give {counted}")]
    Set {
        /// The reviews that are counted, in words.
        what: String,
        /// The count in the set.
        said: u64,
        /// The count by the entries before it.
        counted: u64,
    },
}

/// A log that cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// A leaf cannot be read.
    #[error("entry {leaf} of the log {source}")]
    Leaf {
        /// The index of the leaf.
        leaf: u64,
        /// The fault of the leaf.
        source: LeafError,
    },
    /// An entry contradicts those before it.
    #[error("entry {leaf} of the log {source}")]
    Contradiction {
        /// The index of the leaf.
        leaf: u64,
        /// The contradiction.
        source: Contradiction,
    },
}

impl HistoryError {
    /// The index of the leaf.
    #[must_use]
    pub fn leaf(&self) -> u64 {
        match self {
            Self::Leaf { leaf, .. } | Self::Contradiction { leaf, .. } => *leaf,
        }
    }
}
