//! The beginning of a review's id, as a user types it.

use std::{collections::BTreeSet, str::FromStr};

use contract::model::ReviewId;

/// Ids that a message lists if several have the same beginning.
const LISTED: usize = 5;

/// A review's id, or a beginning of it that no other id has. Case does not matter.
#[derive(Clone, Debug)]
pub struct IdPrefix(String);

impl FromStr for IdPrefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let prefix = text.to_ascii_uppercase();
        // The alphabet of ULIDs, which is Crockford's base 32.
        let is_ulid =
            |c: char| c.is_ascii_digit() || (c.is_ascii_uppercase() && !"ILOU".contains(c));
        if (1..=26).contains(&prefix.len()) && prefix.chars().all(is_ulid) {
            Ok(Self(prefix))
        } else {
            Err("an id is 26 of 0-9 A-Z without I, L, O and U; its beginning will do; candor list shows the ids".to_owned())
        }
    }
}

impl IdPrefix {
    /// Whether the id has this beginning.
    #[must_use]
    pub fn begins(&self, id: ReviewId) -> bool {
        id.to_string().starts_with(&self.0)
    }

    /// Returns the one id that has this beginning.
    ///
    /// # Errors
    /// When none or several have it; the text has the remedy.
    pub fn choose(&self, ids: impl IntoIterator<Item = ReviewId>) -> Result<ReviewId, String> {
        let found: BTreeSet<ReviewId> = ids.into_iter().filter(|id| self.begins(*id)).collect();
        let Some(&first) = found.first() else {
            return Err(format!("there is no review {}; candor list shows the ids", self.0));
        };
        if found.len() == 1 {
            return Ok(first);
        }
        let listed: Vec<String> = found.iter().take(LISTED).map(ToString::to_string).collect();
        let more = if found.len() > LISTED { ", …" } else { "" };
        Err(format!(
            "the ids of {} reviews begin with {}: {}{more}; write more of the id",
            found.len(),
            self.0,
            listed.join(", ")
        ))
    }
}
