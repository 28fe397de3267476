//! Entity tags, and the evaluation of conditional requests (RFC 9110).
//!
//! A tag is the first 128 bits of the BLAKE3 hash of the bytes sent. The same bytes have the same
//! tag on every machine, and a tag in a manifest is also the checksum of its file.

use std::{fmt, str::FromStr, time::SystemTime};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Hexadecimal digits of a tag: 128 bits.
const HEX_DIGITS: usize = 32;
const OPENING: &str = "\"b3-";

/// A strong entity tag, `"b3-<32 lowercase hex>"`, quotes included (RFC 9110 section 8.8.3).
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(inline, extend("pattern" = "^\"b3-[0-9a-f]{32}\"$"))]
pub struct ETag(String);

impl ETag {
    /// The tag of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_hash(&blake3::hash(bytes))
    }

    /// The tag of the bytes that were hashed to `hash`.
    #[must_use]
    pub fn from_hash(hash: &blake3::Hash) -> Self {
        Self([OPENING, &hash.to_hex()[..HEX_DIGITS], "\""].concat())
    }

    /// The tag as in the header field, with quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hexadecimal part of the tag, which is a safe file name.
    #[must_use]
    pub fn hex(&self) -> &str {
        &self.0[OPENING.len()..OPENING.len() + HEX_DIGITS]
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ETag {
    type Err = InvalidETag;

    fn from_str(text: &str) -> Result<Self, InvalidETag> {
        let hex = text
            .strip_prefix(OPENING)
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|hex| hex.len() == HEX_DIGITS)
            .filter(|hex| hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
        hex.map(|_| Self(text.to_owned())).ok_or_else(|| InvalidETag(text.to_owned()))
    }
}

impl TryFrom<String> for ETag {
    type Error = InvalidETag;

    fn try_from(text: String) -> Result<Self, InvalidETag> {
        text.parse()
    }
}

impl From<ETag> for String {
    fn from(tag: ETag) -> Self {
        tag.0
    }
}

/// The text is not a tag of Candor's form.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a tag of the form \"b3-<32 lowercase hex digits>\"")]
pub struct InvalidETag(String);

/// The precondition fields of a request. Several lines of one field are joined with a comma (RFC
/// 9110 section 5.3). The values are bytes, because a field may contain any bytes.
#[derive(Clone, Debug, Default)]
pub struct Preconditions {
    /// `If-Match`
    pub if_match: Option<Vec<u8>>,
    /// `If-None-Match`
    pub if_none_match: Option<Vec<u8>>,
    /// `If-Modified-Since`
    pub if_modified_since: Option<Vec<u8>>,
    /// `If-Unmodified-Since`
    pub if_unmodified_since: Option<Vec<u8>>,
}

/// The result of the preconditions of a GET or HEAD request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Respond as if there were no preconditions.
    Proceed,
    /// Respond with 304.
    NotModified,
    /// Respond with 412.
    PreconditionFailed,
}

impl Preconditions {
    /// Evaluates the fields in the order of RFC 9110 section 13.2.2, for GET and HEAD. Call it only
    /// if the response would otherwise be a 2xx.
    ///
    /// `last_modified` is compared in whole seconds, the precision of the header field.
    #[must_use]
    pub fn evaluate(&self, tag: &ETag, last_modified: Option<SystemTime>) -> Decision {
        if let Some(field) = &self.if_match {
            if !TagList::parse(field).matches_strongly(tag) {
                return Decision::PreconditionFailed;
            }
        } else if let (Some(date), Some(modified)) =
            (parse_date(self.if_unmodified_since.as_deref()), last_modified)
            && seconds(modified) > seconds(date)
        {
            return Decision::PreconditionFailed;
        }
        if let Some(field) = &self.if_none_match {
            return if TagList::parse(field).matches_weakly(tag) {
                Decision::NotModified
            } else {
                Decision::Proceed
            };
        }
        match (parse_date(self.if_modified_since.as_deref()), last_modified) {
            (Some(date), Some(modified)) if seconds(modified) <= seconds(date) => {
                Decision::NotModified
            }
            _ => Decision::Proceed,
        }
    }
}

/// Whether `If-Range` allows a partial response: a strong match of the tag, or exactly the
/// `Last-Modified` date (RFC 9110 section 13.1.5). Otherwise the whole document is sent.
#[must_use]
pub fn if_range_holds(field: &[u8], tag: &ETag, last_modified: Option<SystemTime>) -> bool {
    let field = field.trim_ascii();
    if field.starts_with(b"\"") || field.starts_with(b"W/") {
        return field == tag.as_str().as_bytes();
    }
    match (parse_date(Some(field)), last_modified) {
        (Some(date), Some(modified)) => seconds(date) == seconds(modified),
        _ => false,
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Parses IMF-fixdate, RFC 850 and asctime dates (RFC 9110 section 5.6.7). Other values are
/// ignored.
fn parse_date(field: Option<&[u8]>) -> Option<SystemTime> {
    let text = std::str::from_utf8(field?).ok()?;
    httpdate::parse_http_date(text.trim()).ok()
}

/// The members of an `If-Match` or `If-None-Match` field. Malformed members match nothing.
enum TagList<'a> {
    Any,
    Tags(Vec<(bool, &'a [u8])>),
}

impl<'a> TagList<'a> {
    fn parse(field: &'a [u8]) -> Self {
        if field.trim_ascii() == b"*" {
            return Self::Any;
        }
        let mut tags = Vec::new();
        let mut rest = field;
        while !rest.is_empty() {
            rest = rest.trim_ascii_start();
            let (weak, body) = rest.strip_prefix(b"W/").map_or((false, rest), |body| (true, body));
            let end = closing_quote(body);
            if let Some(end) = end {
                let after = body[end + 1..].trim_ascii_start();
                if after.is_empty() || after[0] == b',' {
                    tags.push((weak, &body[..=end]));
                }
            }
            let from = end.map_or(rest, |end| &body[end + 1..]);
            rest = match from.iter().position(|&b| b == b',') {
                Some(comma) => &from[comma + 1..],
                None => &[],
            };
        }
        Self::Tags(tags)
    }

    fn matches_weakly(&self, tag: &ETag) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|(_, t)| *t == tag.as_str().as_bytes()),
        }
    }

    fn matches_strongly(&self, tag: &ETag) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|(weak, t)| !weak && *t == tag.as_str().as_bytes()),
        }
    }
}

