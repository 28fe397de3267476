//! Fetches what a site publishes of its log, within limits.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use review_log::{
    CHECKPOINT_PATH, Checkpoint, LOG_FOLDER, LOG_KEYS_PATH, LogKeys, MAX_BUNDLE, POLICY_PATH,
    SALTS_PATH, Salt, Salts, TILE_WIDTH, is_bundle, parse_bundle, tile_paths,
};
use serde::Deserialize;

use super::LogFinding;
use crate::fetch::{
    client::{Failure, Request, SiteClient},
    response::ReadEnd,
};
use contract::model::ReviewId;

/// Longest `candor-log.json` and checkpoint.
const MAX_SMALL: u64 = 64 * 1024;
/// Longest tile of hashes: 256 of 32 bytes.
const MAX_TILE: u64 = TILE_WIDTH * 32;
/// Longest `salts.json`: 500,000 reviews have 50 MB.
const MAX_SALTS: u64 = 64 << 20;
/// Longest `reviews.json`: 250,000 reviews with long texts.
const MAX_REVIEWS: u64 = 256 << 20;
/// Most entries: 30,000 reviews have some 100,000 in ten years.
const MAX_SIZE: u64 = 16 << 20;
/// Bytes of all tiles and bundles together.
const MAX_TOTAL: u64 = 256 << 20;

/// The files of a log as they were fetched.
pub(super) struct Fetched {
    pub(super) origin: String,
    pub(super) keys: Vec<String>,
    /// The notes that revoke keys.
    pub(super) revoked: Vec<String>,
    pub(super) checkpoint: Vec<u8>,
    pub(super) entries: Vec<Vec<u8>>,
    /// Tiles of hashes by their path below the log.
    pub(super) tiles: BTreeMap<String, Vec<u8>>,
    pub(super) reviews: Vec<u8>,
    pub(super) salts: BTreeMap<ReviewId, Salt>,
    /// The policy that the site names.
    pub(super) policy: Option<Vec<u8>>,
    /// Files that are missing or cannot be read, where the rest can still be compared.
    pub(super) findings: Vec<LogFinding>,
}

/// A tile or bundle by its path; `None`: it is not there.
type TreeFile = (String, Option<Vec<u8>>);

/// Fetches from one site, several files at once.
pub(super) struct Fetcher<'a> {
    pub(super) client: &'a SiteClient,
    pub(super) jobs: usize,
}

