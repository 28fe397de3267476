//! The tools that return reviews.

use contract::{
    model::ReviewId,
    query::{REVIEW_ID, Search},
    text::casefold,
};

use super::{Call, ToolData, quoted};
use crate::{
    http::envelope::ReviewPage, http::mcp::text::readable_length, index::Hits,
    limits::MAX_TOOL_TEXT,
};

/// Bytes around the reviews of a page at most.
const AROUND: usize = 512;

/// `search_reviews`: exactly the REST search.
pub(super) fn search(call: &Call<'_>) -> Result<ToolData, String> {
    let search = call.read(|given| Search::parse(given))?;
    let (mut found, matched) = page(call, &search)?;
    if matched == 0 {
        found.hint = unknown_names(call, &search);
    }
    Ok(found)
}

/// `get_reviews_since`: the same envelope.
pub(super) fn since(call: &Call<'_>) -> Result<ToolData, String> {
    let search = call.read(|given| Search::parse_since(given))?;
    page(call, &search).map(|(found, _)| found)
}

/// `get_review`
pub(super) fn review(call: &Call<'_>) -> Result<ToolData, String> {
    let word = call.read_word(&[REVIEW_ID])?;
    let arena = &call.snapshot.collection.arena;
    let id: Option<ReviewId> = word.trim().to_ascii_uppercase().parse().ok();
    match id.and_then(|id| call.snapshot.facts.number(arena, id)) {
        Some(number) => Ok(ToolData::new(text(arena.review(number)))),
        None => Err(format!(
            "There is no review {}. Every review search_reviews or get_reviews_since returns has \
             its id; get_changes lists removed ones.",
            quoted(&word)
        )),
    }
}

/// A page as REST sends it, of as many reviews as fit; and how many reviews there are.
fn page(call: &Call<'_>, search: &Search) -> Result<(ToolData, usize), String> {
    let collection = &call.snapshot.collection;
    let arena = &collection.arena;
    let mut hits = collection.find(search);
    let kept = fitting(hits.page.iter().map(|number| text(arena.review(*number))));
    hits.more |= kept < hits.page.len();
    hits.page.truncate(kept);
    let page = ReviewPage::new(arena, &search.filter, &hits, &[]);
    let hint = page.next.as_ref().map(|next| next_page_hint(call, &hits, next));
    let json = text(&page.to_bytes()).trim_end().to_owned();
    Ok((ToolData { json, hint }, hits.matched))
}

/// How many of these a page has room for, one at least.
fn fitting(reviews: impl Iterator<Item = impl AsRef<str>>) -> usize {
    let mut left = MAX_TOOL_TEXT - AROUND;
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

fn next_page_hint(call: &Call<'_>, hits: &Hits, next: &str) -> String {
    format!(
        "There is more: this page has {} of {} reviews. Call {} again with the same arguments and \
         cursor \"{next}\".",
        hits.page.len(),
        hits.matched,
        call.tool.name
    )
}

/// That nobody has the name asked for, and who there is. To REST and to the data it is no error.
fn unknown_names(call: &Call<'_>, search: &Search) -> Option<String> {
    let business = &call.snapshot.facts.business;
    let technicians = business.technicians.iter().map(|known| (&known.id, &known.name));
    let services = business.services.iter().map(|known| (&known.id, &known.label));
    let hint = |name: &str, wanted: &Option<String>, known: Vec<(&String, &String)>| {
        let wanted = wanted.as_ref()?;
        let is_wanted = |word: &str| casefold(word) == *wanted;
        let found = known.iter().any(|(id, label)| is_wanted(id) || is_wanted(label));
        (!found).then(|| format!("{name} is none of these: {}.", super::entities::listed(&known)))
    };
    let hints = [
        hint("mentions_technician", &search.filter.technician, technicians.collect()),
        hint("mentions_service", &search.filter.service, services.collect()),
    ];
    let hints: Vec<_> = hints.into_iter().flatten().collect();
    (!hints.is_empty()).then(|| hints.join(" "))
}

/// Published JSON is UTF-8: it was read as text when it was loaded.
pub(super) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("null")
}
