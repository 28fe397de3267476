//! The files of a published log beside its tiles: their paths below the site's address, and what
//! readers need of them.

use std::collections::BTreeMap;

use contract::model::ReviewId;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::commitment::Salt;

/// The folder of the log, with a slash. The paths of [`tile_paths`](crate::tile_paths) are below it.
pub const LOG_FOLDER: &str = "log/";
/// The signed size and root hash of the log.
pub const CHECKPOINT_PATH: &str = "log/checkpoint";
/// The salts of the published reviews.
pub const SALTS_PATH: &str = "log/salts.json";
/// The path of the file that names the log and its keys.
pub const LOG_KEYS_PATH: &str = ".well-known/candor-log.json";
/// The policy of the owner: the witnesses of the log.
pub const POLICY_PATH: &str = "log/policy.txt";

/// The path of the proof of a review's newest entry.
#[must_use]
pub fn receipt_path(id: ReviewId) -> String {
    format!("{LOG_FOLDER}proof/{id}.tlog-proof")
}

/// Keys may be added within the version of a file.
fn version_1<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let version = u64::deserialize(from)?;
    let other = || D::Error::custom(format!("version {version} needs a newer candor"));
    (version == 1).then_some(version).ok_or_else(other)
}

/// `candor-log.json`, as far as readers need it.
#[derive(Clone, Debug, Deserialize)]
pub struct LogKeys {
    /// The version of the file; any other than 1 is refused.
    #[serde(deserialize_with = "version_1")]
    pub version: u64,
    /// The log, for example `reviews.example.com/log`.
    pub origin: String,
    /// Verifier keys, the newest last.
    pub keys: Vec<String>,
    /// The address of the policy, if there is one.
    pub policy: Option<String>,
    /// Signed notes, each of which revokes a key.
    #[serde(default)]
    pub revoked: Vec<String>,
}

impl LogKeys {
    /// The origin, or the name of a key, that is not the name of this log.
    #[must_use]
    pub fn other_name(&self, log: &str) -> Option<&str> {
        let names = self.keys.iter().filter_map(|key| key.split('+').next());
        std::iter::once(&*self.origin).chain(names).find(|name| *name != log)
    }
}

/// `salts.json`, as far as readers need it.
#[derive(Clone, Debug, Deserialize)]
pub struct Salts {
    /// The version of the file; any other than 1 is refused.
    #[serde(deserialize_with = "version_1")]
    pub version: u64,
    /// The salts of published reviews, by review.
    pub salts: BTreeMap<ReviewId, Salt>,
}
