//! Percent-encodes the bytes in a request line that a URL must not have: those beyond ASCII, `"`, `<`, `>` and `` ` ``.
//! The server refuses them below every handler; `curl '…?q="Sofía"'` sends them nevertheless.

use std::borrow::Cow;

/// The part of a request line that has been passed on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RequestLine {
    /// Only empty lines, which RFC 9112 section 2.2 allows before it.
    #[default]
    Before,
    Within,
    After,
}

impl RequestLine {
    /// Returns the number of bytes that can be passed on if there is room for so many. The server makes room for a
    /// thousand before it reads.
    pub(crate) fn room(self, room: usize) -> usize {
        match self {
            Self::After => room,
            _ => room / 3,
        }
    }

    /// Returns the bytes, up to three times as many within the line.
    pub(crate) fn encoded<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if *self == Self::After {
            return Cow::Borrowed(bytes);
        }
        let mut encoded = Vec::with_capacity(bytes.len());
        for byte in bytes {
            *self = match (*self, byte) {
                (Self::Before, b'\r' | b'\n') => Self::Before,
                (Self::Within, b'\n') | (Self::After, _) => Self::After,
                _ => Self::Within,
            };
            match (*self, byte) {
                (Self::Within, 0x80.. | b'"' | b'<' | b'>' | b'`') => {
                    encoded.extend(format!("%{byte:02X}").bytes())
                }
                _ => encoded.push(*byte),
            }
        }
        Cow::Owned(encoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_request_line_is_encoded_however_the_bytes_are_divided() {
        let bytes = "\r\nGET /`?q=\"Sofía€\"<> HTTP/1.1\r\nX: \"í\"\r\n\r\nGET /í".as_bytes();
        let expected =
            "\r\nGET /%60?q=%22Sof%C3%ADa%E2%82%AC%22%3C%3E HTTP/1.1\r\nX: \"í\"\r\n\r\n\
                        GET /í"
                .as_bytes();
        for at in 0..bytes.len() {
            let mut line = RequestLine::default();
            let (one, two) = bytes.split_at(at);
            let encoded = [line.encoded(one), line.encoded(two)].concat();
            assert_eq!(encoded, expected, "{at}");
        }
    }
}
