//! Compares what a site publishes with its log.

mod counts;
mod document;
mod finding;
mod reviews;
mod tree;

use std::collections::BTreeMap;

use contract::model::ReviewId;

pub use finding::{Code, Finding, Proved, Verdict, Witnessed};

use self::document::Document;
use crate::{checkpoint::Checkpoint, commitment::Salt, history::History, witness::Cosigned};

/// The published files of a site, as they were fetched.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// `/log/checkpoint`.
    pub checkpoint: &'a [u8],
    /// The verifier keys that the reader trusts.
    pub keys: &'a [String],
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
    /// The checkpoints that witnesses have signed.
    pub witnessed: &'a [Cosigned],
}

/// Compares what a site publishes with its log, and says what differs or what is proved.
#[must_use]
pub fn verify(published: &Published<'_>) -> Verdict {
    let mut findings = Vec::new();
    let checkpoint = tree::check(published, &mut findings);
    let history = replay(published, &mut findings);
    let document = parse(published, &mut findings);
    if let (Some(history), Some(document)) = (&history, &document) {
        reviews::check(document, history, published, &mut findings);
        counts::check(document, history, &mut findings);
    }
    let proved = match (checkpoint, history, document) {
        (Some(checkpoint), Some(history), Some(document)) if findings.is_empty() => {
            Some(proved(checkpoint, &history, &document, published))
        }
        _ => None,
    };
    Verdict { findings, proved }
}

fn replay(published: &Published<'_>, findings: &mut Vec<Finding>) -> Option<History> {
    let error = match History::from_leaves(published.entries) {
        Ok(history) => return Some(history),
        Err(error) => error,
    };
    let message =
        format!("The log contradicts itself: {error}. An entry was dropped, moved or forged.");
    findings.push(Finding::new(Code::Entry, message).at(Some(error.leaf())));
    None
}

fn parse(published: &Published<'_>, findings: &mut Vec<Finding>) -> Option<Document> {
    let error = match Document::parse(published.reviews_json) {
        Ok(document) => return Some(document),
        Err(error) => error,
    };
    let message = format!("reviews.json cannot be read: {error}.");
    findings.push(Finding::new(Code::Document, message));
    None
}

fn proved(
    checkpoint: Checkpoint,
    history: &History,
    document: &Document,
    published: &Published<'_>,
) -> Proved {
    Proved {
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
        witnessed: published.witnessed.iter().map(Witnessed::of).collect(),
    }
}
