//! Divides a text into sentences: by Unicode's rules (UAX 29), at every line break, and where a customer writes no
//! capital letter or no sign, but not after an abbreviation.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::Language;
use contract::text::fold;

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
        push_lines(text, start..end, language, &mut found);
    }
    if let Some(start) = open {
        push_lines(text, start..text.len(), language, &mut found);
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
fn push_lines(text: &str, range: Range<usize>, language: &Language, found: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    for line in text[range].split_inclusive('\n') {
        let mut rest = line.trim();
        let mut from = start + (line.len() - line.trim_start().len());
        while !rest.is_empty() {
            let (part, after) = rest.split_at(first_part(rest, language));
            found.push(from..from + part.trim_end().len());
            rest = after.trim_start();
            from += part.len() + (after.len() - rest.len());
        }
        start += line.len();
    }
}

/// The length of the first part of a line: up to the first end of a sentence at which Unicode's rules end none, which is a
/// full stop before a small letter or a contrast with a capital letter, or to the last white space within [`LONGEST`].
fn first_part(line: &str, language: &Language) -> usize {
    let limit = line.floor_char_boundary(LONGEST);
    let ends = |at: &usize| {
        let (sentence, rest) = line.split_at(*at);
        let next = rest.trim_start();
        let Some(before) = sentence.strip_suffix('.') else {
            return sentence.ends_with(char::is_alphanumeric) && is_contrast(next, language);
        };
        next.starts_with(char::is_lowercase)
            && !is_short_form(before)
            && !ends_in_abbreviation(sentence, next, language)
    };
    let mut blanks = line[..limit].match_indices(' ').map(|(at, _)| at);
    blanks.find(ends).unwrap_or_else(|| match line.len() {
        ..=LONGEST => line.len(),
        _ => line[..limit].rfind(char::is_whitespace).unwrap_or(limit),
    })
}

/// Whether the text begins with a contrast such as "But".
fn is_contrast(text: &str, language: &Language) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
        && language.lists("clause_contrasts", word)
}

/// Whether a full stop after this text belongs to a short form that no list has: "3.", "b.", "lt.", "...".
fn is_short_form(before: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    match word.chars().count() {
        0 => before.ends_with(|c: char| c == '.' || c.is_ascii_digit()),
        1 => true,
        _ => !fold(word).contains(['a', 'e', 'i', 'o', 'u', 'y']),
    }
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
