//! Reads hand-written TOML key by key, so that one run reports every problem of a file with its
//! line and column, and every unknown key.

mod defaults;
mod named;
mod syntax;
mod values;

use std::{cell::RefCell, ops::Range, path::Path, sync::Arc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::text_file;
use contract::problem::{Passage, Place, Report, unknown_help};
use system::root::Root;

/// One TOML file in memory, and perhaps one with its defaults.
pub(super) struct TomlFile<'r> {
    source: Source,
    /// Its bytes are counted on from those of `source`, so that a span says which of the two is meant.
    defaults: Option<Source>,
    report: &'r Report,
}

/// The text of a file.
struct Source {
    path: String,
    text: Arc<str>,
}

impl<'r> TomlFile<'r> {
    /// The file, or `None` where it does not exist; other failures are reported.
    pub(super) fn open(root: &Root, name: &str, report: &'r Report) -> Option<Self> {
        let text = text_file::read(root, name, report)?;
        Some(Self::from_text(root.shown(name.as_ref()).display().to_string(), &text, report))
    }

    /// Text that was already read.
    pub(super) fn from_text(path: String, text: &str, report: &'r Report) -> Self {
        Self { source: Source { path, text: text.into() }, defaults: None, report }
    }

    /// The same file, with the keys of another one where it has none.
    pub(super) fn with_defaults(self, defaults: Self) -> Self {
        Self { defaults: Some(defaults.source), ..self }
    }

    /// Its root table. `None` after an error of syntax, which is reported: the rest of the file may
    /// mean anything, so nothing of it is read.
    pub(super) fn parse(&self) -> Option<Spanned<DeTable<'_>>> {
        let mut root = self.parse_source(&self.source)?;
        if let Some(source) = &self.defaults {
            let defaults = self.parse_source(source)?.into_inner();
            defaults::add(root.get_mut(), defaults, self.start_of_defaults());
        }
        Some(root)
    }

    fn parse_source<'s>(&self, source: &'s Source) -> Option<Spanned<DeTable<'s>>> {
        match DeTable::parse(&source.text) {
            Ok(root) => Some(root),
            Err(error) => {
                let span = error.span().unwrap_or_default();
                let fault = syntax::describe(error.message(), &source.text, span);
                let place = Place::in_text(&source.path, &source.text, fault.span);
                self.report.error("toml-syntax", place, fault.message, fault.help);
                None
            }
        }
    }

    /// The end of a file is a place in it, so the defaults begin after that.
    fn start_of_defaults(&self) -> usize {
        self.source.text.len() + 1
    }

    /// Which file a span is in, and where.
    fn locate(&self, span: Range<usize>) -> (&Source, Range<usize>) {
        match (&self.defaults, span.start.checked_sub(self.start_of_defaults())) {
            (Some(source), Some(start)) => (source, start..span.end - self.start_of_defaults()),
            _ => (&self.source, span),
        }
    }

    /// Reads the whole file through `read`, then reports the keys `read` did not ask for.
    pub(super) fn read<T>(&self, read: impl FnOnce(&TomlTable<'_>) -> T) -> Option<T> {
        let root = self.parse()?;
        let table = TomlTable::new(self, root.get_ref(), String::new(), root.span());
        let value = read(&table);
        table.report_unknown();
        Some(value)
    }

    /// The bytes `span` of the file as a place.
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let (source, span) = self.locate(span);
        Place::in_text(&source.path, &source.text, span)
    }
}

/// What a text must be, and how it is written.
const TEXT: (&str, &str) = ("a text in quotes", "KEY = \"…\"");

/// A table being read. Every `get` marks its key as known.
pub(super) struct TomlTable<'a> {
    file: &'a TomlFile<'a>,
    table: &'a DeTable<'a>,
    name: String,
    span: Range<usize>,
    known: RefCell<Vec<&'a str>>,
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

    /// Whether the key says false, where another value is a table.
    pub(super) fn is_false(&self, key: &'static str) -> bool {
        self.get(key).is_some_and(|value| value.get_ref().as_bool() == Some(false))
    }

    /// Where a key's value stands, or the table where the key is missing.
    pub(super) fn place(&self, key: &str) -> Place {
        self.file.place(self.span_of(key))
    }

    fn span_of(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or(self.span.clone(), Spanned::span)
    }

    /// The folder of the file that has a key: what the key names is looked for there.
    pub(super) fn folder(&self, key: &str) -> &Path {
        let (source, _) = self.file.locate(self.span_of(key));
        Path::new(&source.path).parent().unwrap_or(Path::new(""))
    }

    /// A key's value as a text of its own; the table where the key is missing.
    pub(super) fn passage(&self, key: &str) -> Passage {
        let (source, span) = self.file.locate(self.span_of(key));
        Passage::new(&source.path, Arc::clone(&source.text), span)
    }

    /// The file from a key's value to the end: the rest of a table and what follows it.
    pub(super) fn passage_from(&self, key: &str) -> Passage {
        let (source, span) = self.file.locate(self.span_of(key));
        Passage::new(&source.path, Arc::clone(&source.text), span.start..source.text.len())
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

    /// An error about the bytes `span` of the file, such as one item of a list.
    pub(super) fn error_at(
        &self,
        span: Range<usize>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.file.report.error(code, self.file.place(span), message, help);
    }

    /// The bytes `span` of the file as a place.
    pub(super) fn place_at(&self, span: Range<usize>) -> Place {
        self.file.place(span)
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
        (wanted, example): (&str, &str),
        convert: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(key)?;
        let converted = convert(value.get_ref());
        if converted.is_none() {
            let help = format!("write {}", example.replace("KEY", key));
            self.wrong_type(&self.full(key), wanted, value, help);
        }
        converted
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &Spanned<DeValue<'_>>, help: String) {
        let (source, span) = self.file.locate(value.span());
        let found = source.text.get(span).unwrap_or_default();
        let found = match value.get_ref() {
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
            _ => found.lines().next().unwrap_or_default(),
        };
        let message = format!("{name} must be {wanted}, found {found}");
        self.file.report.error("wrong-type", self.file.place(value.span()), message, help);
    }

    /// Reads the table `[key]`.
    pub(super) fn table<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&TomlTable<'_>) -> T,
    ) -> Option<T> {
        let is_outer = self.name.is_empty();
        let form = if is_outer { "[KEY] and its keys below" } else { "KEY = { … }" };
        let table = self.typed(key, ("a table", form), DeValue::as_table)?;
        let table = TomlTable::new(self.file, table, self.full(key), self.span_of(key));
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
        let form = ("a list of tables", "[[KEY]] above each, in two pairs of brackets");
        let tables = self.typed(key, form, |value| {
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
