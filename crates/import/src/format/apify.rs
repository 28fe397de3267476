//! Apify's Google Maps scrapers: reviews one by one, or inside their place.

use super::non_blank;
use crate::{
    platform::Platform,
    raw::{Location, RawReview, Row},
};

pub(super) const COLUMNS: &[&str] = &[
    "reviewId",
    "reviewUrl",
    "reviewerId",
    "reviewerPhotoUrl",
    "name",
    "stars",
    "rating",
    "publishedAtDate",
    "publishAt",
    "text",
    "originalLanguage",
    "textTranslated",
    "translatedLanguage",
    "responseFromOwnerText",
    "responseFromOwnerDate",
    "reviewOrigin",
    "placeId",
];

pub(super) fn row(row: Row<'_>) -> Option<RawReview> {
    // A place without reviews is a row without any field of a review.
    let parts = ["stars", "rating", "text", "publishedAtDate", "publishAt", "reviewId"];
    if !parts.iter().any(|part| non_blank(row.at(part))) {
        return None;
    }
    // `title`, `totalScore` and `url` are the place's.
    let location = row.place_text(&["placeId", "fid", "cid"]);
    let source = row.text("reviewOrigin").and_then(|cell| Platform::read(&cell).source());
    Some(RawReview {
        source: source.filter(|source| source != "google"),
        location: location.map(|id| Location { id, name: row.place_text(&["title"]) }),
        ids: [row.text("reviewId"), row.text("reviewUrl")].into_iter().flatten().collect(),
        author: row.text("name"),
        author_id: row.text("reviewerId"),
        avatar: row.text("reviewerPhotoUrl"),
        rating: row.first(&["stars", "rating"]),
        date: row.first(&["publishedAtDate", "publishAt"]),
        text: row.text("text"),
        translation: row.text("textTranslated").map(|text| (text, row.text("translatedLanguage"))),
        language: row.text("originalLanguage"),
        url: row.text("reviewUrl"),
        reply: row.text("responseFromOwnerText"),
        reply_date: row.first(&["responseFromOwnerDate"]),
        claimed_total: row.place_count("reviewsCount"),
        ..RawReview::default()
    })
}