/// The position of the quote that closes the quoted string at the start of `bytes`.
fn closing_quote(bytes: &[u8]) -> Option<usize> {
    bytes.strip_prefix(b"\"")?.iter().position(|&b| b == b'"').map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn tag() -> ETag {
        ETag::of(b"the bytes")
    }

    fn modified() -> SystemTime {
        httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap()
    }

    fn inm(field: &str) -> Decision {
        let field = field.replace("TAG", tag().as_str());
        let conditions =
            Preconditions { if_none_match: Some(field.into()), ..Preconditions::default() };
        conditions.evaluate(&tag(), Some(modified()))
    }

    #[test]
    fn a_tag_is_the_contracts_form() {
        let tag = tag();
        assert_eq!(tag.as_str().len(), 37);
        assert_eq!(tag.as_str().parse::<ETag>().unwrap(), tag);
        assert!("\"b3-xyz\"".parse::<ETag>().is_err());
        assert!(tag.as_str().to_uppercase().parse::<ETag>().is_err());
    }

    #[test]
    fn if_none_match_hits() {
        for field in [
            "TAG",
            "W/TAG",
            "*",
            " * ",
            "TAG, \"x\"",
            "\"x\", TAG",
            "\"x\",TAG",
            "\"a,b,\", W/TAG",
            "nonsense, TAG",
            ",,TAG,",
        ] {
            assert_eq!(inm(field), Decision::NotModified, "{field}");
        }
    }

    #[test]
    fn if_none_match_misses() {
        for field in ["\"x\"", "", "b3-unquoted", "\"*\"", "TAGx", "w/TAG", "\"open", "*, *"] {
            assert_eq!(inm(field), Decision::Proceed, "{field}");
        }
    }

    #[test]
    fn if_none_match_decides_alone() {
        let mut conditions = Preconditions {
            if_none_match: Some(b"\"other\"".to_vec()),
            if_modified_since: Some(b"Sun, 06 Nov 2094 08:49:37 GMT".to_vec()),
            ..Preconditions::default()
        };
        assert_eq!(conditions.evaluate(&tag(), Some(modified())), Decision::Proceed);
        conditions.if_none_match = Some(tag().as_str().into());
        conditions.if_modified_since = Some(b"Sun, 06 Nov 1904 08:49:37 GMT".to_vec());
        assert_eq!(conditions.evaluate(&tag(), Some(modified())), Decision::NotModified);
    }

    #[test]
    fn if_modified_since_takes_three_date_forms() {
        for (field, expected) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Decision::NotModified),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Decision::NotModified),
            ("Sun Nov  6 08:49:37 1994", Decision::NotModified),
            ("Sun, 06 Nov 1994 08:49:38 GMT", Decision::NotModified),
            ("Sun, 06 Nov 1994 08:49:36 GMT", Decision::Proceed),
            ("yesterday", Decision::Proceed),
        ] {
            let conditions =
                Preconditions { if_modified_since: Some(field.into()), ..Preconditions::default() };
            let just_after = modified() + Duration::from_millis(900);
            assert_eq!(conditions.evaluate(&tag(), Some(just_after)), expected, "{field}");
        }
    }

    #[test]
    fn if_match_is_strong_and_comes_first() {
        let with = |field: String| Preconditions {
            if_match: Some(field.into()),
            if_none_match: Some(b"*".to_vec()),
            if_unmodified_since: Some(b"Sun, 06 Nov 1904 08:49:37 GMT".to_vec()),
            ..Preconditions::default()
        };
        let decide = |field| with(field).evaluate(&tag(), Some(modified()));
        assert_eq!(decide(format!("W/{}", tag())), Decision::PreconditionFailed);
        assert_eq!(decide("\"other\"".into()), Decision::PreconditionFailed);
        assert_eq!(decide(tag().to_string()), Decision::NotModified);
    }

    #[test]
    fn if_unmodified_since_fails_on_a_later_change() {
        let conditions = Preconditions {
            if_unmodified_since: Some(b"Sun, 06 Nov 1994 08:49:36 GMT".to_vec()),
            ..Preconditions::default()
        };
        assert_eq!(conditions.evaluate(&tag(), Some(modified())), Decision::PreconditionFailed);
        assert_eq!(conditions.evaluate(&tag(), None), Decision::Proceed);
    }

    #[test]
    fn if_range_wants_a_strong_match() {
        let tag = tag();
        assert!(if_range_holds(tag.as_str().as_bytes(), &tag, None));
        assert!(!if_range_holds(format!("W/{tag}").as_bytes(), &tag, None));
        assert!(if_range_holds(b"Sun, 06 Nov 1994 08:49:37 GMT", &tag, Some(modified())));
        assert!(!if_range_holds(b"Sun, 06 Nov 1994 08:49:38 GMT", &tag, Some(modified())));
    }
}
