//! Google Takeout and the Business Profile API: one record, cut down in the former. Programs that fetch
//! it for a website often write it with shorter names: `id`, `displayName`, `reply`.

use super::Header;
use crate::{
    raw::{Location, RawReview, Row, as_count, find},
    rows::Cells,
};

pub(super) const COLUMNS: &[&str] = &[
    "name",
    "reviewId",
    "reviewer.displayName",
    "reviewer.profilePhotoUrl",
    "starRating",
    "comment",
    "createTime",
    "updateTime",
    "reviewReply.comment",
    "reviewReply.updateTime",
    "id",
    "displayName",
    "language",
    "reply.comment",
    "reply.updateTime",
];

pub(super) fn row(row: Row<'_>) -> Option<RawReview> {
    // A page without reviews has nothing but a total.
    if !COLUMNS.iter().any(|column| row.at(column).is_some()) {
        return None;
    }
    let name = row.text("name");
    let location = name.as_deref().and_then(|name| after(name, "locations/"));
    Some(RawReview {
        location: location.map(|id| Location { id: id.to_owned(), name: None }),
        ids: [row.first_text(&["reviewId", "id"]), name.clone()].into_iter().flatten().collect(),
        author: row.first_text(&["reviewer.displayName", "displayName"]),
        avatar: row.text("reviewer.profilePhotoUrl"),
        rating: row.first(&["starRating"]),
        date: row.first(&["createTime"]),
        updated: row.first(&["updateTime"]),
        text: row.text("comment"),
        language: row.text("language"),
        reply: row.first_text(&["reviewReply.comment", "reply.comment"]),
        reply_date: row.first(&["reviewReply.updateTime", "reply.updateTime"]),
        ..RawReview::default()
    })
}

pub(super) fn header(header: &Cells) -> Header {
    Header {
        location: None,
        claimed_total: find(header, "totalReviewCount").and_then(as_count),
        goes_on: find(header, "nextPageToken").is_some(),
    }
}

/// The part of a resource's name that follows `collection`.
fn after<'a>(name: &'a str, collection: &str) -> Option<&'a str> {
    let rest = &name[name.find(collection)? + collection.len()..];
    rest.split('/').next().filter(|id| !id.is_empty())
}
