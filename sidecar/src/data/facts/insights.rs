//! `insights.json`, parsed: each entry with its id.

use contract::{model::ReviewId, text::casefold};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// The parts of `insights.json` that tools return, as published.
#[derive(Debug)]
pub(crate) struct PublishedInsights {
    pub(crate) aspects: Vec<InsightsEntry>,
    pub(crate) technicians: Vec<InsightsEntry>,
    pub(crate) services: Vec<InsightsEntry>,
    /// The topics, a JSON array.
    pub(crate) topics: Box<str>,
    pub(crate) faq: Vec<FaqEntry>,
    /// The members that summarise all reviews, a JSON object.
    pub(crate) overview: Box<str>,
}

/// An entry that can be requested.
#[derive(Debug)]
pub(crate) struct InsightsEntry {
    pub(crate) id: String,
    /// The JSON object, as published.
    pub(crate) json: Box<str>,
    pub(crate) example_review_ids: Vec<ReviewId>,
}

/// A question with its answer.
#[derive(Debug)]
pub(crate) struct FaqEntry {
    pub(crate) id: String,
    pub(crate) question: String,
    /// The JSON object, as published.
    pub(crate) json: Box<str>,
    /// The question and the answer, folded.
    pub(crate) folded: String,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct InsightsDocument<'a> {
    #[serde(borrow)]
    aspects: Vec<&'a RawValue>,
    #[serde(borrow)]
    entities: PublishedEntities<'a>,
    #[serde(borrow)]
    topics: Option<&'a RawValue>,
    #[serde(borrow)]
    temporal: PublishedTrend<'a>,
    #[serde(borrow)]
    faq: Vec<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    pull_quote: Option<&'a RawValue>,
    #[serde(borrow)]
    overall_sentiment: Option<&'a RawValue>,
    #[serde(borrow)]
    review_count: Option<&'a RawValue>,
    #[serde(borrow)]
    date_range: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct PublishedEntities<'a> {
    #[serde(borrow)]
    technicians: Vec<&'a RawValue>,
    #[serde(borrow)]
    services: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct PublishedTrend<'a> {
    #[serde(borrow)]
    trend: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawEntry {
    id: String,
    #[serde(default)]
    example_review_ids: Vec<ReviewId>,
}

#[derive(Deserialize)]
struct RawFaq {
    id: String,
    question: String,
    answer: String,
}

impl PublishedInsights {
    /// Reads `insights.json`. A document of another form counts as empty.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let document: InsightsDocument<'_> =
            serde_json::from_slice(bytes).unwrap_or_else(|error| {
                if !bytes.is_empty() {
                    tracing::warn!(%error, "insights.json cannot be used by the MCP tools");
                }
                InsightsDocument::default()
            });
        Self {
            aspects: each(&document.aspects, InsightsEntry::new),
            technicians: each(&document.entities.technicians, InsightsEntry::new),
            services: each(&document.entities.services, InsightsEntry::new),
            topics: document.topics.map_or("[]", RawValue::get).into(),
            faq: each(&document.faq, FaqEntry::new),
            overview: document.overview().into(),
        }
    }
}

impl InsightsDocument<'_> {
    fn overview(&self) -> String {
        let published = |raw: Option<&RawValue>| raw.map_or("null", RawValue::get).to_owned();
        format!(
            "{{\"summary\":{},\"pull_quote\":{},\"overall_sentiment\":{},\"trend\":{},\
             \"review_count\":{},\"date_range\":{},\"model\":{}}}",
            published(self.summary),
            published(self.pull_quote),
            published(self.overall_sentiment),
            published(self.temporal.trend),
            published(self.review_count),
            published(self.date_range),
            published(self.model)
        )
    }
}

fn each<T: DeserializeOwned, U>(raw: &[&RawValue], make: impl Fn(T, &RawValue) -> U) -> Vec<U> {
    let read = |raw: &&RawValue| serde_json::from_str(raw.get()).ok().map(|read| make(read, raw));
    raw.iter().filter_map(read).collect()
}

impl InsightsEntry {
    fn new(known: RawEntry, raw: &RawValue) -> Self {
        let RawEntry { id, example_review_ids } = known;
        Self { id, json: raw.get().into(), example_review_ids }
    }
}

impl FaqEntry {
    fn new(asked: RawFaq, raw: &RawValue) -> Self {
        let folded = casefold(&format!("{}\n{}", asked.question, asked.answer)).into_owned();
        Self { id: asked.id, question: asked.question, json: raw.get().into(), folded }
    }
}
