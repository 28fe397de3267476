//! `insights.json`, made answerable: each entry with the names it can be requested by.

use contract::{model::ReviewId, text::casefold};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// What `insights.json` says, as published.
#[derive(Debug)]
pub(crate) struct Insights {
    pub(crate) aspects: Vec<Item>,
    pub(crate) technicians: Vec<Item>,
    pub(crate) services: Vec<Item>,
    /// A JSON array.
    pub(crate) topics: Box<str>,
    pub(crate) faq: Vec<Question>,
    /// A JSON object: the members that summarise all reviews.
    pub(crate) overview: Box<str>,
}

/// Something that can be asked for by id or name.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The object, as published.
    pub(crate) json: Box<str>,
    pub(crate) example_review_ids: Vec<ReviewId>,
    words: [String; 2],
}

/// A question with its answer.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) id: String,
    /// The object, as published.
    pub(crate) json: Box<str>,
    /// Question and answer, folded.
    pub(crate) folded: String,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Document<'a> {
    #[serde(borrow)]
    aspects: Vec<&'a RawValue>,
    #[serde(borrow)]
    entities: Entities<'a>,
    #[serde(borrow)]
    topics: Option<&'a RawValue>,
    #[serde(borrow)]
    temporal: Temporal<'a>,
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
struct Entities<'a> {
    #[serde(borrow)]
    technicians: Vec<&'a RawValue>,
    #[serde(borrow)]
    services: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Temporal<'a> {
    #[serde(borrow)]
    trend: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Known {
    id: String,
    #[serde(alias = "label")]
    name: String,
    #[serde(default)]
    example_review_ids: Vec<ReviewId>,
}

#[derive(Deserialize)]
struct Asked {
    id: String,
    question: String,
    answer: String,
}

impl Insights {
    /// Reads `insights.json`; what is no such document says nothing.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let document: Document<'_> = serde_json::from_slice(bytes).unwrap_or_else(|error| {
            if !bytes.is_empty() {
                tracing::warn!(%error, "insights.json tells the tools nothing");
            }
            Document::default()
        });
        Self {
            aspects: each(&document.aspects, Item::new),
            technicians: each(&document.entities.technicians, Item::new),
            services: each(&document.entities.services, Item::new),
            topics: document.topics.map_or("[]", RawValue::get).into(),
            faq: each(&document.faq, Question::new),
            overview: document.overview().into(),
        }
    }
}

impl Document<'_> {
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

impl Item {
    fn new(known: Known, raw: &RawValue) -> Self {
        let Known { id, name, example_review_ids } = known;
        let words = [&id, &name].map(|word| casefold(word).into_owned());
        Self { id, name, json: raw.get().into(), example_review_ids, words }
    }

    /// Whether this folded word is its id or its name.
    pub(crate) fn is_called(&self, folded: &str) -> bool {
        self.words.iter().any(|word| word == folded)
    }
}

impl Question {
    fn new(asked: Asked, raw: &RawValue) -> Self {
        let folded = casefold(&format!("{}\n{}", asked.question, asked.answer)).into_owned();
        Self { id: asked.id, json: raw.get().into(), folded }
    }
}
