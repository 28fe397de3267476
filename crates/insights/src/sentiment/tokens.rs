//! Divides a text into words and signs, with their positions in the published text and their folded
//! words.

use super::lexicon::{Lexicon, WordId};
use contract::text::fold;

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The first byte in the text.
    pub(crate) start: u32,
    /// The byte after the last.
    pub(crate) end: u32,
    /// The folded word.
    pub(crate) word: WordId,
    /// The beginning and the end of the word.
    pub(crate) parts: [WordId; 2],
    /// The case of the letters.
    pub(crate) case: Case,
}

/// The case of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Neither of the others, or no letters.
    Plain,
    /// Begins with a capital letter.
    Capital,
    /// The word has at least two capital letters and no lowercase letter.
    Shouted,
}

/// The tokens of `text` in order: letters with inner apostrophes, digits with inner `. , :`, runs
/// of `$`, and single other signs. White space is left out. Positions refer to `text` and not to
/// its folded form.
pub(crate) fn tokenize(text: &str, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    each_word(text, |start, end, case, folded| {
        let (word, parts) = (lexicon.id(folded), lexicon.parts(folded));
        tokens.push(Token { start, end, word, parts, case });
    });
}

/// Calls `found` with the position, the case and the folded form of each word of `text`.
pub(crate) fn each_word(text: &str, mut found: impl FnMut(u32, u32, Case, &str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut folded = String::new();
    while at < bytes.len() {
        let first = bytes[at];
        let end = match first {
            b' ' | b'\n' | b'\t' => {
                at += 1;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' => word_end(text, at),
            b'0'..=b'9' => number_end(bytes, at),
            b'$' => at + bytes[at..].iter().take_while(|byte| **byte == b'$').count(),
            0..=127 => at + 1,
            _ => match text[at..].chars().next() {
                Some(c) if c.is_whitespace() => {
                    at += c.len_utf8();
                    continue;
                }
                Some(c) if c.is_alphabetic() => word_end(text, at),
                Some(c) => at + c.len_utf8(),
                None => break,
            },
        };
        let slice = &text[at..end];
        folded.clear();
        let case = fold_into(slice, &mut folded);
        found(at as u32, end as u32, case, &folded);
        at = end;
    }
}

/// Letters, their accents, and apostrophes between letters.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'a'..=b'z' | b'A'..=b'Z' => at += 1,
            b'\'' | b'`' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => at += 1,
            0..=127 => break,
            _ => match text[at..].chars().next() {
                Some(c @ ('’' | '‘')) => {
                    let after = at + c.len_utf8();
                    if !text[after..].starts_with(char::is_alphabetic) {
                        break;
                    }
                    at = after;
                }
                Some(c)
                    if c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c) =>
                {
                    at += c.len_utf8();
                }
                _ => break,
            },
        }
    }
    at
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let inner =
            matches!(byte, b'.' | b',' | b':') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !byte.is_ascii_digit() && !inner {
            break;
        }
        at += 1;
    }
    at
}

/// Appends the folded word and returns its case.
fn fold_into(slice: &str, folded: &mut String) -> Case {
    let (mut capitals, mut small) = (0, 0);
    if slice.is_ascii() {
        for byte in slice.bytes() {
            capitals += usize::from(byte.is_ascii_uppercase());
            small += usize::from(byte.is_ascii_lowercase());
            let straight = if byte == b'`' { b'\'' } else { byte };
            folded.push(char::from(straight.to_ascii_lowercase()));
        }
    } else {
        capitals = slice.chars().filter(|c| c.is_uppercase()).count();
        small = slice.chars().filter(|c| c.is_lowercase()).count();
        folded.push_str(&fold(slice));
        if folded.is_empty() {
            folded.push_str(slice);
        }
    }
    match (capitals, small) {
        (2.., 0) => Case::Shouted,
        (1.., _) if slice.starts_with(char::is_uppercase) => Case::Capital,
        _ => Case::Plain,
    }
}
