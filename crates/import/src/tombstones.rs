//! Finds the tombstone of a removed review that a row would bring back.

use std::collections::HashMap;

use super::{
    ids::{self, Key},
    normalise::ImportedReview,
    platform,
};
use content::{Tombstone, TombstoneReason, is_distinctive};
use contract::model::ReviewId;

/// The tombstones, by the keys of the removed reviews.
#[derive(Default)]
pub(super) struct TombstoneIndex {
    keys: HashMap<Key, usize>,
    ids: HashMap<ReviewId, usize>,
    forgotten: Vec<bool>,
}

impl TombstoneIndex {
    pub(super) fn of(tombstones: &[Tombstone]) -> Self {
        let mut tombstone_index = Self::default();
        for (number, tombstone) in tombstones.iter().enumerate() {
            tombstone_index.ids.insert(tombstone.id, number);
            let keys =
                tombstone.hashes.iter().filter_map(|hash| Key::from_str_radix(hash, 16).ok());
            tombstone_index.keys.extend(keys.map(|key| (key, number)));
            tombstone_index
                .forgotten
                .push(matches!(tombstone.reason, TombstoneReason::Forgotten(_)));
        }
        tombstone_index
    }

    /// The tombstone of the removed review a row would bring back, by its number, and whether that is
    /// forbidden.
    pub(super) fn look_up(&self, row: &ImportedReview) -> Option<(usize, bool)> {
        if self.forgotten.is_empty() {
            return None;
        }
        self.look_up_as_named(row).or_else(|| {
            let other = |source| ImportedReview { source, ..row.clone() };
            platform::other_names(&row.source).find_map(|name| self.look_up_as_named(&other(name)))
        })
    }

    fn look_up_as_named(&self, row: &ImportedReview) -> Option<(usize, bool)> {
        let by_id = row.ids.iter().map(|id| ids::key(&row.source, id));
        // The review may have been removed when its text was stored in another decoding.
        let texts = row.decodings.iter().map(|(_, text)| text).chain([&row.text]);
        let by_text = texts
            .filter_map(Option::as_deref)
            .filter(|text| is_distinctive(text))
            .map(|text| ids::text_key(&row.source, text));
        let mut derived_ids = row.derived_ids().filter(|_| row.ids.is_empty());
        let derived_id = derived_ids.find_map(|id| self.ids.get(&id));
        let found = by_id.chain(by_text).find_map(|key| self.keys.get(&key)).or(derived_id)?;
        Some((*found, self.forgotten[*found]))
    }
}
