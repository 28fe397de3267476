//! What the tools answer from beside the list of reviews: the head of `reviews.json`, what
//! `insights.json` says of people, services and subjects, and where each review is by its id.

pub(crate) mod changes;
mod insights;

use contract::model::ReviewId;
use serde::Deserialize;

pub(crate) use insights::{Insights, Item};

use crate::{
    arena::Arena,
    collection::Collection,
    names::{Service, Technician},
};

/// What follows from the reviews of one publication.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) business: Business,
    pub(crate) aggregate: Aggregate,
    pub(crate) insights: Insights,
    by_id: ById,
}

/// The owner's own words, for instructions and descriptions.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Business {
    pub(crate) name: String,
    pub(crate) category: Option<String>,
    pub(crate) address: Option<Address>,
    pub(crate) technicians: Vec<Technician>,
    pub(crate) services: Vec<Service>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Address {
    pub(crate) city: Option<String>,
    pub(crate) region: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Aggregate {
    pub(crate) average: Option<f64>,
    pub(crate) review_count: u64,
}

/// The numbers of the reviews, in the order of their ids.
#[derive(Debug)]
struct ById(Box<[u32]>);

impl Facts {
    /// What follows from a collection and from `insights.json`, which may be empty. What is not of
    /// the expected form counts as absent: reviews are answered whatever else is published.
    pub(crate) fn of(collection: &Collection, insights: &[u8]) -> Self {
        let head = &collection.head;
        Self {
            business: serde_json::from_str(&head.business).unwrap_or_default(),
            aggregate: serde_json::from_str(&head.aggregate_rating).unwrap_or_default(),
            insights: Insights::read(insights),
            by_id: ById::of(&collection.arena),
        }
    }

    /// The number of the review of this id.
    pub(crate) fn number(&self, arena: &Arena, id: ReviewId) -> Option<u32> {
        let ids = &self.by_id.0;
        let at = ids.binary_search_by_key(&id, |number| arena.place(*number).id).ok()?;
        ids.get(at).copied()
    }

    /// The ids that begin so, at most `most` of them, in their order.
    pub(crate) fn ids_from(
        &self,
        arena: &Arena,
        prefix: &str,
        most: usize,
    ) -> (Vec<String>, usize) {
        let id = |number: &u32| arena.place(*number).id.to_string();
        let ids = &self.by_id.0;
        let start = ids.partition_point(|number| id(number).as_str() < prefix);
        let length = ids[start..].partition_point(|number| id(number).starts_with(prefix));
        (ids[start..start + length].iter().take(most).map(id).collect(), length)
    }
}

impl ById {
    fn of(arena: &Arena) -> Self {
        let mut numbers: Box<[u32]> = (0..arena.len() as u32).collect();
        numbers.sort_unstable_by_key(|number| arena.place(*number).id);
        Self(numbers)
    }
}
