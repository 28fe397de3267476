//! Values by type: texts, addresses, numbers, dates, lists.

use std::{ops::Range, str::FromStr};

use jiff::{Timestamp, civil::Date};
use toml::de::DeValue;

use super::{TEXT, TomlTable};
use crate::syntax::web_url;
use contract::model::Day;

impl TomlTable<'_> {
    /// A text; blank counts as absent.
    pub(in super::super) fn string(&self, key: &'static str) -> Option<String> {
        let text = self.typed(key, TEXT, |value| value.as_str().map(str::to_owned))?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// A text that must be there.
    pub(in super::super) fn required(&self, key: &'static str) -> Option<String> {
        let value = self.string(key);
        let has_type = self.table.get(key).is_none_or(|value| value.get_ref().is_str());
        if value.is_none() && has_type {
            let message = format!("{} is missing or empty", self.full(key));
            self.error(key, "missing-key", message, format!("add {key} = \"…\""));
        }
        value
    }

    /// A text with a parser of its own.
    pub(in super::super) fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &self,
        key: &'static str,
    ) -> Option<T> {
        let text = self.string(key)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                let message = format!("{}: {error}", self.full(key));
                self.error(key, "invalid-value", message, "correct the value");
                None
            }
        }
    }

    /// An `http` or `https` address.
    pub(in super::super) fn url(&self, key: &'static str) -> Option<String> {
        let text = self.string(key)?;
        match web_url(&text) {
            Ok(()) => Some(text),
            Err(reason) => {
                let help = "write a whole address such as https://example.com/page";
                self.error(key, "invalid-url", format!("{}: {reason}", self.full(key)), help);
                None
            }
        }
    }

    /// `true` or `false`.
    pub(in super::super) fn boolean(&self, key: &'static str) -> Option<bool> {
        self.typed(key, ("true or false", "KEY = true or KEY = false"), DeValue::as_bool)
    }

    /// A text, or `true` or `false` as one.
    pub(in super::super) fn flag_or_string(&self, key: &'static str) -> Option<String> {
        self.typed(key, ("a text in quotes, or false", "KEY = \"…\" or KEY = false"), |value| {
            value.as_bool().map(|flag| flag.to_string()).or(value.as_str().map(str::to_owned))
        })
    }

    /// A whole number.
    pub(in super::super) fn integer(&self, key: &'static str) -> Option<i64> {
        self.typed(key, ("a whole number", "digits only, such as KEY = 12"), |value| {
            let number = value.as_integer()?;
            i64::from_str_radix(number.as_str(), number.radix()).ok()
        })
    }

    /// A number.
    pub(in super::super) fn float(&self, key: &'static str) -> Option<f64> {
        self.typed(key, ("a number", "KEY = 41.53, with a point and without quotes"), |value| {
            match value {
                DeValue::Float(number) => number.as_str().parse().ok(),
                DeValue::Integer(number) => number.as_str().parse().ok(),
                _ => None,
            }
        })
    }

    /// A calendar day, bare or in quotes.
    pub(in super::super) fn day(&self, key: &'static str) -> Option<Date> {
        self.typed(key, ("a day of the calendar", "KEY = 2026-03-01"), |value| {
            let text = value.as_str().map_or_else(
                || value.as_datetime().map(ToString::to_string),
                |s| Some(s.to_owned()),
            )?;
            text.parse::<Day>().ok().map(Day::date)
        })
    }

    /// An instant, or a day, which is its first instant UTC.
    pub(in super::super) fn instant(&self, key: &'static str) -> Option<Timestamp> {
        self.typed(
            key,
            ("a day or an instant", "KEY = 2026-03-01 or KEY = 2026-03-01T09:30:00Z"),
            |value| {
                let text = value.as_str().map_or_else(
                    || value.as_datetime().map(ToString::to_string),
                    |s| Some(s.to_owned()),
                )?;
                match text.parse::<Day>() {
                    Ok(day) => Some(day.midnight_utc()),
                    Err(_) => text.parse().ok(),
                }
            },
        )
    }

    /// A list of texts.
    pub(in super::super) fn strings(&self, key: &'static str) -> Vec<String> {
        self.items(key).unwrap_or_default().into_iter().map(|(text, _)| text).collect()
    }

    /// A list of texts, each with its place; `None` where the key is absent.
    pub(in super::super) fn items(&self, key: &'static str) -> Option<Vec<(String, Range<usize>)>> {
        let form = ("a list of texts", "KEY = [\"a\", \"b\"]");
        let array = self.typed(key, form, DeValue::as_array)?;
        let mut items = Vec::with_capacity(array.len());
        for (at, item) in array.iter().enumerate() {
            match item.get_ref().as_str() {
                Some(text) => items.push((text.trim().to_owned(), item.span())),
                None => {
                    let name = format!("{}[{at}]", self.full(key));
                    self.wrong_type(&name, TEXT.0, item, "put it in \"quotes\"".to_owned());
                }
            }
        }
        Some(items)
    }
}
