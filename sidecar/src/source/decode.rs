//! Decodes gzip, the only content coding that is requested.

use std::{
    io::{self, Write},
    mem,
};

use actix_web::{
    http::header::{CONTENT_ENCODING, HeaderMap},
    web::Bytes,
};
use flate2::write::MultiGzDecoder;

/// Decodes the received bytes to the published bytes.
pub(super) enum Decoder {
    Identity,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
}

impl Decoder {
    /// Returns the decoder for this head.
    ///
    /// # Errors
    /// With the name of a coding that was not requested.
    pub(super) fn of(head: &HeaderMap) -> Result<Self, String> {
        let lines = head.get_all(CONTENT_ENCODING).map(|line| line.to_str().unwrap_or("?"));
        match lines.collect::<Vec<_>>().join(", ").trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Identity),
            "gzip" | "x-gzip" => Ok(Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))),
            other => Err(other.to_owned()),
        }
    }

    /// Decodes one more piece. A piece is the bytes that were read from the connection at once, so that the decoded
    /// bytes are bounded too.
    pub(super) fn push(&mut self, piece: Bytes) -> io::Result<Bytes> {
        match self {
            Self::Identity => Ok(piece),
            Self::Gzip(decoder) => {
                decoder.write_all(&piece)?;
                decoder.flush()?;
                Ok(mem::take(decoder.get_mut()).into())
            }
        }
    }

    /// Decodes the end; an error if the coding ends in the middle.
    pub(super) fn finish(self) -> io::Result<Bytes> {
        match self {
            Self::Identity => Ok(Bytes::new()),
            Self::Gzip(decoder) => decoder.finish().map(Bytes::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn decoder(coding: &'static str) -> Result<Decoder, String> {
        let mut head = HeaderMap::new();
        head.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        Decoder::of(&head)
    }

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_is_undone_however_it_is_cut() {
        let bytes: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        for size in [1, 7, 4096, usize::MAX] {
            let mut decoder = decoder("gzip").unwrap();
            let mut plain = Vec::new();
            let zipped = zipped(&bytes);
            for piece in zipped.chunks(size.min(zipped.len())) {
                plain.extend(decoder.push(Bytes::copy_from_slice(piece)).unwrap());
            }
            plain.extend(decoder.finish().unwrap());
            assert!(plain == bytes, "{size}");
        }
    }

    #[test]
    fn gzip_that_ends_early_or_is_none_is_an_error() {
        let bytes = zipped(b"reviews");
        let mut cut = decoder("gzip").unwrap();
        let pushed = cut.push(Bytes::copy_from_slice(&bytes[..bytes.len() - 6]));
        assert!(pushed.is_err() || cut.finish().is_err());
        let mut none = decoder("x-gzip").unwrap();
        assert!(none.push(Bytes::from_static(b"reviews, plain")).is_err());
    }

    #[test]
    fn other_codings_are_named() {
        assert!(matches!(decoder("identity"), Ok(Decoder::Identity)));
        assert_eq!(decoder("BR").err().as_deref(), Some("br"));
        assert_eq!(decoder("gzip, br").err().as_deref(), Some("gzip, br"));
    }
}
