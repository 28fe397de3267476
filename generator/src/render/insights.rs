//! `insights.json` (contract 2.3): what was computed, written review by review.

use std::sync::Arc;

use serde::Serialize;

use super::{Body, stream::ObjectWriter};
use crate::{
    dataset::{Dataset, Ratio},
    insights::{
        AspectSummary, Basis, Coverage, EntityKind, EntitySummary, Example, Insights,
        ReviewInsight, Sentiment, Tally, TopicSummary, Trend,
    },
    model::{Day, Review, ReviewId},
};

/// Version of the document's shape (contract 2.3).
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Model<'d> {
    name: &'static str,
    version: u32,
    description: &'static str,
    hash: &'d str,
    coverage: Coverage,
}

const NAME: &str = "candor-aspects";
const MODEL_VERSION: u32 = 1;
const DESCRIPTION: &str = "Computed automatically: patterns and a linear model find what English reviews say of each aspect; \
    stars decide where words do not. Other languages count by their stars.";

#[derive(Serialize)]
struct DateRange {
    earliest: Option<Day>,
    latest: Option<Day>,
}

/// The words aspects, entities and topics share.
#[derive(Serialize)]
struct Counts {
    mention_count: u64,
    average_rating: Option<Ratio>,
    positive_count: u64,
    neutral_count: u64,
    negative_count: u64,
    mixed_count: u64,
    positive_pct: Option<Ratio>,
    score: Option<Ratio>,
}

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Self {
        Self {
            mention_count: tally.count(),
            average_rating: tally.average_rating(),
            positive_count: tally.with(Sentiment::Positive),
            neutral_count: tally.with(Sentiment::Neutral),
            negative_count: tally.with(Sentiment::Negative),
            mixed_count: tally.with(Sentiment::Mixed),
            positive_pct: tally.positive_pct(),
            score: tally.score(),
        }
    }
}

#[derive(Serialize)]
struct Aspect<'d> {
    id: &'d str,
    label: &'d str,
    #[serde(flatten)]
    counts: Counts,
    trend: Trend,
    top_phrases: &'d [String],
    example_review_ids: Vec<ReviewId>,
    examples: &'d [Example],
}

impl<'d> From<&'d AspectSummary> for Aspect<'d> {
    fn from(summary: &'d AspectSummary) -> Self {
        Self {
            id: &summary.id,
            label: &summary.label,
            counts: (&summary.tally).into(),
            trend: summary.trend,
            top_phrases: &summary.top_phrases,
            example_review_ids: summary.examples.iter().map(|example| example.review_id).collect(),
            examples: &summary.examples,
        }
    }
}

#[derive(Serialize)]
struct Entity<'d> {
    id: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    #[serde(flatten)]
    counts: Counts,
    top_phrases: &'d [String],
    example_review_ids: &'d [ReviewId],
}

#[derive(Serialize)]
struct Entities<'d> {
    technicians: Vec<Entity<'d>>,
    services: Vec<Entity<'d>>,
    problems: Vec<Entity<'d>>,
    service_areas: Vec<Entity<'d>>,
}

#[derive(Serialize)]
struct Temporal {
    monthly: Vec<Month>,
    trend: Trend,
}

#[derive(Serialize)]
struct Month {
    month: String,
    review_count: u64,
    average_rating: Option<Ratio>,
    score: Option<Ratio>,
}

#[derive(Serialize)]
struct PerReview<'d> {
    sentiment: Sentiment,
    score: Option<Ratio>,
    basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'d str>,
    aspects: Vec<PerAspect<'d>>,
    technicians: Vec<&'d Arc<str>>,
    services: &'d [Arc<str>],
    problems: &'d [Arc<str>],
    service_areas: &'d [Arc<str>],
    topics: Vec<&'d Arc<str>>,
}

#[derive(Serialize)]
struct PerAspect<'d> {
    id: &'d str,
    sentiment: Sentiment,
    score: Option<Ratio>,
    quote: Option<&'d str>,
}

