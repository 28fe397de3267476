//! Reads a log from its published files, and checks it.

use std::io;

use actix_web::web::Bytes;
use contract::{manifest::Manifest, model::ReviewId};
use review_log::{
    CHECKPOINT_PATH, Checkpoint, CheckpointError, History, HistoryError, LOG_FOLDER, LOG_KEYS_PATH,
    LogKeys, Revocation, SALTS_PATH, Salt, Salts, TILE_WIDTH, TreeHashes, bundle_leaves, is_bundle,
    tile_paths, unrevoked,
};

use super::{
    TransparencyLog,
    fault::{LogFault, LogFaultReason},
    limit,
};
use crate::runtime::limits::MAX_LOG_ENTRIES;

impl TransparencyLog {
    /// Reads the log that a manifest lists; `read` gives the bytes of a published file.
    ///
    /// # Errors
    /// When a file is missing, too long, or does not agree with the others: the first such file.
    pub(super) fn read(
        manifest: &Manifest,
        read: impl Fn(&str) -> io::Result<Bytes>,
    ) -> Result<Self, LogFault> {
        let files = LogFiles { manifest, read };
        let named: LogKeys = files.json(LOG_KEYS_PATH)?;
        let revoked = Revocation::read(&named.revoked, &named.keys)
            .map_err(|error| LogFaultReason::from(error).of(LOG_KEYS_PATH))?;
        let keys = unrevoked(&named.keys, &revoked);
        let (note, checkpoint) = files.checkpoint(&named, &keys)?;
        let bundles = files.bundles(checkpoint.size)?;
        let hashes = TreeHashes::from_leaves(leaves(&bundles));
        if hashes.root() != checkpoint.root {
            return Err(LogFaultReason::Root.of(CHECKPOINT_PATH));
        }
        let (by_review, reviews) = replay(&bundles)
            .map_err(|error| LogFaultReason::from(error).of(format!("{LOG_FOLDER}tile/entries")))?;
        let salts = files.salts()?;
        Ok(Self { note, checkpoint, keys, bundles, hashes, by_review, reviews, salts })
    }
}

/// The published files of a log.
struct LogFiles<'a, R> {
    manifest: &'a Manifest,
    read: R,
}

impl<R: Fn(&str) -> io::Result<Bytes>> LogFiles<'_, R> {
    fn bytes(&self, path: &str) -> Result<Bytes, LogFault> {
        let missing = || LogFaultReason::Missing.of(path);
        let file = self.manifest.file(path).ok_or_else(missing)?;
        let (length, limit) = (file.length, limit(path).unwrap_or_default());
        if length > limit {
            return Err(LogFaultReason::TooLong { length, limit }.of(path));
        }
        (self.read)(path).map_err(|error| LogFaultReason::from(error).of(path))
    }

    fn json<T: for<'de> serde::Deserialize<'de>>(&self, path: &str) -> Result<T, LogFault> {
        let read = serde_json::from_slice(&self.bytes(path)?);
        read.map_err(|error| LogFaultReason::from(error).of(path))
    }

    fn checkpoint(
        &self,
        named: &LogKeys,
        keys: &[String],
    ) -> Result<(Box<str>, Checkpoint), LogFault> {
        let fault = |reason: LogFaultReason| reason.of(CHECKPOINT_PATH);
        let note = self.bytes(CHECKPOINT_PATH)?;
        let checkpoint = Checkpoint::open(&note, keys).map_err(|error| fault(error.into()))?;
        if let Some(name) = named.other_name(&checkpoint.origin) {
            let (named, signed) = (name.to_owned(), checkpoint.origin);
            return Err(fault(LogFaultReason::OtherLog { signed, named }));
        }
        let text =
            std::str::from_utf8(&note).map_err(|_| fault(CheckpointError::Malformed.into()))?;
        Ok((text.into(), checkpoint))
    }

    /// Reads the bundles of all entries, whose number and lengths the manifest bounds.
    fn bundles(&self, size: u64) -> Result<Vec<Bytes>, LogFault> {
        let is_bundle = |path: &str| path.starts_with(LOG_FOLDER) && is_bundle(path);
        let published = self.manifest.files.iter().filter(|file| is_bundle(&file.path));
        let (found, length) = published.fold((0, 0_u64), |(count, length), file| {
            (count + 1, length.saturating_add(file.length))
        });
        let needed = size.div_ceil(TILE_WIDTH);
        if needed != found {
            return Err(LogFaultReason::Bundles { size, needed, found }.of(CHECKPOINT_PATH));
        }
        if length > MAX_LOG_ENTRIES {
            let reason = LogFaultReason::TooLong { length, limit: MAX_LOG_ENTRIES };
            return Err(reason.of(format!("{LOG_FOLDER}tile/entries")));
        }
        let paths = tile_paths(size).filter(|path| review_log::is_bundle(path));
        paths.enumerate().map(|(at, path)| self.bundle(at as u64, size, &path)).collect()
    }

    /// Reads a bundle with as many entries as its place in the log requires.
    fn bundle(&self, at: u64, size: u64, path: &str) -> Result<Bytes, LogFault> {
        let path = format!("{LOG_FOLDER}{path}");
        let bytes = self.bytes(&path)?;
        let mut found = 0;
        for leaf in bundle_leaves(&bytes) {
            leaf.map_err(|error| LogFaultReason::from(error).of(&path))?;
            found += 1;
        }
        let expected = TILE_WIDTH.min(size - at * TILE_WIDTH);
        if found == expected {
            Ok(bytes)
        } else {
            Err(LogFaultReason::Width { expected, found }.of(path))
        }
    }

    fn salts(&self) -> Result<Box<[(ReviewId, Salt)]>, LogFault> {
        // A map gives them sorted.
        Ok(self.json::<Salts>(SALTS_PATH)?.salts.into_iter().collect())
    }
}

/// Returns the entries of bundles that were read whole.
fn leaves(bundles: &[Bytes]) -> impl Iterator<Item = &[u8]> {
    bundles.iter().flat_map(|bundle| bundle_leaves(bundle)).map_while(Result::ok)
}

/// Checks that the entries follow from each other. Returns the indexes of those about reviews, sorted
/// by review and index, and the number of these reviews.
fn replay(bundles: &[Bytes]) -> Result<(Box<[u32]>, usize), HistoryError> {
    let mut history = History::default();
    let mut about = Vec::new();
    for leaf in leaves(bundles) {
        let index = history.size();
        let entry = history.add_leaf(leaf)?;
        // No more than 2^27 entries fit the limit of all bundles.
        about.extend(entry.event.review().zip(u32::try_from(index).ok()));
    }
    about.sort_unstable();
    Ok((about.into_iter().map(|(_, index)| index).collect(), history.reviews().count()))
}
