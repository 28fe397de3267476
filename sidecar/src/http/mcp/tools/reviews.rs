//! The tools that return reviews.

use contract::query::{REVIEW_ID, Search};
use serde_json::json;

use super::{Call, ToolData, listed::ListedReviews, parse_id, proofs, quoted};
use crate::{http::mcp::text::readable_length, runtime::limits::MAX_TOOL_TEXT};

/// Maximum bytes around the reviews of a page.
const AROUND: usize = 512;

/// Runs `search_reviews`: the search of REST.
pub(super) fn search(call: &Call<'_>) -> Result<ToolData, String> {
    let search = call.read(|given| Search::parse(given))?;
    call.check_names(&search.filter)?;
    Ok(page(call, &search))
}

/// Runs `get_reviews_since`: with the same envelope.
pub(super) fn since(call: &Call<'_>) -> Result<ToolData, String> {
    let search = call.read(|given| Search::parse_since(given))?;
    Ok(page(call, &search))
}

/// Runs `get_review`.
pub(super) fn review(call: &Call<'_>) -> Result<ToolData, String> {
    let word = call.read_word(&[REVIEW_ID])?;
    let review = call.review(&word)?;
    Ok(ToolData::new(
        match parse_id(&word).map(|id| proofs::logged(call, id)).transpose()?.flatten() {
            Some(log) => with_member(review, "log", &log),
            None => review.to_owned(),
        },
    ))
}

impl<'a> Call<'a> {
    /// Returns the review of this id, as published.
    pub(super) fn review(&self, word: &str) -> Result<&'a str, String> {
        let arena = &self.snapshot.collection.arena;
        match parse_id(word).and_then(|id| arena.number(id)) {
            Some(number) => Ok(text(arena.review(number))),
            None => Err(format!(
                "There is no review {}. Every review search_reviews or get_reviews_since returns has \
                 its id; get_changes lists removed ones.",
                quoted(word)
            )),
        }
    }
}

/// Returns a published object with one more member.
fn with_member(object: &str, name: &str, json: &str) -> String {
    let members = object.trim_end().strip_suffix('}').unwrap_or(object);
    format!("{members},\"{name}\":{json}}}")
}

/// Returns the page that REST sends, of as many reviews as fit, in the form of lists.
fn page(call: &Call<'_>, search: &Search) -> ToolData {
    let collection = &call.snapshot.collection;
    let arena = &collection.arena;
    let mut hits = collection.find(search);
    let mut listed = ListedReviews::of(hits.page.iter().map(|it| text(arena.review(*it))));
    let facets = collection.facets(search).map(|facets| json!(facets).to_string());
    let around = AROUND + facets.as_ref().map_or(0, String::len);
    let kept = fitting(listed.json.iter(), around);
    hits.more |= kept < hits.page.len();
    hits.page.truncate(kept);
    listed.json.truncate(kept);
    let next = collection.next_cursor(search, &hits);
    let facets = facets.map_or(String::new(), |facets| format!("\"facets\":{facets},"));
    let json = format!(
        "{{\"matched\":{},\"returned\":{kept},\"next_cursor\":{},{facets}{}}}",
        hits.matched,
        json!(next),
        listed.members("reviews")
    );
    // The instructions explain the cursor. A text that repeats it would weigh a tenth of a page of five reviews.
    ToolData::new(json)
}

/// How many of these a page has room for beside so many other bytes, one at least.
fn fitting(reviews: impl Iterator<Item = impl AsRef<str>>, around: usize) -> usize {
    let mut left = MAX_TOOL_TEXT.saturating_sub(around);
    let mut kept = 0;
    for review in reviews {
        let length = readable_length(review.as_ref()) + 2;
        if kept > 0 && length > left {
            break;
        }
        left = left.saturating_sub(length);
        kept += 1;
    }
    kept
}

/// Returns published JSON as text: it is UTF-8, as was checked when it was loaded.
pub(super) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("null")
}
