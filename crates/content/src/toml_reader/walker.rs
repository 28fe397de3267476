//! Checks a parsed file against the schema of its struct. Faulty values are reported and removed, so that one run
//! reports every problem and serde builds the struct of the rest.

use std::{collections::HashSet, ops::Range};

use jiff::Timestamp;
use serde_json::Value;
use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

use super::{TomlFile, rules};
use crate::picture::{Picture, Use};
use contract::{
    model::Day,
    problem::{did_you_mean, unknown_help},
    text::without_invisible,
};

/// The result of checking a value.
#[derive(PartialEq)]
enum Found {
    Good,
    /// A text without a character, or a list that needs an item and has none: it counts as absent.
    Blank,
    /// The value is wrong and reported.
    Faulty,
}

impl From<bool> for Found {
    fn from(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Faulty }
    }
}

/// The form of a text, for messages: its description, and an example.
const TEXT: (&str, &str) = ("a text in quotes", "KEY = \"…\"");
const DAY: (&str, &str) = ("a day of the calendar", "KEY = 2026-03-01");
const INSTANT: (&str, &str) =
    ("a day or an instant", "KEY = 2026-03-01 or KEY = 2026-03-01T09:30:00Z");
const TABLES: (&str, &str) = ("a list of tables", "[[KEY]] above each, in two pairs of brackets");

/// Returns the form of a value of a schema, for messages: its description, and an example.
fn form(of: &Value, name: &str) -> (&'static str, &'static str) {
    match of["type"].as_str() {
        Some("string") => match rules::name(of) {
            "date" => DAY,
            "instant" => INSTANT,
            _ => TEXT,
        },
        Some("boolean") => ("true or false", "KEY = true or KEY = false"),
        Some("integer") => ("a whole number", "digits only, such as KEY = 1"),
        Some("number") => ("a number", "KEY = 4.5, with a point and without quotes"),
        Some("array") if of["items"]["type"] == "object" => TABLES,
        Some("array") => ("a list of texts", "KEY = [\"a\", \"b\"]"),
        Some(_) if name.contains('.') => ("a table", "KEY = { … }"),
        Some(_) => ("a table", "[KEY] above its keys"),
        None => ("a text in quotes, or false", "KEY = \"…\" or KEY = false"),
    }
}

/// The keys of a table, or of each table of a list, for messages.
fn keys_of(of: &Value) -> String {
    let keys: Vec<&str> = words(&of["x-order"]).chain(words(&of["items"]["x-order"])).collect();
    if keys.is_empty() { String::new() } else { format!("; the keys are {}", keys.join(", ")) }
}

/// The assignment that is meant by a value of another type: a number in quotes, one word of a few, or one text where a
/// list belongs.
fn example(of: &Value, found: &DeValue<'_>) -> Option<String> {
    let known: Vec<&str> = words(&of["enum"]).collect();
    if (1..=10).contains(&known.len()) {
        return Some(format!("KEY = \"{}\"", known.join("\" or \"")));
    }
    let number = found.as_str()?.trim().replace(',', ".");
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
    let without = match of["type"].as_str()? {
        "integer" => number.parse::<i64>().is_ok().then_some("without quotes")?,
        "number" => number.parse::<f64>().is_ok().then_some("with a point and without quotes")?,
        "array" if of["items"]["type"] == "string" => {
            return Some(format!("KEY = [{:?}]", found.as_str()?.trim()));
        }
        _ => return None,
    };
    is_digits.then(|| format!("KEY = {number}, {without}"))
}

