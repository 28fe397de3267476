//! A response, its body read and decoded within limits.

use std::io::{self, Read};

use ureq::http::HeaderMap;

use contract::{etag::ETag, manifest::Coding};

const BUFFER: usize = 64 * 1024;

/// The response of a server, its body already read as far as its limit.
#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    pub fields: HeaderMap,
    pub(crate) body: ReadBody,
}

/// A body of which as much was read as was requested.
#[derive(Debug)]
pub(crate) struct ReadBody {
    /// Bytes as they came.
    pub length: u64,
    /// The ETag of the bytes as they came.
    pub tag: ETag,
    pub end: ReadEnd,
    /// The body without its coding; the same bytes if it has none.
    pub content: Result<DecodedBody, String>,
}

/// A body without its coding.
#[derive(Debug)]
pub(crate) struct DecodedBody {
    pub length: u64,
    pub tag: ETag,
    /// The bytes, where they were requested.
    pub bytes: Vec<u8>,
}

/// The result of reading a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadEnd {
    Whole,
    /// There is more than was requested.
    TooLong,
    /// The connection broke.
    Broken(String),
}

/// The part of a body that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// Bytes of content at most; as they come there may be a few more.
    pub bytes: u64,
    /// Whether the content is wanted.
    pub keep: bool,
}

impl Limit {
    /// Returns the bytes as they come at most: a coding makes content that cannot be compressed longer.
    fn coded(self) -> u64 {
        self.bytes.saturating_add(self.bytes / 64).saturating_add(1024)
    }
}

impl Response {
    /// A field's value; several lines are joined (RFC 9110 section 5.3).
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let lines: Vec<_> = self
            .fields
            .get_all(name)
            .iter()
            .map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned())
            .collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    }

    /// A field for a message.
    pub(crate) fn shown(&self, name: &str) -> String {
        self.field(name).map_or_else(|| format!("no {name}"), |value| shorten(&value))
    }

    /// The status for a message, with the address a redirect points to.
    pub(crate) fn shown_status(&self) -> String {
        match self.field("location").filter(|_| self.is_redirect()) {
            Some(to) => format!("{} to {}", self.status, shorten(&to)),
            None => self.status.to_string(),
        }
    }

    pub(crate) fn is_redirect(&self) -> bool {
        (300..400).contains(&self.status) && self.status != 304
    }

    /// The content as text, shortened: for messages.
    pub(crate) fn shown_content(&self) -> String {
        let bytes = self.body.content.as_ref().map_or(&[][..], |content| &content.bytes);
        shorten(String::from_utf8_lossy(bytes).trim())
    }

    /// The content as JSON.
    pub(crate) fn json(&self) -> Result<serde_json::Value, String> {
        match (&self.body.end, &self.body.content) {
            (ReadEnd::Broken(why), _) => Err(why.clone()),
            (ReadEnd::TooLong, _) => Err("more bytes than such an answer can have".to_owned()),
            (ReadEnd::Whole, Err(why)) => Err(why.clone()),
            (ReadEnd::Whole, Ok(content)) => serde_json::from_slice(&content.bytes)
                .map_err(|error| format!("no JSON ({error}): {}", self.shown_content())),
        }
    }
}

/// At most 120 characters of what a server says, on one line.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 120;
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// The coding `Content-Encoding` names. An error names one that Candor does not publish.
pub(crate) fn coding(fields: &HeaderMap) -> Result<Option<Coding>, String> {
    let Some(value) = fields.get("content-encoding") else { return Ok(None) };
    let value = String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase();
    if value == "identity" {
        return Ok(None);
    }
    let coding = Coding::ALL.into_iter().find(|coding| coding.token() == value);
    coding.map(Some).ok_or_else(|| format!("Content-Encoding {:?} is unknown", shorten(&value)))
}

/// Reads a body to its end or its limit, and what its coding hides at the same time.
pub(crate) fn receive(
    reader: impl Read,
    coding: Result<Option<Coding>, String>,
    limit: Limit,
) -> ReadBody {
    let most = if matches!(coding, Ok(None)) { limit.bytes } else { limit.coded() };
    let mut raw =
        CountingBody { reader, hash: blake3::Hasher::new(), length: 0, most, end: ReadEnd::Whole };
    let content = match coding {
        Err(unknown) => Err(unknown),
        Ok(coding) => decoded(&mut raw, coding, limit),
    };
    // What a decoder leaves unread is part of the body too.
    let _ = io::copy(&mut raw, &mut io::sink());
    let tag = ETag::from_hash(&raw.hash.finalize());
    ReadBody { length: raw.length, tag, end: raw.end, content }
}

