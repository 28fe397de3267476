//! A part of a representation (RFC 9110 section 14).

use std::ops::Range;

/// The part that a `Range` field requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The whole representation: there is no range, or one that may be ignored because it is malformed, in another
    /// unit, or a list.
    Whole,
    /// These bytes, at least one.
    Bytes(Range<u64>),
    /// No byte of the range exists: the response is 416.
    Unsatisfiable,
}

impl Part {
    /// Reads the field for a representation of `length` bytes.
    pub(crate) fn parse(field: &[u8], length: u64) -> Self {
        parse(field, length).unwrap_or(Self::Whole)
    }
}

fn parse(field: &[u8], length: u64) -> Option<Part> {
    let (unit, range) = std::str::from_utf8(field).ok()?.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let bytes = match (first, last) {
        ("", last) => length.saturating_sub(number(last)?)..length,
        (first, "") => number(first)?..length,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(length)
        }
    };
    Some(if bytes.is_empty() { Part::Unsatisfiable } else { Part::Bytes(bytes) })
}

/// Parses digits alone; a number that is too large for the type is larger than any document.
fn number(digits: &str) -> Option<u64> {
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_ten_bytes() {
        for (field, expected) in [
            ("bytes=0-0", Part::Bytes(0..1)),
            ("bytes=2-4", Part::Bytes(2..5)),
            ("bytes=2-", Part::Bytes(2..10)),
            ("bytes=2-99", Part::Bytes(2..10)),
            ("bytes=-3", Part::Bytes(7..10)),
            ("bytes=-99", Part::Bytes(0..10)),
            ("Bytes= 0-1 ", Part::Bytes(0..2)),
            ("bytes=0-99999999999999999999999", Part::Bytes(0..10)),
            ("bytes=10-", Part::Unsatisfiable),
            ("bytes=10-20", Part::Unsatisfiable),
            ("bytes=-0", Part::Unsatisfiable),
            ("bytes=99999999999999999999999-", Part::Unsatisfiable),
            ("bytes=4-2", Part::Whole),
            ("bytes=0-1,4-5", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("bytes 0-1", Part::Whole),
            ("lines=0-1", Part::Whole),
            ("", Part::Whole),
        ] {
            assert_eq!(Part::parse(field.as_bytes(), 10), expected, "{field}");
        }
    }

    #[test]
    fn nothing_of_an_empty_document_can_be_had() {
        assert_eq!(Part::parse(b"bytes=0-", 0), Part::Unsatisfiable);
        assert_eq!(Part::parse(b"bytes=-1", 0), Part::Unsatisfiable);
    }
}
