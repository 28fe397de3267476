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
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Hasher, Key};

/// The length in bytes of most pieces. Twice as many would be 4 % larger together.
const LENGTH: usize = 512 * 1024;
/// The length in bytes of most pieces at the front, where one more review changes the first.
const FRONT_LENGTH: usize = 64 * 1024;
/// The least length in bytes of the front.
const FRONT: u64 = 512 * 1024;

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

/// Opens a document at its beginning.
pub(super) type Open<'o, 'r> = dyn Fn() -> io::Result<Box<dyn Read + 'r>> + 'o;

/// Compresses a document to `output`. `sibling` is the file that the last publication has in its place,
/// if there is one, whatever its bytes are.
pub(super) fn compress(
    pieces: Pieces,
    open: &Open<'_, '_>,
    output: &mut dyn Write,
    sibling: &Path,
    (cache, key): (&Cache, Key),
) -> io::Result<()> {
    let known: Vec<Place> = cache.get(key).unwrap_or_default();
    let known: HashMap<_, _> = known.iter().map(|place| (place.piece, place)).collect();
    let mut last = File::open(sibling).ok();
    let mut places = Vec::new();
    let mut joined = Joined::begin(pieces, output)?;
    for piece in cut(open)? {
        let piece = piece?;
        let hash = hash(&piece);
        let standing = match (known.get(&hash), &mut last) {
            (Some(place), Some(file)) => read(file, place),
            _ => None,
        };
        let compressed = match standing {
            Some(compressed) => compressed,
            None => pieces.compress(&piece)?,
        };
        places.push(Place {
            piece: hash,
            compressed: self::hash(&compressed),
            offset: joined.length(),
            length: compressed.len() as u64,
        });
        joined.push(&piece, &compressed)?;
    }
    cache.put(key, &places);
    joined.end().map(drop)
}

/// The pieces of a document: short ones up to the end of one at the end of the front, then long ones.
fn cut<'r>(open: &Open<'_, 'r>) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>> + 'r> {
    let pieces = |input, length| StreamCDC::new(input, length / 4, length, length * 4);
    let mut front: Vec<Vec<u8>> = Vec::new();
    let mut length = 0;
    // An error ends the front, and comes again where the rest is read.
    for piece in pieces(open()?, FRONT_LENGTH)
        .take_while(|piece| piece.as_ref().is_ok_and(|it| it.offset < FRONT))
    {
        let piece = piece?;
        length += piece.data.len() as u64;
        front.push(piece.data);
    }
    let mut rest = open()?;
    io::copy(&mut rest.by_ref().take(length), &mut io::sink())?;
    let rest = pieces(rest, LENGTH).map(|piece| Ok(piece?.data));
    Ok(front.into_iter().map(Ok).chain(rest))
}

/// The compressed piece, if the file has it there.
fn read(file: &mut File, place: &Place) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(place.offset)).ok()?;
    let mut compressed = Vec::new();
    file.take(place.length).read_to_end(&mut compressed).ok()?;
    (hash(&compressed) == place.compressed).then_some(compressed)
}

fn hash(bytes: &[u8]) -> [u8; 16] {
    let mut hasher = Hasher::new("piece");
    hasher.add(bytes);
    hasher.key().bytes()
}

#[cfg(test)]
mod tests {
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
        let open = || -> io::Result<Box<dyn Read + '_>> { Ok(Box::new(bytes)) };
        compress(pieces, &open, &mut output, sibling, (cache, key())).unwrap();
        output
    }

    #[test]
    fn a_change_in_front_leaves_the_other_pieces() {
        let hashes = |bytes: &[u8]| -> Vec<[u8; 16]> {
            let pieces = cut(&|| Ok(Box::new(bytes))).unwrap().map(|piece| piece.unwrap());
            pieces.map(|piece| hash(&piece)).collect()
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
        assert_eq!(
            cut(&|| Ok(Box::new(&document[..])))
                .unwrap()
                .map(|it| it.unwrap())
                .collect::<Vec<_>>()
                .concat(),
            document
        );
        for pieces in [Pieces::Brotli, Pieces::Gzip] {
            let afresh = compressed(pieces, &document, &sibling, &Cache::none());
            let cache = Cache::open(folder.path(), true);
            assert!(compressed(pieces, &document, &sibling, &cache) == afresh, "there is none yet");
            let places: Vec<Place> = cache.get(key()).unwrap_or_default();
            assert!(places.is_empty(), "a build does not read what it wrote");
            cache.save().unwrap();

            // What stands in the sibling is taken, whatever it is, if it has the hash.
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
