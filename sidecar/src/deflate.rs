//! Every answer to `since` in gzip from one compression.
//!
//! The reviews from any day on are a prefix of one list, so a raw deflate stream of the whole list,
//! flushed to a byte boundary at the end of each day, holds the compressed form of every answer as
//! a prefix. An answer's own head and tail are uncompressed blocks around it (RFC 1951 section
//! 3.2.4), and the checksum is combined from those of the parts.

use std::io::{self, Write};

use actix_web::web::Bytes;
use flate2::{Compression, Crc, write::DeflateEncoder};

use crate::arena::Arena;

/// The usual trade of time for bytes.
const LEVEL: u32 = 6;

/// RFC 1952 section 2.3: deflate, no flags, no time, no hint, unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// A deflate stream of reviews and where in it each day ends.
#[derive(Debug)]
pub(crate) struct Stream {
    bytes: Bytes,
    marks: Vec<Mark>,
}

#[derive(Debug)]
struct Mark {
    /// Compressed bytes up to here.
    end: usize,
    /// Of the uncompressed bytes up to here.
    crc: Crc,
}

impl Stream {
    /// Compresses the first `days` days, as long as `go_on` says so. The same days give the same
    /// bytes, whether more follow or not.
    pub(crate) fn of(arena: &Arena, days: usize, go_on: impl Fn() -> bool) -> Option<Self> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        let mut marks = Vec::with_capacity(days);
        let (mut crc, mut done) = (Crc::new(), 0);
        for boundary in &arena.days()[..days] {
            if !go_on() {
                return None;
            }
            let day = &arena.json()[arena.run(done, boundary.count)];
            done = boundary.count;
            crc.update(day);
            let end = compress(&mut encoder, day).ok()?;
            marks.push(Mark { end, crc: copy(&crc) });
        }
        // What would end the stream is left away: answers end it themselves.
        let mut bytes = std::mem::take(encoder.get_mut());
        bytes.shrink_to_fit();
        Some(Self { bytes: bytes.into(), marks })
    }

    /// The gzip form of `head`, the reviews of the first `days` days, `tail`. Head and tail are at
    /// most 65,535 bytes long.
    pub(crate) fn gzip(&self, days: usize, head: &[u8], tail: &[u8]) -> [Bytes; 3] {
        let mark = days.checked_sub(1).map(|last| &self.marks[last]);
        let mut crc = Crc::new();
        crc.update(head);
        if let Some(mark) = mark {
            crc.combine(&mark.crc);
        }
        crc.update(tail);
        let mut opening = GZIP_HEADER.to_vec();
        stored_block(&mut opening, head, false);
        let mut closing = Vec::new();
        stored_block(&mut closing, tail, true);
        closing.extend(crc.sum().to_le_bytes());
        closing.extend(crc.amount().to_le_bytes());
        [opening.into(), self.bytes.slice(..mark.map_or(0, |mark| mark.end)), closing.into()]
    }
}

/// Compresses to a byte boundary; how many bytes there are then.
fn compress(encoder: &mut DeflateEncoder<Vec<u8>>, bytes: &[u8]) -> io::Result<usize> {
    encoder.write_all(bytes)?;
    encoder.flush()?;
    Ok(encoder.get_ref().len())
}

fn copy(crc: &Crc) -> Crc {
    let mut copy = Crc::new();
    copy.combine(crc);
    copy
}

/// An uncompressed block; it begins and ends at byte boundaries.
fn stored_block(out: &mut Vec<u8>, bytes: &[u8], last: bool) {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    out.push(u8::from(last));
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(&bytes[..usize::from(length)]);
}
