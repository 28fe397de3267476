//! What a review is at one time.

use contract::model::{Rating, WithheldReason};

use crate::commitment::Commitment;

/// The state of a review at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is public.
    Published {
        /// Commits to its facts.
        record: Commitment,
        /// Commits to the business's answer, if there is one.
        reply: Option<Commitment>,
    },
    /// It is stored and not published.
    Withheld {
        /// Why.
        reason: WithheldReason,
        /// Its stars.
        rating: Rating,
    },
    /// It is no longer in the content.
    Removed,
    /// It was erased for good.
    Forgotten {
        /// Why.
        reason: WithheldReason,
    },
}
