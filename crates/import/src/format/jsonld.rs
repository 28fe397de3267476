//! Reads reviews of schema.org in JSON-LD.

use serde_json::Value;

use super::Header;
use crate::{
    raw::{Location, NamedValue, RawReview, Row, as_count, as_text, find},
    rows::Cells,
};

pub(super) const COLUMNS: &[&str] = &[
    "@id",
    "url",
    "author",
    "datePublished",
    "dateModified",
    "reviewBody",
    "reviewRating",
    "inLanguage",
];

pub(super) fn row(row: Row<'_>) -> RawReview {
    let rating = row.first(&["reviewRating.ratingValue", "reviewRating", "ratingValue"]);
    let about = row.at("itemReviewed").and_then(Value::as_object).or(row.place);
    RawReview {
        location: about.and_then(location),
        ids: row.first_text(&["@id", "identifier"]).into_iter().collect(),
        author: row.at("author").and_then(person),
        rating: rating.filter(|given| !given.value.is_object()),
        best: row.first(&["reviewRating.bestRating"]),
        date: row.first(&["datePublished", "dateCreated"]),
        updated: row.first(&["dateModified"]).filter(|given: &NamedValue| is_instant(&given.value)),
        title: row.first_text(&["headline", "name"]),
        text: row.first_text(&["reviewBody", "description"]),
        language: row.text("inLanguage"),
        url: row.text("url"),
        claimed_total: row
            .place_count("aggregateRating.reviewCount")
            .or_else(|| row.place_count("aggregateRating.ratingCount")),
        ..RawReview::default()
    }
}

/// A name, a person, or the first of several.
fn person(value: &Value) -> Option<String> {
    match value {
        Value::Array(people) => people.iter().find_map(person),
        Value::Object(cells) => find(cells, "name").and_then(as_text),
        value => as_text(value),
    }
}

/// A day alone does not order two states of one day.
fn is_instant(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > 10)
}

fn location(about: &Cells) -> Option<Location> {
    let name = find(about, "name").and_then(as_text);
    let id = find(about, "@id").and_then(as_text).or_else(|| name.clone())?;
    Some(Location { id, name })
}

pub(super) fn header(header: &Cells) -> Header {
    Header {
        location: location(header),
        claimed_total: find(header, "aggregateRating.reviewCount").and_then(as_count),
        goes_on: false,
    }
}
