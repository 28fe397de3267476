//! JSON documents of any size, element by element: only one review, or one place with its reviews, is
//! held at a time.

use std::{
    fmt,
    io::{BufRead, Read},
    ops::ControlFlow,
    rc::Rc,
};

use contract::problem::without_position;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, error::Category};

use super::{Cells, RowLocation, Rows, Unreadable};

/// Keys of an outermost object whose lists hold reviews, or places with reviews.
const LISTS: [&str; 10] = [
    "reviews",
    "reviews_data",
    "data",
    "result",
    "results",
    "places",
    "items",
    "review",
    "@graph",
    "features",
];

/// Keys of a place whose lists are its reviews.
const REVIEWS_OF_PLACE: [&str; 2] = ["reviews_data", "reviews"];

/// Lists within lists within lists: deeper there are no reviews.
const MAX_DEPTH: usize = 8;

pub(super) fn read_document(reader: impl Read, rows: &mut dyn Rows) -> Result<(), Unreadable> {
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let mut stopped = false;
    let outcome = JsonRoot { rows, stopped: &mut stopped }
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end());
    match outcome {
        Ok(()) => Ok(()),
        Err(_) if stopped => Ok(()),
        Err(error) => Err(unreadable(error)),
    }
}

pub(super) fn read_lines(mut reader: impl BufRead, rows: &mut dyn Rows) -> Result<(), Unreadable> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let text = bytes.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let flow = match serde_json::from_slice::<Value>(text) {
            Ok(value) => expand(value, "", RowLocation::Line(line), None, rows),
            Err(error) => rows.broken(
                RowLocation::Line(line),
                format!("the line is no JSON: {}", without_position(&error)),
            ),
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
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
    match value {
        Value::Null => {
            rows.empty();
            ControlFlow::Continue(())
        }
        Value::Array(items) => expand_list(items, pointer, &at, place, rows),
        Value::Object(cells) if is_node(&cells) => expand_node(cells, pointer, at, place, rows),
        Value::Object(cells) => expand_object(cells, pointer, at, place, rows),
        other => rows.broken(at, format!("{other} stands where a review belongs")),
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
    if let Some((key, list)) = list.and_then(|key| Some((key, cells.remove(*key)?))) {
        return expand(list, &format!("{pointer}/{key}"), at, Some(&cells), rows);
    }
    let is_around = |value: &Value| value.as_object().is_some_and(|cells| is_around(cells, 1));
    let around: Vec<String> =
        cells.iter().filter(|(_, value)| is_around(value)).map(|(key, _)| key.clone()).collect();
    if around.is_empty() {
        return rows.row(at, cells, place);
    }
    for key in around {
        let inner = cells.remove(&key).unwrap_or_default();
        expand(inner, &format!("{pointer}/{key}"), at.clone(), Some(&cells), rows)?;
    }
    ControlFlow::Continue(())
}

/// Whether an object has a list of reviews, at any depth, and not an empty one.
fn is_around(cells: &Cells, depth: usize) -> bool {
    let is_full = |list: &Value| is_list(list) && list.as_array().is_some_and(|l| !l.is_empty());
    REVIEWS_OF_PLACE.iter().any(|key| cells.get(*key).is_some_and(is_full))
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
    for (number, item) in items.into_iter().enumerate() {
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
/// the page itself, is passed over.
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

/// Whether a node of JSON-LD is a review.
pub(in super::super) fn is_review_node(cells: &Cells) -> bool {
    let is_review = |kind: &Value| kind.as_str().is_some_and(|kind| kind.ends_with("Review"));
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

fn unreadable(error: serde_json::Error) -> Unreadable {
    match error.classify() {
        Category::Io => Unreadable::Io(error.into()),
        _ => Unreadable::Syntax {
            line: error.line(),
            column: error.column(),
            reason: without_position(&error),
        },
    }
}

/// The outermost value.
struct JsonRoot<'r> {
    rows: &'r mut dyn Rows,
    stopped: &'r mut bool,
}

impl<'de> DeserializeSeed<'de> for JsonRoot<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonRoot<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of reviews or an object that holds one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        List { pointer: "", rows: self.rows, stopped: self.stopped }.visit_seq(seq).map(drop)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { rows, stopped } = self;
        let mut header = Cells::new();
        let mut lists = 0;
        while let Some(key) = map.next_key::<String>()? {
            rows.key(&key);
            if !LISTS.contains(&key.as_str()) {
                header.insert(key, map.next_value()?);
                continue;
            }
            let pointer = format!("/{key}");
            let rest = map.next_value_seed(List { pointer: &pointer, rows, stopped })?;
            match rest {
                None => lists += 1,
                Some(Value::Object(cells)) if holds_reviews(&cells) => {
                    lists += 1;
                    go_on(
                        expand(Value::Object(cells), &pointer, RowLocation::Document, None, rows),
                        stopped,
                    )?;
                }
                Some(value) => drop(header.insert(key, value)),
            }
        }
        rows.header(&header);
        if lists == 0 && !header.is_empty() {
            go_on(expand(Value::Object(header), "", RowLocation::Document, None, rows), stopped)?;
        }
        Ok(())
    }
}

fn holds_reviews(cells: &Cells) -> bool {
    is_node(cells) || REVIEWS_OF_PLACE.iter().any(|key| cells.get(*key).is_some_and(is_list))
}

/// A list that is read element by element; any other value is returned.
struct List<'r> {
    pointer: &'r str,
    rows: &'r mut dyn Rows,
    stopped: &'r mut bool,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let list: Rc<str> = self.pointer.into();
        let mut number = 0;
        while let Some(value) = seq.next_element::<Value>()? {
            let at = RowLocation::Element(list.clone(), number);
            let pointer = format!("{list}/{number}");
            go_on(expand(value, &pointer, at, None, self.rows), self.stopped)?;
            number += 1;
        }
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(de::value::MapAccessDeserializer::new(map)).map(Some)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Some(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Some(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Some(Value::Null))
    }
}

/// Ends the parsing by an error when the rows' reader broke off.
fn go_on<E: de::Error>(flow: ControlFlow<()>, stopped: &mut bool) -> Result<(), E> {
    if flow.is_break() {
        *stopped = true;
        return Err(E::custom("stopped"));
    }
    Ok(())
}