pub(super) fn body(data: &Dataset) -> Body<'_> {
    Body::Stream(Box::new(move |out| {
        let insights = &data.insights;
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &VERSION)?;
        object.member("generated_at", &data.generated_at)?;
        object.member("model", &model(insights))?;
        object.member("review_count", &data.reviews.len())?;
        object.member("date_range", &date_range(data))?;
        object.member("overall_sentiment", &insights.overall)?;
        object.array("aspects", insights.aspects.iter().map(Aspect::from))?;
        object.member("entities", &entities(insights))?;
        object.array("topics", insights.topics.iter().map(topic))?;
        object.member("temporal", &temporal(insights))?;
        object.map(
            "per_review",
            data.reviews.iter().zip(&insights.per_review).map(|(review, insight)| {
                (review.id.to_string(), per_review(data, review, insight))
            }),
        )?;
        object.member("faq", &data.faq)?;
        object.member("summary", &data.summary.as_ref().map(|summary| &summary.text))?;
        object.member("pull_quote", &insights.pull_quote)?;
        object.close()
    }))
}

fn model(insights: &Insights) -> Model<'_> {
    Model {
        name: NAME,
        version: MODEL_VERSION,
        description: DESCRIPTION,
        hash: &insights.model_hash,
        coverage: insights.coverage,
    }
}

fn date_range(data: &Dataset) -> DateRange {
    let day = |review: Option<&Review>| review.map(|review| review.date);
    DateRange { earliest: day(data.reviews.last()), latest: day(data.reviews.first()) }
}

fn entities(insights: &Insights) -> Entities<'_> {
    let all = |kind: EntityKind| {
        let of = insights.entities.get(&kind).map_or(&[][..], Vec::as_slice);
        of.iter().map(|summary| entity(kind, summary)).collect()
    };
    Entities {
        technicians: all(EntityKind::Technician),
        services: all(EntityKind::Service),
        problems: all(EntityKind::Problem),
        service_areas: all(EntityKind::ServiceArea),
    }
}

fn entity(kind: EntityKind, summary: &EntitySummary) -> Entity<'_> {
    let has_name = matches!(kind, EntityKind::Technician | EntityKind::ServiceArea);
    Entity {
        id: &summary.id,
        name: Some(&*summary.name).filter(|_| has_name),
        label: Some(&*summary.name).filter(|_| !has_name),
        counts: (&summary.tally).into(),
        top_phrases: &summary.top_phrases,
        example_review_ids: &summary.example_review_ids,
    }
}

fn topic(summary: &TopicSummary) -> Entity<'_> {
    Entity {
        id: &summary.id,
        name: None,
        label: Some(&summary.label),
        counts: (&summary.tally).into(),
        top_phrases: &[],
        example_review_ids: &summary.example_review_ids,
    }
}

fn temporal(insights: &Insights) -> Temporal {
    let month = |month: &crate::insights::Month| Month {
        month: month.first.month(),
        review_count: month.tally.count(),
        average_rating: month.tally.average_rating(),
        score: month.tally.score(),
    };
    Temporal { monthly: insights.monthly.iter().map(month).collect(), trend: insights.trend }
}

/// Thousandths as a number with three decimals.
fn score(thousandths: i32) -> Option<Ratio> {
    Ratio::of(i64::from(thousandths), 1_000, 3)
}

fn per_review<'d>(
    data: &'d Dataset,
    review: &'d Review,
    insight: &'d ReviewInsight,
) -> PerReview<'d> {
    // A technician without a page and a score has no entity an id could name.
    let listed =
        |id: &&Arc<str>| data.business.technicians.iter().any(|technician| technician.id == **id);
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
        source: insight.source.as_deref(),
        aspects: aspects.collect(),
        technicians: review.mentions.technician_ids.iter().filter(listed).collect(),
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
