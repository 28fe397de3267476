//! What `insights.json` says of each review, as far as searches depend on it.

use std::collections::HashMap;

use contract::model::ReviewId;
use serde::Deserialize;

/// The aspects and topics, and what is known of each review.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PerReview {
    pub(crate) aspects: Vec<Labelled>,
    pub(crate) topics: Vec<Labelled>,
    per_review: HashMap<ReviewId, ReviewInsights>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Labelled {
    pub(crate) id: String,
    pub(crate) label: String,
}

/// What is known of a review.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReviewInsights {
    pub(crate) sentiment: Option<String>,
    pub(crate) aspects: Vec<AspectSentiment>,
    /// The ids of those it mentions.
    pub(crate) technicians: Vec<String>,
    pub(crate) topics: Vec<String>,
}

/// What a review says of an aspect.
#[derive(Debug, Deserialize)]
pub(crate) struct AspectSentiment {
    pub(crate) id: String,
    pub(crate) sentiment: String,
}

impl PerReview {
    /// Reads `insights.json`, which may be empty. A document of another form counts as empty:
    /// reviews are answered whatever else is published.
    pub(crate) fn read(insights: &[u8]) -> Self {
        serde_json::from_slice(insights).unwrap_or_else(|error| {
            if !insights.is_empty() {
                tracing::warn!(%error, "insights.json cannot be used to select reviews");
            }
            Self::default()
        })
    }

    pub(crate) fn get(&self, review: ReviewId) -> Option<&ReviewInsights> {
        self.per_review.get(&review)
    }
}