impl Fetcher<'_> {
    /// Fetches all files of one publication. If a new one came in between, all are fetched again, once.
    pub(super) fn all(&self) -> Result<Fetched, LogFinding> {
        let first = self.once()?;
        if self.checkpoint()? == first.checkpoint {
            return Ok(first);
        }
        let again = self.once()?;
        if self.checkpoint()? == again.checkpoint {
            Ok(again)
        } else {
            Err(unreachable(
                CHECKPOINT_PATH,
                "the site was published anew twice while it was read; verify again when that is done",
            ))
        }
    }

    fn once(&self) -> Result<Fetched, LogFinding> {
        let Some(bytes) = self.get(LOG_KEYS_PATH, MAX_SMALL)? else {
            let message = format!(
                "the site has no transparency log: there is no /{LOG_KEYS_PATH}, so nothing proves what it published before"
            );
            return Err(LogFinding::new("no_log", message));
        };
        let named: LogKeys = json(LOG_KEYS_PATH, &bytes)?;
        let checkpoint = self.checkpoint()?;
        let (origin, size) = Checkpoint::claimed(&checkpoint)
            .filter(|(_, size)| *size <= MAX_SIZE)
            .ok_or_else(|| {
                let why = format!("it is not a checkpoint of a log of at most {MAX_SIZE} entries");
                unreachable(CHECKPOINT_PATH, &why)
            })?;
        let other_log = named.other_name(origin).map(|name| {
            let message = format!(
                "the checkpoint is of the log {origin}, and /{LOG_KEYS_PATH} names {name}: one of the files was changed, or is of another log"
            );
            LogFinding::new("other_log", message)
        });
        let policy = named.policy.map(|_| self.required(POLICY_PATH, MAX_SMALL)).transpose()?;
        let mut fetched = Fetched {
            origin: named.origin,
            keys: named.keys,
            revoked: named.revoked,
            checkpoint,
            entries: Vec::new(),
            tiles: BTreeMap::new(),
            reviews: self.required("reviews.json", MAX_REVIEWS)?,
            salts: json::<Salts>(SALTS_PATH, &self.required(SALTS_PATH, MAX_SALTS)?)?.salts,
            policy,
            findings: other_log.into_iter().collect(),
        };
        for (path, bytes) in self.tiles(size)? {
            fetched.add(path, bytes);
        }
        Ok(fetched)
    }

    fn checkpoint(&self) -> Result<Vec<u8>, LogFinding> {
        self.required(CHECKPOINT_PATH, MAX_SMALL)
    }

    fn required(&self, path: &str, limit: u64) -> Result<Vec<u8>, LogFinding> {
        self.get(path, limit)?.ok_or_else(|| unreachable(path, "it is not there (404)"))
    }

    /// The bytes of a document; `None` where there is none.
    fn get(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, LogFinding> {
        let request =
            Request::new("GET", self.client.url(path)).with("accept-encoding", "identity");
        let response =
            self.client.send(&request.keeping(limit)).map_err(|failure| match failure {
                Failure::OutOfTime => unreachable(path, "the time was over; increase --timeout"),
                Failure::NoResponse(why) => unreachable(path, &why),
            })?;
        let body = response.body;
        match (response.status, body.end, body.content) {
            (404 | 410, ..) => Ok(None),
            (200, ReadEnd::Whole, Ok(content)) if content.length <= limit => {
                Ok(Some(content.bytes))
            }
            (200, ReadEnd::Broken(why), _) | (200, _, Err(why)) => Err(unreachable(path, &why)),
            (200, ..) => Err(unreachable(path, &format!("it has more than {limit} bytes"))),
            (status, ..) => Err(unreachable(path, &format!("the answer was {status}"))),
        }
    }

    /// Every tile and bundle by its path, in order.
    fn tiles(&self, size: u64) -> Result<Vec<TreeFile>, LogFinding> {
        let paths: Vec<String> = tile_paths(size).collect();
        let (next, total) = (AtomicUsize::new(0), AtomicU64::new(0));
        let found = Mutex::new(Vec::with_capacity(paths.len()));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    let take = || paths.get(next.fetch_add(1, Ordering::Relaxed));
                    while let Some(path) =
                        take().filter(|_| total.load(Ordering::Relaxed) <= MAX_TOTAL)
                    {
                        let limit = if is_bundle(path) { MAX_BUNDLE } else { MAX_TILE };
                        let bytes = self.get(&format!("{LOG_FOLDER}{path}"), limit);
                        let length =
                            bytes.as_ref().ok().and_then(Option::as_ref).map_or(0, Vec::len);
                        total.fetch_add(length as u64, Ordering::Relaxed);
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found.push((path.clone(), bytes));
                    }
                });
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut found: BTreeMap<String, _> = found.into_iter().collect();
        let in_order = paths.into_iter().map(|path| {
            let bytes = found.remove(&path).ok_or_else(|| {
                unreachable(&path, &format!("the log has more than {MAX_TOTAL} bytes"))
            })?;
            Ok((path, bytes?))
        });
        in_order.collect()
    }
}

impl Fetched {
    /// Adds a file of the tree. A missing file is a finding, and the rest is compared all the same.
    fn add(&mut self, path: String, bytes: Option<Vec<u8>>) {
        let Some(bytes) = bytes else {
            let message = format!(
                "a file of the log is missing: /{LOG_FOLDER}{path}; the log cannot be checked without it"
            );
            return self.findings.push(LogFinding::new("tile", message));
        };
        if !is_bundle(&path) {
            self.tiles.insert(path, bytes);
            return;
        }
        match parse_bundle(&bytes) {
            Ok(entries) => self.entries.extend(entries),
            Err(error) => {
                let leaf = self.entries.len() as u64 + error.entry;
                let message = format!("/{LOG_FOLDER}{path}: {error}");
                let finding = LogFinding { leaf: Some(leaf), ..LogFinding::new("tile", message) };
                self.findings.push(finding);
            }
        }
    }
}

fn json<T: for<'de> Deserialize<'de>>(path: &str, bytes: &[u8]) -> Result<T, LogFinding> {
    serde_json::from_slice(bytes)
        .map_err(|error| unreachable(path, &format!("it cannot be read: {error}")))
}

fn unreachable(path: &str, why: &str) -> LogFinding {
    LogFinding::new("unreachable", format!("/{path} cannot be used: {why}"))
}
