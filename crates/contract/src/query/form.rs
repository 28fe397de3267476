//! Decoding and encoding of a URL's query.

use std::borrow::Cow;

use percent_encoding::{percent_decode_str, utf8_percent_encode};

use super::{Code, Given, Issue, MAX_PARAMETERS};
use crate::percent::{RESERVED, has_broken_escape};

/// The names and values of a URL's query, decoded. `+` and `%20` both mean a space. Empty parts
/// between two `&` are ignored.
pub fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Given<'_>)> {
    pieces(query).map(|piece| {
        let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
        let name = match decode(name) {
            Given::Text(name) | Given::NotUtf8(name) | Given::BrokenEscape(name) => name,
            Given::Json(_) => Cow::Borrowed(""),
        };
        (name, decode(value))
    })
}

/// Checks the number of parameters in a URL's query, before one of them is read.
///
/// # Errors
/// For more than [`MAX_PARAMETERS`].
pub fn check_count(query: &str) -> Result<(), Issue> {
    let count = pieces(query).count();
    if count <= MAX_PARAMETERS {
        return Ok(());
    }
    let message = format!("at most {MAX_PARAMETERS} parameters are allowed");
    Err(Issue { path: Vec::new(), code: Code::TooMany, message, received: count.into() })
}

fn pieces(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|piece| !piece.is_empty())
}

/// Encodes a name or a value for a URL's query.
#[must_use]
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Decodes the form encoding. An invalid escape is kept as written.
fn decode(text: &str) -> Given<'_> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Given::Text(Cow::Borrowed(text));
    }
    let spaced = text.replace('+', " ");
    match (percent_decode_str(&spaced).decode_utf8(), has_broken_escape(text)) {
        (Ok(decoded), false) => Given::Text(decoded.into_owned().into()),
        (Ok(decoded), true) => Given::BrokenEscape(decoded.into_owned().into()),
        (Err(_), broken) => {
            let text = percent_decode_str(&spaced).decode_utf8_lossy().into_owned();
            if broken { Given::BrokenEscape(text.into()) } else { Given::NotUtf8(text.into()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(query: &str) -> Vec<(String, String)> {
        let text = |given| match given {
            Given::Text(text) => text.into_owned(),
            other => format!("{other:?}"),
        };
        pairs(query).map(|(name, value)| (name.into_owned(), text(value))).collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.into(), value.into())
    }

    #[test]
    fn plus_and_percent_20_are_a_space() {
        assert_eq!(all("query=a+b%20c%2Bd"), [pair("query", "a b c+d")]);
        assert_eq!(all("min%5Frating=4"), [pair("min_rating", "4")]);
    }

    #[test]
    fn what_is_encoded_is_decoded_again() {
        let text = "a b+c&d=é%20/\u{0}~";
        assert_eq!(encoded(text), "a%20b%2Bc%26d%3D%C3%A9%2520%2F%00~");
        assert_eq!(decode(&encoded(text)), Given::Text(text.into()));
    }

    #[test]
    fn pieces_without_a_name_or_a_value() {
        assert_eq!(all(""), []);
        assert_eq!(all("&&a&=b&c=d=e&"), [pair("a", ""), pair("", "b"), pair("c", "d=e")]);
    }

    #[test]
    fn what_is_no_text_is_known_as_such() {
        assert_eq!(decode("%C3%BC"), Given::Text("ü".into()));
        assert_eq!(decode("%ff"), Given::NotUtf8("\u{fffd}".into()));
        for broken in ["%", "%4", "%zz", "100%", "%é"] {
            assert_eq!(decode(broken), Given::BrokenEscape(broken.into()), "{broken}");
        }
        assert_eq!(decode("%+1"), Given::BrokenEscape("% 1".into()));
    }
}
