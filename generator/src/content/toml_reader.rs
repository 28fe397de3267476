//! Reads hand-written TOML key by key, so that one run reports every problem of a file with its
//! line and column, and every key nobody asked for.

use std::{cell::RefCell, ops::Range, path::Path, str::FromStr};

use jiff::{Timestamp, civil::Date};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use contract::{
    model::Day,
    problem::{Place, Report, unknown_help},
};

/// One TOML file in memory.
pub(super) struct TomlFile<'r> {
    path: String,
    text: String,
    report: &'r Report,
}

impl<'r> TomlFile<'r> {
    /// The file, or `None` where it does not exist; other failures are reported.
    pub(super) fn open(path: &Path, report: &'r Report) -> Option<Self> {
        match std::fs::read_to_string(path) {
            Ok(text) => Some(Self::from_text(path.display().to_string(), text, report)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                report.unreadable(path, &error);
                None
            }
        }
    }

    /// Text that was already read.
    pub(super) fn from_text(path: String, text: String, report: &'r Report) -> Self {
        // A byte order mark is what some editors write, and no part of TOML.
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
        Self { path, text, report }
    }

    /// Reads the whole file through `read`, then reports the keys `read` did not ask for.
    pub(super) fn read<T>(&self, read: impl FnOnce(&TomlTable<'_>) -> T) -> T {
        let (root, errors) = DeTable::parse_recoverable(&self.text);
        for error in errors {
            let place = self.place(error.span().unwrap_or_default());
            let help = "fix the TOML; texts stand in \"quotes\", a table's keys below its [name]";
            self.report.error("toml-syntax", place, error.message(), help);
        }
        let table = TomlTable::new(self, root.get_ref(), String::new(), root.span());
        let value = read(&table);
        table.report_unknown();
        value
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place::in_text(&self.path, &self.text, span)
    }
}

/// A table being read. Every `get` marks its key as known.
pub(super) struct TomlTable<'a> {
    file: &'a TomlFile<'a>,
    table: &'a DeTable<'a>,
    name: String,
    span: Range<usize>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a> TomlTable<'a> {
    fn new(
        file: &'a TomlFile<'a>,
        table: &'a DeTable<'a>,
        name: String,
        span: Range<usize>,
    ) -> Self {
        Self { file, table, name, span, known: RefCell::default() }
    }

    fn get(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.borrow_mut().push(key);
        self.table.get(key)
    }

    /// The key with the tables around it, as a reader would search for it.
    pub(super) fn full(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// Whether the key is there; it counts as known from then on.
    pub(super) fn contains(&self, key: &'static str) -> bool {
        self.table.contains_key(key) && self.get(key).is_some()
    }

    /// Where a key's value stands, or the table where the key is missing.
    pub(super) fn place(&self, key: &str) -> Place {
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        self.file.place(span)
    }

    /// An error about one key.
    pub(super) fn error(
        &self,
        key: &str,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.file.report.error(code, self.place(key), message, help);
    }

    /// A warning about one key.
    pub(super) fn warning(
        &self,
        key: &str,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.file.report.warning(code, self.place(key), message, help);
    }

    fn typed<T>(
        &self,
        key: &'static str,
        wanted: &str,
        convert: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(key)?;
        let converted = convert(value.get_ref());
        if converted.is_none() {
            let found = value.get_ref().type_str();
            let message =
                format!("{} must be {wanted}, found a value of type {found}", self.full(key));
            self.error(key, "wrong-type", message, "write it in that form");
        }
        converted
    }

    /// A text; blank counts as absent.
    pub(super) fn string(&self, key: &'static str) -> Option<String> {
        let text =
            self.typed(key, "a text in quotes", |value| value.as_str().map(str::to_owned))?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// A text that must be there.
    pub(super) fn required(&self, key: &'static str) -> Option<String> {
        let value = self.string(key);
        let has_type = self.table.get(key).is_none_or(|value| value.get_ref().is_str());
        if value.is_none() && has_type {
            let message = format!("{} is missing or empty", self.full(key));
            self.error(key, "missing-key", message, format!("add {key} = \"…\""));
        }
        value
    }

    /// A text with a parser of its own.
    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(
        &self,
        key: &'static str,
    ) -> Option<T> {
        let text = self.string(key)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.error(
                    key,
                    "invalid-value",
                    format!("{}: {error}", self.full(key)),
                    "correct the value",
                );
                None
            }
        }
    }

    /// An `http` or `https` address.
    pub(super) fn url(&self, key: &'static str) -> Option<String> {
        let text = self.string(key)?;
        match super::web_url(&text) {
            Ok(()) => Some(text),
            Err(reason) => {
                self.error(
                    key,
                    "invalid-url",
                    format!("{}: {reason}", self.full(key)),
                    "write a whole address such as https://example.com/page",
                );
                None
            }
        }
    }

