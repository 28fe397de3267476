//! Tables and JSON of any origin, by a column map.

use super::Header;
use crate::{
    columns,
    platform::Platform,
    purchase,
    raw::{Location, RawReview, Row, as_word},
    rows::Cells,
};
use content::{ColumnMap, Field};

/// The kinds of rows in a table of reviews that are not reviews: notes of a shop, links from elsewhere, questions.
const OTHER_KINDS: [&str; 5] = ["order_note", "pingback", "trackback", "question", "action_log"];

/// `None` for a row that is another kind of thing.
pub(super) fn row(row: Row<'_>, map: &ColumnMap) -> Option<RawReview> {
    let column = |field: Field| map.columns.get(&field).map(String::as_str);
    let text = |field: Field| row.text(column(field)?);
    let given = |field: Field| row.first(&[column(field)?]);
    if text(Field::Kind).is_some_and(|kind| OTHER_KINDS.contains(&kind.trim())) {
        return None;
    }
    let word = |field: Field| {
        let column = column(field)?;
        Some((column.to_owned(), as_word(row.at(column)?)?))
    };
    let is_marked = |field: Field, is_asked: bool| {
        word(field).is_some_and(|(column, value)| purchase::is_marked(&column, &value, is_asked))
    };
    // WooCommerce has the account 0 for guests, and the answered review 0 for reviews.
    let is_id = |id: &String| id.trim() != "0";
    let shown = joined(row, column(Field::Text));
    let original = text(Field::OriginalText).filter(|original| !original.trim().is_empty());
    let is_translated = original.is_some() && original != shown;
    let translation = shown.clone().filter(|_| is_translated).map(|text| (text, None));
    Some(RawReview {
        source: text(Field::Source).and_then(|cell| Platform::read(&cell).source()),
        status: word(Field::Status),
        purchase: is_marked(Field::Purchase, true) || is_marked(Field::Status, false),
        answer_to: text(Field::AnswerTo).filter(is_id),
        precision: text(Field::DatePrecision),
        disclosure: text(Field::Disclosure),
        location: location(row, map),
        ids: text(Field::Id).into_iter().collect(),
        author: text(Field::Author),
        author_id: text(Field::AuthorId).filter(is_id),
        avatar: text(Field::Avatar),
        rating: given(Field::Rating),
        date: given(Field::Date),
        updated: given(Field::Updated),
        title: text(Field::Title),
        text: original.or(shown),
        translation,
        language: text(Field::Language),
        url: text(Field::Url),
        reply: text(Field::Reply),
        reply_date: given(Field::ReplyDate),
        ..RawReview::default()
    })
}

/// The text of a column, or of several: `pros+cons`.
fn joined(row: Row<'_>, column: Option<&str>) -> Option<String> {
    let whole = row.text(column?);
    whole.or_else(|| {
        let parts: Vec<String> =
            column?.split('+').filter_map(|part| row.text(part.trim())).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    })
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
