//! The character encoding of an export, by its bytes: UTF-8, UTF-16 with a byte order mark, or the
//! encoding that the letters of the file are the likeliest in, such as Windows-1252.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read},
    ops::Range,
};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::detect;

/// A file as UTF-8.
pub(super) struct Text<'a> {
    /// The beginning of the file, which is already read.
    pub(super) prefix: Vec<u8>,
    /// The file from there to its end.
    pub(super) rest: Box<dyn Read + 'a>,
    /// The name of its encoding, if that follows from the letters and not from a byte order mark.
    pub(super) guess: Option<&'static str>,
}

/// Reads the beginning of a file and decodes the file unless it is UTF-8.
pub(super) fn open<'a>(mut file: Box<dyn Read + 'a>) -> io::Result<Text<'a>> {
    let prefix = read_prefix(&mut file)?;
    let Some(encoding) = detect(&prefix) else {
        return Ok(Text { prefix, rest: file, guess: None });
    };
    let mut rest = Box::new(decoded(Cursor::new(prefix).chain(file), encoding));
    let has_mark = encoding == UTF_16LE || encoding == UTF_16BE;
    let guess = (!has_mark).then(|| encoding.name());
    Ok(Text { prefix: read_prefix(&mut rest)?, rest, guess })
}

fn read_prefix(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut prefix = Vec::new();
    file.take(detect::PREFIX as u64).read_to_end(&mut prefix)?;
    Ok(prefix)
}

/// Errors in UTF-8 for each of its characters, up to which a Western file is a damaged UTF-8 file.
const ERRORS_OF_CHARACTER: usize = 10;

/// The encoding of a file by its beginning; `None` for UTF-8, and for bytes that are not text. A file with
/// more UTF-8 characters than errors in them is a damaged UTF-8 file, and its reader names the rows.
fn detect(prefix: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(prefix) {
        return Some(encoding).filter(|encoding| *encoding != UTF_8);
    }
    if prefix.contains(&0) {
        return None;
    }
    let (mut characters, mut errors) = (0, 0);
    for chunk in prefix.utf8_chunks() {
        characters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    // The last character of the prefix may be cut off.
    if errors <= characters || errors == usize::from(str::from_utf8(prefix).is_err_and(is_cut_off))
    {
        return None;
    }
    // Two letters that Western texts have not, one after the other, are a character of UTF-8.
    let western = prefix.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(
        |c| matches!(c, '\u{a0}'..='\u{ff}' | '\u{2010}'..='\u{206f}' | '\u{20ac}' | '\u{10000}'..),
    );
    let is_mixed = western.count() * ERRORS_OF_CHARACTER >= errors;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let is_whole = prefix.len() < detect::PREFIX;
    detector.feed(prefix, is_whole);
    let guess = detector.guess(None, Utf8Detection::Deny);
    Some(guess).filter(|guess| *guess != WINDOWS_1252 || !is_mixed)
}

fn is_cut_off(error: std::str::Utf8Error) -> bool {
    error.error_len().is_none()
}

/// A file as UTF-8. Bytes that are not text in its encoding are an error: nothing is replaced unseen.
fn decoded<R: Read>(inner: R, encoding: &'static Encoding) -> Decoded<R> {
    let inner = BufReader::with_capacity(BUFFER, inner);
    Decoded { inner, decoder: Some(encoding.new_decoder()), text: vec![0; BUFFER], unread: 0..0 }
}

const BUFFER: usize = 1 << 16;

/// Decodes what it reads.
struct Decoded<R> {
    inner: BufReader<R>,
    /// `None` after the end.
    decoder: Option<Decoder>,
    /// Decoded text. The decoder writes whole characters only, and a caller's buffer may be shorter than
    /// one.
    text: Vec<u8>,
    /// The part of `text` that was not handed on yet.
    unread: Range<usize>,
}

impl<R: Read> Decoded<R> {
    fn fill(&mut self) -> io::Result<()> {
        while let Some(decoder) = self.decoder.as_mut().filter(|_| self.unread.is_empty()) {
            let input = self.inner.fill_buf()?;
            let is_last = input.is_empty();
            let (result, read, written, has_errors) =
                decoder.decode_to_utf8(input, &mut self.text, is_last);
            if has_errors {
                let name = decoder.encoding().name();
                return Err(io::Error::other(format!(
                    "it has bytes that are not text in {name}; save it as UTF-8 and import it again"
                )));
            }
            self.inner.consume(read);
            self.unread = 0..written;
            if is_last && result == CoderResult::InputEmpty {
                self.decoder = None;
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.fill()?;
        let length = (&self.text[self.unread.clone()]).read(buffer)?;
        self.unread.start += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_told_by_the_bytes() {
        for (bytes, encoding) in [
            (&b"plain"[..], None),
            ("J\u{f6}rg".as_bytes(), None),
            ("\u{feff}J\u{f6}rg".as_bytes(), None),
            (&"J\u{f6}rg \u{20ac}".as_bytes()[..8], None),
            (b"J\xf6rg", Some(WINDOWS_1252)),
            (b"\xff\xfea\0", Some(UTF_16LE)),
            (b"\xfe\xff\0a", Some(UTF_16BE)),
            // A damaged UTF-8 file, and a picture.
            (b"J\xc3\xb6rg and J\xf6rg", None),
            (b"Ann M\xc3\xbcller, caf\xe9 tr\xe8s bon", None),
            // An E with an accent and a closing quote.
            (b"\xabCAF\xc9\xbb: d\xe9j\xe0 l\xe0", Some(WINDOWS_1252)),
            (b"\xff\xd8\xff\xe0\0\0", None),
        ] {
            assert_eq!(detect(bytes), encoding, "{bytes:x?}");
        }
    }

    #[test]
    fn every_character_is_decoded_wherever_a_buffer_ends() {
        let text = "a\u{f6}\u{20ac}\u{1f600}".repeat(30_000);
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for start in [&b"\xff\xfe"[..], b"\xff\xfea\0"] {
            let mut read = String::new();
            decoded(start.chain(&*bytes), UTF_16LE).read_to_string(&mut read).unwrap();
            assert_eq!(read, "a".repeat(usize::from(start.len() > 2)) + &text);
        }
        let (mut one_by_one, mut read, mut byte) =
            (decoded(&bytes[..14], UTF_16LE), Vec::new(), [0]);
        while one_by_one.read(&mut byte).unwrap() > 0 {
            read.extend(byte);
        }
        assert_eq!(read, "a\u{f6}\u{20ac}\u{1f600}a\u{f6}".as_bytes());
        let latin = b"\x93J\xf6rg\x94 \x80";
        let mut read = String::new();
        decoded(&latin[..], WINDOWS_1252).read_to_string(&mut read).unwrap();
        assert_eq!(read, "\u{201c}J\u{f6}rg\u{201d} \u{20ac}");
    }
}
