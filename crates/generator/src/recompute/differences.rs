//! The first difference of two documents, and the parts of `insights.json` that follow from `reviews.json`.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Bytes that are shown before and after the first other one.
const SHOWN: (usize, usize) = (24, 48);
/// Keys of `insights.json` that depend on the content alone: the owner's words and names.
pub(super) const OF_CONTENT: &str = "label definition description top_phrases frequent_words";
/// Keys that depend on the model: its hash, and the quotes that it chose.
pub(super) const OF_MODEL: &str = "hash examples example_review_ids pull_quote";

/// Reads JSON without the members that have one of these keys.
pub(super) fn without(bytes: &[u8], keys: &[&str]) -> Value {
    let mut value = serde_json::from_slice(bytes).unwrap_or_default();
    remove(&mut value, keys);
    value
}

fn remove(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| !keys.iter().any(|keys| keys.split(' ').any(|it| it == key)));
            members.values_mut().for_each(|value| remove(value, keys));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| remove(value, keys)),
        _ => {}
    }
}

/// Returns the lines of a text.
pub(super) fn lines(bytes: &[u8]) -> Value {
    str::from_utf8(bytes).map_or(Value::Null, |text| text.split('\n').collect())
}

/// Returns the lines of a text, without the labels of aspects, which are the owner's in whatever language.
pub(super) fn unlabelled(bytes: &[u8]) -> Vec<Value> {
    let unlabelled = |line: &str| {
        let rest = line.split_once("](").map(|(_, rest)| rest);
        rest.filter(|it| it.contains("/aspects/")).unwrap_or(line).into()
    };
    String::from_utf8_lossy(bytes).split('\n').map(unlabelled).collect()
}

/// The first difference of two files: a line, or a byte where one is not text.
pub(super) fn of_bytes(published: &[u8], computed: &[u8]) -> Option<String> {
    if published == computed {
        return None;
    }
    if let (a @ Value::Array(_), b @ Value::Array(_)) = (lines(published), lines(computed)) {
        return first(&a, &b).map(|difference| format!("line {difference}"));
    }
    let same = published.iter().zip(computed).take_while(|(a, b)| a == b).count();
    let (a, b) = (published.len(), computed.len());
    Some(format!("byte {}: published {a} bytes, computed {b}", same + 1))
}

/// The first of the computed values that is not among the published ones, in their order. Figures between them are the
/// owner's; a review, and what hides something, is not. `exact`: nothing is between them.
pub(super) fn missing(published: &[Value], computed: &[Value], exact: bool) -> Option<String> {
    let nothing = Value::Object(Map::new());
    if exact {
        let at = (0..published.len().max(computed.len()))
            .find(|at| published.get(*at) != computed.get(*at))?;
        let [a, b] = [published, computed].map(|of| of.get(at).unwrap_or(&nothing));
        return match published.len().cmp(&computed.len()) {
            Ordering::Greater => first(a, &nothing),
            Ordering::Less => first(&nothing, b),
            Ordering::Equal => first(a, b),
        };
    }
    let is_strict = |it: &&Value| it.is_object() && it.get("figures").is_none();
    let added = |of: &[Value]| first(of.iter().find(is_strict)?, &nothing);
    let mut rest = published;
    for value in computed {
        match rest.iter().position(|it| it == value) {
            Some(at) if added(&rest[..at]).is_none() => rest = &rest[at + 1..],
            Some(at) if published.len() != computed.len() => return added(&rest[..at]),
            _ => {
                let mut pairs = published.iter().zip(computed);
                let strict = pairs.find(|(a, b)| a != b && published.len() == computed.len());
                let (a, b) = strict.unwrap_or((rest.first().unwrap_or(&Value::Null), value));
                return first(a, b);
            }
        }
    }
    added(rest)
}

/// Finds the first place where two values differ, and says what is there: the keys and numbers that lead to it, numbers
/// counted from 1.
pub(super) fn first(published: &Value, computed: &Value) -> Option<String> {
    let (key, a, b) = match (published, computed) {
        _ if published == computed => return None,
        (Value::Array(a), Value::Array(b)) => {
            let other = (0..a.len().max(b.len())).find(|at| a.get(*at) != b.get(*at))?;
            ((other + 1).to_string(), a.get(other), b.get(other))
        }
        (Value::Object(a), Value::Object(b)) => {
            let other = b.keys().chain(a.keys()).find(|key| a.get(*key) != b.get(*key))?;
            (other.clone(), a.get(other), b.get(other))
        }
        _ => ("value".to_owned(), Some(published), Some(computed)),
    };
    let is_list = |value: Option<&Value>| value.is_some_and(|it| it.is_array() || it.is_object());
    if let (Some(a), Some(b), true) = (a, b, is_list(a) && is_list(b)) {
        return first(a, b).map(|inside| format!("{key}/{inside}"));
    }
    let text = |it: &Value| it.as_str().map_or_else(|| it.to_string(), str::to_owned);
    let [a, b] = [a, b].map(|it| it.map_or_else(|| "nothing".to_owned(), text));
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let shown = |it: &str| {
        let from = it.floor_char_boundary(same.saturating_sub(SHOWN.0));
        it[from..it.ceil_char_boundary(same + SHOWN.1)].to_owned()
    };
    Some(format!("{key}: published `{}`, computed `{}`", shown(&a), shown(&b)))
}
