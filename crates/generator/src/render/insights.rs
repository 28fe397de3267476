//! `insights.json` (contract 2.3): the computed insights, written review by review.

mod per_review;

use contract::model::{Day, Ratio, Review, ReviewId};
use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use self::per_review::{PerReview, per_review};
use super::{Body, stream::ObjectWriter};
use content::{dataset::Dataset, words::Words};
use insights::{
    Answer, AspectSummary, Coverage, EntityKind, EntitySummary, Example, FrequentWord, Insights,
    Overall, PositiveRange, Sentiment, Tally, TopicSummary, Trend,
};

/// Version of the document's shape (contract 2.3).
const VERSION: u32 = 1;

/// `insights.json`.
#[derive(JsonSchema)]
#[schemars(rename = "Insights")]
#[expect(
    dead_code,
    reason = "the schema is made from it; the document is written review by review"
)]
pub(super) struct Document<'d> {
    /// Of the document's shape.
    version: u32,
    /// The newest `updated` among the reviews, never the clock.
    generated_at: Timestamp,
    /// What computed it.
    model: Model<'d>,
    /// How many reviews it rests on.
    review_count: u64,
    /// How many of them have a reply of the business.
    replied_count: u64,
    /// From the first review's `date` to the last's.
    date_range: DateRange,
    /// All reviews together; shares of all scored reviews.
    overall_sentiment: Overall,
    /// What customers judge.
    aspects: Vec<Aspect<'d>>,
    /// Technicians, services, problems and areas that reviews name.
    entities: Entities<'d>,
    /// What else customers speak of.
    topics: Vec<Entity<'d>>,
    /// The words that most reviews contain, as praise or as criticism, in the language of most reviews.
    frequent_words: Vec<FrequentWord>,
    /// Month by month. Reviews whose day is not known (`date_precision`) are in no month and no trend.
    temporal: Temporal,
    /// By review id.
    per_review: BTreeMap<String, PerReview<'d>>,
    /// Questions and answers, the owner's first.
    faq: Vec<Answer>,
    /// Markdown: the owner's words, or computed ones.
    summary: Option<String>,
    /// The clearest praise.
    pull_quote: Option<Example>,
}

/// What computed it, and how many reviews were judged how.
#[derive(Serialize, JsonSchema)]
struct Model<'d> {
    /// A stable name.
    name: &'static str,
    /// Another number judges differently.
    version: u32,
    /// How it judges, in words.
    description: String,
    /// BLAKE3 of its tables and the owner's rules.
    hash: &'d str,
    /// How many reviews were judged how.
    coverage: Coverage,
}

const NAME: &str = "candor-aspects";
const MODEL_VERSION: u32 = 2;

#[derive(Serialize, JsonSchema)]
struct DateRange {
    /// The first review's day.
    earliest: Option<Day>,
    /// The last review's day.
    latest: Option<Day>,
}

/// The words aspects, entities and topics share.
#[derive(Serialize, JsonSchema)]
struct Counts {
    /// Reviews that speak of it.
    mention_count: u64,
    /// Mean stars of the whole reviews that mention it: what they give for everything, not for this.
    average_rating: Option<Ratio>,
    /// Reviews that praise it.
    positive_count: u64,
    /// Reviews that do neither.
    neutral_count: u64,
    /// Reviews that blame it.
    negative_count: u64,
    /// Reviews that do both.
    mixed_count: u64,
    /// `positive / (positive + negative)`, 0 to 100 with one decimal; null below five such opinions,
    /// and where `unjudged_count` is more than a tenth of these opinions and itself.
    positive_pct: Option<Ratio>,
    /// The share with those that could not be judged, as blame or as praise; null below five opinions.
    positive_range: Option<PositiveRange>,
    /// Of the neutral ones, reviews of one to three stars: their opinion could not be judged.
    unjudged_count: u64,
    /// Mean score, -1 to 1.
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
            positive_range: tally.positive_range(),
            unjudged_count: tally.unjudged(),
            score: tally.score(),
        }
    }
}

impl Counts {
    /// Removes the figures that judge.
    fn unscored(self) -> Self {
        Self { average_rating: None, positive_pct: None, positive_range: None, score: None, ..self }
    }
}

#[derive(Serialize, JsonSchema)]
struct Aspect<'d> {
    /// Slug.
    id: &'d str,
    /// Shown, in the language of the site.
    label: String,
    /// What counts, in a sentence; null for an owner's aspect without one.
    definition: Option<String>,
    #[serde(flatten)]
    counts: Counts,
    /// The last half year against the one before.
    trend: Trend,
    /// What these sentences say that others do not.
    top_phrases: &'d [String],
    /// The reviews of `examples`.
    example_review_ids: Vec<ReviewId>,
    /// Sentences that show it, exact parts of their reviews.
    examples: &'d [Example],
}

