//! Markup in texts: HTML tags and entities, addresses, runs of signs such as `*****`.

use std::ops::Range;

/// The maximum length of an HTML tag in bytes.
const MAX_TAG: usize = 200;
/// The maximum length of the name of an HTML entity in bytes.
const MAX_ENTITY: usize = 8;

/// The part of `piece` between the markup before the mention and the markup after it. A mention
/// within markup leaves the piece as it is.
pub(super) fn around(text: &str, piece: Range<usize>, mention: &Range<usize>) -> Range<usize> {
    let (mut from, mut to) = (piece.start, piece.end);
    for mark in find(&text[piece.clone()]) {
        if piece.start + mark.start > mention.start {
            to = piece.start + mark.start;
            break;
        }
        from = piece.start + mark.end;
    }
    if from < to && from < mention.end && to > mention.start { from..to } else { piece }
}

/// The positions of markup, in order.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins_word = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let length = match bytes[at] {
            b'<' => tag(bytes, at),
            b'&' => entity(bytes, at),
            b'h' | b'H' | b'w' | b'W' if begins_word => address(&text[at..]),
            b'*' | b'_' | b'=' | b'~' | b'#' | b'|' | b'`' => run(bytes, at, 2),
            b'-' => run(bytes, at, 3),
            _ => 0,
        };
        if length > 0 {
            found.push(at..at + length);
        }
        at += length.max(1);
    }
    found
}

fn tag(bytes: &[u8], at: usize) -> usize {
    let named = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!');
    if !bytes.get(at + 1).is_some_and(named) {
        return 0;
    }
    bytes[at..].iter().take(MAX_TAG).position(|byte| *byte == b'>').map_or(0, |end| end + 1)
}

fn entity(bytes: &[u8], at: usize) -> usize {
    let name = bytes[at + 1..].iter().take(MAX_ENTITY);
    let length = name.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    let closed = bytes.get(at + 1 + length) == Some(&b';');
    if length >= 2 && closed { length + 2 } else { 0 }
}

fn address(text: &str) -> usize {
    let begins =
        |with: &str| text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    if !["http://", "https://", "www."].into_iter().any(begins) {
        return 0;
    }
    text.find(char::is_whitespace).unwrap_or(text.len())
}

/// The length of a run of one sign. Signs within a word ("s**t") and after a digit ("5*****") are
/// not markup.
fn run(bytes: &[u8], at: usize, least: usize) -> usize {
    let sign = bytes[at];
    let length = bytes[at..].iter().take_while(|byte| **byte == sign).count();
    let before = at.checked_sub(1).map(|before| bytes[before]);
    let after = bytes.get(at + length);
    let in_word = before.is_some_and(|byte| byte.is_ascii_alphabetic())
        && after.is_some_and(u8::is_ascii_alphabetic);
    let rated = sign == b'*' && before.is_some_and(|byte| byte.is_ascii_digit());
    if length < least || before == Some(sign) || in_word || rated { 0 } else { length }
}
