//! Reviews that were removed for good, and the hashes that keep imports from storing them again.

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

/// The entry of a removed review: no word of it, and nothing about its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tombstone {
    /// The review's id, never given to another.
    pub id: ReviewId,
    /// The time at which it was removed.
    pub at: Timestamp,
    /// The reason why it was removed.
    pub reason: TombstoneReason,
    /// The keys by which imports recognise the review: 128 bits of a hash each, in hexadecimal.
    pub hashes: Vec<String>,
    /// The file and line that it is on.
    #[serde(skip)]
    pub place: Place,
}

/// The reason why a review was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TombstoneReason {
    /// The source no longer has it. An import that has it again stores it under its old id.
    Missing,
    /// `candor forget` removed it. No import stores it again.
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
