//! Measures the rows of a sheet, and the texts of all cells, as XML. The library holds each as a whole.

use std::io::{self, Write};

use crate::rows::MAX_ROW;

/// Letters of a tag that are looked at. A prefix of a namespace may stand before the name.
const TAG: usize = 256;

/// Takes the bytes of a part. A row or text that is too large is an error, and so is what can stand around any
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
        let Some(name) = tag.strip_prefix(b"/") else { return Ok(()) };
        let name = name.rsplit(|&byte| byte == b':').next().unwrap_or(name).trim_ascii_end();
        if matches!(name, b"row" | b"si") {
            self.length = 0;
            self.ends += 1;
        }
        self.is_done |= name == b"sheetData";
        Ok(())
    }
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
