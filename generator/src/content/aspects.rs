use std::{collections::HashSet, path::Path, str::FromStr};

use super::{
    entities::slug,
    toml_reader::{Table, TomlFile},
};
use crate::problem::{Place, Report};

/// What an owner says of an aspect in `aspects.toml`.
#[derive(Clone, Debug)]
pub struct AspectRules {
    /// Slug; a built-in aspect's id adds to that aspect.
    pub id: String,
    /// Shown.
    pub label: String,
    /// Words and phrases the aspect is known by; the model judges what is said of them.
    pub keywords: Vec<String>,
    /// Phrases that contain a keyword and mean something else.
    pub exclude: Vec<String>,
    /// Phrases that say by themselves what the customer thinks.
    pub patterns: Vec<(String, Polarity)>,
    /// Where it stands, for problems found later.
    pub place: Place,
}

/// What an owner's pattern says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Praise.
    Positive,
    /// A plain fact.
    Neutral,
    /// Blame.
    Negative,
}

impl FromStr for Polarity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "positive" => Ok(Self::Positive),
            "neutral" => Ok(Self::Neutral),
            "negative" => Ok(Self::Negative),
            _ => Err(format!("must be one of positive, neutral, negative, found {text:?}")),
        }
    }
}

/// `aspects.toml`
#[derive(Clone, Debug)]
pub struct AspectConfig {
    /// Whether the built-in aspects are used beside the owner's.
    pub builtin: bool,
    /// The owner's, in the order of the file.
    pub aspects: Vec<AspectRules>,
}

impl AspectConfig {
    /// Everything a judgement depends on, in one text.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = format!("{}\n", self.builtin);
        for rules in &self.aspects {
            let AspectRules { id, label: _, keywords, exclude, patterns, place: _ } = rules;
            digest.push_str(&format!("{id} {keywords:?} {exclude:?} {patterns:?}\n"));
        }
        digest
    }
}

impl Default for AspectConfig {
    fn default() -> Self {
        Self { builtin: true, aspects: Vec::new() }
    }
}

pub(super) fn read(dir: &Path, report: &Report) -> AspectConfig {
    let Some(file) = TomlFile::open(&dir.join("aspects.toml"), report) else {
        return AspectConfig::default();
    };
    let mut seen = HashSet::new();
    file.read(|root| AspectConfig {
        builtin: root.boolean("builtin").unwrap_or(true),
        aspects: root.tables("aspect", |table| aspect(table, &mut seen)),
    })
}

fn aspect(table: &Table<'_>, seen: &mut HashSet<String>) -> Option<AspectRules> {
    let id = slug(table, seen);
    let label = table.required("label");
    let keywords = table.strings("keywords");
    let exclude = table.strings("exclude");
    let patterns = table.tables("patterns", pattern);
    let place = table.place("id");
    Some(AspectRules { id: id?, label: label?, keywords, exclude, patterns, place })
}

fn pattern(table: &Table<'_>) -> Option<(String, Polarity)> {
    let written = table.required("match");
    let polarity = table.required("polarity").and(table.parsed("polarity"));
    Some((written?, polarity?))
}
