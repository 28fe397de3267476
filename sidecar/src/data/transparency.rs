//! The transparency log of a publication: its entries by review, and the proofs that they are in it.
//!
//! The published files are not trusted. `read` checks that the checkpoint is signed by a key that the site names, that
//! its root hash is that of the entries, and that the entries follow from each other; otherwise there is no log.
//!
//! Memory: 64 bytes of hashes and 4 of the index for each entry, the entry bundles themselves (some 185 bytes for each
//! entry, shared with the published files in memory), and 48 bytes for the salt of each published review.

mod fault;
mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use actix_web::web::Bytes;
use contract::{
    etag::ETag,
    manifest::{FileEntry, Manifest},
    model::ReviewId,
};
use review_log::{
    CHECKPOINT_PATH, Checkpoint, Entry, LOG_FOLDER, LOG_KEYS_PATH, MAX_BUNDLE, SALTS_PATH, Salt,
    TILE_WIDTH, TreeHashes, bundle_leaves, is_bundle, tlog_proof,
};
use serde::Deserialize;

use crate::runtime::limits::{MAX_LOG_NOTE, MAX_SALTS};

/// The result of loading the published files of a log. Equal files have equal results.
#[derive(Debug)]
pub(crate) struct LoadedLog {
    files: Vec<(String, ETag)>,
    /// The log; `None` if it cannot be trusted.
    log: Option<TransparencyLog>,
}

/// A log whose entries are those that its checkpoint was signed for.
#[derive(Debug)]
pub(crate) struct TransparencyLog {
    /// The signed note.
    pub(crate) note: Box<str>,
    /// The content of the note.
    pub(crate) checkpoint: Checkpoint,
    /// The verifier keys that the site names and has not revoked.
    pub(crate) keys: Vec<String>,
    /// The entry bundles, of 256 entries each, except for the last one.
    bundles: Vec<Bytes>,
    hashes: TreeHashes,
    /// The indexes of the entries about reviews, sorted by review and index.
    by_review: Box<[u32]>,
    /// The number of reviews in the entries.
    pub(crate) reviews: usize,
    /// The published salts, sorted by review.
    salts: Box<[(ReviewId, Salt)]>,
}

/// An entry with its place.
#[derive(Debug)]
pub(crate) struct LoggedEntry<'a> {
    pub(crate) index: u64,
    /// The bytes of the leaf, which are JSON.
    pub(crate) leaf: &'a str,
    pub(crate) entry: Entry,
}

impl LoadedLog {
    /// Returns the log of a publication; `None` if it has none. The one before is kept if no file of it changed. A
    /// fault is reported, once for the same files: the site is served without the log.
    pub(crate) fn of(
        manifest: &Manifest,
        previous: Option<&Arc<Self>>,
        read: impl Fn(&str) -> std::io::Result<Bytes>,
    ) -> Option<Arc<Self>> {
        let used = manifest.files.iter().filter(|file| is_log_file(&file.path));
        let files: Vec<_> = used.map(|file| (file.path.clone(), file.etag.clone())).collect();
        if files.is_empty() {
            return None;
        }
        if let Some(same) = previous.filter(|previous| previous.files == files) {
            return Some(same.clone());
        }
        let log = TransparencyLog::read(manifest, read).inspect_err(|error| {
            tracing::error!(
                %error,
                "serves the site without get_proof: its transparency log cannot be used"
            );
        });
        Some(Arc::new(Self { files, log: log.ok() }))
    }

    pub(crate) fn log(&self) -> Option<&TransparencyLog> {
        self.log.as_ref()
    }
}

/// Whether a published file is part of the log and not too long.
pub(crate) fn is_used(file: &FileEntry) -> bool {
    limit(&file.path).is_some_and(|limit| file.length <= limit)
}

/// Whether a file of this path is part of the log.
pub(crate) fn is_log_file(path: &str) -> bool {
    limit(path).is_some()
}

/// Returns the maximum bytes of a file of the log; `None` for other files. Tiles of hashes are not read: the hashes are
/// computed.
fn limit(path: &str) -> Option<u64> {
    match path {
        CHECKPOINT_PATH | LOG_KEYS_PATH => Some(MAX_LOG_NOTE),
        SALTS_PATH => Some(MAX_SALTS),
        path if path.starts_with(LOG_FOLDER) && is_bundle(path) => Some(MAX_BUNDLE),
        _ => None,
    }
}

impl TransparencyLog {
    /// Returns the indexes of the entries about a review, oldest first; none if the log does not mention it.
    pub(crate) fn entries_of(&self, id: ReviewId) -> &[u32] {
        let start = self.by_review.partition_point(|at| self.review(*at) < Some(id));
        let later = &self.by_review[start..];
        &later[..later.partition_point(|at| self.review(*at) == Some(id))]
    }

    /// Returns an entry by its index.
    pub(crate) fn entry(&self, index: u32) -> Option<LoggedEntry<'_>> {
        let index = u64::from(index);
        let leaf = self.leaf(index)?;
        let entry = Entry::from_leaf(leaf).ok()?;
        Some(LoggedEntry { index, leaf: std::str::from_utf8(leaf).ok()?, entry })
    }

    /// Returns the proof of an entry about a review (C2SP tlog-proof), with the salt if it is published.
    pub(crate) fn proof(&self, id: ReviewId, logged: &LoggedEntry<'_>) -> String {
        let salt = self.salts.binary_search_by_key(&id, |(id, _)| *id);
        let salt = salt.ok().map(|at| self.salts[at].1);
        let entry = (logged.index, logged.leaf.as_bytes());
        tlog_proof(&self.hashes, entry, salt, &self.note).unwrap_or_default()
    }

    fn leaf(&self, index: u64) -> Option<&[u8]> {
        let bundle = self.bundles.get(usize::try_from(index / TILE_WIDTH).ok()?)?;
        let at = usize::try_from(index % TILE_WIDTH).ok()?;
        bundle_leaves(bundle).nth(at)?.ok()
    }

    /// Returns the review that an entry is about.
    fn review(&self, index: u32) -> Option<ReviewId> {
        #[derive(Deserialize)]
        struct About {
            review: ReviewId,
        }
        let about: About = serde_json::from_slice(self.leaf(u64::from(index))?).ok()?;
        Some(about.review)
    }
}
