//! `insights.json` as far as ratings, dates and mentions carry it: sentiment follows from stars.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::{ToSpan, civil::Date};
use serde::Serialize;

use super::{Body, stream::ObjectWriter};
use crate::{
    dataset::{Aggregate, Dataset, Ratio},
    model::{Day, Faq, Review, ReviewId},
};

/// Version of the document's shape (contract 2.3).
const VERSION: u32 = 1;
/// Below this many opinions a share says nothing (contract 2.3).
const MIN_OPINIONS: u64 = 5;
/// Example reviews of an entity.
const MAX_EXAMPLES: usize = 3;
/// A trend compares this many months with as many before them.
const TREND_MONTHS: i32 = 6;
/// A trend needs this many reviews on each side.
const TREND_MIN_REVIEWS: u64 = 10;
/// Stars by which averages must differ to be a trend, in hundredths.
const TREND_HUNDREDTHS: i64 = 15;

#[derive(Serialize)]
struct Model {
    name: &'static str,
    version: u32,
    description: &'static str,
}

const MODEL: Model = Model {
    name: "stars",
    version: 1,
    description: "Sentiment follows from the rating alone: 4 and 5 stars are positive, 3 neutral, 1 and 2 negative.",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Sentiment {
    Positive,
    Neutral,
    Negative,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Trend {
    Improving,
    Stable,
    Declining,
    Insufficient,
}

#[derive(Serialize)]
struct DateRange {
    earliest: Option<Day>,
    latest: Option<Day>,
}

#[derive(Serialize)]
struct Overall {
    score: Option<Ratio>,
    positive_pct: Option<Ratio>,
    neutral_pct: Option<Ratio>,
    negative_pct: Option<Ratio>,
}

#[derive(Serialize)]
struct Entities {
    technicians: Vec<Entity>,
    services: Vec<Entity>,
    problems: [(); 0],
    service_areas: Vec<Entity>,
}

#[derive(Serialize)]
struct Entity {
    id: Arc<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Arc<str>>,
    mention_count: u64,
    average_rating: Option<Ratio>,
    positive_count: u64,
    neutral_count: u64,
    negative_count: u64,
    positive_pct: Option<Ratio>,
    score: Option<Ratio>,
    top_phrases: [(); 0],
    example_review_ids: Vec<ReviewId>,
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
    aspects: [(); 0],
    technicians: Vec<&'d Arc<str>>,
    services: &'d [Arc<str>],
    problems: [(); 0],
    service_areas: &'d [Arc<str>],
    topics: [(); 0],
}

#[derive(Serialize)]
struct FaqEntry<'d> {
    id: &'d str,
    question: &'d str,
    answer: &'d str,
    source: &'static str,
    review_ids: Vec<&'d ReviewId>,
}

pub(super) fn body(data: &Dataset) -> Body<'_> {
    Body::Stream(Box::new(move |out| {
        let all: Aggregate = data.reviews.iter().map(|review| review.rating).collect();
        let cited = published_among(data, data.faq.iter().flat_map(|entry| &entry.review_ids));
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &VERSION)?;
        object.member("generated_at", &data.generated_at)?;
        object.member("model", &MODEL)?;
        object.member("review_count", &all.count())?;
        object.member("date_range", &date_range(data))?;
        object.member("overall_sentiment", &overall(&all))?;
        object.member("aspects", &[(); 0])?;
        object.member("entities", &entities(data))?;
        object.member("topics", &[(); 0])?;
        object.member("temporal", &temporal(data))?;
        object.map(
            "per_review",
            data.reviews.iter().map(|review| (review.id.to_string(), per_review(data, review))),
        )?;
        object
            .member("faq", &data.faq.iter().map(|entry| faq(&cited, entry)).collect::<Vec<_>>())?;
        object.member("summary", &data.summary.as_ref().map(|summary| &summary.text))?;
        object.member("pull_quote", &())?;
        object.close()
    }))
}

/// Those of `ids` that are published.
fn published_among<'d>(
    data: &Dataset,
    ids: impl Iterator<Item = &'d ReviewId>,
) -> BTreeSet<ReviewId> {
    let ids: BTreeSet<ReviewId> = ids.copied().collect();
    data.reviews.iter().map(|review| review.id).filter(|id| ids.contains(id)).collect()
}

fn date_range(data: &Dataset) -> DateRange {
    let day = |review: Option<&Review>| review.map(|review| review.date);
    DateRange { earliest: day(data.reviews.last()), latest: day(data.reviews.first()) }
}

fn overall(all: &Aggregate) -> Overall {
    let share = |part: u64| Ratio::of(part as i64 * 100, all.count(), 1);
    Overall {
        score: all.score(),
        positive_pct: share(all.positive()),
        neutral_pct: share(all.neutral()),
        negative_pct: share(all.negative()),
    }
}

fn entities(data: &Dataset) -> Entities {
    let business = &data.business;
    Entities {
        technicians: collect(
            data,
            business.technicians.iter().map(|t| (&t.id, Some(&t.name), None)),
            |m| &m.technician_ids,
        ),
        services: collect(
            data,
            business.services.iter().map(|s| (&s.id, None, Some(&s.label))),
            |m| &m.services,
        ),
        problems: [],
        service_areas: collect(
            data,
            business.service_areas.iter().map(|a| (&a.id, Some(&a.name), None)),
            |m| &m.service_areas,
        ),
    }
}

