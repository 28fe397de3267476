//! Compresses a large document piece by piece. The ends of pieces depend on the bytes before them, and not on multiples
//! of a length, so that another review at the front leaves the other pieces as they are: these are in the cache.

use std::{
    borrow::Cow,
    io::{self, Read, Seek, SeekFrom, Write},
};

use contract::compress::pieces::{Joined, Pieces};
use fastcdc::v2020::StreamCDC;
use flate2::Crc;

use insights::Memory;

/// The length in bytes of most pieces. Twice as many would be 4 % larger together.
const LENGTH: usize = 512 * 1024;
/// The length in bytes of most pieces at the front, where one more review changes the first.
const FRONT_LENGTH: usize = 64 * 1024;
/// The minimum length in bytes of the front.
const FRONT: u64 = 512 * 1024;

/// The bytes of a document.
pub(super) trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// Compresses a document to `output`: short pieces up to the end of one at the end of the front, then long
/// ones.
pub(super) fn compress(
    coding: Pieces,
    document: &mut dyn Bytes,
    output: &mut dyn Write,
    cache: &dyn Memory,
) -> io::Result<()> {
    let mut joined = Joined::begin(coding, output)?;
    let mut begin = 0;
    for (length, end) in [(FRONT_LENGTH, FRONT), (LENGTH, u64::MAX)] {
        document.seek(SeekFrom::Start(begin))?;
        for piece in StreamCDC::new(&mut *document, length / 2, length, length * 4) {
            let piece = piece?.data;
            let mut checksum = Crc::new();
            checksum.update(&piece);
            joined.push(&checksum, &compressed(coding, &piece, cache)?)?;
            begin += piece.len() as u64;
            if begin >= end {
                break;
            }
        }
    }
    joined.end().map(drop)
}

/// Returns a compressed piece, of this build or of an earlier one.
fn compressed<'c>(
    coding: Pieces,
    piece: &[u8],
    cache: &'c dyn Memory,
) -> io::Result<Cow<'c, [u8]>> {
    let (kind, parts) = (format!("{coding:?} piece"), [piece]);
    if let Some(kept) = cache.get(&kind, &parts) {
        return Ok(kept.into());
    }
    let made = coding.compress(piece)?;
    cache.put(&kind, &parts, made.clone());
    Ok(made.into())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use content::cache::Cache;
    use contract::manifest::Coding;

    use super::*;

    /// Makes a document of these lines, each different.
    fn document(lines: std::ops::Range<u32>) -> Vec<u8> {
        lines
            .flat_map(|line| format!("{line} {}\n", line.wrapping_mul(2_654_435_761)).into_bytes())
            .collect()
    }

    fn made(coding: Pieces, bytes: &[u8], cache: &dyn Memory) -> Vec<u8> {
        let mut output = Vec::new();
        compress(coding, &mut Cursor::new(bytes), &mut output, cache).unwrap();
        output
    }

    #[test]
    fn a_change_in_front_costs_few_pieces_and_no_byte() {
        let folder = tempfile::tempdir().unwrap();
        let (before, after) = (document(1..300_000), document(0..300_000));
        for coding in Coding::ALL {
            let coding = Pieces::of(coding, before.len() as u64).unwrap();
            let kept = || std::fs::metadata(folder.path().join("build")).unwrap().len();
            let cache = Cache::open(folder.path(), true);
            made(coding, &before, &cache);
            cache.save().unwrap();
            let first = kept();
            let cache = Cache::open(folder.path(), false);
            let again = made(coding, &after, &cache);
            cache.save().unwrap();
            assert!(kept() < first + first / 10, "{coding:?}: {first}, then {}", kept());
            assert!(again == made(coding, &after, &()), "{coding:?}");
        }
    }
}
