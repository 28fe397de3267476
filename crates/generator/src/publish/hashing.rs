//! A writer that counts and hashes the bytes written through it.

use std::io::{self, Write};

use contract::etag::ETag;

/// Passes bytes on, counted and hashed.
pub(super) struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
    length: u64,
}

impl<W: Write> Hashing<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, hasher: blake3::Hasher::new(), length: 0 }
    }

    pub(super) fn finish(mut self) -> io::Result<(W, u64, ETag)> {
        self.inner.flush()?;
        Ok((self.inner, self.length, ETag::from_hash(&self.hasher.finalize())))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
