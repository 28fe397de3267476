//! Undoes what exporters do to texts: HTML that was written for a page, and UTF-8 that was read as
//! Windows-1252 and encoded again. Then removes the invisible characters that mean nothing.

use super::{Note, literal};
use crate::raw::RawReview;
use contract::text::without_invisible;

/// The decodings that options ask for. Texts that would change by another one are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Decoding {
    /// HTML entities and line breaks.
    pub(in super::super) html: bool,
    /// Text that was encoded twice.
    pub(in super::super) encoded_twice: bool,
}

/// Decodes the texts of a row. Returns its author, title and text in every decoding, if these differ: a
/// review that was imported with other options is stored in one of them.
pub(super) fn decode(
    raw: &mut RawReview,
    decoding: Decoding,
    notes: &mut Vec<Note>,
) -> Vec<RawReview> {
    if let Some(reply) = &raw.reply {
        raw.reply = Some(literal::reply(reply));
    }
    let is_plain = |text: &mut String| {
        html(text).is_none() && encoded_twice(text).is_none() && without_invisible(text).1 == 0
    };
    if texts(raw).all(is_plain) {
        return Vec::new();
    }
    let decodings = DECODINGS.map(|steps| in_decoding(raw, steps));
    let mut found = Vec::new();
    for text in texts(raw) {
        match encoded_twice(text) {
            None => {}
            Some(Some(repaired)) if decoding.encoded_twice => {
                *text = repaired;
                found.push(Note::Repaired);
            }
            Some(_) if decoding.encoded_twice => found.push(Note::NotRepaired),
            Some(_) => found.push(Note::EncodedTwice),
        }
        match html(text) {
            Some(decoded) if decoding.html => *text = decoded,
            Some(_) => found.push(Note::Html),
            None => {}
        }
        if let (visible, 1..) = without_invisible(text) {
            *text = visible.into_owned();
            found.push(Note::Invisible);
        }
    }
    found.sort_unstable();
    found.dedup();
    notes.extend(found);
    decodings.into()
}

fn texts(raw: &mut RawReview) -> impl Iterator<Item = &mut String> {
    let translation = raw.translation.as_mut().map(|(text, _)| text);
    let texts = [&mut raw.author, &mut raw.title, &mut raw.text, &mut raw.reply];
    texts.into_iter().flatten().chain(translation)
}

/// Changes a text, or leaves it as it is.
type Step = fn(&str) -> Option<String>;

/// The combinations of steps that options can ask for.
const DECODINGS: [&[Step]; 4] = [&[], &[html], &[repaired], &[repaired, html]];

fn in_decoding(raw: &RawReview, steps: &[Step]) -> RawReview {
    let decoded = |text: &Option<String>| {
        let mut text = text.clone()?;
        for step in steps {
            text = step(&text).unwrap_or(text);
        }
        Some(text)
    };
    RawReview {
        author: decoded(&raw.author),
        title: decoded(&raw.title),
        text: decoded(&raw.text),
        ..RawReview::default()
    }
}

fn repaired(text: &str) -> Option<String> {
    encoded_twice(text).flatten()
}

/// The text without HTML entities and with line ends in place of `<br>` and `<p>`; `None` if it has neither.
fn html(text: &str) -> Option<String> {
    if !text.contains(['&', '<']) {
        return None;
    }
    let mut lines = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        lines.push_str(before);
        rest = match line_break(tag) {
            Some(behind) => {
                lines.push('\n');
                // In HTML a line end is a blank.
                behind.strip_prefix("\r\n").or_else(|| behind.strip_prefix('\n')).unwrap_or(behind)
            }
            None => {
                lines.push('<');
                &tag[1..]
            }
        };
    }
    lines.push_str(rest);
    let decoded = html_escape::decode_html_entities(&lines);
    (decoded != text).then(|| decoded.into_owned())
}

/// Returns the text after the tag `<br>`, in any spelling, if the text begins with it.
fn line_break(tag: &str) -> Option<&str> {
    let name = tag.strip_prefix("</").or_else(|| tag.strip_prefix('<'))?;
    let behind = |tag: &str| {
        let found = name.get(..tag.len())?.eq_ignore_ascii_case(tag);
        found.then(|| &name[tag.len()..])
    };
    let attributes = behind("br").or_else(|| behind("p"))?;
    // No farther than to the next tag, so that a text without an end of its tags is read once.
    let (attributes, behind) = attributes.split_at(attributes.find(['<', '>'])?);
    let is_tag = attributes.is_empty() || attributes.starts_with([' ', '/', '\t', '\n']);
    behind.strip_prefix('>').filter(|_| is_tag)
}