impl<'d> Aspect<'d> {
    fn of(summary: &'d AspectSummary, words: &Words) -> Self {
        let definition = summary.definition.as_deref();
        Self {
            id: &summary.id,
            label: words.aspect(&summary.id, &summary.label),
            definition: definition.map(|text| words.definition(&summary.id, text)),
            counts: (&summary.tally).into(),
            trend: summary.trend,
            top_phrases: &summary.top_phrases,
            example_review_ids: summary.examples.iter().map(|example| example.review_id).collect(),
            examples: &summary.examples,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Entity<'d> {
    /// Slug.
    id: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// A technician's or an area's.
    name: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// A service's, a problem's or a topic's.
    label: Option<&'d str>,
    #[serde(flatten)]
    counts: Counts,
    /// A technician's last day of work; null where none is set. A technician without a score has
    /// null in `average_rating`, `positive_pct`, `positive_range` and `score`.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_until: Option<Option<Day>>,
    /// What these reviews say that others do not.
    top_phrases: &'d [String],
    /// The newest, a negative one among them wherever there is one.
    example_review_ids: &'d [ReviewId],
}

#[derive(Serialize, JsonSchema)]
struct Entities<'d> {
    /// Who does the work.
    technicians: Vec<Entity<'d>>,
    /// What is done.
    services: Vec<Entity<'d>>,
    /// What goes wrong at customers'.
    problems: Vec<Entity<'d>>,
    /// Where.
    service_areas: Vec<Entity<'d>>,
}

#[derive(Serialize, JsonSchema)]
struct Temporal {
    /// Every month from the first review to the last.
    monthly: Vec<Month>,
    /// Every year with reviews, also those whose day is not known.
    yearly: Vec<Year>,
    /// The last half year against the one before.
    trend: Trend,
}

#[derive(Serialize, JsonSchema)]
struct Year {
    /// The year.
    year: i16,
    /// Its reviews.
    review_count: u64,
    /// Their mean stars.
    average_rating: Option<Ratio>,
}

#[derive(Serialize, JsonSchema)]
struct Month {
    /// `YYYY-MM`
    month: String,
    /// Its reviews.
    review_count: u64,
    /// Their mean stars; null in a month without reviews.
    average_rating: Option<Ratio>,
    /// Their mean score.
    score: Option<Ratio>,
}

pub(super) fn body(data: &Dataset) -> Body<'_> {
    Body::Stream(Box::new(move |out| {
        let (insights, words) = (&data.insights, Words::new(&data.site));
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &VERSION)?;
        object.member("generated_at", &data.generated_at)?;
        object.member("model", &model(insights, &words))?;
        object.member("review_count", &data.reviews.len())?;
        let replied = data.reviews.iter().filter(|review| review.owner_reply.is_some());
        object.member("replied_count", &replied.count())?;
        object.member("date_range", &date_range(data))?;
        object.member("overall_sentiment", &insights.overall)?;
        object.array("aspects", insights.aspects.iter().map(|it| Aspect::of(it, &words)))?;
        object.member("entities", &entities(insights))?;
        object.array("topics", insights.topics.iter().map(topic))?;
        object.member("frequent_words", &insights.frequent_words)?;
        object.member("temporal", &temporal(data))?;
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

/// Returns the entries of one aspect and of one review: the aspect that most reviews mention, and the newest review
/// that judges several aspects.
pub(crate) fn samples(data: &Dataset) -> [Option<Value>; 2] {
    let aspect = data.insights.aspects.iter().max_by_key(|aspect| aspect.tally.count());
    let words = Words::new(&data.site);
    let aspect = aspect.and_then(|it| serde_json::to_value(Aspect::of(it, &words)).ok());
    let both = || data.reviews.iter().zip(&data.insights.per_review);
    let telling = both().find(|(_, insight)| insight.aspects.len() > 1).or(both().next());
    let review = telling.and_then(|(review, insight)| {
        let judged = serde_json::to_value(per_review(data, review, insight)).ok()?;
        Some(serde_json::json!({ review.id.to_string(): judged }))
    });
    [aspect, review]
}

fn model<'d>(insights: &'d Insights, words: &Words) -> Model<'d> {
    Model {
        name: NAME,
        version: MODEL_VERSION,
        description: match insights.languages[..] {
            ["en"] => words.word("model_description"),
            ref read => {
                let read = [("languages", read.join(", "))];
                words.say("model_description_of", None, &read).unwrap_or_default()
            }
        },
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
    let counts = Counts::from(&summary.tally);
    Entity {
        id: &summary.id,
        name: Some(&*summary.name).filter(|_| has_name),
        label: Some(&*summary.name).filter(|_| !has_name),
        counts: if summary.is_scored { counts } else { counts.unscored() },
        active_until: (kind == EntityKind::Technician).then_some(summary.active_until),
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
        active_until: None,
        top_phrases: &[],
        example_review_ids: &summary.example_review_ids,
    }
}

fn temporal(data: &Dataset) -> Temporal {
    let insights = &data.insights;
    let month = |month: &insights::Month| Month {
        month: month.first.month(),
        review_count: month.tally.count(),
        average_rating: month.tally.average_rating(),
        score: month.tally.score(),
    };
    let mut years: BTreeMap<i16, (u64, u64)> = BTreeMap::new();
    for review in &data.reviews {
        let (count, stars) = years.entry(review.date.date().year()).or_default();
        (*count, *stars) = (*count + 1, *stars + u64::from(review.rating.stars()));
    }
    let year = |(year, (review_count, stars))| Year {
        year,
        review_count,
        average_rating: Ratio::of(stars as i64, review_count, 2),
    };
    Temporal {
        monthly: insights.monthly.iter().map(month).collect(),
        yearly: years.into_iter().map(year).collect(),
        trend: insights.trend,
    }
}
