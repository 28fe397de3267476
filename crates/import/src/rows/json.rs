//! JSON documents of any size, element by element: only one review, or one place with its reviews, is
//! held at a time.

mod array_table;
mod document;
mod escapes;
mod typed;

use std::{
    io::{BufRead, Read},
    ops::ControlFlow,
    rc::Rc,
    sync::LazyLock,
};

use contract::problem::without_position;
use serde::de::DeserializeSeed;
use serde_json::{Value, error::Category};

use self::{array_table::ArrayTable, document::JsonRoot, escapes::WholeCharacters};
use super::{
    Cells, DOUBLED, DOWNLOAD_AGAIN, LIST_KEY, MAX_PLACE, RowLocation, Rows, Unreadable,
    allowance::{Allowance, Limited, parse},
};
use crate::{ids::is_place_id, platform::Platform, table};

/// Keys of a place whose lists are its reviews.
const REVIEWS_OF_PLACE: [&str; 2] = ["reviews_data", "reviews"];
/// Keys of the response of a program whose lists are reviews, or further such responses.
const REVIEWS_OF_RESPONSE: [&str; 2] = ["result", "items"];
/// Keys of the review in an item of a list, where programs put a cursor or a hit beside it: GraphQL, Elasticsearch.
const NODES: [&str; 2] = ["node", "_source"];

/// Lists within lists within lists: deeper there are no reviews.
const MAX_DEPTH: usize = 8;
/// Bytes of the path to a row. Each row of a list has it.
const MAX_PATH: usize = 2_000;

/// Largest line: 32 MiB. It is a row, or a place with all its reviews.
const MAX_LINE: usize = 32 << 20;

/// The words of keys of stars, of dates, and of authors and texts.
static REVIEW_WORDS: LazyLock<[Vec<&'static str>; 3]> = LazyLock::new(|| {
    [&["rating"][..], &["date"], &["author", "text"]].map(|lines| {
        let words = lines.iter().flat_map(|line| table::words(table::COLUMN_WORDS, line));
        words.collect()
    })
});

pub(super) fn read_document(reader: impl BufRead, rows: &mut dyn Rows) -> Result<(), Unreadable> {
    let allowance = &Allowance::new();
    let inner = WholeCharacters::of(reader);
    let mut deserializer = serde_json::Deserializer::from_reader(Limited { inner, allowance });
    let mut stopped = false;
    let outcome = JsonRoot { rows, stopped: &mut stopped, allowance }
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end());
    match outcome {
        Ok(()) => Ok(()),
        Err(_) if stopped => Ok(()),
        Err(error) => Err(unreadable(error, allowance)),
    }
}

