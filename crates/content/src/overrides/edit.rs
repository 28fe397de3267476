//! Changes single keys of `overrides.toml`. Comments, order and line ends of the file stay.

use std::{path::Path, sync::Arc};

use insights::Entity;
use jiff::Timestamp;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::super::{entities, folder::Folder};
use contract::{
    model::{OwnerReply, ReviewId},
    problem::{Problem, Report, Severity, unknown_help},
};

/// One key of a correction and its new value.
#[derive(Clone, Debug)]
pub struct KeyChange {
    /// The key; `table.key` for a key of a table in the correction.
    pub path: &'static str,
    /// `None` removes the key.
    pub value: Option<Value>,
}

impl KeyChange {
    /// A reply in place of the stored one; `None`: no reply is published.
    pub fn reply(reply: Option<&OwnerReply>) -> Self {
        let value = reply.map_or(Value::from(false), |reply| {
            let mut table = InlineTable::new();
            table.insert("text", reply.text.as_str().into());
            if let Some(day) = reply.date {
                table.insert("date", datetime(&day.to_string()));
            }
            table.into()
        });
        Self { path: "owner_reply", value: Some(value) }
    }
}

/// Returns a message about the ids that a change of `mentions` names if no entity has them.
pub fn unknown_mention(content: &Path, change: &KeyChange) -> Option<String> {
    let (content, unread) = (&Folder::of(content), Report::default());
    let ids_of = |entities: Vec<Entity>| entities.into_iter().map(|entity| entity.id).collect();
    let (what, known): (&str, Vec<Arc<str>>) = match change.path {
        "mentions.technicians" => {
            let technicians = entities::technicians(content, &unread).0.into_iter();
            ("technician", technicians.map(|technician| technician.entity.id).collect())
        }
        "mentions.services" => ("service", ids_of(entities::services(content, &unread).0)),
        "mentions.service_areas" => {
            ("service area", ids_of(entities::service_areas(content, &unread).0))
        }
        _ => return None,
    };
    let ids = change.value.as_ref()?.as_array()?.iter().filter_map(Value::as_str);
    let known = known.iter().map(|id| &**id);
    let unknown = ids.into_iter().find(|id| !known.clone().any(|known| known == *id))?;
    Some(format!("there is no {what} {unknown:?}; {}", unknown_help(unknown, known)))
}

/// Returns the text of `overrides.toml` with these changes to one review's correction, dated `now`; `None` if they
/// change nothing.
///
/// # Errors
/// The errors of the file, before or after the change.
pub fn edit(
    path: &str,
    text: &str,
    id: ReviewId,
    changes: &[KeyChange],
    now: Timestamp,
) -> Result<Option<String>, Vec<Problem>> {
    check(path, text)?;
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(mut document) = plain.parse::<DocumentMut>() else { return Ok(None) };
    let id = id.to_string();
    let is_new = !document.contains_key(&id);
    if is_new && changes.iter().all(|change| change.value.is_none()) {
        return Ok(None);
    }
    if is_new {
        append(&mut document, &id);
    }
    let Some(correction) = document.get_mut(&id).and_then(Item::as_table_like_mut) else {
        return Ok(None);
    };
    let mut kept = String::new();
    let mut is_changed = false;
    for change in changes {
        is_changed |= apply(correction, change, &mut kept);
    }
    if !is_changed {
        return Ok(None);
    }
    set(correction, "date", datetime(&now.to_string()));
    keep_comments(correction, &kept);
    let mut edited = document.to_string();
    if plain.contains("\r\n") {
        edited = edited.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if plain.len() < text.len() {
        edited.insert(0, '\u{feff}');
    }
    check(path, &edited)?;
    Ok(Some(edited))
}

fn check(path: &str, text: &str) -> Result<(), Vec<Problem>> {
    let report = Report::default();
    super::read_text(path, text, &report);
    let mut problems = report.into_problems();
    problems.retain(|problem| problem.severity == Severity::Error);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Appends a table to the file, below the comments at its end.
fn append(document: &mut DocumentMut, id: &str) {
    let comments = document.trailing().as_str().unwrap_or_default().to_owned();
    let before = if document.is_empty() && comments.is_empty() { "" } else { "\n" };
    let mut table = Table::new();
    table.decor_mut().set_prefix(format!("{comments}{before}"));
    // The first key of every correction.
    table.insert("date", Item::Value(Value::from("")));
    document.set_trailing("");
    document.insert(id, Item::Table(table));
}

/// Makes the change. Whether the correction differs now. Comments of removed keys are added to `kept`.
fn apply(correction: &mut dyn TableLike, change: &KeyChange, kept: &mut String) -> bool {
    match (change.path.split_once('.'), &change.value) {
        (None, Some(value)) => set(correction, change.path, value.clone()),
        (None, None) => remove(correction, change.path, kept),
        (Some((table, key)), Some(value)) => {
            let inner = correction.entry(table).or_insert_with(|| InlineTable::new().into());
            inner.as_table_like_mut().is_some_and(|inner| set(inner, key, value.clone()))
        }
        (Some((table, key)), None) => {
            let inner = correction.get_mut(table).and_then(Item::as_table_like_mut);
            let Some(inner) = inner else { return false };
            let is_changed = remove(inner, key, kept);
            if inner.is_empty() {
                remove(correction, table, kept);
            }
            is_changed
        }
    }
}

fn set(table: &mut dyn TableLike, key: &str, value: Value) -> bool {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            let is_changed = !is_same(old, &value);
            if is_changed {
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            is_changed
        }
        _ => {
            table.insert(key, Item::Value(value));
            true
        }
    }
}

/// Whether two values are equal, in whatever notation.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.value() == b.value(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_same(a, b))
        }
        (Value::InlineTable(a), Value::InlineTable(b)) => {
            let has = |(key, value): (&str, &Value)| b.get(key).is_some_and(|b| is_same(value, b));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => a.to_string().trim() == b.to_string().trim(),
    }
}

