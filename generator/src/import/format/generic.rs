//! Tables and JSON of any origin, by a column map: the user's, or one guessed from common names.

use std::collections::BTreeMap;

use crate::{
    content::{ColumnMap, Field, is_personal},
    import::raw::{Location, RawReview, Row},
};

/// Names columns commonly have, the likelier first.
const NAMES: &[(Field, &[&str])] = &[
    (
        Field::Author,
        &[
            "author",
            "author_name",
            "authorName",
            "reviewer_name",
            "reviewerName",
            "reviewer",
            "user_name",
            "username",
            "display_name",
            "displayName",
            "customer",
            "customer_name",
            "name",
        ],
    ),
    (Field::Rating, &["rating", "stars", "star_rating", "starRating", "review_rating", "score"]),
    (
        Field::Date,
        &[
            "date",
            "review_date",
            "reviewDate",
            "created_at",
            "createdAt",
            "published_at",
            "publishedAt",
            "published",
            "publishedDate",
            "timestamp",
            "time",
        ],
    ),
    (
        Field::Text,
        &["text", "review_text", "reviewText", "body", "content", "comment", "review", "quote"],
    ),
    (Field::Title, &["title", "review_title", "reviewTitle", "headline"]),
    (Field::Id, &["id", "review_id", "reviewId", "reviewID"]),
    (Field::Url, &["url", "review_url", "reviewUrl", "source_url", "link"]),
    (Field::Reply, &["reply", "owner_reply", "companyReply", "company_reply", "response"]),
    (Field::ReplyDate, &["reply_date", "replyDate", "replied_at"]),
    (Field::Language, &["language", "lang"]),
    (Field::AuthorId, &["author_id", "reviewer_id", "user_id"]),
    (Field::Updated, &["updated_at", "updatedAt"]),
];

/// A map guessed from the names of the columns; `None` without author, rating and date.
pub(in super::super) fn guess(columns: &[String]) -> Option<ColumnMap> {
    let mut map = ColumnMap::default();
    for (field, names) in NAMES {
        let column = names.iter().find_map(|name| {
            columns.iter().find(|column| column.eq_ignore_ascii_case(name) && !is_personal(column))
        });
        if let Some(column) = column.filter(|column| !map.columns.values().any(|c| c == *column)) {
            map.columns.insert(*field, column.clone());
        }
    }
    is_complete(&map.columns).then_some(map)
}

/// Whether the fields are there without which there is no review.
pub(in super::super) fn is_complete(columns: &BTreeMap<Field, String>) -> bool {
    [Field::Author, Field::Rating, Field::Date].iter().all(|field| columns.contains_key(field))
}

pub(super) fn row(row: Row<'_>, map: &ColumnMap) -> RawReview {
    let text = |field: Field| row.text(map.columns.get(&field)?);
    let given = |field: Field| row.first(&[map.columns.get(&field)?]);
    RawReview {
        source: map.source.clone(),
        location: text(Field::Location).map(|id| Location { id, name: None }),
        ids: text(Field::Id).into_iter().collect(),
        author: text(Field::Author),
        author_id: text(Field::AuthorId),
        avatar: text(Field::Avatar),
        rating: given(Field::Rating),
        date: given(Field::Date),
        updated: given(Field::Updated),
        title: text(Field::Title),
        text: text(Field::Text),
        language: text(Field::Language),
        url: text(Field::Url),
        reply: text(Field::Reply),
        reply_date: given(Field::ReplyDate),
        ..RawReview::default()
    }
}
