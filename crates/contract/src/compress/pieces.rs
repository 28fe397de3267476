//! A gzip or brotli stream of pieces that are compressed apart, so that a large document of which one
//! piece changed costs the compression of one piece.

use std::io::{self, Write};

use brotli::enc::BrotliEncoderParams;
use flate2::Crc;

use super::{BROTLI_WINDOW, BUFFER, QUICK};
use crate::manifest::Coding;

/// The largest length of a document in bytes that is compressed as a whole.
const WHOLE: u64 = 512 * 1024;

/// A coding whose pieces make one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Meta-blocks of RFC 7932 that end at a byte and refer to nothing before the piece.
    Brotli,
    /// Blocks of RFC 1951 that end at a byte and refer to nothing before the piece.
    Gzip,
}

impl Pieces {
    /// The pieces in which a document of this length in bytes is compressed; `None` if as a whole.
    #[must_use]
    pub fn of(coding: Coding, length: u64) -> Option<Self> {
        match coding {
            _ if length <= WHOLE => None,
            Coding::Brotli => Some(Self::Brotli),
            Coding::Gzip => Some(Self::Gzip),
        }
    }

    /// Compresses one piece.
    ///
    /// # Errors
    /// None in practice: memory takes every write.
    pub fn compress(self, piece: &[u8]) -> io::Result<Vec<u8>> {
        let mut compressed = Vec::with_capacity(piece.len() / 4);
        match self {
            Self::Brotli => {
                let parameters = BrotliEncoderParams {
                    quality: i32::try_from(QUICK.brotli).unwrap_or_default(),
                    lgwin: i32::try_from(BROTLI_WINDOW).unwrap_or_default(),
                    size_hint: piece.len(),
                    bare_stream: true,
                    catable: true,
                    ..BrotliEncoderParams::default()
                };
                brotli::CompressorWriter::with_params(&mut compressed, BUFFER, &parameters)
                    .write_all(piece)?;
            }
            Self::Gzip => {
                let level = flate2::Compression::new(QUICK.gzip);
                let mut encoder = flate2::write::DeflateEncoder::new(&mut compressed, level);
                encoder.write_all(piece)?;
                // Ends the block at a byte, but not the stream, as dropping the encoder does.
                encoder.flush()?;
                let length = encoder.get_ref().len();
                drop(encoder);
                compressed.truncate(length);
            }
        }
        Ok(compressed)
    }

    /// Returns the first bytes of a stream.
    fn header(self) -> &'static [u8] {
        match self {
            // WBITS for a window of 4 MiB, and an empty meta-block that fills the byte (RFC 7932
            // sections 9.1 and 9.2).
            Self::Brotli => &[0x6b, 0],
            // Deflate without a name, a time or a system (RFC 1952 section 2.3).
            Self::Gzip => &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff],
        }
    }
}

/// Joins pieces to a stream.
pub struct Joined<W> {
    pieces: Pieces,
    output: W,
    length: u64,
    checksum: Crc,
}

impl<W: Write> Joined<W> {
    /// Writes the first bytes of the stream.
    ///
    /// # Errors
    /// When writing fails.
    pub fn begin(pieces: Pieces, mut output: W) -> io::Result<Self> {
        output.write_all(pieces.header())?;
        Ok(Self { pieces, output, length: pieces.header().len() as u64, checksum: Crc::new() })
    }

    /// The length in bytes of what is written.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends a piece, which has this checksum and which [`Pieces::compress`] has compressed.
    ///
    /// # Errors
    /// When writing fails.
    pub fn push(&mut self, checksum: &Crc, compressed: &[u8]) -> io::Result<()> {
        self.checksum.combine(checksum);
        self.length += compressed.len() as u64;
        self.output.write_all(compressed)
    }

    /// Writes the last bytes of the stream.
    ///
    /// # Errors
    /// When writing fails.
    pub fn end(mut self) -> io::Result<W> {
        match self.pieces {
            // ISLAST and ISLASTEMPTY (RFC 7932 section 9.2).
            Pieces::Brotli => self.output.write_all(&[0b11])?,
            Pieces::Gzip => {
                // A last block without data (RFC 1951 section 3.2.6), and the trailer (RFC 1952
                // section 2.3.1).
                self.output.write_all(&[0b11, 0])?;
                self.output.write_all(&self.checksum.sum().to_le_bytes())?;
                self.output.write_all(&self.checksum.amount().to_le_bytes())?;
            }
        }
        Ok(self.output)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compress::tests::decoded;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn joined_pieces_are_one_stream(
            texts in prop::collection::vec("[ab]{0,40}|.{0,40}", 0..6),
            times in 1..3_000_usize,
        ) {
            let texts: Vec<Vec<u8>> = texts.iter().map(|text| text.repeat(times).into()).collect();
            for (pieces, coding) in
                [(Pieces::Brotli, Coding::Brotli), (Pieces::Gzip, Coding::Gzip)]
            {
                let mut joined = Joined::begin(pieces, Vec::new()).unwrap();
                for text in &texts {
                    let mut checksum = Crc::new();
                    checksum.update(text);
                    joined.push(&checksum, &pieces.compress(text).unwrap()).unwrap();
                }
                prop_assert_eq!(decoded(coding, &joined.end().unwrap()), texts.concat());
            }
        }
    }
}
