//! Precompressed files of documents (siblings). The same input gives the same bytes on every
//! machine: no time stamp, no file name, one thread per stream.

use std::io::{self, BufWriter, Read, Write};

use crate::manifest::Coding;

pub mod pieces;

/// Compression levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Levels {
    brotli: u32,
    gzip: u32,
}

/// The compression effort for a kind of document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// High levels while the size allows them: for documents that clients request again and again.
    #[default]
    Best,
    /// A page or a feed: the levels from which more time hardly gives fewer bytes.
    Quick,
    /// No precompressed files: for many small files that are seldom read.
    None,
}

/// The largest size in bytes at which the high levels take less than a tenth of a second.
const SMALL: u64 = 64 * 1024;

/// The exponent of a window of 4 MiB, which every browser accepts without the large-window extension.
const BROTLI_WINDOW: u32 = 22;
/// The smallest exponent with which the encoder finds as much.
const LEAST_BROTLI_WINDOW: u32 = 17;
const BUFFER: usize = 64 * 1024;

/// ARCHITECTURE.md has the measurement of both.
const BEST: Levels = Levels { brotli: 10, gzip: 9 };
const QUICK: Levels = Levels { brotli: 5, gzip: 6 };

fn levels(effort: Effort, length: u64) -> Levels {
    match effort {
        Effort::Best if length <= SMALL => BEST,
        _ => QUICK,
    }
}

/// Encodes all bytes of `input`, whose length is `length`.
///
/// # Errors
/// When reading or writing fails.
pub fn encode(
    effort: Effort,
    coding: Coding,
    length: u64,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> io::Result<()> {
    encode_at(levels(effort, length), coding, length, input, output)
}

/// Like [`encode`], with the levels for a response that a client waits for.
///
/// # Errors
/// When reading or writing fails.
pub fn encode_quickly(
    coding: Coding,
    length: u64,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> io::Result<()> {
    encode_at(QUICK, coding, length, input, output)
}

/// Decodes what [`encode`] made, or another encoder, up to `limit` bytes.
///
/// # Errors
/// When it is not of this coding.
pub fn decode(coding: Coding, encoded: &[u8], limit: u64) -> io::Result<Vec<u8>> {
    let mut decoded = Vec::new();
    match coding {
        Coding::Brotli => {
            brotli::Decompressor::new(encoded, BUFFER).take(limit).read_to_end(&mut decoded)
        }
        Coding::Gzip => flate2::read::GzDecoder::new(encoded).take(limit).read_to_end(&mut decoded),
    }?;
    Ok(decoded)
}

fn encode_at(
    levels: Levels,
    coding: Coding,
    length: u64,
    input: &mut dyn Read,
    output: &mut dyn Write,
) -> io::Result<()> {
    match coding {
        Coding::Brotli => {
            let window = brotli_window(length);
            let mut encoder = brotli::CompressorWriter::new(output, BUFFER, levels.brotli, window);
            io::copy(input, &mut encoder)?;
            encoder.flush()
        }
        Coding::Gzip => {
            let level = flate2::Compression::new(levels.gzip);
            let mut encoder = flate2::GzBuilder::new()
                .mtime(0)
                .write(BufWriter::with_capacity(BUFFER, output), level);
            io::copy(input, &mut encoder)?;
            encoder.finish()?.flush()
        }
    }
}

/// The window exponent: not larger than the input needs, as the encoder clears twice as much memory.
fn brotli_window(length: u64) -> u32 {
    let exponent = u64::BITS - length.leading_zeros();
    exponent.clamp(LEAST_BROTLI_WINDOW, BROTLI_WINDOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(coding: Coding, bytes: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        encode(Effort::Best, coding, bytes.len() as u64, &mut &bytes[..], &mut output).unwrap();
        output
    }

    pub(super) fn decoded(coding: Coding, bytes: &[u8]) -> Vec<u8> {
        decode(coding, bytes, u64::MAX).unwrap()
    }

    #[test]
    fn every_coding_gives_back_the_bytes_and_repeats_exactly() {
        for length in [0, 1, 1_000, 300_000, 9_000_000] {
            let bytes: Vec<u8> =
                (0..length).map(|n: u32| (n % 251) as u8 ^ (n >> 13) as u8).collect();
            for coding in Coding::ALL {
                let once = encoded(coding, &bytes);
                assert_eq!(once, encoded(coding, &bytes), "{coding:?} {length}");
                assert_eq!(decoded(coding, &once), bytes, "{coding:?} {length}");
            }
        }
    }

    #[test]
    fn gzip_carries_no_time() {
        assert_eq!(encoded(Coding::Gzip, b"abc")[4..8], [0, 0, 0, 0]);
    }
}
