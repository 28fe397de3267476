//! Positions in files.

use std::{fmt, ops::Range};

use serde::Serialize;

use crate::text::printable;

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
    pub(super) excerpt: Option<Excerpt>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) caret: usize,
    pub(super) width: usize,
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
        Self::in_text_after(path, text, (0, 1), span)
    }

    /// The same where the number of a line is known: that of the byte `from.0`, at or before the span. A file with
    /// many mistakes is so not counted from its start for each.
    pub fn in_text_after(path: &str, text: &str, from: (usize, usize), span: Range<usize>) -> Self {
        let start = floor(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = from.1 + text.as_bytes()[from.0..start].iter().filter(|&&b| b == b'\n').count();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_the_column() {
        let line = format!("{}é!{}", "x".repeat(500), "y".repeat(500));
        let place = Place::in_line("f", 9, &line, 500..502);
        assert_eq!(place.column, Some(501));
        let excerpt = place.excerpt.unwrap();
        assert_eq!(excerpt.text.chars().count(), 120);
        assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some('é'));
    }
}
