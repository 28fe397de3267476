//! The Places API, new and legacy: at most five reviews of a place.

use super::Header;
use crate::{
    columns, ids,
    raw::{Location, RawReview, Row, as_count, as_text, find},
    rows::Cells,
};

pub(super) const COLUMNS: &[&str] = &[
    "name",
    "authorAttribution.displayName",
    "authorAttribution.uri",
    "author_name",
    "authorName",
    "author_url",
    "rating",
    "publishTime",
    "createTime",
    "time",
    "originalText.text",
    "text.text",
    "text",
];

pub(super) fn row(row: Row<'_>) -> RawReview {
    let (original, shown) = (row.text("originalText.text"), row.text("text.text"));
    let translated = original.is_some() && shown.is_some() && original != shown;
    // The legacy API has a plain text in `language`; `original_language` is another one if the text
    // is a translation.
    let language = match &original {
        Some(_) => row.text("originalText.languageCode"),
        None => row.first_text(&["text.languageCode", "language", "original_language"]),
    };
    let location = row.text("name").and_then(|name| place_of(&name)).or_else(|| place_id(&row));
    RawReview {
        location,
        ids: row.text("name").into_iter().collect(),
        author: row.first_text(&["authorAttribution.displayName", "author_name", "authorName"]),
        author_id: row
            .first_text(&["authorAttribution.uri", "author_url"])
            .and_then(|url| ids::contributor(&url)),
        avatar: row.first_text(&["authorAttribution.photoUri", "profile_photo_url"]),
        rating: row.first(&["rating"]),
        date: row.first(&[
            "publishTime",
            "createTime",
            "time",
            "relativePublishTimeDescription",
            "relative_time_description",
        ]),
        text: original.or_else(|| shown.clone()).or_else(|| row.text("text")),
        translation: shown.filter(|_| translated).map(|text| (text, row.text("text.languageCode"))),
        language,
        url: row.text("googleMapsUri"),
        claimed_total: row
            .place_count("userRatingCount")
            .or_else(|| row.place_count("user_ratings_total")),
        ..RawReview::default()
    }
}

fn place_id(row: &Row<'_>) -> Option<Location> {
    let place = row.place?;
    let named = find(place, "displayName.text").and_then(as_text);
    let found = columns::place(place);
    let id = found.as_ref().map(|place| place.id.clone()).or_else(|| named.clone())?;
    Some(Location { id, name: named.or(found?.name) })
}

/// Reads the place of `places/PID/reviews/RID`.
fn place_of(name: &str) -> Option<Location> {
    let id = name.strip_prefix("places/")?.split('/').next()?;
    Some(Location { id: id.to_owned(), name: None })
}

pub(super) fn header(header: &Cells) -> Header {
    let row = Row { cells: header, place: Some(header) };
    Header {
        location: place_id(&row),
        claimed_total: find(header, "userRatingCount")
            .or_else(|| find(header, "user_ratings_total"))
            .and_then(as_count),
        goes_on: false,
    }
}