fn collect<'d>(
    data: &'d Dataset,
    known: impl Iterator<Item = (&'d Arc<str>, Option<&'d Arc<str>>, Option<&'d Arc<str>>)>,
    mentions: impl Fn(&'d crate::model::Mentions) -> &'d Vec<Arc<str>>,
) -> Vec<Entity> {
    let mut named: BTreeMap<&str, Vec<&Review>> = BTreeMap::new();
    for review in &data.reviews {
        for id in mentions(&review.mentions) {
            named.entry(id).or_default().push(review);
        }
    }
    let entity = |(id, name, label): (&Arc<str>, Option<&Arc<str>>, Option<&Arc<str>>)| {
        let reviews = named.get(&**id).map_or(&[][..], Vec::as_slice);
        let counts: Aggregate = reviews.iter().map(|review| review.rating).collect();
        let opinions = counts.positive() + counts.negative();
        let positive_pct = Ratio::of(counts.positive() as i64 * 100, opinions, 1);
        Entity {
            id: id.clone(),
            name: name.cloned(),
            label: label.cloned(),
            mention_count: counts.count(),
            average_rating: counts.average(),
            positive_count: counts.positive(),
            neutral_count: counts.neutral(),
            negative_count: counts.negative(),
            positive_pct: positive_pct.filter(|_| opinions >= MIN_OPINIONS),
            score: counts.score(),
            top_phrases: [],
            example_review_ids: examples(reviews),
        }
    };
    known.map(entity).collect()
}

/// The newest reviews, a negative one among them wherever there is one.
fn examples(reviews: &[&Review]) -> Vec<ReviewId> {
    let mut ids: Vec<ReviewId> =
        reviews.iter().take(MAX_EXAMPLES).map(|review| review.id).collect();
    let negative = reviews.iter().find(|review| sentiment(review) == Sentiment::Negative);
    if let Some(review) = negative.filter(|review| !ids.contains(&review.id)) {
        ids.truncate(MAX_EXAMPLES - 1);
        ids.push(review.id);
    }
    ids
}

fn sentiment(review: &Review) -> Sentiment {
    match review.rating.stars() {
        4.. => Sentiment::Positive,
        3 => Sentiment::Neutral,
        _ => Sentiment::Negative,
    }
}

fn per_review<'d>(data: &'d Dataset, review: &'d Review) -> PerReview<'d> {
    // A technician without a page and a score has no entity an id could name.
    let listed =
        |id: &&Arc<str>| data.business.technicians.iter().any(|technician| technician.id == **id);
    let score = Aggregate::from_iter([review.rating]).score();
    PerReview {
        sentiment: sentiment(review),
        score,
        aspects: [],
        technicians: review.mentions.technician_ids.iter().filter(listed).collect(),
        services: &review.mentions.services,
        problems: [],
        service_areas: &review.mentions.service_areas,
        topics: [],
    }
}

/// Every month from the first review to the last, months without reviews included.
fn temporal(data: &Dataset) -> Temporal {
    let mut months: BTreeMap<Date, Aggregate> = BTreeMap::new();
    for review in &data.reviews {
        months.entry(review.date.date().first_of_month()).or_default().add(review.rating);
    }
    let trend = trend(&months);
    let mut monthly = Vec::new();
    if let (Some((first, _)), Some((last, _))) = (months.first_key_value(), months.last_key_value())
    {
        for month in first.series(1.month()).take_while(|month| month <= last) {
            let counts = months.get(&month).copied().unwrap_or_default();
            monthly.push(Month {
                month: Day::from(month).month(),
                review_count: counts.count(),
                average_rating: counts.average(),
                score: counts.score(),
            });
        }
    }
    Temporal { monthly, trend }
}

/// The last months against those before them, as of the newest review.
fn trend(months: &BTreeMap<Date, Aggregate>) -> Trend {
    let Some((last, _)) = months.last_key_value() else {
        return Trend::Insufficient;
    };
    let back = |months: i32| last.checked_sub(months.months()).unwrap_or(Date::MIN);
    let (split, start) = (back(TREND_MONTHS), back(2 * TREND_MONTHS));
    let sum = |from: Date, to: Date| {
        let mut stars = (0_i64, 0_u64);
        // A start after `from`: each window is half open at its early end.
        for (_, counts) in months.iter().filter(|(month, _)| from < **month && **month <= to) {
            for rating in crate::model::Rating::all() {
                stars.0 += i64::from(rating.stars()) * counts.with(rating) as i64;
            }
            stars.1 += counts.count();
        }
        stars
    };
    let (recent, earlier) = (sum(split, *last), sum(start, split));
    if recent.1 < TREND_MIN_REVIEWS || earlier.1 < TREND_MIN_REVIEWS {
        return Trend::Insufficient;
    }
    let difference = recent.0 * 100 * earlier.1 as i64 - earlier.0 * 100 * recent.1 as i64;
    let threshold = TREND_HUNDREDTHS * (recent.1 * earlier.1) as i64;
    match difference {
        d if d >= threshold => Trend::Improving,
        d if d <= -threshold => Trend::Declining,
        _ => Trend::Stable,
    }
}

fn faq<'d>(published: &BTreeSet<ReviewId>, entry: &'d Faq) -> FaqEntry<'d> {
    FaqEntry {
        id: &entry.id,
        question: &entry.question,
        answer: &entry.answer,
        source: "owner",
        // What is withheld is named nowhere.
        review_ids: entry.review_ids.iter().filter(|id| published.contains(id)).collect(),
    }
}
