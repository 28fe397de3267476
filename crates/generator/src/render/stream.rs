//! Large JSON objects written member by member: a million reviews are never in memory twice.

use std::io::{self, Write};

use serde::Serialize;

/// Writes one JSON object, its members in the order they are added.
pub(super) struct ObjectWriter<'w> {
    out: &'w mut dyn Write,
    first: bool,
    /// The value that is being written: a serializer writes a few bytes at a time.
    value: Vec<u8>,
}

impl<'w> ObjectWriter<'w> {
    pub(super) fn open(out: &'w mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, first: true, value: Vec::new() })
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        if !std::mem::take(&mut self.first) {
            self.out.write_all(b",")?;
        }
        self.out.write_all(b"\n")?;
        self.value(&key)?;
        self.out.write_all(b":")
    }

    pub(super) fn member(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        self.key(key)?;
        self.value(value)
    }

    fn value(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.value.clear();
        serde_json::to_writer(&mut self.value, value)?;
        self.out.write_all(&self.value)
    }

    /// An array with one element a line, so that one more review is one more line of difference.
    pub(super) fn array<T: Serialize>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
    ) -> io::Result<()> {
        self.key(key)?;
        self.out.write_all(b"[")?;
        for (at, item) in items.into_iter().enumerate() {
            self.out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
            self.value(&item)?;
        }
        self.out.write_all(b"]")
    }

    /// An object with one member a line.
    pub(super) fn map<T: Serialize>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = (String, T)>,
    ) -> io::Result<()> {
        self.key(key)?;
        let mut object = ObjectWriter::open(self.out)?;
        for (key, value) in items {
            object.member(&key, &value)?;
        }
        self.out.write_all(b"}")
    }

    pub(super) fn close(self) -> io::Result<()> {
        self.out.write_all(b"}\n")
    }
}