/// The words of a list.
fn words(list: &Value) -> impl Iterator<Item = &str> + Clone {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

impl TomlFile<'_> {
    /// Whether the table has every required key after faulty values are removed.
    pub(super) fn check_table(
        &self,
        of: &Value,
        table: &mut DeTable<'_>,
        name: &str,
        span: &Range<usize>,
    ) -> bool {
        let mut missing: Vec<_> = words(&of["required"]).map(|key| (key, span.clone())).collect();
        let mut unknown = Vec::new();
        let mut is_usable = true;
        let kept = std::mem::take(table).into_iter().filter_map(|(key, mut value)| {
            let word: &str = key.get_ref();
            let full = if name.is_empty() { word.to_owned() } else { format!("{name}.{word}") };
            let own = of["properties"].get(word);
            let named = Some(&of["additionalProperties"])
                .filter(|of| of.is_object() && value.get_ref().is_table());
            let Some(schema) = own.or(named) else {
                unknown.push((word.to_owned(), key.span(), full));
                return None;
            };
            if of["properties"].is_null() {
                value = Spanned::new(key.span(), value.into_inner());
            }
            let found = self.check(schema, &mut value, &full);
            let at = missing.iter().position(|(key, _)| *key == word);
            match (&found, at) {
                (Found::Blank, Some(at)) => missing[at].1 = value.span(),
                (Found::Good | Found::Faulty, Some(at)) => {
                    is_usable &= found == Found::Good;
                    missing.remove(at);
                }
                (_, None) => {}
            }
            (found == Found::Good).then_some((key, value))
        });
        *table = kept.collect();
        // A key that is missing and one that is not known are one mistake, unless the latter resembles another.
        let renamed = match (&missing[..], &unknown[..]) {
            ([(key, at)], [(word, ..)]) if at == span => {
                let near = did_you_mean(word, words(&of["x-order"]));
                near.is_none_or(|near| near == *key).then_some(*key)
            }
            _ => None,
        };
        for (word, span, full) in unknown {
            self.unknown(of, (&word, &full), span, renamed);
        }
        for (key, span) in missing.iter().filter(|_| renamed.is_none()) {
            let full = if name.is_empty() { (*key).to_owned() } else { format!("{name}.{key}") };
            let (message, help) = rules::words(&of["properties"][key]["x-missing"], &full, "")
                .unwrap_or_else(|| {
                    (format!("{full} is missing or empty"), format!("add {key} = \"…\""))
                });
            self.report.error("missing-key", self.place(span.clone()), message, help);
        }
        is_usable && missing.is_empty()
    }

    /// Reports an unknown key. `missing` is the key that may be meant.
    fn unknown(
        &self,
        of: &Value,
        (word, full): (&str, &str),
        span: Range<usize>,
        missing: Option<&str>,
    ) {
        let known = words(&of["x-order"]);
        let is_of_top =
            full != word && self.top.get().is_some_and(|top| words(top).any(|it| it == word));
        let (message, help) = if of["properties"].is_null() {
            (
                format!("{full} is outside a table"),
                "put it below a line with the id it belongs to in brackets, as [ID]".to_owned(),
            )
        } else {
            let help = match missing {
                Some(key) if did_you_mean(word, known.clone()).is_none() => {
                    format!("{key} is missing: write it in place of {word}, if it is meant")
                }
                _ if is_of_top => {
                    format!(
                        "{word} is a key of the whole file: move it up, above the first [table]"
                    )
                }
                _ => unknown_help(word, known),
            };
            (format!("unknown key \"{full}\""), help)
        };
        self.report.error("unknown-key", self.place(span), message, help);
    }

    fn check(&self, of: &Value, value: &mut Spanned<DeValue<'_>>, name: &str) -> Found {
        // A table, or false in its place.
        if let [table, no] = of["anyOf"].as_array().map_or(&[][..], Vec::as_slice) {
            return match value.get_ref().as_bool().filter(|_| no["const"] == false) {
                Some(false) => Found::Good,
                Some(true) => {
                    let (form, key) = (form(table, name), last_part(name));
                    let help = format!(
                        "write {}, or {key} = false{}",
                        form.1.replace("KEY", key),
                        keys_of(table)
                    );
                    self.wrong_type(name, &format!("{} or false", form.0), value, help);
                    Found::Faulty
                }
                None => self.check(table, value, name),
            };
        }
        let span = value.span();
        let form = form(of, name);
        let found = match (of["type"].as_str(), value.get_mut()) {
            (Some("string"), date) if form == DAY || form == INSTANT => {
                write_out(date, form == DAY).map(|()| Found::Good)
            }
            (Some("string") | None, DeValue::String(text)) => {
                *text = text.trim().to_owned().into();
                let is_blank = without_invisible(text).0.trim().is_empty();
                Some(if is_blank { Found::Blank } else { self.obeys(of, text, name, span).into() })
            }
            (Some("boolean") | None, DeValue::Boolean(_)) => Some(Found::Good),
            (Some("integer"), DeValue::Integer(number)) => {
                let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
                number.map(|number| self.is_within(of, number as f64, name, span).into())
            }
            (Some("number"), DeValue::Integer(_) | DeValue::Float(_)) => {
                let number = self.text_of(&span).replace('_', "").parse().ok();
                number.map(|number| self.is_within(of, number, name, span).into())
            }
            (Some("array"), DeValue::Array(items)) if items.is_empty() && of["minItems"] == 1 => {
                Some(Found::Blank)
            }
            (Some("array"), DeValue::Array(items)) if self.is_too_long(of, items, name, &span) => {
                Some(Found::Faulty)
            }
            (Some("array"), DeValue::Array(items))
                if form != TABLES || items.iter().all(|item| item.get_ref().is_table()) =>
            {
                let mut ids = HashSet::new();
                let all = std::mem::replace(items, DeArray::new()).into_iter().enumerate();
                let check = |(at, item)| self.check_item(of, item, (name, at), &mut ids);
                *items = all.filter_map(check).collect();
                Some(Found::Good)
            }
            (Some("object"), DeValue::Table(table)) => {
                Some(self.check_table(of, table, name, &span).into())
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let example = example(of, value.get_ref()).unwrap_or_else(|| form.1.to_owned());
            let help = format!("write {}{}", example.replace("KEY", last_part(name)), keys_of(of));
            self.wrong_type(name, form.0, value, help);
            Found::Faulty
        })
    }

    fn is_too_long(
        &self,
        of: &Value,
        items: &DeArray<'_>,
        name: &str,
        span: &Range<usize>,
    ) -> bool {
        let is_too_long = of["maxItems"].as_u64().is_some_and(|most| items.len() as u64 > most);
        let words = rules::words(&of["x-fault"], name, &items.len().to_string());
        if let (true, Some((message, help))) = (is_too_long, words) {
            let is_addresses = rules::name(&of["items"]) == "addresses";
            let code = if is_addresses { "invalid-base-url" } else { "invalid-value" };
            self.error(span.clone(), code, message, help);
        }
        is_too_long
    }

    fn check_item<'t>(
        &self,
        list_of: &Value,
        mut item: Spanned<DeValue<'t>>,
        (list, at): (&str, usize),
        ids: &mut HashSet<String>,
    ) -> Option<Spanned<DeValue<'t>>> {
        let of = &list_of["items"];
        let (name, span) = (format!("{list}[{at}]"), item.span());
        let is_good = match item.get_mut() {
            DeValue::String(text) if of["type"] == "string" => {
                *text = text.trim().to_owned().into();
                let is_blank = without_invisible(text).0.trim().is_empty();
                if is_blank && rules::name(of).is_empty() && of["enum"].is_null() {
                    let help = "remove it, or write a text";
                    self.error(span, "invalid-value", format!("{name} is empty"), help);
                    return None;
                }
                let is_new = list_of["uniqueItems"] != true || ids.insert(text.to_string());
                if !is_new {
                    let message = format!("{list}: {text:?} is in the list twice");
                    self.error(span.clone(), "invalid-value", message, "remove one of the two");
                }
                is_new && self.obeys(of, text, list, span)
            }
            DeValue::Table(table) if of["type"] == "object" => {
                self.check_table(of, table, &name, &span) && self.is_new(of, table, ids)
            }
            _ => {
                self.wrong_type(&name, TEXT.0, &item, "put it in \"quotes\"".to_owned());
                false
            }
        };
        is_good.then_some(item)
    }

    /// Whether no earlier table of the list has the same id, if ids of this kind are part of addresses.
    fn is_new(&self, of: &Value, table: &DeTable<'_>, ids: &mut HashSet<String>) -> bool {
        let id = table.get("id").filter(|_| of["properties"]["id"]["pattern"] == rules::SLUG);
        let Some((id, span)) = id.and_then(|id| Some((id.get_ref().as_str()?, id.span()))) else {
            return true;
        };
        let is_new = ids.insert(id.to_owned());
        if !is_new {
            let message = format!("the id {id:?} is in this file twice");
            self.error(span, "duplicate-id", message, "give each its own id");
        }
        is_new
    }

    /// Whether a text keeps the rules of its schema.
    fn obeys(&self, of: &Value, text: &str, name: &str, span: Range<usize>) -> bool {
        let root = self.locate(span.clone()).0.root.as_ref();
        let fault = match root.zip(Use::of(rules::name(of))) {
            Some((root, of)) => Picture::read(root, text, of).err().map(|reason| {
                rules::Fault::new("invalid-logo", format!("{name}: {reason}"), of.help())
            }),
            None => rules::fault(of, name, text),
        };
        let Some(rules::Fault { code, message, help }) = fault else { return true };
        self.report.error(code, self.place(span), message, help);
        false
    }

    fn is_within(&self, of: &Value, number: f64, name: &str, span: Range<usize>) -> bool {
        let limit = |key: &str, or: f64| of[key].as_f64().unwrap_or(or);
        let (least, most) = (limit("minimum", f64::MIN), limit("maximum", f64::MAX));
        let is_within = (least..=most).contains(&number);
        if !is_within {
            let (message, help) = rules::words(&of["x-fault"], name, &number.to_string())
                .unwrap_or_else(|| {
                    let message = format!("{name} must be from {least} to {most}, found {number}");
                    (message, "correct the number".to_owned())
                });
            self.report.error("invalid-value", self.place(span), message, help);
        }
        is_within
    }
}

/// Turns a date into text: a day, or an instant, which for a day is the first one in UTC.
fn write_out(value: &mut DeValue<'_>, is_day: bool) -> Option<()> {
    let text = match &*value {
        DeValue::Datetime(date) => date.to_string(),
        value => value.as_str()?.to_owned(),
    };
    let text = match text.parse::<Day>() {
        Ok(_) if is_day => text,
        Ok(day) => day.midnight_utc().to_string(),
        Err(_) if is_day => return None,
        Err(_) => text.parse::<Timestamp>().ok()?.to_string(),
    };
    *value = DeValue::String(text.into());
    Some(())
}

/// The key itself of a dotted one.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
