//! The state of a review at one time.

use contract::model::{Rating, WithheldReason};

use crate::commitment::Commitment;

/// The state of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The review is public.
    Published {
        /// Commits to its facts.
        record: Commitment,
        /// Commits to the business's answer, if there is one.
        reply: Option<Commitment>,
    },
    /// The review is stored and not published.
    Withheld {
        /// The reason why it is withheld.
        reason: WithheldReason,
        /// The stars of the review.
        rating: Rating,
    },
    /// The review is no longer in the content.
    Removed,
    /// The review was erased for good.
    Forgotten {
        /// The reason why it was erased.
        reason: WithheldReason,
    },
}
