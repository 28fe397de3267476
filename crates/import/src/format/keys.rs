//! The keys of each format, from a table.

use std::{collections::HashMap, sync::LazyLock};

use super::ExportFormat;
use crate::table;

const FORMATS: &str = include_str!("../../data/formats.txt");

/// The words by format and line.
static LINES: LazyLock<HashMap<(&str, &str), Vec<&str>>> = LazyLock::new(|| {
    let mut lines = HashMap::<_, Vec<&str>>::new();
    for (key, words) in table::lines(FORMATS) {
        lines.entry(key.split_once('.').unwrap_or((key, ""))).or_default().extend(words);
    }
    lines
});

/// The formats with the marks by which each is known, the likelier first.
pub(in super::super) fn marks() -> impl Iterator<Item = (ExportFormat, &'static [&'static str])> {
    let keys = table::lines(FORMATS).filter_map(|(key, _)| key.strip_suffix(".marks"));
    keys.filter_map(|format| format.parse().ok()).map(|format| (format, line(format, "marks")))
}

/// The reason for which a format is known, if its marks are there.
pub(in super::super) fn why(format: ExportFormat) -> String {
    line(format, "why").join(", ")
}

/// The words of a line about a format; none where there is no such line.
pub(super) fn line(format: ExportFormat, name: &'static str) -> &'static [&'static str] {
    let of = |format: &'static str| LINES.get(&(format, name)).map(Vec::as_slice);
    // Takeout has the records of the Business Profile API, cut down.
    let both = || of("google").filter(|_| format.word().starts_with("google-"));
    of(format.word()).or_else(both).unwrap_or_default()
}
