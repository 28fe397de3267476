//! Every response of `since` in gzip from one compression.
//!
//! The reviews from any day on are a prefix of one list, so a raw deflate stream of the whole list,
//! flushed to a byte boundary at the end of each day, has the compressed form of every response as
//! a prefix. A response's own head and tail are uncompressed blocks around it (RFC 1951 section
//! 3.2.4), and the checksum is combined from those of the parts.

use std::io::{self, Write};

use actix_web::web::Bytes;
use flate2::{Compression, Crc, write::DeflateEncoder};

use crate::data::arena::ReviewArena;

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
    pub(crate) fn of(arena: &ReviewArena, days: usize, go_on: impl Fn() -> bool) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use proptest::prelude::*;

    use super::*;
    use crate::data::{collection::Collection, per_review::PerReview};

    /// A list of reviews `gap` days apart each, from a day on backwards.
    fn arena(reviews: &[(u8, String)]) -> std::sync::Arc<ReviewArena> {
        let mut day = jiff::civil::date(2025, 6, 30);
        let lines: Vec<_> = reviews
            .iter()
            .enumerate()
            .map(|(n, (gap, text))| {
                day = day.saturating_sub(jiff::Span::new().days(i64::from(*gap)));
                let id = format!("01JH00000000000000{:08}", reviews.len() - n);
                let text = serde_json::Value::from(text.as_str());
                format!("{{\"id\":\"{id}\",\"date\":\"{day}\",\"rating\":5,\"text\":{text}}}")
            })
            .collect();
        let json = format!("{{\"reviews\":[\n{}]}}", lines.join(",\n"));
        Collection::read(json.into(), &PerReview::default()).unwrap().arena
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_day_decompresses_to_its_answer_and_has_one_form(
            reviews in prop::collection::vec((0..4_u8, ".{0,80}"), 0..60),
            head in "[ -~]{0,80}",
        ) {
            let arena = arena(&reviews);
            let all = arena.days().len();
            let stream = Stream::of(&arena, all, || true).unwrap();
            for days in 0..=all {
                let count = days.checked_sub(1).map_or(0, |last| arena.days()[last].count);
                let expected = [head.as_bytes(), &arena.newest(count), b"]}"].concat();
                let gzip = stream.gzip(days, head.as_bytes(), b"]}").concat();
                let mut decoded = Vec::new();
                GzDecoder::new(&gzip[..]).read_to_end(&mut decoded).unwrap();
                prop_assert_eq!(&decoded, &expected);
                let prefix = Stream::of(&arena, days, || true).unwrap();
                prop_assert_eq!(prefix.gzip(days, head.as_bytes(), b"]}").concat(), gzip);
            }
        }
    }

    #[test]
    fn it_stops_when_nobody_needs_it() {
        let arena = arena(&[(1, "a".into()), (1, "b".into())]);
        assert!(Stream::of(&arena, 2, || false).is_none());
    }
}
