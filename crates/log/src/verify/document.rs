//! `reviews.json` as far as the log speaks of it.

use std::collections::BTreeMap;

use contract::model::{Rating, WithheldReason};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::facts::{Facts, Reply};

/// The parts of `reviews.json` that the log commits to.
pub(super) struct Document {
    pub(super) reviews: Vec<(Facts, Option<Reply>)>,
    pub(super) moderation: Moderation,
    pub(super) aggregate_rating: Option<Value>,
}

/// The counts of withheld reviews in the document.
#[derive(Debug, Deserialize)]
pub(super) struct Moderation {
    pub(super) withheld_count: u64,
    pub(super) by_reason: BTreeMap<WithheldReason, u64>,
    /// The keys are texts, because a rating is a number everywhere else.
    pub(super) by_rating: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow)]
    reviews: Vec<&'a RawValue>,
    moderation: Moderation,
    aggregate_rating: Option<Value>,
}

#[derive(Deserialize)]
struct Answer {
    owner_reply: Option<Reply>,
}

impl Document {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let raw: Raw<'_> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let reviews = raw.reviews.iter().enumerate().map(|(at, review)| {
            let text = review.get();
            let parse = || Ok((serde_json::from_str(text)?, reply(text)?));
            parse().map_err(|error: serde_json::Error| format!("reviews[{at}]: {error}"))
        });
        Ok(Self {
            reviews: reviews.collect::<Result<_, _>>()?,
            moderation: raw.moderation,
            aggregate_rating: raw.aggregate_rating,
        })
    }

    /// The number of reviews by stars.
    pub(super) fn by_rating(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for (facts, _) in &self.reviews {
            counts[facts.rating.index()] += 1;
        }
        counts
    }
}

impl Moderation {
    /// The number of withheld reviews by stars.
    pub(super) fn by_rating(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for stars in Rating::all() {
            counts[stars.index()] = self.by_rating.get(&stars.to_string()).copied().unwrap_or(0);
        }
        counts
    }
}

fn reply(text: &str) -> Result<Option<Reply>, serde_json::Error> {
    serde_json::from_str::<Answer>(text).map(|answer| answer.owner_reply)
}
