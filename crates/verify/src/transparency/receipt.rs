//! A receipt that a reader kept: whether the log continues it, and what the log has of its review since.

use jiff::Timestamp;
use review_log::{Entry, Receipt, Revocation, Tree};
use serde::Serialize;

use super::LogFinding;

/// The review of a receipt, and what was logged of it since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Received {
    /// The review.
    pub review: String,
    /// The state of the review by the entry in the receipt.
    pub status: String,
    /// The time of that entry.
    pub at: Timestamp,
    /// The later entries about the review: their event and time.
    pub since: Vec<(String, Timestamp)>,
}

/// Compares a receipt with the entries of the log.
pub(super) fn compare(
    proof: &[u8],
    keys: &[String],
    revoked: &[Revocation],
    entries: &[Vec<u8>],
) -> Result<Received, LogFinding> {
    let failed = |why: &str| {
        LogFinding::new("receipt", format!("the receipt does not prove anything: {why}"))
    };
    let Receipt { index, entry, checkpoint } =
        Receipt::open(proof, keys).map_err(|error| failed(&error.to_string()))?;
    let about = entry.event.review().zip(entry.event.status());
    let (review, status) = about.ok_or_else(|| failed("its entry is not about a review"))?;
    if let Some(Revocation { key, from }) = Revocation::of(revoked, &checkpoint.signed_by, entry.at)
    {
        return Err(failed(&format!(
            "its entry is of {}, and it is signed by {key} alone, which was revoked: its signatures do not count from {from} on",
            entry.at
        )));
    }
    if Tree::from_leaves(entries).root_at(checkpoint.size) != Some(checkpoint.root) {
        let message = format!(
            "the log was rewritten: its first {} entries are not those of which the owner signed the receipt",
            checkpoint.size
        );
        return Err(LogFinding::new("receipt", message));
    }
    let later = entries.iter().skip(usize::try_from(index).unwrap_or(usize::MAX).saturating_add(1));
    let later = later.filter_map(|leaf| Entry::from_leaf(leaf).ok());
    let since = later.filter(|later| later.event.review() == Some(review));
    Ok(Received {
        review: review.to_string(),
        status: status.to_owned(),
        at: entry.at,
        since: since.map(|later| (later.event.word().replace('_', " "), later.at)).collect(),
    })
}
