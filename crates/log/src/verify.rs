//! Compares what a site publishes with its log.

mod counts;
mod document;
mod finding;
mod reviews;
mod tree;

use std::collections::BTreeMap;

use contract::model::ReviewId;

pub use finding::{Code, Finding, Proved, Verdict};

use self::document::Document;
use crate::{
    checkpoint::Checkpoint,
    commitment::Salt,
    history::History,
    policy::{Policy, Witnessed},
    revocation::Revocation,
};

/// The published files of a site, as they were fetched.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// `/log/checkpoint`.
    pub checkpoint: &'a [u8],
    /// The verifier keys that the reader trusts.
    pub keys: &'a [String],
    /// The keys of the log that were revoked.
    pub revoked: &'a [Revocation],
    /// The leaves, from the entry bundles.
    pub entries: &'a [Vec<u8>],
    /// The hash tiles by their path, `tile/0/000.p/5`; entry bundles among them are compared too.
    pub tiles: &'a BTreeMap<String, Vec<u8>>,
    /// `/reviews.json`.
    pub reviews_json: &'a [u8],
    /// The salts of published reviews, from `/log/salts.json`.
    pub salts: &'a BTreeMap<ReviewId, Salt>,
    /// The checkpoint that the reader kept from last time.
    pub known: Option<&'a Checkpoint>,
    /// The witnesses that must have signed the checkpoint.
    pub policy: &'a Policy,
}

/// Compares what a site publishes with its log, and says what differs or what is proved.
#[must_use]
pub fn verify(published: &Published<'_>) -> Verdict {
    let mut findings = Vec::new();
    let checkpoint = tree::check(published, &mut findings);
    let witnessed =
        checkpoint.as_ref().map_or_else(Vec::new, |_| witnessed(published, &mut findings));
    let history = History::from_leaves(published.entries).map_err(|error| {
        let message =
            format!("The log contradicts itself: {error}. An entry was dropped, moved or forged.");
        findings.push(Finding::new(Code::Entry, message).at(Some(error.leaf)));
    });
    let document = Document::parse(published.reviews_json).map_err(|error| {
        let message = format!("reviews.json cannot be read: {error}.");
        findings.push(Finding::new(Code::Document, message));
    });
    if let (Ok(history), Ok(document)) = (&history, &document) {
        reviews::check(document, history, published, &mut findings);
        counts::check(document, history, &mut findings);
    }
    let proved = match (checkpoint, history, document) {
        (Some(checkpoint), Ok(history), Ok(document)) if findings.is_empty() => Some(Proved {
            root: checkpoint.root.to_string(),
            origin: checkpoint.origin,
            size: checkpoint.size,
            signed_by: checkpoint.signed_by,
            since: history.since(),
            until: history.last_at(),
            events: history.events().clone(),
            reviews: document.reviews.len() as u64,
            withheld: history.withheld().clone(),
            continues: published.known.map(|known| known.size),
            witnessed,
        }),
        _ => None,
    };
    Verdict { findings, proved }
}

/// The witnesses that have signed the checkpoint. It is a finding if they are not the quorum.
fn witnessed(published: &Published<'_>, findings: &mut Vec<Finding>) -> Vec<Witnessed> {
    let message = match published.policy.check(published.checkpoint) {
        Ok((signed, true)) => return signed,
        Ok((signed, false)) => {
            let names: Vec<&str> = signed.iter().map(|it| &*it.witness).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(" and ") };
            format!(
                "The quorum of the policy has not signed the checkpoint; of its witnesses {names} has. They \
                 were not reached, or have seen another log than this one: ask the owner to run candor log \
                 add again, or the witnesses what they have seen."
            )
        }
        Err(error) => format!("The checkpoint cannot be trusted: {error}."),
    };
    findings.push(Finding::new(Code::Witness, message));
    Vec::new()
}
