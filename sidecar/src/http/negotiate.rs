//! Negotiation of the content coding (RFC 9110 section 12.5.3).

use contract::manifest::Coding;

/// The codings a request accepts, with their quality in thousandths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Accepted {
    listed: Vec<(Vec<u8>, u16)>,
}

/// Selects a coding among `available`; `None` is the identity. `lines` are the request's `Accept-Encoding` fields.
///
/// The highest quality wins, and among equals the first of `available`, then the identity. A listed coding wins over an
/// identity that is not listed: a client that names codings wants one of them. If nothing is acceptable the identity is
/// sent, as the section allows.
pub(crate) fn negotiate<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    available: &[Coding],
) -> Option<Coding> {
    let accepted = Accepted::parse(lines);
    let identity = accepted.quality(b"identity").unwrap_or(0);
    let mut best = (None, 0);
    for &coding in available {
        let quality = accepted.quality(coding.token().as_bytes()).unwrap_or(0);
        if quality > best.1 {
            best = (Some(coding), quality);
        }
    }
    let (coding, quality) = best;
    coding.filter(|_| quality >= identity)
}

impl Accepted {
    fn parse<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let members = lines.flat_map(|line| line.split(|&byte| byte == b','));
        Self { listed: members.filter_map(member).collect() }
    }

    /// Returns the best quality given to a coding by name, or else to `*`.
    fn quality(&self, coding: &[u8]) -> Option<u16> {
        self.named(coding).or_else(|| self.named(b"*"))
    }

    fn named(&self, name: &[u8]) -> Option<u16> {
        let named = self.listed.iter().filter(|(listed, _)| listed == name);
        named.map(|(_, quality)| *quality).max()
    }
}

/// Parses `coding [;q=weight]`. A member with a malformed weight counts as absent.
fn member(text: &[u8]) -> Option<(Vec<u8>, u16)> {
    let mut parts = text.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
    let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
    let name = if name == b"x-gzip" { b"gzip".to_vec() } else { name };
    let weight = match parts.next() {
        Some(parameter) => weight(parameter)?,
        None => 1000,
    };
    Some((name, weight))
}

/// Parses `q=0.123` into thousandths (RFC 9110 section 12.4.2).
fn weight(parameter: &[u8]) -> Option<u16> {
    let (name, value) = std::str::from_utf8(parameter).ok()?.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, fraction) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{fraction:0<3}").parse().ok()?;
    match (whole, thousandths) {
        ("0", _) => Some(thousandths),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Coding::{Brotli, Gzip};

    fn pick(lines: &[&str]) -> Option<Coding> {
        negotiate(lines.iter().map(|line| line.as_bytes()), &Coding::ALL)
    }

    #[test]
    fn one_line() {
        for (line, expected) in [
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("zstd", None),
            ("gzip", Some(Gzip)),
            ("x-gzip", Some(Gzip)),
            ("GZip;Q=1.0", Some(Gzip)),
            ("gzip ; q=0.5 , br ; q=0.4", Some(Gzip)),
            ("gzip;q=0.001", Some(Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=0.000", None),
            ("br;q=0, gzip", Some(Gzip)),
            ("br;q=0, *", Some(Gzip)),
            ("*", Some(Brotli)),
            ("*;q=0", None),
            ("*;q=0, gzip", Some(Gzip)),
            ("gzip, *;q=0.1", Some(Gzip)),
            ("identity", None),
            ("identity, gzip;q=0.5", None),
            ("identity, gzip", Some(Gzip)),
            ("identity;q=0.5, gzip;q=0.5", Some(Gzip)),
            ("identity;q=0.2, gzip;q=0.1", None),
            ("identity;q=0", None),
            ("identity;q=0, br", Some(Brotli)),
            ("deflate, compress", None),
            ("", None),
            (",,", None),
            ("gzip;q=2", None),
            ("gzip;q=0.1234", None),
            ("gzip;q=x, br;q=0.1", Some(Brotli)),
            ("gzip;level=9", None),
        ] {
            assert_eq!(pick(&[line]), expected, "{line:?}");
        }
    }

    #[test]
    fn several_lines_are_one_list() {
        assert_eq!(pick(&["gzip;q=0.5", "br"]), Some(Brotli));
        assert_eq!(pick(&["gzip", "gzip;q=0.1, br;q=0.5"]), Some(Gzip));
        assert_eq!(pick(&[]), None);
    }

    #[test]
    fn only_what_there_is() {
        let line = b"br, gzip;q=0.5".as_slice();
        assert_eq!(negotiate([line].into_iter(), &[Gzip]), Some(Gzip));
        assert_eq!(negotiate([line].into_iter(), &[]), None);
    }

    #[test]
    fn among_equals_the_first_that_is_available() {
        let browser = b"gzip, deflate, br, zstd".as_slice();
        assert_eq!(negotiate([browser].into_iter(), &[Gzip, Brotli]), Some(Gzip));
        assert_eq!(negotiate([browser].into_iter(), &[Brotli, Gzip]), Some(Brotli));
    }
}
