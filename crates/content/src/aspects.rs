//! Reads `aspects.toml`.

use std::collections::HashSet;

use super::{folder::Folder, toml_reader::TomlTable, values::slug};
use contract::problem::Report;
use insights::{AspectConfig, AspectRules, Polarity};

pub(super) fn read(folder: &Folder, report: &Report) -> AspectConfig {
    let Some(file) = folder.toml("aspects.toml", report) else {
        return AspectConfig::default();
    };
    let mut seen = HashSet::new();
    let config = file.read(|root| AspectConfig {
        builtin: root.boolean("builtin").unwrap_or(true),
        aspects: root.tables("aspect", |table| aspect(table, &mut seen)),
    });
    config.unwrap_or_default()
}

fn aspect(table: &TomlTable<'_>, seen: &mut HashSet<String>) -> Option<AspectRules> {
    let id = slug(table, seen);
    let label = table.required("label");
    let definition = table.string("definition");
    let keywords = table.strings("keywords");
    let exclude = table.strings("exclude");
    let patterns = table.tables("patterns", pattern);
    let place = table.passage_from("id");
    Some(AspectRules { id: id?, label: label?, definition, keywords, exclude, patterns, place })
}

fn pattern(table: &TomlTable<'_>) -> Option<(String, Polarity)> {
    let written = table.required("match");
    let polarity = table.required("polarity").and(table.parsed("polarity"));
    Some((written?, polarity?))
}
