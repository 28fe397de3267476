//! The insights of a site as they are published (contract 2.3), less what [`crate::render`] adds.

use contract::{
    model::Ratio,
    model::{Day, ReviewId},
};
use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::{
    opinion::Sentiment, summary::annotations::Agreement, summary::examples::Example,
    summary::tally::Tally, summary::tally::Trend,
};

/// Everything that is computed about a site's reviews.
#[derive(Clone, Debug)]
pub struct Insights {
    /// How many reviews were judged how.
    pub coverage: Coverage,
    /// All reviews together.
    pub overall: Overall,
    /// What customers judge, the owner's aspects first.
    pub aspects: Vec<AspectSummary>,
    /// Technicians, services, problems and areas.
    pub entities: BTreeMap<EntityKind, Vec<EntitySummary>>,
    /// What else customers speak of.
    pub topics: Vec<TopicSummary>,
    /// Every month from the first review to the last.
    pub monthly: Vec<Month>,
    /// The last half year against the one before.
    pub trend: Trend,
    /// One for each review, in the reviews' order.
    pub per_review: Vec<ReviewInsight>,
    /// The clearest praise.
    pub pull_quote: Option<Example>,
    /// How far annotations and computation agree.
    pub agreement: Option<Agreement>,
    /// Ids of all aspects, by number.
    pub aspect_ids: Vec<Arc<str>>,
    /// BLAKE3 of everything the judgement depends on beside the reviews: tables, model, owner's rules.
    pub model_hash: String,
}

/// How many reviews were judged how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Coverage {
    /// By their words and stars.
    pub text: u64,
    /// By their stars alone: no words.
    pub rating_only: u64,
    /// By their stars alone: words in another language than English.
    pub other_language: u64,
    /// By an annotation.
    pub annotated: u64,
}

/// What a judgement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Words and stars.
    Text,
    /// Stars alone.
    Rating,
    /// A person's or another model's word.
    Annotation,
}

/// Shares of all reviews, 0 to 100 with one decimal.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct Overall {
    /// Mean score, -1 to 1.
    pub score: Option<Ratio>,
    /// Positive reviews.
    pub positive_pct: Option<Ratio>,
    /// Neutral and mixed reviews.
    pub neutral_pct: Option<Ratio>,
    /// Negative reviews.
    pub negative_pct: Option<Ratio>,
}

/// One review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewInsight {
    /// All in all.
    pub sentiment: Sentiment,
    /// -1,000 to 1,000.
    pub score: i32,
    /// What that rests on.
    pub basis: Basis,
    /// What it says of aspects, in their order.
    pub aspects: Vec<ReviewAspect>,
    /// Numbers of topics, rising.
    pub topics: Vec<u16>,
    /// Who judged, where somebody did.
    pub source: Option<Arc<str>>,
}

/// One review's opinion of one aspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewAspect {
    /// The aspect's number.
    pub aspect: u16,
    /// One vote.
    pub sentiment: Sentiment,
    /// -1,000 to 1,000.
    pub score: i32,
    /// Where it says so, as bytes of the text.
    pub quote: Option<(u32, u32)>,
}

/// The contract's Aspect.
#[derive(Clone, Debug)]
pub struct AspectSummary {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub label: Arc<str>,
    /// Opinions, one per review.
    pub tally: Tally,
    /// The last half year against the one before.
    pub trend: Trend,
    /// What these sentences say that others do not.
    pub top_phrases: Vec<String>,
    /// Sentences that show it, praise first.
    pub examples: Vec<Example>,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntityKind {
    /// Who does the work.
    Technician,
    /// What is done.
    Service,
    /// What goes wrong at customers'.
    Problem,
    /// Where.
    ServiceArea,
}

/// A technician, service, problem or area; opinions are those of the reviews that name it.
#[derive(Clone, Debug)]
pub struct EntitySummary {
    /// Slug.
    pub id: Arc<str>,
    /// Name or label.
    pub name: Arc<str>,
    /// The sentiments of the reviews that name it.
    pub tally: Tally,
    /// What these reviews say that others do not.
    pub top_phrases: Vec<String>,
    /// The newest, a negative one among them wherever there is one.
    pub example_review_ids: Vec<ReviewId>,
}

/// Something many reviews speak of that is no aspect.
#[derive(Clone, Debug)]
pub struct TopicSummary {
    /// Slug.
    pub id: Arc<str>,
    /// Shown.
    pub label: Arc<str>,
    /// The sentiments of the reviews that speak of it.
    pub tally: Tally,
    /// The newest, a negative one among them wherever there is one.
    pub example_review_ids: Vec<ReviewId>,
}

/// One month.
#[derive(Clone, Copy, Debug)]
pub struct Month {
    /// Its first day.
    pub first: Day,
    /// Its reviews.
    pub tally: Tally,
}