    /// `true` or `false`.
    pub(super) fn boolean(&self, key: &'static str) -> Option<bool> {
        self.typed(key, "true or false", DeValue::as_bool)
    }

    /// A text, or `true` or `false` as one.
    pub(super) fn flag_or_string(&self, key: &'static str) -> Option<String> {
        self.typed(key, "a text in quotes, or false", |value| {
            value.as_bool().map(|flag| flag.to_string()).or(value.as_str().map(str::to_owned))
        })
    }

    /// A whole number.
    pub(super) fn integer(&self, key: &'static str) -> Option<i64> {
        self.typed(key, "a whole number", |value| {
            let number = value.as_integer()?;
            i64::from_str_radix(number.as_str(), number.radix()).ok()
        })
    }

    /// A number.
    pub(super) fn float(&self, key: &'static str) -> Option<f64> {
        self.typed(key, "a number", |value| match value {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        })
    }

    /// A calendar day, bare or in quotes.
    pub(super) fn day(&self, key: &'static str) -> Option<Date> {
        self.typed(key, "a day such as 2026-03-01", |value| {
            let text = value.as_str().map_or_else(
                || value.as_datetime().map(ToString::to_string),
                |s| Some(s.to_owned()),
            )?;
            text.parse::<Day>().ok().map(Day::date)
        })
    }

    /// An instant, or a day, which is its first instant UTC.
    pub(super) fn instant(&self, key: &'static str) -> Option<Timestamp> {
        self.typed(
            key,
            "a day such as 2026-03-01 or an instant such as 2026-03-01T09:30:00Z",
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
    pub(super) fn strings(&self, key: &'static str) -> Vec<String> {
        self.optional_strings(key).unwrap_or_default()
    }

    /// A list of texts, `None` where the key is absent.
    pub(super) fn optional_strings(&self, key: &'static str) -> Option<Vec<String>> {
        self.typed(key, "a list of texts such as [\"a\", \"b\"]", |value| {
            let items = value.as_array()?.iter();
            items.map(|item| item.get_ref().as_str().map(|s| s.trim().to_owned())).collect()
        })
    }

    /// Reads the table `[key]`.
    pub(super) fn table<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&TomlTable<'_>) -> T,
    ) -> Option<T> {
        let table = self.typed(key, "a table", DeValue::as_table)?;
        let span = self.table.get(key).map_or(self.span.clone(), Spanned::span);
        let table = TomlTable::new(self.file, table, self.full(key), span);
        let value = read(&table);
        table.report_unknown();
        Some(value)
    }

    /// Reads each table of `[[key]]`; those `read` finds unusable are left out.
    pub(super) fn tables<T>(
        &self,
        key: &'static str,
        mut read: impl FnMut(&TomlTable<'_>) -> Option<T>,
    ) -> Vec<T> {
        let wanted = format!("a list of tables, each headed [[{key}]]");
        let tables = self.typed(key, &wanted, |value| {
            let items = value.as_array()?.iter();
            items
                .map(|item| Some((item.get_ref().as_table()?, item.span())))
                .collect::<Option<Vec<_>>>()
        });
        let mut values = Vec::new();
        for (at, (table, span)) in tables.unwrap_or_default().into_iter().enumerate() {
            let table = TomlTable::new(self.file, table, format!("{}[{at}]", self.full(key)), span);
            values.extend(read(&table));
            table.report_unknown();
        }
        values
    }

    /// Reads each `[name]` of a file whose tables are named by its author.
    pub(super) fn named_tables<T>(
        &self,
        mut read: impl FnMut(&str, &TomlTable<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut values = Vec::new();
        for (name, value) in self.table {
            let Some(table) = value.get_ref().as_table() else {
                let message = format!("{} stands outside a table", name.get_ref());
                let help = "put it below the [id] it belongs to";
                self.file.report.error("unknown-key", self.file.place(name.span()), message, help);
                continue;
            };
            let table = TomlTable::new(self.file, table, name.get_ref().to_string(), name.span());
            values.extend(read(name.get_ref(), &table));
            table.report_unknown();
        }
        values
    }

    /// Says nothing of the keys that were not asked for.
    pub(super) fn ignore_rest(&self) {
        self.known.borrow_mut().clear();
    }

    fn report_unknown(&self) {
        let known = self.known.borrow();
        if known.is_empty() {
            return;
        }
        for name in self.table.keys().filter(|name| !known.contains(&&**name.get_ref())) {
            let message = format!("unknown key \"{}\"", self.full(name.get_ref()));
            let help = unknown_help(name.get_ref(), known.iter().copied());
            self.file.report.error("unknown-key", self.file.place(name.span()), message, help);
        }
    }
}
