//! Measures the rows of a sheet, and the texts of all cells, as XML. The library holds each as a whole.

use std::io::{self, Write};

use crate::rows::MAX_ROW;

/// Letters of a tag that are looked at. A prefix of a namespace may be before the name.
const TAG: usize = 256;

/// Takes the bytes of a part. A row or text that is too large is an error, and so is what can be around any
/// amount of text: a comment, a processing instruction, a section of characters.
#[derive(Debug, Default)]
pub(super) struct PartScan {
    /// Bytes since the last end of a row or text.
    length: usize,
    /// The tag that is open, without `<`.
    tag: Option<Vec<u8>>,
    /// Whether the last row was read. Lists of links may follow.
    is_done: bool,
    /// The rows or texts that ended.
    pub(super) ends: u64,
}

impl PartScan {
    fn step(&mut self, byte: u8) -> io::Result<()> {
        self.length += 1;
        if self.length > MAX_ROW {
            return Err(io::Error::other(
                "a row or text of it is larger than 1 MiB; save it as CSV",
            ));
        }
        match (byte, &mut self.tag) {
            (b'<', None) => self.tag = Some(Vec::new()),
            (b'<', Some(_)) => return Err(io::ErrorKind::InvalidData.into()),
            (b'>', tag @ Some(_)) => {
                let tag = tag.take().unwrap_or_default();
                self.end_tag(&tag)?;
            }
            (byte, Some(tag)) if tag.len() < TAG => tag.push(byte),
            _ => {}
        }
        Ok(())
    }

    fn end_tag(&mut self, tag: &[u8]) -> io::Result<()> {
        let is_declaration = tag.starts_with(b"?xml ") && tag.ends_with(b"?");
        if matches!(tag.first(), Some(b'!' | b'?')) && !is_declaration {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let Some(name) = tag.strip_prefix(b"/") else {
            let is_valid = !has_references(tag) || tag.len() < TAG && are_references_valid(tag);
            return if is_valid { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) };
        };
        let name = local(name).trim_ascii_end();
        if matches!(name, b"row" | b"si") {
            self.length = 0;
            self.ends += 1;
        }
        self.is_done |= name == b"sheetData";
        Ok(())
    }
}

/// A name without the prefix of its namespace.
fn local(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b':').next().unwrap_or(name)
}

/// Whether the library calculates with attributes of a tag.
fn has_references(tag: &[u8]) -> bool {
    let name = tag.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').next().unwrap_or(tag);
    matches!(local(name), b"c" | b"row" | b"dimension" | b"f")
}

/// Whether the cells that a tag refers to are in a sheet of 1,048,576 rows and 16,384 columns: the library adds and
/// subtracts their numbers without a check.
fn are_references_valid(mut tag: &[u8]) -> bool {
    while let Some(at) = tag.iter().position(|byte| matches!(byte, b'"' | b'\'')) {
        let (key, rest) = (tag[..at].trim_ascii_end(), &tag[at + 1..]);
        let end = rest.iter().position(|byte| *byte == tag[at]).unwrap_or(rest.len());
        let key = key.strip_suffix(b"=").unwrap_or(key).trim_ascii_end();
        let key = key.rsplit(u8::is_ascii_whitespace).next().unwrap_or(key);
        if matches!(key, b"r" | b"ref") && !is_range(&rest[..end]) {
            return false;
        }
        tag = rest.get(end + 1..).unwrap_or_default();
    }
    true
}

/// Whether a text is a cell, a row, or a range whose end is not before its beginning.
fn is_range(text: &[u8]) -> bool {
    let cells: Option<Vec<_>> = text.split(|&byte| byte == b':').map(cell).collect();
    match cells.as_deref() {
        Some([_]) => true,
        Some([start, end]) => start.0 <= end.0 && start.1 <= end.1,
        _ => false,
    }
}

/// The column and the row of `B7`, from 1; of `7` the column is 0.
fn cell(text: &[u8]) -> Option<(u32, u32)> {
    let digits = text.iter().position(u8::is_ascii_digit)?;
    let (letters, digits) = text.split_at(digits);
    if letters.len() > 3 || digits.len() > 7 || !letters.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let column = |sum, letter: &u8| sum * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
    let row = std::str::from_utf8(digits).ok()?.parse().ok().filter(|row| *row > 0)?;
    Some((letters.iter().fold(0, column), row))
}

impl Write for PartScan {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if !self.is_done {
                self.step(byte)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
