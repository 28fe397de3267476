//! The entries of `insights.json` about each review, as far as searches depend on them.

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

/// The insights of a review.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReviewInsights {
    pub(crate) sentiment: Option<String>,
    pub(crate) aspects: Vec<AspectSentiment>,
    /// The ids of the technicians that it mentions.
    pub(crate) technicians: Vec<String>,
    pub(crate) topics: Vec<String>,
}

/// The opinion of a review about an aspect.
#[derive(Debug, Deserialize)]
pub(crate) struct AspectSentiment {
    pub(crate) id: String,
    pub(crate) sentiment: String,
}

impl PerReview {
    /// Reads `insights.json`, which may be empty. A document of another form counts as empty: reviews are served
    /// whatever else is published.
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
