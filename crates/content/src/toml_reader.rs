//! Reads hand-written TOML into the struct of its file. One run reports every problem with its line and column.

mod defaults;
mod rules;
pub(crate) mod schema;
mod syntax;
mod walker;

use std::{cell::OnceCell, ops::Range, path::Path, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    picture::{Picture, Use},
    text_file,
};
use contract::problem::{Passage, Place, Report};
use system::root::Root;

pub(super) use rules::{COLOUR, COUNTRY, SLUG, TIME, ULID, has};

/// One TOML file in memory, and perhaps one with its defaults.
pub(super) struct TomlFile<'r> {
    source: Source,
    /// The file with defaults. Its bytes are counted on from those of `source`, so that a span shows its file.
    defaults: Option<Source>,
    report: &'r Report,
    /// The keys of the root table, once its schema is known.
    top: OnceCell<Value>,
}

/// The text of a file.
struct Source {
    /// The folder that it is in, unless it is a part of another file.
    root: Option<Root>,
    path: String,
    text: Arc<str>,
    /// The offsets of its lines, once a place is asked for.
    lines: OnceCell<Vec<usize>>,
}

impl Source {
    fn new(root: Option<Root>, path: String, text: Arc<str>) -> Self {
        Self { root, path, text, lines: OnceCell::new() }
    }

    /// The bytes `span` as a place. The lines are counted once: each key may be a mistake.
    fn place(&self, span: Range<usize>) -> Place {
        let lines = self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let line = lines.partition_point(|&at| at <= span.start);
        Place::in_text_after(&self.path, &self.text, (lines[line - 1], line), span)
    }
}

impl<'r> TomlFile<'r> {
    /// Opens the file. `None` if it does not exist; other failures are reported.
    pub(super) fn open(root: &Root, name: &str, report: &'r Report) -> Option<Self> {
        let text = text_file::read(root, name, report)?;
        let path = root.shown(name.as_ref()).display().to_string();
        let source = Source::new(Some(root.clone()), path, text.into());
        Some(Self { source, defaults: None, report, top: OnceCell::new() })
    }

    /// The file of a text that was already read.
    pub(super) fn from_text(path: String, text: &str, report: &'r Report) -> Self {
        let source = Source::new(None, path, text.into());
        Self { source, defaults: None, report, top: OnceCell::new() }
    }

    /// Adds a file whose keys are used if this one lacks them.
    pub(super) fn with_defaults(self, defaults: Self) -> Self {
        Self { defaults: Some(defaults.source), ..self }
    }

    /// Parses the root table. `None` after an error of syntax, which is reported: the rest of the file may have any
    /// meaning, so nothing of it is read.
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
                // A quote that is open before it is the reason.
                let start = |error: &toml::de::Error| error.span().unwrap_or_default().start;
                let mut all = DeTable::parse_recoverable(&source.text).1.into_iter();
                let is_open = |it: &toml::de::Error| it.message().contains(" string, expected");
                let open = all.find(|it| is_open(it) && start(it) < start(&error));
                let error = open.unwrap_or(error);
                let span = error.span().unwrap_or_default();
                let fault = syntax::describe(error.message(), &source.text, span);
                let place = source.place(fault.span);
                self.report.error("toml-syntax", place, fault.message, fault.help);
                None
            }
        }
    }

    /// Returns the offset at which the defaults begin. The end of a file is a place in it, so that is one byte later.
    fn start_of_defaults(&self) -> usize {
        self.source.text.len() + 1
    }

    /// Returns the file that a span is in, and the span in it.
    fn locate(&self, span: Range<usize>) -> (&Source, Range<usize>) {
        match (&self.defaults, span.start.checked_sub(self.start_of_defaults())) {
            (Some(source), Some(start)) => (source, start..span.end - self.start_of_defaults()),
            _ => (&self.source, span),
        }
    }

    /// Reads the struct of the file, without the faulty values, which are reported. `None` if a required key is one.
    pub(super) fn load<T: DeserializeOwned + JsonSchema>(&self) -> Option<T> {
        self.build(self.parse()?)
    }

    /// The struct of a root table.
    pub(super) fn build<T: DeserializeOwned + JsonSchema>(
        &self,
        mut root: Spanned<DeTable<'_>>,
    ) -> Option<T> {
        let span = root.span();
        let schema = schema::of::<T>();
        let _ = self.top.set(schema["x-order"].clone());
        if !self.check_table(&schema, root.get_mut(), "", &span) {
            return None;
        }
        let refuse = |error: toml::de::Error| {
            let place = self.place(error.span().unwrap_or(span));
            self.report.error("invalid-value", place, error.message(), "correct the value");
        };
        T::deserialize(toml::de::Deserializer::from(root)).map_err(refuse).ok()
    }

    /// An error about the bytes `span` of the file.
    pub(super) fn error(
        &self,
        span: Range<usize>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report.error(code, self.place(span), message, help);
    }

    /// Reads the picture that a value names. Its faults are reported with those of the other rules.
    pub(super) fn picture(&self, name: &At<String>, of: Use) -> Option<Picture> {
        Picture::read(self.locate(name.span()).0.root.as_ref()?, name, of).ok()
    }

    /// A value as a text of its own, or the file from there to its end.
    pub(super) fn passage(&self, span: Range<usize>, to_end: bool) -> Passage {
        let (source, span) = self.locate(span);
        let end = if to_end { source.text.len() } else { span.end };
        Passage::new(&source.path, Arc::clone(&source.text), span.start..end)
    }

    /// Returns the folder of the file that has a value: a path in the value is relative to it.
    pub(super) fn folder(&self, span: Range<usize>) -> &Path {
        let (source, _) = self.locate(span);
        Path::new(&source.path).parent().unwrap_or(Path::new(""))
    }

    /// The bytes of a value.
    fn text_of(&self, span: &Range<usize>) -> &str {
        let (source, span) = self.locate(span.clone());
        source.text.get(span).unwrap_or_default()
    }

    fn wrong_type(&self, name: &str, wanted: &str, value: &Spanned<DeValue<'_>>, help: String) {
        let found = match value.get_ref() {
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
            _ => self.text_of(&value.span()).lines().next().unwrap_or_default(),
        };
        let message = format!("{name} must be {wanted}, found {found}");
        self.error(value.span(), "wrong-type", message, help);
    }

    /// A warning about the bytes `span` of the file.
    pub(super) fn warning(
        &self,
        span: Range<usize>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report.warning(code, self.place(span), message, help);
    }

    /// Returns the places at which the tables of a list begin.
    pub(super) fn starts(root: &DeTable<'_>, list: &str) -> Vec<usize> {
        let items = root.get(list).and_then(|list| list.get_ref().as_array());
        items.into_iter().flat_map(|items| items.iter()).map(|item| item.span().start).collect()
    }

    /// The bytes `span` of the file as a place.
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let (source, span) = self.locate(span);
        source.place(span)
    }
}

// A value with its place in the file. A doc comment would be the description of every such key in the schemas.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct At<T>(#[schemars(with = "T")] Spanned<T>);

impl<T> At<T> {
    /// The place in the file.
    pub(super) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value alone.
    pub(super) fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T> std::ops::Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get_ref()
    }
}
