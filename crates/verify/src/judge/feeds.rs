//! The feeds: whether each is one, of the newest reviews.

use atom_syndication::Feed;
use serde_json::Value;

use super::content::{REBUILD, Reviews};
use crate::report::{Check, Findings, Level, Mismatch};
use contract::{api::FEED_SIZE, manifest::Manifest, routes};

/// The version a JSON Feed names.
const JSON_FEED: &str = "https://jsonfeed.org/version/1.1";

/// The hub as a document must name it; nothing where it is not a topic.
fn hub(manifest: &Manifest, path: &str) -> Option<String> {
    let topic = manifest.topics.iter().any(|topic| topic.path == path);
    (topic && manifest.sidecar.is_some()).then(|| format!("{}{}", manifest.base_url, routes::HUB))
}

/// A link for a message.
fn target(rel: &str, href: Option<String>) -> String {
    href.map_or_else(|| format!("no {rel} link"), |href| format!("the {rel} link {href}"))
}

/// Whether the JSON Feed is one, of these reviews.
pub(crate) fn json_feed(
    manifest: &Manifest,
    reviews: &Reviews,
    bytes: &[u8],
    findings: &mut Findings,
) {
    let verdict = read_json_feed(manifest, reviews, bytes);
    findings.judge(Check::Feeds, Level::Fail, "/api/feed.json", verdict);
}

fn read_json_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8]) -> Result<(), Mismatch> {
    let mismatch = |expected: String, found: String| Err(Mismatch::new(expected, found, REBUILD));
    let feed: Value = match serde_json::from_slice(bytes) {
        Ok(feed) => feed,
        Err(error) => return mismatch("a JSON Feed".into(), error.to_string()),
    };
    let own = format!("{}/api/feed.json", manifest.base_url);
    for (key, expected) in [("version", JSON_FEED), ("feed_url", own.as_str())] {
        if feed[key] != expected {
            return mismatch(format!("{key} {expected:?}"), format!("{key} {}", feed[key]));
        }
    }
    let named = feed["hubs"][0]["url"].as_str().map(str::to_owned);
    let expected = hub(manifest, "api/feed.json");
    if named != expected {
        return mismatch(target("hub", expected), target("hub", named));
    }
    let no_items = Vec::new();
    let items = feed["items"].as_array().unwrap_or(&no_items);
    let ids = items.iter().map(|item| item["id"].as_str().unwrap_or_default());
    newest(reviews, ids)?;
    let odd = items.iter().zip(&reviews.list).find(|(item, review)| {
        item["url"] != *review.url || item["date_modified"] != review.updated.to_string()
    });
    match odd {
        Some((item, review)) => mismatch(
            format!("{} as in reviews.json, updated {}", review.url, review.updated),
            format!("{}, updated {}", item["url"], item["date_modified"]),
        ),
        None => Ok(()),
    }
}

/// Whether entries are named after the newest reviews, in their order (docs/verify.md, "Failures and warnings").
fn newest<'a>(
    reviews: &Reviews,
    ids: impl ExactSizeIterator<Item = &'a str>,
) -> Result<(), Mismatch> {
    let expected = reviews.list.len().min(FEED_SIZE);
    if ids.len() != expected {
        let expected = format!("the {expected} newest reviews");
        return Err(Mismatch::new(expected, format!("{} entries", ids.len()), REBUILD));
    }
    for (id, review) in ids.zip(&reviews.list) {
        if !(id.starts_with("tag:") && id.ends_with(&format!("/{}", review.id))) {
            let expected = format!("the entry tag:…/{}", review.id);
            return Err(Mismatch::new(expected, format!("the entry {id}"), REBUILD));
        }
    }
    Ok(())
}

/// Whether the Atom feed is one, of these reviews.
pub(crate) fn atom_feed(
    manifest: &Manifest,
    reviews: &Reviews,
    bytes: &[u8],
    findings: &mut Findings,
) {
    let verdict = read_atom_feed(manifest, reviews, bytes);
    findings.judge(Check::Feeds, Level::Fail, "/feed.xml", verdict);
}

fn read_atom_feed(manifest: &Manifest, reviews: &Reviews, bytes: &[u8]) -> Result<(), Mismatch> {
    let feed = Feed::read_from(bytes)
        .map_err(|error| Mismatch::new("an Atom feed", error.to_string(), REBUILD))?;
    let of = |rel: &str| feed.links.iter().find(|link| link.rel == rel).map(|l| l.href.clone());
    let own = Some(format!("{}/feed.xml", manifest.base_url));
    for (rel, expected) in [("self", own), ("hub", hub(manifest, "feed.xml"))] {
        if of(rel) != expected {
            return Err(Mismatch::new(target(rel, expected), target(rel, of(rel)), REBUILD));
        }
    }
    newest(reviews, feed.entries.iter().map(|entry| entry.id.as_str()))
}
