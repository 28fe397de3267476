//! Reads the documents, and compares them with each other.

use contract::{
    changes,
    manifest::Manifest,
    model::{AggregateRating, Day, Rating, ReviewId},
};
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};

use crate::report::{Check, Findings, Level, Mismatch};

/// These documents passed for the bytes of their manifest: what is wrong in them was so when they
/// were built.
pub(crate) const REBUILD: &str =
    "the bytes are those that were published, so a build wrote this: report it, with the versions";

/// The parts of `reviews.json` that the checks need.
pub(crate) struct Reviews {
    pub list: Vec<FetchedReview>,
    /// The newest review, with all its keys.
    pub first: Option<Value>,
    generated_at: Timestamp,
    aggregate: Value,
    by_source: u64,
}

/// The parts of a review that the checks need.
#[derive(Deserialize)]
pub(crate) struct FetchedReview {
    pub id: ReviewId,
    pub date: Day,
    pub rating: Rating,
    pub text: Option<Box<str>>,
    pub url: Box<str>,
    pub updated: Timestamp,
    verified: bool,
}

impl Reviews {
    /// Counts the reviews that meet a condition.
    pub(crate) fn count(&self, meets: impl Fn(&FetchedReview) -> bool) -> u64 {
        self.list.iter().filter(|entry| meets(entry)).count() as u64
    }
}

/// Reads `reviews.json`.
pub(crate) fn reviews(bytes: &[u8]) -> Result<Reviews, Mismatch> {
    #[derive(Deserialize)]
    struct FetchedReviews<'a> {
        generated_at: Timestamp,
        aggregate_rating: Value,
        sources: Vec<SourceCounts>,
        #[serde(borrow)]
        reviews: Vec<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct SourceCounts {
        review_count: u64,
    }
    let bad = |error: serde_json::Error| {
        Mismatch::new("reviews as the schema says", error.to_string(), REBUILD)
    };
    let document: FetchedReviews<'_> = serde_json::from_slice(bytes).map_err(bad)?;
    let first = document.reviews.first().map(|raw| serde_json::from_str(raw.get()));
    let list = document.reviews.iter().map(|raw| serde_json::from_str(raw.get()));
    Ok(Reviews {
        list: list.collect::<Result<_, _>>().map_err(bad)?,
        first: first.transpose().map_err(bad)?,
        generated_at: document.generated_at,
        aggregate: document.aggregate_rating,
        by_source: document.sources.iter().map(|source| source.review_count).sum(),
    })
}

/// Whether `reviews.json` agrees with itself and with the manifest.
pub(crate) fn consistent(manifest: &Manifest, reviews: &Reviews, findings: &mut Findings) {
    let mut same = |expected: String, found: String| {
        let verdict =
            if expected == found { Ok(()) } else { Err(Mismatch::new(expected, found, REBUILD)) };
        findings.judge(Check::Reviews, Level::Fail, "/reviews.json", verdict);
    };
    let counted = AggregateRating::over(reviews.list.iter().map(|review| review.rating));
    let counted = serde_json::to_value(&counted).unwrap_or_default();
    same(format!("aggregate_rating {counted}"), format!("aggregate_rating {}", reviews.aggregate));
    let total = reviews.list.len() as u64;
    same(
        format!("{total} reviews in sources"),
        format!("{} reviews in sources", reviews.by_source),
    );
    let ordered = reviews.list.is_sorted_by(|a, b| (a.date, a.id) > (b.date, b.id));
    let order = if ordered { "newest first, each once" } else { "another order" };
    same("newest first, each once".to_owned(), order.to_owned());
    let unverified = reviews.count(|review| !review.verified);
    same("0 unverified reviews".to_owned(), format!("{unverified} unverified reviews"));
    if let Some(newest) = reviews.list.iter().map(|review| review.updated).max() {
        same(format!("generated_at {newest}"), format!("generated_at {}", reviews.generated_at));
    }
    let start = format!("{}/", manifest.base_url);
    let page = |url: &str| {
        let path = url.strip_prefix(&start)?;
        (path.contains('#') || manifest.file(&format!("{path}index.html")).is_some()).then_some(())
    };
    let lost = reviews.count(|review| page(&review.url).is_none());
    same("0 reviews without a page".to_owned(), format!("{lost} reviews without a page"));
}

/// Whether `insights.json` and the files of changes speak of the published reviews. `content` returns the bytes of a
/// document, if it could be read.
pub(crate) fn agree<'a>(
    reviews: &Reviews,
    content: impl Fn(&str) -> Option<&'a [u8]>,
    findings: &mut Findings,
) {
    let ids: HashSet<ReviewId> = reviews.list.iter().map(|review| review.id).collect();
    if let Some(bytes) = content("insights.json") {
        let verdict = insights_agree(bytes, &ids);
        findings.judge(Check::Agreement, Level::Fail, "/insights.json", verdict);
    }
    if let Some(bytes) = content(changes::NEWEST) {
        let verdict = changes_agree(bytes, content, &ids);
        findings.judge(Check::Agreement, Level::Fail, "/changes.json", verdict);
    }
}

fn insights_agree(bytes: &[u8], ids: &HashSet<ReviewId>) -> Result<(), Mismatch> {
    #[derive(Deserialize)]
    struct FetchedInsights {
        review_count: usize,
        per_review: BTreeMap<ReviewId, IgnoredAny>,
    }
    let expected = format!("{} reviews, each of them published", ids.len());
    let insights: FetchedInsights = serde_json::from_slice(bytes)
        .map_err(|error| Mismatch::new(&expected, error.to_string(), REBUILD))?;
    if insights.review_count != ids.len() {
        return Err(Mismatch::new(expected, format!("{} reviews", insights.review_count), REBUILD));
    }
    match insights.per_review.keys().find(|id| !ids.contains(id)) {
        Some(id) => Err(Mismatch::new(expected, format!("{id}, which is not"), REBUILD)),
        None => Ok(()),
    }
}

/// A copy that follows the changes, with those of the older files, has exactly the published reviews.
fn changes_agree<'a>(
    mut bytes: &'a [u8],
    content: impl Fn(&str) -> Option<&'a [u8]>,
    ids: &HashSet<ReviewId>,
) -> Result<(), Mismatch> {
    #[derive(Deserialize)]
    struct FetchedChanges {
        older: Option<String>,
        changes: Vec<FetchedChange>,
    }
    #[derive(Deserialize)]
    struct FetchedChange {
        id: ReviewId,
        change: String,
    }
    let expected = "a newest change of each review that fits reviews.json";
    let mut newest = HashMap::new();
    let mut number = usize::MAX;
    loop {
        let file: FetchedChanges = serde_json::from_slice(bytes)
            .map_err(|error| Mismatch::new(expected, error.to_string(), REBUILD))?;
        for change in file.changes {
            newest.entry(change.id).or_insert(change.change);
        }
        let Some(older) = file.older else { break };
        let Some(earlier) = changes::number(&older).filter(|earlier| *earlier < number) else {
            return Err(Mismatch::new("the name of a file of older changes", older, REBUILD));
        };
        // A file that could not be read has a finding of its own.
        let Some(found) = content(&older) else { return Ok(()) };
        (number, bytes) = (earlier, found);
    }
    let mismatch = newest.iter().find(|(id, change)| (*change == "removed") == ids.contains(id));
    match mismatch {
        Some((id, change)) => {
            let where_ = if ids.contains(id) { "published" } else { "not published" };
            Err(Mismatch::new(expected, format!("{id} is {change} and {where_}"), REBUILD))
        }
        None => Ok(()),
    }
}
