//! Reviews that were removed for good, and what keeps imports from bringing them back.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ndjson;
use contract::{
    model::{ReviewId, WithheldReason},
    problem::{Place, Report},
};
use system::root::Root;

/// The file's name in `content/`.
pub const TOMBSTONES_FILE: &str = "tombstones.ndjson";

/// What is left of a removed review: no word of it, and nothing about its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tombstone {
    /// The review's id, never given to another.
    pub id: ReviewId,
    /// When it was removed.
    pub at: Timestamp,
    /// Why.
    pub reason: TombstoneReason,
    /// 128 bits in hexadecimal of each key imports know it by.
    pub hashes: Vec<String>,
    /// The line it is on.
    #[serde(skip)]
    pub place: Place,
}

/// Why a review is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TombstoneReason {
    /// Its source has it no more. An import that meets it again brings it back under its old id.
    Missing,
    /// Removed by `candor forget`. Every import obeys.
    Forgotten(WithheldReason),
}

impl Serialize for TombstoneReason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Missing => "missing",
            Self::Forgotten(reason) => reason.word(),
        })
    }
}

impl<'de> Deserialize<'de> for TombstoneReason {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.as_str() {
            "missing" => Ok(Self::Missing),
            word => word.parse().map(Self::Forgotten).map_err(serde::de::Error::custom),
        }
    }
}

pub(super) fn read(dir: &Path, report: &Report) -> Vec<Tombstone> {
    let path = dir.join(TOMBSTONES_FILE);
    let name = path.display().to_string();
    let lines =
        ndjson::read::<Tombstone>(&Root::at(dir), TOMBSTONES_FILE, ndjson::MACHINE_WRITTEN, report);
    lines.into_iter().map(|(line, t)| Tombstone { place: Place::line(&*name, line), ..t }).collect()
}
