//! The Yelp academic data set: JSON lines.

use crate::raw::{Location, RawReview, Row};

pub(super) const COLUMNS: &[&str] =
    &["review_id", "user_id", "business_id", "stars", "date", "text"];

pub(super) fn row(row: Row<'_>) -> RawReview {
    RawReview {
        location: row.text("business_id").map(|id| Location { id, name: None }),
        ids: row.text("review_id").into_iter().collect(),
        // The data set has no names; the id of the account distinguishes authors.
        author: row.text("user_name"),
        author_id: row.text("user_id"),
        rating: row.first(&["stars"]),
        date: row.first(&["date"]),
        text: row.text("text"),
        ..RawReview::default()
    }
}
