//! Escapes of characters in JSON. A program that cuts a text off by its UTF-16 units leaves half of the last character,
//! such as `\ud83d`, which means nothing.

use std::io::{self, BufRead, Read};

/// The escape of the character that stands for one that could not be read.
const UNREADABLE: &[u8] = b"\\ufffd";

/// Puts a whole character in the place of each half in `text`, from `at` on. Whether the last escape is cut off; it begins
/// at `at` then.
pub(super) fn replace_halves(text: &mut [u8], at: &mut usize) -> bool {
    while let Some(found) = text.get(*at..).and_then(|rest| rest.iter().position(|&b| b == b'\\')) {
        *at += found;
        let rest = &text[*at..];
        let (length, is_half) = match unit(rest) {
            _ if rest.len() == 1 => return true,
            Err(()) => return true,
            Ok(None) => (2, false),
            Ok(Some(0xd800..=0xdbff)) => match unit(&rest[6..]) {
                Err(()) => return true,
                Ok(Some(0xdc00..=0xdfff)) => (12, false),
                Ok(_) => (6, true),
            },
            Ok(Some(unit)) => (6, (0xdc00..=0xdfff).contains(&unit)),
        };
        if is_half {
            text[*at..*at + length].copy_from_slice(UNREADABLE);
        }
        *at += length;
    }
    *at = text.len();
    false
}

/// The UTF-16 unit of the escape at the beginning of a text, `None` for anything else; an error if it is cut off.
fn unit(text: &[u8]) -> Result<Option<u16>, ()> {
    let is_begun = b"\\u".starts_with(&text[..text.len().min(2)]);
    match text.get(2..6) {
        _ if !is_begun => Ok(None),
        None => Err(()),
        Some(digits) => {
            let digits = str::from_utf8(digits).ok();
            Ok(digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()))
        }
    }
}

/// A document without halves of characters.
pub(super) struct WholeCharacters<R> {
    inner: R,
    text: Vec<u8>,
    read: usize,
}

impl<R> WholeCharacters<R> {
    pub(super) fn of(inner: R) -> Self {
        Self { inner, text: Vec::new(), read: 0 }
    }
}

impl<R: BufRead> Read for WholeCharacters<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.text.clear();
            // Before what may fail: a reader that goes on after an error finds nothing.
            self.read = 0;
            let chunk = self.inner.fill_buf()?;
            self.text.extend_from_slice(chunk);
            let length = chunk.len();
            self.inner.consume(length);
            let mut at = 0;
            while replace_halves(&mut self.text, &mut at)
                && self.inner.by_ref().take(1).read_to_end(&mut self.text)? > 0
            {}
        }
        let read = (&self.text[self.read..]).read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn halves_of_characters_are_replaced_wherever_a_buffer_ends() {
        for (text, whole) in [
            (r#""a \ud83d nice""#, r#""a \ufffd nice""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00\ud83d\ud83d\ude00""#, r#""\ufffd\ufffd\ud83d\ude00""#),
            (r#""\ud83d\u0041\n\ud83d\n""#, r#""\ufffd\u0041\n\ufffd\n""#),
            (r#""C:\\ud83d \\\ud83d \u00e9""#, r#""C:\\ud83d \\\ufffd \u00e9""#),
            (r#""\ud83d\"#, r#""\ud83d\"#),
            (r#""\uzz99 \u""#, r#""\uzz99 \u""#),
        ] {
            for capacity in 1..20 {
                let mut read = String::new();
                let reader = BufReader::with_capacity(capacity, text.as_bytes());
                WholeCharacters::of(reader).read_to_string(&mut read).unwrap();
                assert_eq!(read, whole, "{capacity}");
            }
        }
    }
}
