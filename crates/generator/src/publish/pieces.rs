//! Compresses a large document piece by piece. The pieces end where the bytes before them say so, and
//! not at multiples of a length, so that a review more at the front leaves the others as they are:
//! these are taken from the sibling of the last publication.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use contract::compress::pieces::{Joined, Pieces};
use fastcdc::v2020::StreamCDC;
use flate2::Crc;
use serde::{Deserialize, Serialize};

use content::cache::{Cache, Hasher, Key};

/// The length in bytes of most pieces. Twice as many would be 4 % larger together.
const LENGTH: usize = 512 * 1024;
/// The length in bytes of most pieces at the front, where one more review changes the first.
const FRONT_LENGTH: usize = 64 * 1024;
/// The least length in bytes of the front.
const FRONT: u64 = 512 * 1024;

/// The bytes of a document.
pub(super) trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// A piece of a document.
#[derive(Debug)]
pub(super) struct Piece {
    begin: u64,
    length: u64,
    hash: [u8; 16],
    checksum: Crc,
}

/// Where a piece of the last publication is.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Place {
    /// The hash of the piece.
    piece: [u8; 16],
    /// The hash of what it was compressed to.
    compressed: [u8; 16],
    offset: u64,
    length: u64,
}

/// The pieces of a document: short ones up to the end of one at the end of the front, then long ones.
pub(super) fn cut(document: &mut dyn Bytes) -> io::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (length, end) in [(FRONT_LENGTH, FRONT), (LENGTH, u64::MAX)] {
        document.seek(SeekFrom::Start(begin))?;
        for piece in StreamCDC::new(&mut *document, length / 2, length, length * 4) {
            let bytes = piece?.data;
            let mut checksum = Crc::new();
            checksum.update(&bytes);
            let length = bytes.len() as u64;
            pieces.push(Piece { begin, length, hash: hash(&bytes), checksum });
            begin += length;
            if begin >= end {
                break;
            }
        }
    }
    Ok(pieces)
}

/// Compresses a document of these pieces to `output`. `sibling` is the file that the last publication
/// has in its place, if there is one, whatever its bytes are.
pub(super) fn compress(
    coding: Pieces,
    document: &mut dyn Bytes,
    pieces: &[Piece],
    output: &mut dyn Write,
    sibling: &Path,
    (cache, key): (&Cache, Key),
) -> io::Result<()> {
    let known: Vec<Place> = cache.get(key).unwrap_or_default();
    let known: HashMap<_, _> = known.iter().map(|place| (place.piece, place)).collect();
    let mut last = File::open(sibling).ok();
    let mut places = Vec::new();
    let mut joined = Joined::begin(coding, output)?;
    for piece in pieces {
        let standing = match (known.get(&piece.hash), &mut last) {
            (Some(place), Some(file)) => standing(file, place),
            _ => None,
        };
        let compressed = match standing {
            Some(compressed) => compressed,
            None => coding.compress(&read(document, piece.begin, piece.length)?)?,
        };
        places.push(Place {
            piece: piece.hash,
            compressed: hash(&compressed),
            offset: joined.length(),
            length: compressed.len() as u64,
        });
        joined.push(&piece.checksum, &compressed)?;
    }
    cache.put(key, &places);
    joined.end().map(drop)
}

/// The compressed piece, if the file has it there.
fn standing(file: &mut File, place: &Place) -> Option<Vec<u8>> {
    let compressed = read(file, place.offset, place.length).ok()?;
    (hash(&compressed) == place.compressed).then_some(compressed)
}

fn read(file: &mut dyn Bytes, begin: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn hash(bytes: &[u8]) -> [u8; 16] {
    let mut hasher = Hasher::new("piece");
    hasher.add(bytes);
    hasher.key().bytes()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// As many lines, each another.
    fn document(lines: std::ops::Range<u32>) -> Vec<u8> {
        lines
            .flat_map(|line| format!("{line} {}\n", line.wrapping_mul(2_654_435_761)).into_bytes())
            .collect()
    }

    fn key() -> Key {
        Hasher::new("pieces").key()
    }

    fn compressed(pieces: Pieces, bytes: &[u8], sibling: &Path, cache: &Cache) -> Vec<u8> {
        let mut output = Vec::new();
        let parts = cut(&mut Cursor::new(bytes)).unwrap();
        let document = &mut Cursor::new(bytes);
        compress(pieces, document, &parts, &mut output, sibling, (cache, key())).unwrap();
        output
    }

    #[test]
    fn a_change_in_front_leaves_the_other_pieces() {
        let hashes = |bytes: &[u8]| -> Vec<[u8; 16]> {
            cut(&mut Cursor::new(bytes)).unwrap().iter().map(|piece| piece.hash).collect()
        };
        let (before, after) = (hashes(&document(1..300_000)), hashes(&document(0..300_000)));
        assert!(before.len() > 12, "{}", before.len());
        assert_eq!(before[1..], after[1..]);
    }

    #[test]
    fn pieces_are_taken_from_the_last_sibling_if_it_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let sibling = folder.path().join("sibling");
        let document = document(0..300_000);
        let ends = cut(&mut Cursor::new(&document)).unwrap();
        let whole = ends.iter().fold(0, |end, piece| {
            assert_eq!(piece.begin, end);
            end + piece.length
        });
        assert_eq!(whole, document.len() as u64);
        for pieces in [Pieces::Brotli, Pieces::Gzip] {
            let afresh = compressed(pieces, &document, &sibling, &Cache::none());
            let cache = Cache::open(folder.path(), true);
            assert!(compressed(pieces, &document, &sibling, &cache) == afresh, "there is none yet");
            let places: Vec<Place> = cache.get(key()).unwrap_or_default();
            assert!(places.is_empty(), "a build does not read what it wrote");
            cache.save().unwrap();

            // What is in the sibling is taken, whatever it is, if it has the hash.
            let mut cache = Cache::open(folder.path(), false);
            let mut places: Vec<Place> = cache.get(key()).unwrap();
            let last = places.last_mut().unwrap();
            (last.compressed, last.length) = (hash(b"marked"), 6);
            let mut marked = afresh.clone();
            marked[usize::try_from(last.offset).unwrap()..][..6].copy_from_slice(b"marked");
            cache.put(key(), &places);
            cache.save().unwrap();
            cache = Cache::open(folder.path(), false);
            std::fs::write(&sibling, &marked).unwrap();
            let taken = compressed(pieces, &document, &sibling, &cache);
            assert!(taken.windows(6).any(|bytes| bytes == b"marked"), "{pieces:?}");

            for other in [&[][..], &marked[..marked.len() / 2], &afresh[1..]] {
                std::fs::write(&sibling, other).unwrap();
                let made = compressed(pieces, &document, &sibling, &cache);
                assert!(made == afresh, "{pieces:?} with {} other bytes", other.len());
            }
            std::fs::remove_file(&sibling).unwrap();
        }
    }
}
