//! The files of a published log beside its tiles: their paths below the site's address, and what
//! readers need of them.

use std::collections::BTreeMap;

use contract::model::ReviewId;
use serde::Deserialize;

use crate::commitment::Salt;

/// The folder of the log, with a slash. The paths of [`tile_paths`](crate::tile_paths) are below it.
pub const LOG_FOLDER: &str = "log/";
/// The signed size and root hash of the log.
pub const CHECKPOINT_PATH: &str = "log/checkpoint";
/// The salts of the published reviews.
pub const SALTS_PATH: &str = "log/salts.json";
/// Where readers find the log and its keys.
pub const LOG_KEYS_PATH: &str = ".well-known/candor-log.json";

/// The path of the checkpoint that a witness signed last, by the id of its key. It has an extension
/// so that every host knows its media type.
#[must_use]
pub fn witness_path(id: &str) -> String {
    format!("{LOG_FOLDER}witness/{id}.txt")
}

/// `candor-log.json`, as far as readers need it.
#[derive(Clone, Debug, Deserialize)]
pub struct LogKeys {
    /// The log, for example `reviews.example.com/log`.
    pub origin: String,
    /// Verifier keys, the newest last.
    pub keys: Vec<String>,
    /// Verifier keys of witnesses.
    #[serde(default)]
    pub witnesses: Vec<String>,
}

/// `salts.json`, as far as readers need it.
#[derive(Clone, Debug, Deserialize)]
pub struct Salts {
    /// By review, of published reviews only.
    pub salts: BTreeMap<ReviewId, Salt>,
}