fn decoded<R: Read>(
    raw: &mut CountingBody<R>,
    coding: Option<Coding>,
    limit: Limit,
) -> Result<DecodedBody, String> {
    let why = |coding: Coding, error: io::Error| {
        format!("it does not decode as {}: {error}", coding.token())
    };
    match coding {
        None => read_content(raw, limit).map_err(|error| error.to_string()),
        Some(Coding::Gzip) => read_content(&mut flate2::read::GzDecoder::new(&mut *raw), limit)
            .map_err(|error| why(Coding::Gzip, error)),
        Some(Coding::Brotli) => {
            read_content(&mut brotli::Decompressor::new(&mut *raw, BUFFER), limit)
                .map_err(|error| why(Coding::Brotli, error))
        }
    }
}

fn read_content(reader: &mut dyn Read, limit: Limit) -> io::Result<DecodedBody> {
    let mut hash = blake3::Hasher::new();
    let (mut bytes, mut length) = (Vec::new(), 0);
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = reader.read(&mut buffer)?;
        length += count as u64;
        if count == 0 || length > limit.bytes {
            return Ok(DecodedBody { length, tag: ETag::from_hash(&hash.finalize()), bytes });
        }
        hash.update(&buffer[..count]);
        if limit.keep {
            bytes.extend_from_slice(&buffer[..count]);
        }
    }
}

/// Bytes as they come, counted and hashed. After the first one too many it is at its end.
struct CountingBody<R> {
    reader: R,
    hash: blake3::Hasher,
    length: u64,
    most: u64,
    end: ReadEnd,
}

impl<R: Read> Read for CountingBody<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.end != ReadEnd::Whole {
            return Ok(0);
        }
        match self.reader.read(buffer) {
            Ok(count) => {
                self.length += count as u64;
                self.hash.update(&buffer[..count]);
                if self.length > self.most {
                    self.end = ReadEnd::TooLong;
                }
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.end = ReadEnd::Broken(super::explain::explain_io(&error));
                Ok(0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(bytes: u64) -> Limit {
        Limit { bytes, keep: true }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        let effort = contract::compress::Effort::Best;
        let length = bytes.len() as u64;
        contract::compress::encode(effort, Coding::Gzip, length, &mut &bytes[..], &mut output)
            .unwrap();
        output
    }

    #[test]
    fn a_body_is_read_to_its_limit_and_no_further() {
        let body = receive(io::repeat(b'x'), Ok(None), limit(1000));
        assert_eq!(body.end, ReadEnd::TooLong);
        assert!(body.length <= 1000 + BUFFER as u64, "{}", body.length);
        let body = receive(&b"abc"[..], Ok(None), limit(3));
        assert_eq!((body.end, body.length, body.tag), (ReadEnd::Whole, 3, ETag::of(b"abc")));
        assert_eq!(body.content.unwrap().bytes, b"abc");
    }

    #[test]
    fn what_unpacks_to_more_than_announced_is_not_unpacked() {
        let bomb = gzip(&vec![0; 50 << 20]);
        let body = receive(&bomb[..], Ok(Some(Coding::Gzip)), limit(1 << 20));
        let content = body.content.unwrap();
        assert!(content.length > 1 << 20 && content.length <= (1 << 20) + BUFFER as u64);
        assert!(content.bytes.len() <= 1 << 20);
    }

    #[test]
    fn what_does_not_decode_is_said() {
        for coding in Coding::ALL {
            let body = receive(&b"no such coding at all"[..], Ok(Some(coding)), limit(100));
            let start = format!("it does not decode as {}: ", coding.token());
            assert!(body.content.unwrap_err().starts_with(&start));
            assert_eq!((body.end, body.length), (ReadEnd::Whole, 21));
        }
    }

    #[test]
    fn a_coded_body_has_both_tags() {
        let coded = gzip(b"abc abc abc");
        let body = receive(&coded[..], Ok(Some(Coding::Gzip)), limit(11));
        assert_eq!(body.tag, ETag::of(&coded));
        assert_eq!(body.content.unwrap().tag, ETag::of(b"abc abc abc"));
    }
}
