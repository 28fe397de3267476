//! The transparency log as C2SP tlog-tiles has it, its salts, and the document with its keys. No documents on a site
//! without a log.

use std::collections::BTreeMap;

use review_log::{POLICY_PATH, receipt_path, tlog_proof};
use serde::Serialize;

use super::{Body, Document, RenderError, document, stream::ObjectWriter};
use crate::document::JSON;
use content::{TransparencyLog, dataset::Dataset};
use contract::compress::Effort;

use review_log::{CHECKPOINT_PATH, LOG_FOLDER, LOG_KEYS_PATH, SALTS_PATH};

/// Version of `salts.json` and of `candor-log.json`; keys may be added within it.
const VERSION: u32 = 1;
/// Media type of a checkpoint (C2SP tlog-tiles) and of a policy.
const CHECKPOINT: &str = "text/plain; charset=utf-8";
/// Media type of tiles and entry bundles (C2SP tlog-tiles).
const TILE: &str = "application/octet-stream";

/// Returns the log's documents. The checkpoint is the last, so that the tiles that it covers exist before it.
pub(super) fn documents(data: &Dataset) -> Result<Vec<Document<'_>>, RenderError> {
    let Some(log) = &data.log else { return Ok(Vec::new()) };
    let mut documents: Vec<Document<'_>> =
        log.tree.tiles().map(|(path, bytes)| tile(data, &path, bytes)).collect();
    documents.push(salts(data, log));
    documents.extend(policy(data, log));
    documents.extend(receipts(data, log));
    documents.push(keys(data, log)?.with_effort(Effort::None));
    let note = document(
        data,
        CHECKPOINT_PATH,
        CHECKPOINT,
        Body::Bytes(log.checkpoint.clone().into_bytes()),
    );
    documents.push(note.with_effort(Effort::None));
    Ok(documents)
}

/// Returns a tile or an entry bundle. Hashes cannot be compressed; entries are texts.
fn tile<'d>(data: &Dataset, path: &str, bytes: Vec<u8>) -> Document<'d> {
    let effort = if path.starts_with("tile/entries/") { Effort::Quick } else { Effort::None };
    document(data, &format!("{LOG_FOLDER}{path}"), TILE, Body::Bytes(bytes)).with_effort(effort)
}

/// Returns the salts by review, of published reviews only: without its salt the text of another one cannot be guessed
/// from its hash.
fn salts<'d>(data: &'d Dataset, log: &'d TransparencyLog) -> Document<'d> {
    let body = Body::Stream(Box::new(move |out| {
        let salts =
            data.reviews.iter().filter_map(|review| Some((review.id, log.salts.get(&review.id)?)));
        let salts: BTreeMap<_, _> = salts.collect();
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &VERSION)?;
        object.map("salts", salts.into_iter().map(|(id, salt)| (id.to_string(), salt)))?;
        object.close()
    }));
    document(data, SALTS_PATH, JSON, body).with_effort(Effort::Quick)
}

/// Returns the owner's policy, with the keys of the log.
fn policy<'d>(data: &'d Dataset, log: &'d TransparencyLog) -> Option<Document<'d>> {
    let policy = log.policy_text.as_ref()?;
    let address = data.address(LOG_FOLDER.trim_end_matches('/'));
    let logs: String =
        log.trusted_keys().iter().map(|key| format!("log {key} {address}\n")).collect();
    let body = Body::Bytes([logs.as_bytes(), policy].concat());
    Some(document(data, POLICY_PATH, CHECKPOINT, body).with_effort(Effort::None))
}

/// Returns the receipt of each review that has a page: the proof of its newest entry, with the first checkpoint that
/// was signed after it, so that it stays as it is while the log grows.
fn receipts<'d>(data: &'d Dataset, log: &'d TransparencyLog) -> impl Iterator<Item = Document<'d>> {
    let has_pages = data.site.appearance.review_pages.enabled;
    data.reviews.iter().filter(move |_| has_pages).filter_map(move |review| {
        let index = log.history.review(review.id)?.last;
        let leaf = log.tree.leaves().get(usize::try_from(index).ok()?)?;
        let salt = log.salts.get(&review.id).copied();
        let body = Body::Stream(Box::new(move |out| {
            let note = log.note_of(index);
            let proof = tlog_proof(log.tree.hashes(), (index, leaf), salt, note);
            out.write_all(proof.map_err(std::io::Error::other)?.as_bytes())
        }));
        let receipt = document(data, &receipt_path(review.id), TILE, body);
        Some(receipt.with_effort(Effort::None))
    })
}

/// The keys of `candor-log.json`.
#[derive(Serialize)]
struct LogKeys<'a> {
    version: u32,
    origin: &'a str,
    keys: &'a [String],
    log: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    revoked: &'a [String],
}

fn keys<'d>(data: &'d Dataset, log: &TransparencyLog) -> Result<Document<'d>, RenderError> {
    let address = data.address(LOG_FOLDER.trim_end_matches('/'));
    let keys = LogKeys {
        version: VERSION,
        origin: &log.origin,
        keys: &log.keys,
        log: address,
        policy: log.policy_text.as_ref().map(|_| data.address(POLICY_PATH)),
        revoked: &log.revoked.0,
    };
    let mut bytes = serde_json::to_vec_pretty(&keys)?;
    bytes.push(b'\n');
    Ok(document(data, LOG_KEYS_PATH, JSON, Body::Bytes(bytes)))
}
