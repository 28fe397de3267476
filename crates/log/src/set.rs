//! The totals of `reviews.json`, as an entry of the log has them.

use std::collections::BTreeMap;

use contract::model::{Rating, ReviewId, WithheldReason};
use ring::digest;
use serde::{Deserialize, Serialize};

use crate::{commitment::Commitment, standing::Standing};

/// Totals of `reviews.json`: how many reviews, with how many stars, what is withheld, and
/// a digest of all commitments. A reader can tell from it that nothing is missing and nothing is
/// added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Set {
    /// The number of published reviews.
    pub reviews: u64,
    /// The number of published reviews with one to five stars.
    #[serde(with = "stars")]
    pub by_rating: [u64; 5],
    /// The number of withheld reviews by reason, in the order of [`WithheldReason::WORDS`]; reasons that
    /// do not occur are left out.
    pub withheld: BTreeMap<WithheldReason, u64>,
    /// SHA-256 of a line `<id> <record> <reply>` for each published review, sorted by id, with `-`
    /// for no reply.
    pub digest: Commitment,
}

impl Set {
    /// The set of these standings. `by_rating` counts the published reviews by stars, which the
    /// standings do not tell.
    #[must_use]
    pub fn of<'s>(
        standings: impl IntoIterator<Item = (&'s ReviewId, &'s Standing)>,
        by_rating: [u64; 5],
    ) -> Self {
        let (mut reviews, mut withheld, mut lines) = (0, BTreeMap::new(), String::new());
        let mut sorted: Vec<_> = standings.into_iter().collect();
        sorted.sort_unstable_by_key(|(id, _)| **id);
        for (id, standing) in sorted {
            match standing {
                Standing::Published { record, reply } => {
                    reviews += 1;
                    let reply = reply.map_or_else(|| "-".to_owned(), |reply| reply.to_string());
                    lines += &format!("{id} {record} {reply}\n");
                }
                Standing::Withheld { reason, .. } => *withheld.entry(*reason).or_default() += 1,
                Standing::Removed | Standing::Forgotten { .. } => {}
            }
        }
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, lines.as_bytes()).as_ref());
        Self { reviews, by_rating, withheld, digest: Commitment::from_bytes(hash) }
    }
}

/// Counts by stars as `{"1":n,…,"5":n}`.
mod stars {
    use super::{BTreeMap, Rating};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        counts: &[u64; 5],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Rating::all().map(|stars| (stars.stars(), counts[stars.index()])))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u64; 5], D::Error> {
        let by_stars = BTreeMap::<String, u64>::deserialize(deserializer)?;
        let mut counts = [0; 5];
        for stars in Rating::all() {
            let key = stars.to_string();
            let count = by_stars.get(&key);
            counts[stars.index()] = *count
                .ok_or_else(|| D::Error::custom(format!("the count of {key} stars is missing")))?;
        }
        Ok(counts)
    }
}
