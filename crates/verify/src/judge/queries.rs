//! Search and `since`: what they must count and how they must refuse, by `reviews.json`.

use serde_json::Value;

use super::{
    content::{FetchedReview, Reviews},
    responses,
};
use crate::{fetch::response::Response, report::Mismatch};
use contract::{query::encoded, text::casefold};

/// Longest word that is searched for, in characters.
const MAX_WORD: usize = 40;

const SIDECAR: &str = "start candor-sidecar and send the four dynamic routes to it, or publish with [sidecar] enabled = false";
const BEHIND: &str = "the sidecar loads a publication within 60 s: check its log if the fault persists, or for a cache on the way";
const CONTRACT: &str = "check which server responds: it is not this version of candor-sidecar";

/// The JSON of a response with this status.
pub(crate) fn json(response: &Response, status: u16) -> Result<Value, Mismatch> {
    responses::json(response, status, if response.status == 404 { SIDECAR } else { CONTRACT })
}

/// Queries and how many reviews meet each.
pub(crate) fn searches(reviews: &Reviews) -> Vec<(String, u64)> {
    let mut searches = vec![("limit=1".to_owned(), reviews.list.len() as u64)];
    for rating in contract::model::Rating::all() {
        let query = format!("limit=1&rating={rating}");
        searches.push((query, reviews.count(|review| review.rating == rating)));
    }
    if let Some(middle) = reviews.list.get(reviews.list.len() / 2) {
        let query = format!("limit=1&since={}", middle.date);
        searches.push((query, reviews.count(|review| review.date >= middle.date)));
    }
    if let Some(word) = reviews.list.iter().find_map(|r| longest_word(r.text.as_deref()?)) {
        let folded = casefold(word);
        let holds = |text: &str| casefold(text).contains(&*folded);
        let count = reviews.count(|review| review.text.as_deref().is_some_and(holds));
        searches.push((format!("limit=1&query={}", encoded(word)), count));
    }
    searches
}

/// Whether the page begins with this review.
pub(crate) fn begins_with(json: &Value, review: &FetchedReview) -> Result<(), Mismatch> {
    let found = &json["reviews"][0]["id"];
    if *found == review.id.to_string() {
        Ok(())
    } else {
        let expected = format!("{} first on the second page", review.id);
        Err(Mismatch::new(expected, found.to_string(), BEHIND))
    }
}

/// Whether a refusal names an issue of each of these parameters.
pub(crate) fn names_issues(json: &Value, names: &[&str]) -> Result<(), Mismatch> {
    let no_issues = Vec::new();
    let issues = json["issues"].as_array().unwrap_or(&no_issues);
    let found: Vec<_> = issues.iter().filter_map(|issue| issue["path"][0].as_str()).collect();
    if found == names {
        Ok(())
    } else {
        let expected = format!("issues of {}", names.join(", "));
        Err(Mismatch::new(expected, format!("issues of [{}]", found.join(", ")), CONTRACT))
    }
}

/// A response without an ETag.
pub(crate) fn no_tag() -> Mismatch {
    Mismatch::new("an ETag", "no ETag", "look what takes it away on the way")
}

/// Whether a member of a response has this value.
pub(crate) fn equal(key: &str, json: &Value, expected: &Value) -> Result<(), Mismatch> {
    match &json[key] {
        found if found == expected => Ok(()),
        found => Err(Mismatch::new(format!("{key} {expected}"), format!("{key} {found}"), BEHIND)),
    }
}

/// Whether the first review is the one `reviews.json` begins with, key by key.
pub(crate) fn first(reviews: &Reviews, json: &Value) -> Result<(), Mismatch> {
    let found = json["reviews"].get(0);
    if found == reviews.first.as_ref() {
        return Ok(());
    }
    let id = |review: Option<&Value>| {
        review.map_or_else(|| "no review".to_owned(), |review| format!("review {}", review["id"]))
    };
    let expected = format!("{} first, as in reviews.json", id(reviews.first.as_ref()));
    Err(Mismatch::new(expected, format!("{} first", id(found)), BEHIND))
}

/// The longest run of letters and digits; `None` where there is none.
fn longest_word(text: &str) -> Option<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let longest = words.max_by_key(|word| word.chars().count())?;
    let end = longest.char_indices().nth(MAX_WORD).map_or(longest.len(), |(at, _)| at);
    Some(&longest[..end])
}
