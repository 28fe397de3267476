//! `reviews.json`: every published review.

use contract::{
    model::AggregateRating,
    model::{Business, Review},
};
use jiff::Timestamp;
use schemars::JsonSchema;

use super::{Body, stream::ObjectWriter};
use content::dataset::{Dataset, Moderation, SourceSummary};

/// Version of the document's shape (contract 2.2).
const VERSION: u32 = 1;

/// `reviews.json`.
#[derive(JsonSchema)]
#[schemars(rename = "Reviews")]
pub(super) struct Reviews<'d> {
    /// Of the document's shape.
    version: u32,
    /// The newest `updated` in it, never the clock.
    generated_at: Timestamp,
    /// Who the reviews are about.
    business: &'d Business,
    /// Over all published reviews.
    aggregate_rating: &'d AggregateRating,
    /// Where they come from.
    sources: &'d [SourceSummary],
    /// What is withheld, and why.
    moderation: &'d Moderation,
    /// All of them, newest first.
    reviews: &'d [Review],
}

pub(super) fn body(data: &Dataset) -> Body<'_> {
    let document = Reviews {
        version: VERSION,
        generated_at: data.generated_at,
        business: &data.business,
        aggregate_rating: &data.aggregate,
        sources: &data.sources,
        moderation: &data.moderation,
        reviews: &data.reviews,
    };
    Body::Stream(Box::new(move |out| {
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &document.version)?;
        object.member("generated_at", &document.generated_at)?;
        object.member("business", document.business)?;
        object.member("aggregate_rating", document.aggregate_rating)?;
        object.member("sources", &document.sources)?;
        object.member("moderation", document.moderation)?;
        object.array("reviews", document.reviews)?;
        object.close()
    }))
}
