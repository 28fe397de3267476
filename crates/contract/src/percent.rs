//! Percent-encoding of URLs (RFC 3986 section 2.1).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but the characters that need no escape anywhere (RFC 3986 section 2.3).
pub(crate) const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters that are escaped in paths.
const NOT_IN_PATH: &AsciiSet = &RESERVED.remove(b'/').remove(b'+').remove(b',').remove(b'@');

/// A path as it is written in a URL. `/` stays the separator of its segments (RFC 3986 section
/// 3.3).
#[must_use]
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_PATH).to_string()
}

/// Decodes a URL's path once. `None` for a broken escape, an escaped slash, which does not separate
/// segments (RFC 3986 section 2.2), and for what is not UTF-8.
#[must_use]
pub fn decode_path(path: &str) -> Option<String> {
    if has_broken_escape(path) || path.contains("%2F") || path.contains("%2f") {
        return None;
    }
    percent_decode_str(path).decode_utf8().ok().map(Into::into)
}

/// Decodes a name or a value of a form (`application/x-www-form-urlencoded`). `None` for a broken
/// escape and for what is not UTF-8.
#[must_use]
pub fn decode_form(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| !has_broken_escape(text))?;
    percent_decode_str(&text.replace('+', " ")).decode_utf8().ok().map(Into::into)
}

/// Whether a percent sign is not followed by two hexadecimal digits.
pub(crate) fn has_broken_escape(text: &str) -> bool {
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    !text.split('%').skip(1).all(is_escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_decoded_once_or_not_at_all() {
        assert_eq!(decode_path("/a%20b/%C3%BC+c").as_deref(), Some("/a b/ü+c"));
        assert_eq!(decode_path("/%252e").as_deref(), Some("/%2e"));
        assert_eq!(decode_path("/%252f").as_deref(), Some("/%2f"));
        for path in
            ["/%", "/%4", "/%zz", "/a%2Fb", "/..%2f", "/%ff", "/%c0%ae", "/%+1", "/%%41", "/%4%41"]
        {
            assert_eq!(decode_path(path), None, "{path}");
        }
    }

    #[test]
    fn what_a_path_may_contain_is_not_encoded() {
        let path = "/a-b.c_d~e+f,g@h/über uns?#%";
        assert_eq!(encode_path(path), "/a-b.c_d~e+f,g@h/%C3%BCber%20uns%3F%23%25");
        assert_eq!(decode_path(&encode_path(path)).as_deref(), Some(path));
    }
}
