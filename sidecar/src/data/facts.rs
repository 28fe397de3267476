//! The data that MCP tools need in addition to the list of reviews: the head of `reviews.json` and the entries of
//! `insights.json`.

pub(crate) mod changes;
mod insights;

use serde::Deserialize;

pub(crate) use insights::{InsightsEntry, PublishedInsights};

use crate::data::collection::Collection;

/// The data that are derived from the reviews of one publication.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) business: PublishedBusiness,
    pub(crate) aggregate: PublishedAverage,
    pub(crate) insights: PublishedInsights,
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

impl Facts {
    /// Derives the data from a collection and from `insights.json`. Parts that are not of the expected form count as
    /// absent: reviews are served whatever else is published.
    pub(crate) fn of(collection: &Collection, insights: PublishedInsights) -> Self {
        let head = &collection.head;
        Self {
            business: serde_json::from_str(&head.business).unwrap_or_default(),
            aggregate: serde_json::from_str(&head.aggregate_rating).unwrap_or_default(),
            insights,
        }
    }
}
