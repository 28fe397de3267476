//! The head of a Markdown file: TOML between two lines `+++`.

use super::toml_reader::TomlFile;
use contract::problem::{Place, Report};

/// The line before and after the head.
const FENCE: &str = "+++";

/// Splits a file into its head, if it has one, and the rest. `None` if the head never ends, which is reported.
pub(super) fn split<'r, 't>(
    path: &str,
    text: &'t str,
    report: &'r Report,
) -> Option<(Option<TomlFile<'r>>, &'t str)> {
    let Some(rest) = text.strip_prefix(FENCE).and_then(|rest| rest.strip_prefix('\n')) else {
        return Some((None, text));
    };
    let Some(end) = rest.find("\n+++").or_else(|| rest.starts_with(FENCE).then_some(0)) else {
        let place = Place::line(path, 1);
        report.error(
            "front-matter",
            place,
            "the front matter never ends",
            "close it with a line +++",
        );
        return None;
    };
    // A line break in place of the fence keeps the line numbers of problems true.
    let head = TomlFile::from_text(path.to_owned(), &format!("\n{}", &rest[..end]), report);
    let body = rest[end..].trim_start_matches('\n').strip_prefix(FENCE).unwrap_or_default();
    Some((Some(head), body))
}
