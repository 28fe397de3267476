//! Reads results of SerpAPI's engine `google_maps_reviews`.

use super::Header;
use crate::{
    platform::Platform,
    raw::{Location, RawReview, Row, as_count, as_text, find},
    rows::Cells,
};

pub(super) const COLUMNS: &[&str] = &[
    "review_id",
    "link",
    "source",
    "user.name",
    "user.contributor_id",
    "user.thumbnail",
    "rating",
    "iso_date",
    "iso_date_of_last_edit",
    "date",
    "snippet",
    "extracted_snippet.original",
    "response.snippet",
];

pub(super) fn row(row: Row<'_>) -> RawReview {
    let original = row.text("extracted_snippet.original");
    let translated = row.text("extracted_snippet.translated");
    // The keys inside `response` are not documented: all that were seen are tried.
    let reply = ["response.extracted_snippet.original", "response.snippet", "response.text"];
    // Reviews of hotels may come from other platforms.
    let source = row.text("source").and_then(|cell| Platform::read(&cell).source());
    RawReview {
        source: source.filter(|source| source != "google"),
        location: row.place_text(&["place_id", "data_id"]).map(|id| Location { id, name: None }),
        ids: [row.text("review_id"), row.text("link")].into_iter().flatten().collect(),
        author: row.text("user.name"),
        author_id: row.text("user.contributor_id"),
        avatar: row.text("user.thumbnail"),
        rating: row.first(&["rating"]),
        date: row.first(&["iso_date", "date"]),
        updated: row.first(&["iso_date_of_last_edit"]),
        text: original.or_else(|| row.text("snippet")),
        translation: translated.map(|text| (text, None)),
        url: row.text("link"),
        reply: row.first_text(&reply),
        reply_date: row.first(&["response.iso_date"]),
        ..RawReview::default()
    }
}

pub(super) fn header(header: &Cells) -> Header {
    let id = ["search_parameters.place_id", "search_parameters.data_id"]
        .iter()
        .find_map(|path| find(header, path).and_then(as_text));
    let name = find(header, "place_info.title").and_then(as_text);
    Header {
        location: id.or_else(|| name.clone()).map(|id| Location { id, name }),
        claimed_total: find(header, "place_info.reviews").and_then(as_count),
        goes_on: find(header, "serpapi_pagination.next_page_token").is_some(),
    }
}
