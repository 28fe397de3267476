//! What the documents say, and whether they say the same.

use contract::{
    api::FEED_SIZE,
    manifest::Manifest,
    model::AggregateRating,
    model::{Day, Rating, ReviewId},
    routes,
};
use std::collections::{BTreeMap, HashMap, HashSet};

use atom_syndication::Feed;
use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};

use super::report::{Check, Level, Log, Wrong};

/// These documents passed for the bytes of their manifest: what is wrong in them was so when they
/// were built.
const REBUILD: &str =
    "the bytes are those that were published, so a build wrote this: report it, with the versions";

/// The version a JSON Feed names.
const JSON_FEED: &str = "https://jsonfeed.org/version/1.1";

/// What is needed of `reviews.json`.
pub(super) struct Reviews {
    pub(super) list: Vec<Entry>,
    /// The newest, whole.
    pub(super) first: Option<Value>,
    generated_at: Timestamp,
    aggregate: Value,
    by_source: u64,
}

/// What is needed of a review.
#[derive(Deserialize)]
pub(super) struct Entry {
    pub(super) id: ReviewId,
    pub(super) date: Day,
    pub(super) rating: Rating,
    pub(super) text: Option<Box<str>>,
    url: Box<str>,
    updated: Timestamp,
    verified: bool,
}

impl Reviews {
    /// How many reviews meet a condition.
    pub(super) fn count(&self, meets: impl Fn(&Entry) -> bool) -> u64 {
        self.list.iter().filter(|entry| meets(entry)).count() as u64
    }
}

/// Reads `reviews.json`.
pub(super) fn reviews(bytes: &[u8]) -> Result<Reviews, Wrong> {
    #[derive(Deserialize)]
    struct Document<'a> {
        generated_at: Timestamp,
        aggregate_rating: Value,
        sources: Vec<Source>,
        #[serde(borrow)]
        reviews: Vec<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Source {
        review_count: u64,
    }
    let bad = |error: serde_json::Error| {
        Wrong::new("reviews as the schema says", error.to_string(), REBUILD)
    };
    let document: Document<'_> = serde_json::from_slice(bytes).map_err(bad)?;
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
pub(super) fn consistent(manifest: &Manifest, reviews: &Reviews, log: &mut Log) {
    let mut same = |expected: String, found: String| {
        let verdict =
            if expected == found { Ok(()) } else { Err(Wrong::new(expected, found, REBUILD)) };
        log.judge(Check::Reviews, Level::Fail, "/reviews.json", verdict);
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

/// Whether `insights.json` and `changes.json` speak of the published reviews.
pub(super) fn agree(
    reviews: &Reviews,
    insights: Option<&[u8]>,
    changes: Option<&[u8]>,
    log: &mut Log,
) {
    let ids: HashSet<ReviewId> = reviews.list.iter().map(|review| review.id).collect();
    if let Some(bytes) = insights {
        let verdict = insights_agree(bytes, &ids);
        log.judge(Check::Agreement, Level::Fail, "/insights.json", verdict);
    }
    if let Some(bytes) = changes {
        let verdict = changes_agree(bytes, &ids);
        log.judge(Check::Agreement, Level::Fail, "/changes.json", verdict);
    }
}

fn insights_agree(bytes: &[u8], ids: &HashSet<ReviewId>) -> Result<(), Wrong> {
    #[derive(Deserialize)]
    struct Insights {
        review_count: usize,
        per_review: BTreeMap<ReviewId, IgnoredAny>,
    }
    let expected = format!("{} reviews, each of them published", ids.len());
    let insights: Insights = serde_json::from_slice(bytes)
        .map_err(|error| Wrong::new(&expected, error.to_string(), REBUILD))?;
    if insights.review_count != ids.len() {
        return Err(Wrong::new(expected, format!("{} reviews", insights.review_count), REBUILD));
    }
    match insights.per_review.keys().find(|id| !ids.contains(id)) {
        Some(id) => Err(Wrong::new(expected, format!("{id}, which is not"), REBUILD)),
        None => Ok(()),
    }
}

/// A copy that follows the changes has exactly the published reviews.
fn changes_agree(bytes: &[u8], ids: &HashSet<ReviewId>) -> Result<(), Wrong> {
    #[derive(Deserialize)]
    struct Changes {
        changes: Vec<Change>,
    }
    #[derive(Deserialize)]
    struct Change {
        id: ReviewId,
        change: String,
    }
    let expected = "a newest change of each review that fits reviews.json";
    let changes: Changes = serde_json::from_slice(bytes)
        .map_err(|error| Wrong::new(expected, error.to_string(), REBUILD))?;
    let mut newest = HashMap::new();
    for change in changes.changes {
        newest.entry(change.id).or_insert(change.change);
    }
    let wrong = newest.iter().find(|(id, change)| (*change == "removed") == ids.contains(id));
    match wrong {
        Some((id, change)) => {
            let where_ = if ids.contains(id) { "published" } else { "not published" };
            Err(Wrong::new(expected, format!("{id} is {change} and {where_}"), REBUILD))
        }
        None => Ok(()),
    }
}

/// The hub as a document must name it; nothing where it is no topic.
fn hub(manifest: &Manifest, path: &str) -> Option<String> {
    let topic = manifest.topics.iter().any(|topic| topic.path == path);
    (topic && manifest.sidecar.is_some()).then(|| format!("{}{}", manifest.base_url, routes::HUB))
}

/// A link for a message.
fn target(rel: &str, href: Option<String>) -> String {
    href.map_or_else(|| format!("no {rel} link"), |href| format!("the {rel} link {href}"))
}

/// Whether the JSON Feed is one, of these reviews.
pub(super) fn json_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8], log: &mut Log) {
    let verdict = read_json_feed(manifest, reviews, bytes);
    log.judge(Check::Feeds, Level::Fail, "/api/feed.json", verdict);
}

fn read_json_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8]) -> Result<(), Wrong> {
    let wrong = |expected: String, found: String| Err(Wrong::new(expected, found, REBUILD));
    let feed: Value = match serde_json::from_slice(bytes) {
        Ok(feed) => feed,
        Err(error) => return wrong("a JSON Feed".into(), error.to_string()),
    };
    let own = format!("{}/api/feed.json", manifest.base_url);
    for (key, expected) in [("version", JSON_FEED), ("feed_url", own.as_str())] {
        if feed[key] != expected {
            return wrong(format!("{key} {expected:?}"), format!("{key} {}", feed[key]));
        }
    }
    let named = feed["hubs"][0]["url"].as_str().map(str::to_owned);
    let expected = hub(manifest, "api/feed.json");
    if named != expected {
        return wrong(target("hub", expected), target("hub", named));
    }
    let no_items = Vec::new();
    let items = feed["items"].as_array().unwrap_or(&no_items);
    let ids = items.iter().map(|item| item["id"].as_str().unwrap_or_default());
    newest(reviews, ids)?;
    let odd = items.iter().zip(&reviews.list).find(|(item, review)| {
        item["url"] != *review.url || item["date_modified"] != review.updated.to_string()
    });
    match odd {
        Some((item, review)) => wrong(
            format!("{} as in reviews.json, updated {}", review.url, review.updated),
            format!("{}, updated {}", item["url"], item["date_modified"]),
        ),
        None => Ok(()),
    }
}

