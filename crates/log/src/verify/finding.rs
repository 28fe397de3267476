//! The report of a verification.

use std::{collections::BTreeMap, fmt};

use contract::model::{ReviewId, WithheldReason};
use jiff::Timestamp;
use serde::Serialize;

use crate::policy::Witnessed;

/// The kind of difference, in one word for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The checkpoint cannot be read, or no known key has signed it.
    Checkpoint,
    /// The number of entries is not that of the checkpoint.
    Size,
    /// The entries are not those that the checkpoint was signed for.
    Root,
    /// A tile is missing, truncated or changed.
    Tile,
    /// The log is shorter than the reader has seen it.
    RolledBack,
    /// The log is not a continuation of what the reader has seen.
    Fork,
    /// The quorum of the policy has not signed the checkpoint.
    Witness,
    /// An entry cannot be read or contradicts those before it.
    Entry,
    /// `reviews.json` cannot be read.
    Document,
    /// A published review has no entry, or its last entry says that it is not published.
    NotLogged,
    /// The facts of a published review are not those that were logged.
    Record,
    /// The business's answer is not the one that was logged.
    Reply,
    /// The salt of a published review is missing, or there is one of another review.
    Salt,
    /// A review that was logged as published is not in `reviews.json`.
    Missing,
    /// `reviews.json` is not the set that was logged last.
    Set,
    /// The average of `reviews.json` is not that of its reviews.
    Average,
    /// The number of withheld reviews is not the one that was logged.
    Withheld,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The kind of difference, for programs.
    pub code: Code,
    /// The difference and what it means, for readers.
    pub message: String,
    /// The index of the leaf that it concerns.
    pub leaf: Option<u64>,
    /// The review that it concerns.
    pub review: Option<ReviewId>,
}

/// The facts that the log proves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proved {
    /// The log.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// The root hash, in base64.
    pub root: String,
    /// The verifier keys whose signatures are valid.
    pub signed_by: Vec<String>,
    /// The time of the first entry.
    pub since: Option<Timestamp>,
    /// The time of the last entry.
    pub until: Option<Timestamp>,
    /// The number of entries by event.
    pub events: BTreeMap<&'static str, u64>,
    /// The number of published reviews, each compared with its entry.
    pub reviews: u64,
    /// The number of withheld reviews by reason, equal in the log and in `reviews.json`.
    pub withheld: BTreeMap<WithheldReason, u64>,
    /// The size of the checkpoint that the reader had kept, which the log continues.
    pub continues: Option<u64>,
    /// The witnesses of the policy that have signed the checkpoint.
    pub witnessed: Vec<Witnessed>,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The differences, in the order of the checks.
    pub findings: Vec<Finding>,
    /// The facts that are proved, if nothing differs.
    pub proved: Option<Proved>,
}

impl Finding {
    pub(super) fn new(code: Code, message: String) -> Self {
        Self { code, message, leaf: None, review: None }
    }

    pub(super) fn at(self, leaf: Option<u64>) -> Self {
        Self { leaf, ..self }
    }

    pub(super) fn of(self, review: ReviewId) -> Self {
        Self { review: Some(review), ..self }
    }
}

/// The day of a time in UTC, for messages.
pub(super) fn day(at: Timestamp) -> impl fmt::Display {
    at.strftime("%Y-%m-%d")
}
