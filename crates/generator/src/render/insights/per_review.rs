//! The entry of one review in `insights.json`.

use std::sync::Arc;

use content::dataset::Dataset;
use contract::model::{Ratio, Review};
use insights::{Basis, ReviewInsight, Sentiment};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(super) struct PerReview<'d> {
    /// All in all.
    sentiment: Sentiment,
    /// -1 to 1.
    score: Option<Ratio>,
    /// What that rests on.
    basis: Basis,
    /// The person or model of the annotation that judged it; null where the program did.
    judged_by: Option<&'d str>,
    /// What it says of aspects.
    aspects: Vec<PerAspect<'d>>,
    /// Ids of technicians it names.
    technicians: &'d [Arc<str>],
    /// Ids of services it names.
    services: &'d [Arc<str>],
    /// Ids of problems it names.
    problems: &'d [Arc<str>],
    /// Ids of areas it names.
    service_areas: &'d [Arc<str>],
    /// Ids of topics it speaks of.
    topics: Vec<&'d Arc<str>>,
}

#[derive(Serialize, JsonSchema)]
struct PerAspect<'d> {
    /// The aspect's.
    id: &'d str,
    /// One vote.
    sentiment: Sentiment,
    /// -1 to 1.
    score: Option<Ratio>,
    /// Where it says so, an exact part of the text.
    quote: Option<&'d str>,
}

/// Thousandths as a number with three decimals.
fn score(thousandths: i32) -> Option<Ratio> {
    Ratio::of(i64::from(thousandths), 1_000, 3)
}

pub(super) fn per_review<'d>(
    data: &'d Dataset,
    review: &'d Review,
    insight: &'d ReviewInsight,
) -> PerReview<'d> {
    let text = review.text.as_deref().unwrap_or_default();
    let aspects = insight.aspects.iter().map(|opinion| PerAspect {
        id: &data.insights.aspect_ids[usize::from(opinion.aspect)],
        sentiment: opinion.sentiment,
        score: score(opinion.score),
        quote: opinion.quote.map(|(from, to)| &text[from as usize..to as usize]),
    });
    PerReview {
        sentiment: insight.sentiment,
        score: score(insight.score),
        basis: insight.basis,
        judged_by: insight.judged_by.as_deref(),
        aspects: aspects.collect(),
        technicians: &review.mentions.technician_ids,
        services: &review.mentions.services,
        problems: &review.mentions.problems,
        service_areas: &review.mentions.service_areas,
        topics: insight
            .topics
            .iter()
            .map(|at| &data.insights.topics[usize::from(*at)].id)
            .collect(),
    }
}
