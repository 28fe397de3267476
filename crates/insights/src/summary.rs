//! Computes [`Insights`] from reviews: each review is analysed on its own, then the results are counted.

pub(crate) mod annotations;
pub(crate) mod definitions;
pub(crate) mod document;
pub(crate) mod entities;
pub(crate) mod examples;
pub(crate) mod frequent;
pub(crate) mod phrases;
pub(crate) mod phrasing;
pub(crate) mod reading;
pub(crate) mod tally;

use contract::{
    model::{Business, Day, Ratio, Review},
    parallel,
    problem::Report,
};
use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};
use tracing::info_span;

use crate::{
    aspects::Aspects,
    config::AspectConfig,
    language::{Language, is_of},
    memory::Memory,
    names::KnownNames,
    opinion::Sentiment,
    summary::{
        annotations::Applied,
        definitions::definition,
        document::{
            AspectSummary, Basis, Coverage, Insights, Month, Overall, ReviewAspect, ReviewInsight,
        },
        entities::{entities, topic_summaries},
        examples::Candidate,
        phrasing::Phrasing,
        reading::{Analyst, Readings, read_all},
        tally::{Tally, Trend, direction},
    },
    threads::threads,
};

/// The length in days of each of the two periods that a trend compares.
const TREND_DAYS: i64 = 180;

/// The input of the insights.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The reviews, newest first.
    pub reviews: &'a [Review],
    /// The language of the site (BCP 47).
    pub language: &'a str,
    /// The business, whose technicians, services and areas are the listed ones.
    pub business: &'a Business,
    /// The entities that a review can mention.
    pub known: KnownNames<'a>,
    /// The owner's aspects.
    pub config: &'a AspectConfig,
    /// The annotations.
    pub annotations: &'a Applied,
    /// The results of earlier runs.
    pub memory: &'a dyn Memory,
}

impl Input<'_> {
    /// The languages of the texts that are analysed, in the order of the list of all; English if there is none.
    pub(crate) fn languages(&self) -> Vec<&'static Language> {
        let is_used = |language: &Language| {
            self.reviews.iter().any(|review| {
                reading::words_of(review).is_some_and(|it| it.1.tag() == language.tag())
            })
        };
        let mut used: Vec<_> = Language::all().filter(|language| is_used(language)).collect();
        if used.is_empty() {
            used.push(Language::english());
        }
        used
    }

    /// The language of most texts that are analysed: that of phrases and suggestions.
    pub(crate) fn main_language(&self) -> &'static Language {
        let count = |language: &Language| {
            self.reviews.iter().filter(|review| is_of(review, language.tag())).count()
        };
        let read = Language::all().filter(|language| language.is_read());
        // The first of equal ones.
        read.rev().max_by_key(|language| count(language)).unwrap_or(Language::english())
    }
}

/// Computes the insights. A pure function: "now" is the date of the newest review. Problems of the
/// owner's patterns are added to `report`.
#[must_use]
pub fn compute(input: &Input<'_>, report: &Report) -> Insights {
    compute_on(threads(input.reviews.len()), input, report)
}

/// Like [`compute`], with this number of threads. The number does not affect the result.
#[must_use]
pub fn compute_on(threads: usize, input: &Input<'_>, report: &Report) -> Insights {
    let aspects = Aspects::new(input.config);
    let analyst = Analyst::new(&aspects, input);
    analyst.report(&aspects, report);
    let read = read_all(input, &aspects, &analyst, threads);
    let (phrasing, frequent_words) = parallel::both(
        || info_span!("find phrases").in_scope(|| Phrasing::of(input, &read, aspects.list.len())),
        || frequent::frequent_words(input),
    );
    let windows = Windows::before(input.reviews.first().map(|review| review.date));
    Insights {
        coverage: coverage(&read.insights, input.reviews),
        overall: overall(&read.insights),
        aspects: aspect_summaries((&aspects, &analyst), input, &read, &phrasing, &windows),
        entities: entities(input, &read.insights, &phrasing),
        topics: topic_summaries(input, &read.insights),
        monthly: monthly(input.reviews, &read.insights),
        frequent_words,
        trend: overall_trend(input.reviews, &read.insights, &windows),
        pull_quote: examples::best(&read.candidates.concat()),
        agreement: read.agreement,
        languages: analyst.languages(),
        aspect_ids: aspects.list.iter().map(|aspect| aspect.id.clone()).collect(),
        model_hash: analyst.model_hash,
        per_review: read.insights,
    }
}

