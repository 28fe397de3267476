//! Tables and JSON of any origin, by a column map.

use super::Header;
use crate::{
    columns, ids,
    platform::Platform,
    purchase,
    raw::{Location, RawReview, Row, as_word},
    rows::Cells,
    status::Status,
};
use content::{ColumnMap, Field};
use contract::text::is_formula;

/// The kinds of rows in a table of reviews that are not reviews: notes of a shop, links from elsewhere, questions.
const OTHER_KINDS: [&str; 5] = ["order_note", "pingback", "trackback", "question", "action_log"];

/// `None` for a row that is another kind of thing.
pub(super) fn row(row: Row<'_>, map: &ColumnMap) -> Option<RawReview> {
    let column = |field: Field| map.columns.get(&field).map(String::as_str);
    // Only Candor's own table has precisions. It has an apostrophe before what a spreadsheet takes for a formula.
    let is_own = column(Field::DatePrecision).is_some();
    let plain = |cell: String| match cell.strip_prefix('\'') {
        Some(rest) if is_own && is_formula(rest) => rest.to_owned(),
        _ => cell,
    };
    let text = |field: Field| row.text(column(field)?).map(plain);
    let given = |field: Field| row.first(&[column(field)?]);
    if text(Field::Kind).is_some_and(|kind| OTHER_KINDS.contains(&kind.trim())) {
        return None;
    }
    let words = |field: Field| {
        let columns = column(field).into_iter().flat_map(|column| column.split('+'));
        columns.filter_map(|column| Some((column.to_owned(), as_word(row.at(column)?)?)))
    };
    let is_marked = |field: Field, is_asked: bool| {
        words(field).any(|(column, value)| purchase::is_marked(&column, &value, is_asked))
    };
    let is_spam =
        |(column, value): &(String, String)| Status::read(column, value) == Some(Status::Spam);
    // WooCommerce has the account 0 for guests, and the answered review 0 for reviews.
    let is_id = |id: &String| id.trim() != "0";
    let shown = joined(row, column(Field::Text)).map(plain);
    let original = text(Field::OriginalText).filter(|original| !original.trim().is_empty());
    let is_translated = original.is_some() && original != shown;
    let translation = shown.clone().filter(|_| is_translated).map(|text| (text, None));
    Some(RawReview {
        source: text(Field::Source).and_then(|cell| Platform::read(&cell).source()),
        status: words(Field::Status).find(is_spam).or_else(|| words(Field::Status).next()),
        purchase: is_marked(Field::Purchase, true) || is_marked(Field::Status, false),
        answer_to: text(Field::AnswerTo).filter(is_id),
        precision: text(Field::DatePrecision),
        disclosure: text(Field::Disclosure),
        location: location(row, map),
        ids: text(Field::Id).into_iter().collect(),
        author: text(Field::Author),
        author_id: account(text(Field::AuthorId).filter(is_id), text(Field::Url)),
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

/// The account of a column, or the one in Google's address of a review. Other addresses are no accounts.
fn account(id: Option<String>, url: Option<String>) -> Option<String> {
    let of_url = |url: &String| ids::contributor(url);
    id.as_ref()
        .and_then(of_url)
        .or(id.filter(|id| !id.contains("://")))
        .or(url.as_ref().and_then(of_url))
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