pub(super) fn read_lines(mut reader: impl BufRead, rows: &mut dyn Rows) -> Result<(), Unreadable> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        escapes::replace_halves(&mut bytes, &mut 0);
        let text = bytes.trim_ascii();
        let at = RowLocation::Line(line);
        let is_cut = bytes.len() == MAX_LINE && !bytes.ends_with(b"\n");
        let flow = if is_cut && reader.skip_until(b'\n')? > 0 {
            rows.broken(at, "the line is larger than 32 MiB".to_owned())
        } else if text.is_empty() {
            continue;
        } else {
            match parse(text) {
                Ok(value) => expand(value, "", at, None, rows),
                Err(error) => {
                    let reason = too_large(&error);
                    let no_json = || format!("the line is not JSON: {}", without_position(&error));
                    rows.broken(at, reason.unwrap_or_else(no_json))
                }
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// Explains why a value is too large, if that is the error: any other value is data of the right kind.
pub(super) fn too_large(error: &serde_json::Error) -> Option<String> {
    error.is_data().then(|| without_position(error))
}

/// Reports the rows of one value: itself, or those in its lists. `pointer` is the value's own.
pub(super) fn expand(
    value: Value,
    pointer: &str,
    at: RowLocation,
    place: Option<&Cells>,
    rows: &mut dyn Rows,
) -> ControlFlow<()> {
    if pointer.matches('/').count() > 2 * MAX_DEPTH {
        return rows.broken(at, "lists are nested too deep".to_owned());
    }
    if pointer.len() > MAX_PATH {
        return rows.broken(at, "the names around its list are too long".to_owned());
    }
    match value {
        Value::Null => {
            rows.empty();
            ControlFlow::Continue(())
        }
        Value::Array(items) => expand_list(items, pointer, &at, place, rows),
        Value::Object(mut cells) if node(&cells).is_some() => {
            let inner = NODES.iter().find_map(|key| cells.remove(*key)).unwrap_or_default();
            expand(inner, pointer, at, place, rows)
        }
        Value::Object(cells) if is_node(&cells) => expand_node(cells, pointer, at, place, rows),
        Value::Object(cells) => expand_object(cells, pointer, at, place, rows),
        other => rows.broken(at, format!("{other} is where a review belongs")),
    }
}

/// A review, or an object that holds reviews: in a list of its own, or in one of an object within it.
fn expand_object(
    mut cells: Cells,
    pointer: &str,
    at: RowLocation,
    place: Option<&Cells>,
    rows: &mut dyn Rows,
) -> ControlFlow<()> {
    let list = REVIEWS_OF_PLACE.iter().find(|key| cells.get(**key).is_some_and(is_list));
    let list = list.or_else(|| REVIEWS_OF_RESPONSE.iter().find(|key| holds(&cells, key)));
    let mut around: Vec<String> = list.into_iter().map(|key| (*key).to_owned()).collect();
    if around.is_empty() {
        let is_around = |value: &Value| value.as_object().is_some_and(|cells| is_around(cells, 1));
        around
            .extend(cells.iter().filter(|(_, value)| is_around(value)).map(|(key, _)| key.clone()));
        around.extend(groups(&cells));
    }
    let others: Vec<String> = with_reviews(&cells).filter(|key| !around.contains(key)).collect();
    if !others.is_empty() && !is_review(&cells) {
        let is_beside = list.is_some();
        let (own, foreign) = others.into_iter().partition(|key| !is_beside || is_own(key, &cells));
        around.extend::<Vec<String>>(own);
        leave_out(foreign, &mut cells, &at, rows);
    }
    if around.is_empty() {
        return rows.row(at, typed::unwrapped(cells), place);
    }
    // The business may be named in any object around its reviews.
    for (key, value) in place.into_iter().filter(|place| place.len() <= MAX_PLACE).flatten() {
        let is_flat = |cells: &Cells| !cells.values().any(|v| v.is_object() || v.is_array());
        if !value.is_array() && value.as_object().is_none_or(is_flat) {
            cells.entry(key).or_insert_with(|| value.clone());
        }
    }
    let is_one = around.len() == 1;
    // Beside the list of a platform the others are those of places where reviews come from, too.
    let are_platforms = around.iter().any(|key| is_platform(key));
    for key in around {
        let inner = cells.remove(&key).unwrap_or_default();
        let inside = format!("{pointer}/{key}");
        if is_one && !is_platform(&key) && !is_place_id(&key) {
            expand(inner, &inside, at.clone(), Some(&cells), rows)?;
        } else {
            let column = match &key {
                _ if are_platforms => "platform",
                key if is_place_id(key) => "place id",
                _ => LIST_KEY,
            };
            let rows = &mut Keyed { rows, key: &key, column };
            expand(inner, &inside, at.clone(), Some(&cells), rows)?;
        }
    }
    ControlFlow::Continue(())
}

/// The keys of an object that is not a review itself, and has several reviews or lists of reviews, or those of a
/// platform.
fn groups(cells: &Cells) -> Vec<String> {
    let is_group = |value: &Value| match value {
        Value::Array(items) => items.iter().any(is_rated),
        value => is_rated(value),
    };
    let groups = cells.iter().filter(|(_, value)| is_group(value)).map(|(key, _)| key.clone());
    let groups: Vec<String> = groups.collect();
    let is_any = groups.len() > 1 || groups.first().is_some_and(|key| is_platform(key));
    if is_any && !has_rating(cells) { groups } else { Vec::new() }
}

/// The keys of lists of reviews, at any depth.
fn with_reviews(cells: &Cells) -> impl Iterator<Item = String> {
    cells.iter().filter(|(_, value)| has_reviews(value, 1)).map(|(key, _)| key.clone())
}

fn has_reviews(value: &Value, depth: usize) -> bool {
    let has = |value: &Value| depth < MAX_DEPTH && has_reviews(value, depth + 1);
    match value {
        Value::Array(items) => items.iter().any(|item| match item {
            Value::Object(cells) => is_review(node(cells).unwrap_or(cells)) || has(item),
            // The names of columns.
            Value::Array(names) => {
                let names = names.iter().filter_map(Value::as_str);
                is_review(&names.map(|name| (name.to_owned(), Value::Null)).collect()) || has(item)
            }
            _ => has(item),
        }),
        Value::Object(cells) => cells.values().any(has) && !is_review(cells),
        _ => false,
    }
}

/// Whether an object has what makes a review: stars, a date, and an author or a text.
fn is_review(cells: &Cells) -> bool {
    let [rating, date, words] = &*REVIEW_WORDS;
    let is = |key: &str, words: &[&'static str]| table::has_word(key, words.iter().copied());
    let has = |words| cells.keys().any(|key| is(key, words));
    let has_date = || cells.iter().any(|(key, value)| !value.is_object() && is(key, date));
    cells.len() > 2 && has(rating) && has_date() && has(words)
}

/// The review in an item of a list, in an object of its own.
fn node(cells: &Cells) -> Option<&Cells> {
    let inner = NODES.iter().find_map(|key| cells.get(*key)).and_then(Value::as_object);
    inner.filter(|inner| has_rating(inner) && !has_rating(cells))
}

fn is_rated(value: &Value) -> bool {
    value.as_object().is_some_and(has_rating)
}

fn has_rating(cells: &Cells) -> bool {
    let is_rating = |key: &String| ["rating", "star", "score"].iter().any(|w| key.contains(w));
    cells.keys().any(is_rating)
}

fn is_platform(key: &str) -> bool {
    matches!(Platform::read(key), Platform::Known(_))
}

/// Gives each row the key of its list, in a column of its own: a platform, a business, anything else.
struct Keyed<'r> {
    rows: &'r mut dyn Rows,
    key: &'r str,
    column: &'static str,
}

impl Rows for Keyed<'_> {
    fn row(&mut self, at: RowLocation, mut cells: Cells, place: Option<&Cells>) -> ControlFlow<()> {
        cells.entry(self.column).or_insert_with(|| self.key.into());
        self.rows.row(at, cells, place)
    }

    fn broken(&mut self, at: RowLocation, reason: String) -> ControlFlow<()> {
        self.rows.broken(at, reason)
    }

    fn other(&mut self, at: &RowLocation, key: &str) {
        self.rows.other(at, key);
    }

    fn empty(&mut self) {
        self.rows.empty();
    }
}

/// Whether a key beside a list of reviews has more of them: it says so, or is itself a list of them. An object that has
/// reviews of its own may be another business.
fn is_own(key: &str, cells: &Cells) -> bool {
    let is = |line| table::has_word(key, table::words(table::COLUMN_WORDS, line));
    let items = || cells.get(key).and_then(Value::as_array).into_iter().flatten();
    let is_list = || items().filter_map(Value::as_object).any(is_review);
    is_platform(key) || (is("more reviews") || is_list()) && !is("other business")
}

/// Leaves out what is under these keys.
fn leave_out(keys: Vec<String>, cells: &mut Cells, at: &RowLocation, rows: &mut dyn Rows) {
    for key in keys {
        cells.remove(&key);
        rows.other(at, &key);
    }
}

/// Whether the list of this key holds objects with ratings, or responses that hold such lists.
fn holds(cells: &Cells, key: &str) -> bool {
    let is_one = |item: &Value| {
        let cells = item.as_object();
        cells.is_some_and(|cells| {
            cells.keys().any(|key| key.contains("rating"))
                || REVIEWS_OF_RESPONSE.iter().any(|key| cells.get(*key).is_some_and(is_list))
        })
    };
    cells.get(key).and_then(Value::as_array).is_some_and(|items| items.iter().any(is_one))
}

/// Whether an object has a list of reviews, at any depth, and not an empty one.
fn is_around(cells: &Cells, depth: usize) -> bool {
    let is_full = |list: &Value| is_list(list) && list.as_array().is_some_and(|l| !l.is_empty());
    REVIEWS_OF_PLACE.iter().any(|key| cells.get(*key).is_some_and(is_full))
        || !groups(cells).is_empty()
        || depth < MAX_DEPTH
            && cells.values().filter_map(Value::as_object).any(|inner| is_around(inner, depth + 1))
}

fn expand_list(
    items: Vec<Value>,
    pointer: &str,
    at: &RowLocation,
    place: Option<&Cells>,
    rows: &mut dyn Rows,
) -> ControlFlow<()> {
    let list: Rc<str> = pointer.into();
    let mut table = ArrayTable::default();
    for (number, item) in items.into_iter().enumerate() {
        let Some(item) = table.row(item) else { continue };
        // The number of a line is more useful than a pointer into it.
        let at = match at {
            RowLocation::Line(line) => RowLocation::Line(*line),
            _ => RowLocation::Element(list.clone(), number),
        };
        let nested = matches!(item, Value::Array(_) | Value::Object(_));
        let pointer = if nested { format!("{list}/{number}") } else { String::new() };
        expand(item, &pointer, at, place, rows)?;
    }
    ControlFlow::Continue(())
}

/// A node of JSON-LD: a review, or something reviews are about. Anything else in the graph, such as
/// the page itself, is skipped.
fn expand_node(
    mut cells: Cells,
    pointer: &str,
    at: RowLocation,
    place: Option<&Cells>,
    rows: &mut dyn Rows,
) -> ControlFlow<()> {
    if is_review_node(&cells) {
        return rows.row(at, cells, place);
    }
    for key in ["@graph", "review", "reviews"] {
        if let Some(value) = cells.remove(key).filter(|v| v.is_array() || v.is_object()) {
            expand(value, &format!("{pointer}/{key}"), at.clone(), Some(&cells), rows)?;
        }
    }
    ControlFlow::Continue(())
}

fn is_node(cells: &Cells) -> bool {
    cells.contains_key("@type") || cells.contains_key("@graph")
}

/// Whether a node of JSON-LD is a customer's review. Schema.org has others: of employees, of critics, of claims.
pub(in super::super) fn is_review_node(cells: &Cells) -> bool {
    let is_review = |kind: &Value| {
        let name = kind.as_str().and_then(|kind| kind.rsplit(['/', ':', '#']).next());
        matches!(name, Some("Review" | "UserReview"))
    };
    match cells.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_review),
        Some(kind) => is_review(kind),
        None => false,
    }
}

fn is_list(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(|item| item.is_object() || item.is_null()))
}

fn unreadable(error: serde_json::Error, allowance: &Allowance) -> Unreadable {
    let (line, column) = (error.line(), error.column());
    match (allowance.fault(), error.classify()) {
        (Some(reason), _) => Unreadable::Syntax {
            line,
            column,
            reason: reason.to_owned(),
            help: "remove it, or export every review as a row of its own, such as in a CSV file",
        },
        (None, Category::Io) => Unreadable::Io(error.into()),
        (None, category) => {
            let reason = without_position(&error);
            let help = if category == Category::Data { DOUBLED } else { DOWNLOAD_AGAIN };
            Unreadable::Syntax { line, column, reason, help }
        }
    }
}
