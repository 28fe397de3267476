//! Problems of the content, reported with place, reason and remedy.

mod json;
mod passage;
mod place;

use std::{cell::RefCell, fmt, io, path::Path};

use serde::Serialize;

pub use json::without_position;
pub use passage::Passage;
pub use place::Place;

use crate::text::printable;
use place::Excerpt;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is published until the problem is fixed.
    Error,
    /// The content is published; an error with `--strict`.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// A stable code for programs and searches, such as `unknown-key`.
    pub code: &'static str,
    /// The place.
    pub place: Place,
    /// The fault and the reason.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl fmt::Display for Problem {
    /// `path:line:column: error[code]: what and why; what to do`, then the line with a caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, code, place, message, help } = self;
        // A line break in a file name would begin a new line, which a CI system could read as a
        // command.
        let (message, help) = (printable(message), printable(help));
        write!(f, "{place}: {severity}[{code}]: {message}; {help}")?;
        if let (Some(line), Some(excerpt)) = (place.line, &place.excerpt) {
            let gutter = " ".repeat(line.to_string().len());
            let Excerpt { text, caret, width } = excerpt;
            write!(
                f,
                "\n  {line} | {text}\n  {gutter} | {}{}",
                " ".repeat(*caret),
                "^".repeat(*width)
            )?;
        }
        Ok(())
    }
}

/// Collects the problems of all readers, so that one run reports all of them.
#[derive(Debug, Default)]
pub struct Report(RefCell<Vec<Problem>>);

impl Report {
    /// Adds an error.
    pub fn error(
        &self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Error, code, place, message.into(), help.into());
    }

    /// Adds a warning.
    pub fn warning(
        &self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Severity::Warning, code, place, message.into(), help.into());
    }

    fn add(
        &self,
        severity: Severity,
        code: &'static str,
        place: Place,
        message: String,
        help: String,
    ) {
        self.0.borrow_mut().push(Problem { severity, code, place, message, help });
    }

    /// Adds what another report has.
    pub fn extend(&self, problems: Vec<Problem>) {
        self.0.borrow_mut().extend(problems);
    }

    /// Adds an error for a file that cannot be read.
    pub fn unreadable(&self, path: &Path, error: &io::Error) {
        let reason = match error.kind() {
            io::ErrorKind::PermissionDenied => "you have no right to read it".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, and a file is read here".to_owned(),
            io::ErrorKind::NotADirectory => "this is a file, and a folder is read here".to_owned(),
            _ => error.to_string(),
        };
        let help = "check the path and its permissions";
        self.error("unreadable", Place::file(path.display().to_string()), reason, help);
    }

    /// Whether an error was found in a file, or in a folder's files. What depends on a file with
    /// errors is not judged: each mistake is reported once, where it was made.
    #[must_use]
    pub fn has_errors_in(&self, path: &Path) -> bool {
        let within = |place: &Place| Path::new(&place.path).starts_with(path);
        self.0.borrow().iter().any(|p| p.severity == Severity::Error && within(&p.place))
    }

    /// All problems, sorted by place.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.0.into_inner();
        problems.sort_by(|a, b| a.place.cmp(&b.place));
        problems
    }
}

/// Returns `did you mean "x"?` for the nearest known word within two edits.
#[must_use]
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(found, known).into_iter().next()
}

/// Characters of the longest word that is compared with the known ones.
const LONGEST_WORD: usize = 200;
/// Known words that a word is compared with. There may be as many unknown words.
const COMPARED: usize = 1_000;
/// Known words that a remedy lists.
const LISTED: usize = 50;

/// The known words within two edits, the nearest first.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let found = found.to_lowercase();
    let length = found.chars().count();
    if length > LONGEST_WORD {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .take(COMPARED)
        // The distance is at least the difference in length, which is cheaper to compute.
        .filter(|word| word.to_lowercase().chars().count().abs_diff(length) <= 2)
        .map(|word| (strsim::osa_distance(&found, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 2 && *distance < word.chars().count())
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, word)| word).collect()
}

/// The remedy for a word that is not on a list.
#[must_use]
pub fn unknown_help<'a>(found: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match did_you_mean(found, known.clone()) {
        Some(word) => format!("did you mean \"{word}\"?"),
        None => {
            let list: Vec<&str> = known.clone().into_iter().take(LISTED).collect();
            if list.is_empty() {
                return "none is listed".to_owned();
            }
            let more = match known.into_iter().skip(LISTED).count() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("known are {}{more}", list.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_place_reason_remedy_and_caret() {
        let report = Report::default();
        let text = "a = 1\nraitng = 6\n";
        let place = Place::in_text("content/site.toml", text, 6..12);
        report.error(
            "unknown-key",
            place,
            "unknown key \"raitng\"",
            unknown_help("raitng", ["rating", "date"]),
        );
        let problems = report.into_problems();
        assert_eq!(
            problems[0].to_string(),
            "content/site.toml:2:1: error[unknown-key]: unknown key \"raitng\"; did you mean \"rating\"?\n  \
             2 | raitng = 6\n    | ^^^^^^"
        );
    }

    #[test]
    fn suggestions_need_to_be_near() {
        assert_eq!(did_you_mean("tilte", ["title", "language"]), Some("title"));
        assert_eq!(did_you_mean("colour", ["title", "language"]), None);
        assert_eq!(did_you_mean("x", ["id"]), None);
        assert_eq!(unknown_help("zzz", ["a-long-one", "other"]), "known are a-long-one, other");
    }
}
