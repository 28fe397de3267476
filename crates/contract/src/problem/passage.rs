//! A text inside a file, for problems that are found after the file was read.

use std::{ops::Range, sync::Arc};

use super::place::Place;

/// A part of a file that is a text of its own, such as an answer in `faq.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    path: String,
    file: Arc<str>,
    span: Range<usize>,
}

impl Passage {
    /// The bytes `span` of a file's text.
    #[must_use]
    pub fn new(path: impl Into<String>, file: Arc<str>, span: Range<usize>) -> Self {
        Self { path: path.into(), file, span }
    }

    /// The position of its first character.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::in_text(&self.path, &self.file, self.span.clone())
    }

    /// The first occurrence of `words` in or after the `line`, which counts from 1; the whole line
    /// where there are no words, the beginning where the file has escapes in their place.
    #[must_use]
    pub fn place_of(&self, words: &str, line: usize) -> Place {
        let text = self.file.get(self.span.clone()).unwrap_or_default();
        // A text in three quotes begins on the next line: its lines count from there.
        let opening = text.lines().next().is_some_and(|first| ["\"\"\"", "'''"].contains(&first));
        let before = line.saturating_sub(1) + usize::from(opening);
        let from: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
        let whole = text[from..].lines().next().unwrap_or_default();
        let words = if words.is_empty() { whole.trim() } else { words };
        match text[from..].find(words).filter(|_| !words.is_empty()) {
            Some(at) => {
                let start = self.span.start + from + at;
                Place::in_text(&self.path, &self.file, start..start + words.len())
            }
            None => self.place(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_at_and_after_their_line() {
        let file = "a = 1\nanswer = \"\"\"\nx\nx y\n\"\"\"\n";
        let passage = Passage::new("faq.toml", file.into(), 15..file.len());
        let at = |words, line| {
            let place = passage.place_of(words, line);
            (place.line, place.column)
        };
        assert_eq!(at("x", 1), (Some(3), Some(1)));
        assert_eq!(at("x", 2), (Some(4), Some(1)));
        assert_eq!(at("y", 1), (Some(4), Some(3)));
        assert_eq!(at("z", 1), (Some(2), Some(10)));
        assert_eq!([at("", 1), at("", 2)], [(Some(3), Some(1)), (Some(4), Some(1))]);
    }
}