/// The characters of Windows-1252 from 0x80 to 0x9F. It leaves five of them undefined, and programs
/// write control characters there.
const UPPER: &str = "\u{20ac}\u{81}\u{201a}\u{192}\u{201e}\u{2026}\u{2020}\u{2021}\u{2c6}\u{2030}\u{160}\u{2039}\u{152}\u{8d}\u{17d}\u{8f}\u{90}\u{2018}\u{2019}\u{201c}\u{201d}\u{2022}\u{2013}\u{2014}\u{2dc}\u{2122}\u{161}\u{203a}\u{153}\u{9d}\u{17e}\u{178}";

/// A byte that UTF-8 never has, for a character that Windows-1252 does not have.
const NO_BYTE: u8 = 0xff;

/// Whether a text holds characters that were encoded twice, and the text with them repaired if all of it
/// was encoded twice.
fn encoded_twice(text: &str) -> Option<Option<String>> {
    if text.is_ascii() {
        return None;
    }
    let bytes: Vec<u8> = text.chars().map(byte).collect();
    let mut characters = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    characters.any(is_evidence).then(|| String::from_utf8(bytes).ok())
}

fn byte(c: char) -> u8 {
    // A program that takes the encoding for ISO 8859-1 writes the control characters.
    let upper = || (0x80..=0x9f).zip(UPPER.chars()).find(|(_, upper)| *upper == c);
    u8::try_from(c).ok().or_else(|| upper().map(|(byte, _)| byte)).unwrap_or(NO_BYTE)
}

/// Whether a character that results from the repair is one that people write. A capital letter before a
/// quotation mark or a no-break space gives letters that are hardly ever written.
fn is_evidence(c: char) -> bool {
    let is_rare = matches!(c, '\u{180}'..'\u{218}' | '\u{21c}'..'\u{300}' | '\u{500}'..'\u{5b0}' | '\u{700}'..'\u{800}');
    !c.is_ascii() && !is_rare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_line_break_is_a_line_end() {
        for text in ["a<br>b", "a<br/>b", "a<BR />b", "a</br>b", "a<br class=\"x\">b", "a<br>\r\nb"]
        {
            assert_eq!(html(text).as_deref(), Some("a\nb"), "{text}");
        }
        for text in ["a <brilliant> b", "a < b > c", "<b", "<br", "5 <br 3", "<é>", "a & b"] {
            assert_eq!(html(text), None, "{text}");
        }
    }

    #[test]
    fn entities_are_decoded_once() {
        assert_eq!(html("R&amp;D &amp;lt;3 &#8217;").as_deref(), Some("R&D &lt;3 \u{2019}"));
        assert_eq!(html("&lt;br&gt;").as_deref(), Some("<br>"));
    }

    #[test]
    fn what_was_encoded_twice_is_repaired_as_a_whole_or_not_at_all() {
        let twice = |text: &str| -> String {
            let char_of = |byte: u8| match byte {
                0x80..=0x9f => UPPER.chars().nth(usize::from(byte) - 0x80).unwrap(),
                byte => char::from(byte),
            };
            text.bytes().map(char_of).collect()
        };
        for text in
            ["J\u{f6}rg \u{2019}s", "\u{c1}ra", "\u{1f600}", "\u{43e}\u{442}\u{43b}", "\u{e0} la"]
        {
            assert_eq!(encoded_twice(&twice(text)), Some(Some(text.to_owned())), "{text}");
            assert_eq!(encoded_twice(text), None, "{text}");
        }
        let half = format!("{} \u{1f600}", twice("J\u{f6}rg"));
        assert_eq!(encoded_twice(&half), Some(None));
        // Text that could be bytes of UTF-8, but of characters that are hardly ever written.
        for text in
            ["\u{ab} CAF\u{c9}\u{a0}\u{bb}", "GR\u{dc}\u{df}E", "Spa\u{df}\u{a0}!", "\u{20ac}5"]
        {
            assert_eq!(encoded_twice(text), None, "{text}");
        }
    }
}