/// Whether entries are named after the newest reviews, in their order (contract section 2.4).
fn newest<'a>(reviews: &Reviews, ids: impl ExactSizeIterator<Item = &'a str>) -> Result<(), Wrong> {
    let expected = reviews.list.len().min(FEED_SIZE);
    if ids.len() != expected {
        let expected = format!("the {expected} newest reviews");
        return Err(Wrong::new(expected, format!("{} entries", ids.len()), REBUILD));
    }
    for (id, review) in ids.zip(&reviews.list) {
        if !(id.starts_with("tag:") && id.ends_with(&format!("/{}", review.id))) {
            let expected = format!("the entry tag:…/{}", review.id);
            return Err(Wrong::new(expected, format!("the entry {id}"), REBUILD));
        }
    }
    Ok(())
}

/// Whether the Atom feed is one, of these reviews.
pub(super) fn atom_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8], log: &mut Log) {
    let verdict = read_atom_feed(manifest, reviews, bytes);
    log.judge(Check::Feeds, Level::Fail, "/feed.xml", verdict);
}

fn read_atom_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8]) -> Result<(), Wrong> {
    let feed = Feed::read_from(bytes)
        .map_err(|error| Wrong::new("an Atom feed", error.to_string(), REBUILD))?;
    let of = |rel: &str| feed.links.iter().find(|link| link.rel == rel).map(|l| l.href.clone());
    let own = Some(format!("{}/feed.xml", manifest.base_url));
    for (rel, expected) in [("self", own), ("hub", hub(manifest, "feed.xml"))] {
        if of(rel) != expected {
            return Err(Wrong::new(target(rel, expected), target(rel, of(rel)), REBUILD));
        }
    }
    newest(reviews, feed.entries.iter().map(|entry| entry.id.as_str()))
}
