//! Tables and JSON of any origin, by a column map.

use super::Header;
use crate::{
    columns,
    raw::{Location, RawReview, Row},
    rows::Cells,
};
use content::{ColumnMap, Field};

pub(super) fn row(row: Row<'_>, map: &ColumnMap) -> RawReview {
    let text = |field: Field| row.text(map.columns.get(&field)?);
    let given = |field: Field| row.first(&[map.columns.get(&field)?]);
    RawReview {
        source: map.source.clone(),
        location: location(row, map),
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

/// The business by the map, or by the object around the row.
fn location(row: Row<'_>, map: &ColumnMap) -> Option<Location> {
    let text = |field: Field| Some(row.text(map.columns.get(&field)?)?.trim().to_owned());
    let Some(id) = text(Field::Location) else { return columns::place(row.place?) };
    Some(Location { name: text(Field::LocationName).or_else(|| Some(id.clone())), id })
}

pub(super) fn header(header: &Cells) -> Header {
    Header { location: columns::identified_place(header), ..Header::default() }
}
