//! Reads rows: by the columns of a map, or by the keys that a table names for each field of a format.

use serde_json::Value;

use super::{ExportFormat, Header, answers, keys::line, place};
use crate::{
    ids::{self, is_nobody},
    platform::Platform,
    purchase,
    raw::{RawReview, Row, as_average, as_count, as_text, as_word, find},
    rows::Cells,
    status::{Status, yes_or_no},
    table,
};
use content::{ColumnMap, Field};
use contract::{model::DisclosureKind, text::is_formula};

/// The kinds of rows in a table of reviews that are not reviews: notes of a shop, links from elsewhere, questions.
const OTHER_KINDS: [&str; 5] = ["order_note", "pingback", "trackback", "question", "action_log"];

/// The kinds of rows that are answers.
const ANSWERS: [&str; 4] = ["reply", "owner reply", "response", "answer"];

/// The roles of people who answer for the business. A review may be about a business, so that other columns say nothing.
const OWNERS: [&str; 9] = [
    "owner",
    "staff",
    "employee",
    "merchant",
    "seller",
    "vendor",
    "business",
    "shop manager",
    "administrator",
];

/// What programs write for nothing, as they write it: Null and Nan are names of people.
const NOTHING: [&str; 16] = [
    "null",
    "NULL",
    "(null)",
    "none",
    "None",
    "NONE",
    "nan",
    "NaN",
    "n/a",
    "N/A",
    "#N/A",
    "undefined",
    "\\N",
    "-",
    "--",
    "–",
];

impl ExportFormat {
    /// The row's parts; `None` for a row that holds no review at all.
    pub(in super::super) fn row(self, row: Row<'_>, map: &ColumnMap) -> Option<RawReview> {
        let format = self;
        let known = |name: &'static str| line(format, name);
        let part = known("part");
        let column = |field: Field| map.columns.get(&field).map(String::as_str);
        let paths = |field: Field| -> Vec<&str> {
            column(field).into_iter().chain(known(field.word()).iter().copied()).collect()
        };
        // Only Candor's own table has precisions. It has an apostrophe before what a spreadsheet takes for a formula.
        let is_own = column(Field::DatePrecision).is_some();
        let plain = |cell: String| match cell.strip_prefix('\'') {
            Some(rest) if is_own && is_formula(rest) => rest.to_owned(),
            _ => cell,
        };
        let text = |field: Field| {
            row.first_text(&paths(field)).filter(|text| is_something(text)).map(plain)
        };
        let given = |field: Field| row.first(&paths(field));
        let is_kind = |kind: String| OTHER_KINDS.contains(&kind.trim());
        let is_other = !part.is_empty() && part.iter().all(|part| row.at(part).is_none());
        if is_other || text(Field::Kind).is_some_and(is_kind) {
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
        let is_id = |id: &String| !matches!(id.trim(), "0" | "-1") && !is_nobody(id);
        let source = text(Field::Source).and_then(|cell| Platform::read(&cell).source());
        let id = |alternatives: &&str| row.first_text(&alternatives.split('|').collect::<Vec<_>>());
        let shown = text(Field::Text).or_else(|| joined(row, column(Field::Text)).map(plain));
        let original = text(Field::OriginalText).filter(|original| !original.trim().is_empty());
        let (is_original, is_translated) = (original.is_some(), original != shown);
        let language = match known("original_language") {
            [] => text(Field::Language),
            paths if is_original => row.first_text(paths),
            _ => text(Field::Language),
        };
        let translation = row.first_text(known("translation"));
        let translation =
            translation.or_else(|| shown.clone().filter(|_| is_original && is_translated));
        let author = match format {
            ExportFormat::Jsonld => row.at("author").and_then(person),
            _ => text(Field::Author),
        };
        Some(RawReview {
            // What the format's own platform has is that of the format.
            source: source.filter(|source| format.source() != Some(source)),
            status: words(Field::Status).find(is_spam).or_else(|| words(Field::Status).next()),
            purchase: is_marked(Field::Purchase, true) || is_marked(Field::Status, false),
            answer_to: text(Field::AnswerTo).filter(is_id),
            is_owners: words(Field::Kind).any(is_owners),
            precision: text(Field::DatePrecision),
            disclosure: words(Field::Disclosure).next().and_then(disclosed),
            location: place::of_row(format, row, map),
            ids: paths(Field::Id).iter().filter_map(id).collect(),
            author,
            author_id: account(text(Field::AuthorId).filter(is_id), text(Field::Url)),
            avatar: text(Field::Avatar),
            rating: given(Field::Rating).filter(|given| !given.value.is_object()),
            best: row.first(known("best")),
            date: given(Field::Date),
            updated: given(Field::Updated)
                .filter(|given| format != ExportFormat::Jsonld || is_instant(&given.value)),
            title: text(Field::Title),
            text: original.or(shown),
            translation: translation
                .map(|text| (text, row.first_text(known("translation_language")))),
            language,
            url: text(Field::Url),
            reply: text(Field::Reply),
            reply_date: given(Field::ReplyDate),
            answers: answers::of_owner(row, &paths(Field::Reply)),
            claimed_total: known("total").iter().find_map(|path| as_count(row.place_value(path)?)),
            claimed_average: known("average")
                .iter()
                .find_map(|path| as_average(row.place_value(path)?)),
        })
    }

    /// Reads the statements of a document about all its rows.
    pub(in super::super) fn header(self, header: &Cells) -> Header {
        let value = |name| line(self, name).iter().find_map(|path| find(header, path));
        Header {
            location: place::of_document(self, header),
            claimed_total: value("header_total").and_then(as_count),
            claimed_average: value("header_average").and_then(as_average),
            goes_on: value("header_goes_on").is_some(),
        }
    }
}

/// Whether a column says that the owner wrote the row.
fn is_owners((column, value): (String, String)) -> bool {
    let (column, value) = (table::spaced(&column), yes_or_no(table::spaced(value.trim())));
    let is_of_author = ["role", "author", "user"].iter().any(|word| column.contains(word));
    ANSWERS.contains(&&*value)
        || is_of_author && OWNERS.contains(&&*value)
        || column.starts_with("is ") && value == "yes"
}

/// The kind of a disclosure, which a column states itself or answers with yes.
fn disclosed((column, value): (String, String)) -> Option<String> {
    let name = table::spaced(&column);
    let is_insider =
        ["employee", "insider", "staff", "self"].iter().any(|word| name.contains(word));
    let kind = if is_insider { DisclosureKind::Insider } else { DisclosureKind::Incentivized };
    match &*yes_or_no(table::spaced(value.trim())) {
        "yes" | "y" => Some(kind.word().to_owned()),
        "no" | "n" | "none" => None,
        _ if name.starts_with("disclosure") => Some(value),
        // How much it was.
        _ => name.contains("incentiv").then(|| kind.word().to_owned()),
    }
}

/// The account of a column, or the one in Google's address of a review. Other addresses are not accounts.
fn account(id: Option<String>, url: Option<String>) -> Option<String> {
    let of_url = |url: &String| ids::contributor(url);
    let own = id.as_ref().and_then(of_url).or(id.filter(|id| !id.contains("://")));
    own.or_else(|| url.as_ref().and_then(of_url))
}

/// Whether a program did not write it for nothing.
fn is_something(text: &str) -> bool {
    !NOTHING.contains(&text.trim())
}

/// The text of several columns: `pros+cons`.
fn joined(row: Row<'_>, column: Option<&str>) -> Option<String> {
    let parts: Vec<String> = column?
        .split('+')
        .filter_map(|part| row.text(part.trim()).filter(|text| is_something(text)))
        .collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
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
