//! Reads rows: by the columns of a map, or by the keys that a table names for each field of a format.

use std::sync::LazyLock;

use serde_json::Value;

use super::{ExportFormat, Header, answers, keys::line, place};
use crate::{
    columns::confirmation,
    error::Refusal,
    ids::{self, is_nobody},
    platform::Platform,
    purchase,
    raw::{NamedValue, RawReview, Row, as_average, as_count, as_text, as_word, by_language, find},
    rows::Cells,
    status::{Status, is_negated, is_yes},
    table::{self, is_kind, names_nobody},
};
use content::{ColumnMap, Field};
use contract::{model::DisclosureKind, text::is_formula};

static NOTHING: LazyLock<Vec<&str>> =
    LazyLock::new(|| table::words(table::KINDS, "nothing").collect());

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
        let own = row.first_text(&paths(Field::Language));
        let text = |field: Field| {
            let in_own = || in_language(row.at(column(field)?)?, own.as_deref());
            let inner = || answers::inner(field, row.at(column(field)?)?).and_then(as_text);
            row.first_text(&paths(field))
                .or_else(in_own)
                .or_else(inner)
                .filter(|text| is_something(text))
                .map(plain)
        };
        let given = |field: Field| row.first(&paths(field));
        let is_other = !part.is_empty() && part.iter().all(|part| row.at(part).is_none());
        if is_other {
            return None;
        }
        let words = |field: Field| {
            let columns = column(field).into_iter().flat_map(|column| column.split('+'));
            columns.filter_map(|column| Some((column.to_owned(), as_word(row.at(column)?)?)))
        };
        let is_marked = |field: Field, is_asked: bool| {
            words(field).any(|(column, value)| purchase::is_marked(&column, &value, is_asked))
        };
        let is_spam = |(column, value): &(String, String)| {
            Status::read_phrase(column, value) == Some(Status::Spam)
        };
        // WooCommerce has the account 0 for guests, and the answered review 0 for reviews.
        let is_id = |id: &String| !matches!(id.trim(), "0" | "-1") && !is_nobody(id);
        // An address, or a column beside those of the format, may have anything.
        let is_url = column(Field::Source).is_some_and(|source| {
            column(Field::Url) == Some(source) || known("url").contains(&source)
        });
        let is_any = is_url || column(Field::Source).is_some() && !format.is_generic();
        let source = text(Field::Source).map(|cell| Platform::read(&cell));
        let source = source.filter(|source| match source {
            Platform::Known(_) => true,
            Platform::Invented(_) => !is_url,
            _ => !is_any,
        });
        let by_url =
            || Platform::read(&text(Field::Url).filter(|_| format.source_key().is_some())?).known();
        let source = source.and_then(Platform::source).or_else(by_url);
        let source = source.filter(|it| format.source() != Some(it));
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
            _ => text(Field::Author).or_else(|| whole_name(row, column(Field::Author))),
        };
        let name = author.as_deref().unwrap_or_default().trim_end_matches(':');
        Some(RawReview {
            source,
            status: words(Field::Status).find(is_spam).or_else(|| words(Field::Status).next()),
            purchase: is_marked(Field::Purchase, true) || is_marked(Field::Status, false),
            answer_to: text(Field::AnswerTo).filter(is_id),
            is_owners: words(Field::Kind).any(is_owners),
            unclear: [Field::Author, Field::Title, Field::Text, Field::Reply]
                .into_iter()
                .find_map(|field| unclear(row, map, field, own.as_deref())),
            is_other: text(Field::Kind).is_some_and(|kind| is_kind(&kind, "other"))
                || shown.is_none() && is_kind(name, "total")
                || shown.is_none()
                    && given(Field::Rating).is_none()
                    && text(Field::Kind).is_some_and(|kind| is_kind(&kind, "document")),
            is_anonymous: words(Field::Anonymous).any(is_anonymous)
                || words(Field::Status).any(|(_, value)| names_nobody(&value)),
            precision: text(Field::DatePrecision),
            disclosure: words(Field::Disclosure).next().and_then(disclosed),
            location: place::of_row(format, row, map),
            ids: paths(Field::Id).iter().filter_map(id).collect(),
            author,
            author_id: account(text(Field::AuthorId).filter(is_id), text(Field::Url)),
            avatar: text(Field::Avatar),
            rating: given(Field::Rating).and_then(|it| {
                match answers::inner(Field::Rating, &it.value) {
                    Some(stars) => Some(NamedValue { value: stars.clone(), ..it }),
                    None => Some(it).filter(|it| !it.value.is_object()),
                }
            }),
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
            reply: text(Field::Reply).filter(|reply| !is_kind(reply, "no reply")),
            reply_date: given(Field::ReplyDate),
            is_reply_private: words(Field::ReplyStatus).any(is_private),
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
    let column = table::spaced(&column);
    let is_of_author = ["role", "author", "user"].iter().any(|word| column.contains(word));
    is_kind(&value, "answer")
        || is_of_author && is_kind(&value, "owner")
        || column.starts_with("is ") && is_yes(&value) == Some(true)
}

/// Whether a column says that a reply is not for everybody.
fn is_private((column, value): (String, String)) -> bool {
    Status::read_phrase(&column, &value).is_some_and(|status| status != Status::Shown)
}

/// Whether a column says that the author wants no name: "hide name" or "show name", or its value does.
fn is_anonymous((column, value): (String, String)) -> bool {
    let has = |line| table::has_word(&column, table::words(table::COLUMN_WORDS, line));
    let hides = table::spaced(&column).contains("anon") || has("hides") || has("nameless");
    let shows = has("shown") && !hides;
    is_yes(&value) == Some(shows == is_negated(&column)) || names_nobody(&value)
}

/// The kind of a disclosure, which a column states itself or answers with yes.
fn disclosed((column, value): (String, String)) -> Option<String> {
    let name = table::spaced(&column);
    let is_insider =
        ["employee", "insider", "staff", "self"].iter().any(|word| name.contains(word));
    let kind = if is_insider { DisclosureKind::Insider } else { DisclosureKind::Incentivized };
    match is_yes(&value) {
        Some(true) => Some(kind.word().to_owned()),
        Some(false) => None,
        _ if name.starts_with("disclosure") => Some(value).filter(|value| value != "none"),
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

/// The text in the language that the row has, or the only text.
fn in_language(value: &Value, own: Option<&str>) -> Option<String> {
    let texts = by_language(value)?;
    let is_own = |tag: &str| own.and_then(|own| own.get(..2)) == tag.get(..2);
    let mut own = texts.iter().filter(|(tag, _)| texts.len() == 1 || is_own(tag));
    own.next().and_then(|(_, text)| as_text(text))
}

/// Why no text of several is taken: a translation is not the author's words.
fn unclear(
    row: Row<'_>,
    map: &ColumnMap,
    field: Field,
    own: Option<&str>,
) -> Option<(String, Refusal)> {
    let column = map.columns.get(&field)?;
    let texts = by_language(row.at(column)?)?;
    if in_language(row.at(column)?, own).is_some() {
        return None;
    }
    let tags: Vec<&str> = texts.keys().map(String::as_str).collect();
    let mut of_first = map.clone();
    of_first.columns.insert(field, format!("{column}.{}", tags[0]));
    let of_first = confirmation(&of_first);
    let reason = format!(
        "it is there in {}, and the row does not say which is the author's",
        tags.join(", ")
    );
    let help = format!("add a column language, or read one of them, such as with {of_first}");
    Some((column.clone(), Refusal::new(reason, help).answered_by(of_first)))
}

/// Whether a program did not write it for nothing.
fn is_something(text: &str) -> bool {
    !NOTHING.contains(&text.trim())
}

/// The texts of several columns: `pros+cons`.
fn parts(row: Row<'_>, column: Option<&str>) -> Vec<String> {
    let columns = column.into_iter().flat_map(|column| column.split('+'));
    let texts = columns.filter_map(|part| row.text(part.trim()));
    texts.filter(|text| is_something(text)).collect()
}

/// The text of several columns.
fn joined(row: Row<'_>, column: Option<&str>) -> Option<String> {
    Some(parts(row, column).join("\n")).filter(|text| !text.is_empty())
}

/// The name in several columns. A last one that has the first one is the whole name.
fn whole_name(row: Row<'_>, column: Option<&str>) -> Option<String> {
    let parts = parts(row, column);
    let (first, last) = (parts.first()?, parts.last()?);
    let is_whole = first.split(' ').all(|word| last.split(' ').any(|other| other == word));
    Some(if is_whole { last.clone() } else { parts.join(" ") })
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
