//! Divides a text into sentences: by Unicode's rules (UAX 29) and at every line break, but not
//! after an abbreviation.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::Language;

/// The maximum length of a sentence in bytes. No customer writes a longer one, and the work on a sentence grows faster
/// than its length.
const LONGEST: usize = 4_096;

/// The sentences of `text` in order, as byte ranges without surrounding white space.
pub fn sentences(text: &str, language: &Language) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    while at < text.len() {
        let end = next_bound(text, at);
        let start = open.take().unwrap_or(at);
        at = end;
        let is_open = || ends_in_abbreviation(&text[start..end], &text[end..], language);
        if !text[..end].ends_with('\n') && is_open() {
            open = Some(start);
            continue;
        }
        push_lines(text, start..end, &mut found);
    }
    if let Some(start) = open {
        push_lines(text, start..text.len(), &mut found);
    }
    found
}

/// The end of the sentence that begins at `start`. Unicode's rules end no sentence before its first
/// sign that can end one, and examine nothing before the word in front of that sign. The letters in
/// between, which are most of a text, are skipped.
fn next_bound(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let may_end = |byte: &u8| matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'\r' | 0x80..);
    let Some(sign) = bytes[start..].iter().position(may_end) else { return text.len() };
    let before = &bytes[start..start + sign];
    let word = start + before.iter().rposition(|byte| *byte == b' ').map_or(0, |blank| blank + 1);
    text[word..].split_sentence_bounds().next().map_or(text.len(), |part| word + part.len())
}

/// UAX 29 ends a sentence at a line break, but joining sentences can add one again.
fn push_lines(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    for line in text[range].split_inclusive('\n') {
        let mut rest = line.trim();
        let mut from = start + (line.len() - line.trim_start().len());
        while !rest.is_empty() {
            let (part, after) = rest.split_at(longest_part(rest));
            found.push(from..from + part.trim_end().len());
            rest = after.trim_start();
            from += part.len() + (after.len() - rest.len());
        }
        start += line.len();
    }
}

/// The length of the first part of a line: all of it, or what is before the last white space within [`LONGEST`].
fn longest_part(line: &str) -> usize {
    if line.len() <= LONGEST {
        return line.len();
    }
    let limit = line.floor_char_boundary(LONGEST);
    line[..limit].rfind(char::is_whitespace).unwrap_or(limit)
}

fn ends_in_abbreviation(sentence: &str, rest: &str, language: &Language) -> bool {
    if rest.is_empty() {
        return false;
    }
    let Some(before) = sentence.trim_end().strip_suffix('.') else { return false };
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // A single capital letter is an initial: "J. Smith".
    if word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase() && byte != b'I') {
        return true;
    }
    language.lists("abbreviations", word)
        && !(language.lists("abbreviations_often_last", word)
            && rest.trim_start().starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::{LONGEST, next_bound, sentences};

    fn cut(text: &str) -> Vec<&str> {
        sentences(text, crate::language::Language::english())
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn sentences_end_where_readers_think() {
        assert_eq!(
            cut("On time. Very tidy! Would use again?"),
            ["On time.", "Very tidy!", "Would use again?"]
        );
        assert_eq!(cut("Dr. Osei was kind. J. Park too."), ["Dr. Osei was kind.", "J. Park too."]);
        assert_eq!(
            cut("Came at 9 a.m. Left at 5 p.m. sharp."),
            ["Came at 9 a.m.", "Left at 5 p.m. sharp."]
        );
        assert_eq!(cut("+ quick\n+ clean\n\n- dear"), ["+ quick", "+ clean", "- dear"]);
        assert_eq!(cut("Paid £4.50 for it"), ["Paid £4.50 for it"]);
        assert_eq!(cut("  "), Vec::<&str>::new());
        assert_eq!(cut("See Dr. "), ["See Dr."]);
        let long = "é and so on ".repeat(1_000);
        let parts = cut(&long);
        assert!(parts.iter().all(|part| part.len() <= LONGEST && !part.ends_with(' ')));
        assert_eq!(parts.join(" "), long.trim_end());
        assert_eq!(cut(&"x".repeat(5_000)).len(), 2);
    }

    proptest! {
        #[test]
        fn sentences_end_where_unicode_ends_them(
            text in r#"([a-zA-Z0-9]{0,3}[ .!?,;:'")(\n\r\t-]{0,3}[éÅß。…’”\u{301}\u{85}\u{2028}\u{a0}]?){0,12}"#
        ) {
            let expected: Vec<usize> = text
                .split_sentence_bound_indices()
                .map(|(at, part)| at + part.len())
                .collect();
            let mut found = Vec::new();
            while let Some(at) = Some(found.last().copied().unwrap_or(0)).filter(|at| *at < text.len()) {
                found.push(next_bound(&text, at));
            }
            prop_assert_eq!(found, expected);
        }
    }
}
