//! Problems of the content, reported with place, reason and remedy.

use std::{cell::RefCell, fmt, ops::Range, path::Path};

use serde::Serialize;

use crate::text::printable;

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

/// The message of a JSON error without its position, which counts from the beginning of the parsed
/// part and not of the file.
#[must_use]
pub fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        // An error that has no position has no such end.
        Some((said, _)) if error.line() > 0 => said.to_owned(),
        _ => message,
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
    /// What is wrong, and why.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

/// A position in a file. Line and column count from 1, columns in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The path of the file as the user would type it.
    pub path: String,
    /// `None` if the problem is about the whole file.
    pub line: Option<usize>,
    /// `None` if the problem is about the whole line.
    pub column: Option<usize>,
    /// The text of the line, shortened around the column.
    #[serde(skip)]
    excerpt: Option<Excerpt>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Excerpt {
    text: String,
    caret: usize,
    width: usize,
}

/// Characters shown on each side of the column.
const EXCERPT_REACH: usize = 60;

impl Place {
    /// The whole file.
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// A line of which only the number is known.
    pub fn line(path: impl Into<String>, line: usize) -> Self {
        Self { path: path.into(), line: Some(line), ..Self::default() }
    }

    /// The bytes `span` of `line_text`, which is line number `line`.
    pub fn in_line(path: &str, line: usize, line_text: &str, span: Range<usize>) -> Self {
        let start = floor(line_text, span.start);
        let column = line_text[..start].chars().count();
        let marked = line_text[start..floor(line_text, span.end.max(start))].chars().count();
        let from = column.saturating_sub(EXCERPT_REACH);
        let text: String = line_text
            .chars()
            .skip(from)
            .take(2 * EXCERPT_REACH)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let width = marked.clamp(1, EXCERPT_REACH);
        let excerpt = Excerpt { text, caret: column - from, width };
        let path = path.to_owned();
        Self { path, line: Some(line), column: Some(column + 1), excerpt: Some(excerpt) }
    }

    /// The bytes `span` of the whole file's `text`.
    pub fn in_text(path: &str, text: &str, span: Range<usize>) -> Self {
        let start = floor(text, span.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let end = floor(text, span.end).clamp(start, line_end);
        let in_line = start - line_start..end - line_start;
        Self::in_line(path, line, &text[line_start..line_end], in_line)
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.path))?;
        for part in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{part}")?;
        }
        Ok(())
    }
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

    /// Adds an error for a file that cannot be read.
    pub fn unreadable(&self, path: &Path, error: &std::io::Error) {
        let help = "check the path and its permissions";
        self.error("unreadable", Place::file(path.display().to_string()), error.to_string(), help);
    }

    /// Whether a problem found so far prevents publishing.
    pub fn has_errors(&self) -> bool {
        self.0.borrow().iter().any(|problem| problem.severity == Severity::Error)
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
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|word| (strsim::osa_distance(&found, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 2 && *distance < word.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// The remedy for a word that is not on a list.
#[must_use]
pub fn unknown_help<'a>(found: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match did_you_mean(found, known.clone()) {
        Some(word) => format!("did you mean \"{word}\"?"),
        None => {
            let list: Vec<&str> = known.into_iter().collect();
            if list.is_empty() {
                return "there are none to name".to_owned();
            }
            format!("known are {}", list.join(", "))
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
    fn a_long_line_is_shown_around_the_column() {
        let line = format!("{}é!{}", "x".repeat(500), "y".repeat(500));
        let place = Place::in_line("f", 9, &line, 500..502);
        assert_eq!(place.column, Some(501));
        let excerpt = place.excerpt.unwrap();
        assert_eq!(excerpt.text.chars().count(), 120);
        assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some('é'));
    }

    #[test]
    fn suggestions_need_to_be_near() {
        assert_eq!(did_you_mean("tilte", ["title", "language"]), Some("title"));
        assert_eq!(did_you_mean("colour", ["title", "language"]), None);
        assert_eq!(did_you_mean("x", ["id"]), None);
        assert_eq!(unknown_help("zzz", ["a-long-one", "other"]), "known are a-long-one, other");
    }
}