fn remove(table: &mut dyn TableLike, key: &str, kept: &mut String) -> bool {
    let Some((name, item)) = table.get_key_value(key) else { return false };
    let above = name.leaf_decor().prefix().and_then(|raw| raw.as_str());
    let behind = item.as_value().and_then(|value| value.decor().suffix()?.as_str());
    for line in [above, behind].into_iter().flatten().flat_map(str::lines) {
        if line.trim_start().starts_with('#') {
            kept.push_str(line.trim());
            kept.push('\n');
        }
    }
    table.remove(key);
    true
}

/// Writes the comments of removed keys above the date.
fn keep_comments(correction: &mut dyn TableLike, kept: &str) {
    if let Some(mut key) = correction.key_mut("date").filter(|_| !kept.is_empty()) {
        let decor = key.leaf_decor_mut();
        let before = decor.prefix().and_then(|raw| raw.as_str()).unwrap_or_default().to_owned();
        decor.set_prefix(format!("{before}{kept}"));
    }
}

/// Returns a day or an instant as TOML writes it.
fn datetime(text: &str) -> Value {
    text.parse::<toml_edit::Datetime>().map_or_else(|_| text.into(), Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01J00000000000000000000001";
    const NOW: &str = "2026-05-01T10:00:00Z";

    fn edited(text: &str, path: &'static str, value: Option<Value>) -> Option<String> {
        let change = KeyChange { path, value };
        let (id, now) = (ID.parse().unwrap(), NOW.parse().unwrap());
        edit("overrides.toml", text, id, &[change], now).unwrap()
    }

    #[test]
    fn comments_and_order_stay() {
        let text = "# ours\n[01J00000000000000000000002]\ndate = 2026-01-01\nnote = 'b' # why\n\n[01J00000000000000000000001]\n# the neighbour wrote it\nhidden = \"off_topic\" # see mail\ndate = 2026-01-02 # then\n# end\n";
        let changed = edited(text, "author", Some("Bo".into())).unwrap();
        let expected =
            text.replace("2026-01-02 # then\n", "2026-05-01T10:00:00Z # then\nauthor = \"Bo\"\n");
        assert_eq!(changed, expected);
        let removed = edited(text, "hidden", None).unwrap();
        assert!(
            removed.contains("# the neighbour wrote it\n# see mail\ndate = 2026-05-01"),
            "{removed}"
        );
        assert!(!removed.contains("hidden"), "{removed}");
    }

    #[test]
    fn a_new_correction_stands_below_everything() {
        let text = "# head\r\n[01J00000000000000000000002]\r\ndate = 2026-01-01\r\n# end\r\n";
        let changed = edited(text, "disclosure.kind", Some("insider".into())).unwrap();
        assert_eq!(
            changed,
            format!(
                "{text}\r\n[{ID}]\r\ndate = {NOW}\r\ndisclosure = {{ kind = \"insider\" }}\r\n"
            )
        );
        let first = edited("", "hidden", Some("unlawful".into())).unwrap();
        assert_eq!(first, format!("[{ID}]\ndate = {NOW}\nhidden = \"unlawful\"\n"));
    }

    #[test]
    fn what_is_there_already_changes_nothing() {
        let text = format!(
            "[{ID}]\ndate = 2026-01-01\nhidden = 'unlawful'\nmentions.services = [ 'a' ]\n"
        );
        assert_eq!(edited(&text, "hidden", Some("unlawful".into())), None);
        let list = Value::Array(["a"].into_iter().collect());
        assert_eq!(edited(&text, "mentions.services", Some(list)), None);
        assert_eq!(edited(&text, "author", None), None);
        assert_eq!(edited("", "hidden", None), None);
    }

    #[test]
    fn a_table_without_keys_goes() {
        let text = format!(
            "[{ID}]\ndate = 2026-01-01\ndisclosure = {{ note = \"x\", kind = \"insider\" }}\nmentions = {{ services = [] }}\n"
        );
        let changed = edited(&text, "mentions.services", None).unwrap();
        assert!(!changed.contains("mentions") && changed.contains("disclosure"), "{changed}");
    }
}
