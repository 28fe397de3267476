//! Outscraper: tables, and JSON with the reviews inside their place.

use serde_json::Value;

use super::non_blank;
use crate::raw::{Location, RawReview, Row};

pub(super) const COLUMNS: &[&str] = &[
    "review_id",
    "review_link",
    "author_id",
    "author_title",
    "author_image",
    "review_rating",
    "review_timestamp",
    "review_datetime_utc",
    "review_text",
    "owner_answer",
    "owner_answer_timestamp",
    "owner_answer_timestamp_datetime_utc",
    "place_id",
];

pub(super) fn row(row: Row<'_>) -> Option<RawReview> {
    // `rating` and `reviews` are the place's. A place without reviews has no value in review_…
    let parts = ["review_id", "review_rating", "review_text", "review_timestamp"];
    if !parts.iter().any(|part| non_blank(row.at(part))) {
        return None;
    }
    let location = row.place_text(&["place_id", "google_id"]);
    // Newer tables write `review_text` and `author_title`; old ones misspell the author.
    Some(RawReview {
        location: location.map(|id| Location { id, name: row.place_text(&["name"]) }),
        ids: [row.text("review_id"), row.text("review_link")].into_iter().flatten().collect(),
        author: row.first_text(&["author_title", "autor_name", "author_name"]),
        author_id: row.first_text(&["author_id", "autor_id"]),
        avatar: row.first_text(&["author_image", "autor_image"]),
        rating: row.first(&["review_rating"]),
        date: row.first(&["review_timestamp", "review_datetime_utc"]),
        text: row.text("review_text"),
        url: row.text("review_link"),
        reply: row.text("owner_answer"),
        reply_date: row.first(&["owner_answer_timestamp", "owner_answer_timestamp_datetime_utc"]),
        claimed_total: row
            .place
            .and_then(|place| place.get("reviews"))
            .or(row.at("reviews"))
            .and_then(|value| match value {
                Value::String(text) => text.trim().parse().ok(),
                value => value.as_u64(),
            }),
        ..RawReview::default()
    })
}
