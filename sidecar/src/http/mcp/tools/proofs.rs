//! The entries of the transparency log about a review, and their proofs.

use contract::{
    mcp::{DOES_NOT_PROVE, PROVES},
    model::ReviewId,
    query::REVIEW_ID,
    routes::{PAGE_PREFIXES, PROOF_PAGE},
};
use serde::Serialize;

use super::{Call, ToolData, parse_id, quoted};
use crate::{
    data::transparency::{LoggedEntry, TransparencyLog},
    http::mcp::text::readable_length,
    publication::snapshot::Snapshot,
    runtime::limits::MAX_TOOL_TEXT,
};

/// Maximum number of entries that `get_review` lists.
const MAX_LISTED: usize = 100;

/// The result of `get_proof`.
#[derive(Serialize)]
struct Proof<'a> {
    id: ReviewId,
    status: &'a str,
    url: Option<String>,
    proves: &'a str,
    does_not_prove: &'a str,
    verifier_keys: &'a [String],
    entries: Vec<ProvedEntry>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// An entry's place in the log.
#[derive(Serialize)]
struct Place {
    index: u64,
    time: String,
    event: &'static str,
}

#[derive(Serialize)]
struct ProvedEntry {
    #[serde(flatten)]
    place: Place,
    proof: String,
}

impl Place {
    fn of(logged: &LoggedEntry<'_>) -> Self {
        let entry = &logged.entry;
        Self { index: logged.index, time: entry.at.to_string(), event: entry.event.word() }
    }
}

/// Runs `get_proof`.
pub(super) fn proof(call: &Call<'_>) -> Result<ToolData, String> {
    let word = call.read_word(&[REVIEW_ID])?;
    let snapshot = call.snapshot;
    let log = snapshot.log().ok_or_else(|| "This site has no transparency log.".to_owned())?;
    let found = parse_id(&word).map(|id| (id, log.entries_of(id)));
    let last = found.and_then(|(_, entries)| log.entry(*entries.last()?)?.entry.event.status());
    let (Some((id, entries)), Some(status)) = (found, last) else {
        return Err(unknown(call, log, &word));
    };
    let mut proof = Proof {
        id,
        status,
        url: page(snapshot, id),
        proves: PROVES,
        does_not_prove: DOES_NOT_PROVE,
        verifier_keys: &log.keys,
        entries: Vec::new(),
        truncated: true,
    };
    let around = readable_length(&json(&proof)?);
    proof.entries = newest(log, (id, entries), MAX_TOOL_TEXT.saturating_sub(around));
    proof.truncated = proof.entries.len() < entries.len();
    let hint = proof.truncated.then(|| {
        format!(
            "The log has {} entries about this review; these are the newest {}. The entry bundles \
             below {}/log/ have all of them.",
            entries.len(),
            proof.entries.len(),
            call.base_url()
        )
    });
    Ok(ToolData { json: json(&proof)?, hint })
}

/// Returns the newest of the entries that fit, at least one, oldest first.
fn newest(log: &TransparencyLog, (id, all): (ReviewId, &[u32]), room: usize) -> Vec<ProvedEntry> {
    let mut left = room;
    let mut kept = Vec::new();
    for logged in all.iter().rev().map_while(|index| log.entry(*index)) {
        let entry = ProvedEntry { place: Place::of(&logged), proof: log.proof(id, &logged) };
        let length = json(&entry).map_or(usize::MAX, |json| readable_length(&json) + 1);
        if length > left && !kept.is_empty() {
            break;
        }
        left = left.saturating_sub(length);
        kept.push(entry);
    }
    kept.reverse();
    kept
}

/// Returns `log` of `get_review`: the times at which events of the review were logged. `None` without a log.
pub(super) fn logged(call: &Call<'_>, id: ReviewId) -> Result<Option<String>, String> {
    let Some(log) = call.snapshot.log() else { return Ok(None) };
    let entries = log.entries_of(id);
    let newest = &entries[entries.len().saturating_sub(MAX_LISTED)..];
    let newest = newest.iter().filter_map(|index| log.entry(*index));
    json(&newest.map(|logged| Place::of(&logged)).collect::<Vec<_>>()).map(Some)
}

/// Returns the page that shows the proof, on a site that has it.
fn page(snapshot: &Snapshot, id: ReviewId) -> Option<String> {
    let mut paths = PAGE_PREFIXES.iter().map(|prefix| format!("{prefix}{PROOF_PAGE}"));
    let path = paths.find(|path| snapshot.manifest.file(&format!("{path}index.html")).is_some())?;
    // An id has letters and digits only: nothing in it is to be escaped.
    Some(format!("{}/{path}#{id}", snapshot.manifest.base_url))
}

fn unknown(call: &Call<'_>, log: &TransparencyLog, word: &str) -> String {
    let arena = &call.snapshot.collection.arena;
    let published = parse_id(word).and_then(|id| arena.number(id));
    if published.is_some() {
        return format!(
            "id: the review {} is published, but the log of {} entries has none about it, so \
             nothing is proved of it. get_review has it.",
            quoted(word),
            log.checkpoint.size
        );
    }
    format!(
        "id: the log has no entry about a review {}; it has entries about {} reviews. Every review \
         search_reviews or get_reviews_since returns has its id; get_changes lists removed ones.",
        quoted(word),
        log.reviews
    )
}

/// Serializes values with text keys only, which does not fail.
fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
