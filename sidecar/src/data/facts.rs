//! What the MCP tools need in addition to the list of reviews: the head of `reviews.json`, the
//! entries of `insights.json`, and the number of each review by its id.

pub(crate) mod changes;
mod insights;

use contract::model::ReviewId;
use serde::Deserialize;

pub(crate) use insights::{InsightsEntry, PublishedInsights};

use crate::data::{arena::ReviewArena, collection::Collection};

/// What follows from the reviews of one publication.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) business: PublishedBusiness,
    pub(crate) aggregate: PublishedAverage,
    pub(crate) insights: PublishedInsights,
    by_id: NumbersById,
}

/// The business as published, for instructions and descriptions.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PublishedBusiness {
    pub(crate) name: String,
    pub(crate) category: Option<String>,
    pub(crate) address: Option<PublishedAddress>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PublishedAddress {
    pub(crate) city: Option<String>,
    pub(crate) region: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PublishedAverage {
    pub(crate) average: Option<f64>,
    pub(crate) review_count: u64,
}

/// The numbers of the reviews, in the order of their ids.
#[derive(Debug)]
struct NumbersById(Box<[u32]>);

impl Facts {
    /// What follows from a collection and from `insights.json`. What is not of the expected form counts
    /// as absent: reviews are answered whatever else is published.
    pub(crate) fn of(collection: &Collection, insights: PublishedInsights) -> Self {
        let head = &collection.head;
        Self {
            business: serde_json::from_str(&head.business).unwrap_or_default(),
            aggregate: serde_json::from_str(&head.aggregate_rating).unwrap_or_default(),
            insights,
            by_id: NumbersById::of(&collection.arena),
        }
    }

    /// The number of the review of this id.
    pub(crate) fn number(&self, arena: &ReviewArena, id: ReviewId) -> Option<u32> {
        let ids = &self.by_id.0;
        let at = ids.binary_search_by_key(&id, |number| arena.position(*number).id).ok()?;
        ids.get(at).copied()
    }

    /// The ids that begin so, at most `most` of them, in their order.
    pub(crate) fn ids_from(
        &self,
        arena: &ReviewArena,
        prefix: &str,
        most: usize,
    ) -> (Vec<String>, usize) {
        let id = |number: &u32| arena.position(*number).id.to_string();
        let ids = &self.by_id.0;
        let start = ids.partition_point(|number| id(number).as_str() < prefix);
        let length = ids[start..].partition_point(|number| id(number).starts_with(prefix));
        (ids[start..start + length].iter().take(most).map(id).collect(), length)
    }
}

impl NumbersById {
    fn of(arena: &ReviewArena) -> Self {
        let mut numbers: Box<[u32]> = (0..arena.len() as u32).collect();
        numbers.sort_unstable_by_key(|number| arena.position(*number).id);
        Self(numbers)
    }
}