/// A hash of everything that affects a judgement except the text: the tables of the languages of the texts, the owner's
/// rules.
pub(crate) fn model_hash(languages: &[&'static Language], config: &AspectConfig) -> String {
    let mut hasher = blake3::Hasher::new();
    for table in languages.iter().flat_map(|language| language.tables()) {
        hasher.update(table.as_bytes());
    }
    hasher.update(config.digest().as_bytes());
    hasher.finalize().to_hex().to_string()
}

fn coverage(insights: &[ReviewInsight], reviews: &[Review]) -> Coverage {
    let mut coverage = Coverage::default();
    for (insight, review) in insights.iter().zip(reviews) {
        match insight.basis {
            Basis::Text => coverage.text += 1,
            Basis::Annotation => coverage.annotated += 1,
            Basis::Rating if review.text.is_none() => coverage.rating_only += 1,
            Basis::Rating => coverage.other_language += 1,
        }
    }
    coverage
}

fn overall(insights: &[ReviewInsight]) -> Overall {
    let count = insights.len() as u64;
    let of = |wanted: Sentiment| {
        insights.iter().filter(|insight| insight.sentiment == wanted).count() as u64
    };
    let (positive, negative) = (of(Sentiment::Positive), of(Sentiment::Negative));
    let neutral = count - positive - negative;
    let share = |part: u64| Ratio::of(part as i64 * 100, count, 1);
    let sum: i64 = insights.iter().map(|insight| i64::from(insight.score)).sum();
    Overall {
        score: Ratio::of(sum, count * 1_000, 3),
        positive_share: share(positive),
        positive_pct: share(positive),
        neutral_pct: share(neutral),
        negative_pct: share(negative),
        positive_count: positive,
        neutral_count: neutral,
        negative_count: negative,
    }
}

/// The half year up to the newest review, and the half year before.
struct Windows {
    recent: Date,
    earlier: Date,
}

impl Windows {
    fn before(newest: Option<Day>) -> Self {
        let newest = newest.map_or(Date::MIN, Day::date);
        let back = |days: i64| newest.checked_sub(days.days()).unwrap_or(Date::MIN);
        Self { recent: back(TREND_DAYS), earlier: back(2 * TREND_DAYS) }
    }

    /// Compares the shares of the votes with `true` in both periods. Reviews without a known day are in
    /// neither.
    fn direction<'r>(&self, votes: impl Iterator<Item = (&'r Review, bool)>) -> Trend {
        let mut counts = [(0, 0); 2];
        for (review, part) in votes {
            let Some(day) = review.known_day() else { continue };
            let day = day.date();
            let side = if day > self.recent {
                0
            } else if day > self.earlier {
                1
            } else {
                continue;
            };
            counts[side].0 += u64::from(part);
            counts[side].1 += 1;
        }
        direction(counts[0], counts[1])
    }
}

/// The trend of the share of positive reviews.
fn overall_trend(reviews: &[Review], insights: &[ReviewInsight], windows: &Windows) -> Trend {
    let votes = reviews.iter().zip(insights);
    windows.direction(
        votes.map(|(review, insight)| (review, insight.sentiment == Sentiment::Positive)),
    )
}

/// Every month from the first review of a known day to the last, including months without reviews.
fn monthly(reviews: &[Review], insights: &[ReviewInsight]) -> Vec<Month> {
    let mut months: BTreeMap<Date, Tally> = BTreeMap::new();
    for (review, insight) in reviews.iter().zip(insights) {
        let Some(day) = review.known_day() else { continue };
        let tally = months.entry(day.date().first_of_month()).or_default();
        tally.add(insight.sentiment, insight.score, review.rating);
    }
    let (Some((first, _)), Some((last, _))) = (months.first_key_value(), months.last_key_value())
    else {
        return Vec::new();
    };
    let all = first.series(1.month()).take_while(|month| month <= last);
    all.map(|month| Month {
        first: month.into(),
        tally: months.get(&month).copied().unwrap_or_default(),
    })
    .collect()
}

fn aspect_summaries(
    (aspects, analyst): (&Aspects, &Analyst<'_>),
    input: &Input<'_>,
    read: &Readings<'_>,
    phrasing: &Phrasing,
    windows: &Windows,
) -> Vec<AspectSummary> {
    let mut votes: Vec<Vec<(&Review, &ReviewAspect)>> = vec![Vec::new(); aspects.list.len()];
    for (review, insight) in input.reviews.iter().zip(&read.insights) {
        let opinions = insight.aspects.iter();
        opinions.for_each(|opinion| votes[usize::from(opinion.aspect)].push((review, opinion)));
    }
    let mut summaries = Vec::new();
    for (at, (aspect, votes)) in aspects.list.iter().zip(votes).enumerate() {
        let mut tally = Tally::default();
        for (review, opinion) in &votes {
            tally.add(opinion.sentiment, opinion.score, review.rating);
        }
        if tally.count() == 0 && !aspect.by_owner {
            continue;
        }
        let opinions = votes
            .iter()
            .filter(|(_, o)| matches!(o.sentiment, Sentiment::Positive | Sentiment::Negative));
        let candidates: &[Candidate<'_>] = &read.candidates[at];
        let [examples, spare_examples] = examples::choose(candidates);
        summaries.push(AspectSummary {
            id: aspect.id.clone(),
            label: aspect.label.clone(),
            definition: input
                .config
                .definition(&aspect.id)
                .or(definition(&aspect.id))
                .map(Into::into),
            tally,
            trend: windows
                .direction(opinions.map(|(r, o)| (*r, o.sentiment == Sentiment::Positive))),
            top_phrases: phrasing.of_aspect(at, analyst),
            examples,
            spare_examples,
        });
    }
    summaries
}
