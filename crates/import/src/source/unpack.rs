//! The common parts of archives and workbooks: their names, the reasons why they cannot be read, and the limit
//! to which they may grow when they are unpacked.

use std::{
    cell::Cell,
    io::{self, Read, Write},
    path::Path,
};

use ::zip::result::ZipError;

use super::{MAX_BYTES, SourceFile, folder_of};
use crate::error::ImportError;

/// An archive may grow to this many times its size …
const MAX_RATIO: u64 = 200;
/// … beyond what any archive may grow to: 256 MiB.
const FREE: u64 = 256 << 20;
/// Rows, and bytes of rows, that any archive may hold. An import holds them in memory, so they have limits of
/// their own.
const FREE_ROWS: u64 = 30_000;
const FREE_ROW_BYTES: u64 = 64 << 20;
/// A larger archive may hold one row for so many bytes of its size, and so many times its size in rows.
const BYTES_PER_ROW: u64 = 100;
const MAX_ROW_RATIO: u64 = 20;

/// An archive and what it is called.
pub(super) struct NamedArchive<'a> {
    pub(super) input: usize,
    pub(super) path: &'a Path,
    pub(super) shown: &'a str,
    /// Whether it is one of many files.
    pub(super) bundled: bool,
    /// The folder for the sheets of a workbook.
    pub(super) stage: &'a Path,
}

impl NamedArchive<'_> {
    pub(super) fn unreadable(&self, reason: impl ToString) -> ImportError {
        ImportError::Read(self.shown.to_owned(), reason.to_string())
    }

    /// Names are shown, never used as paths.
    pub(super) fn item<'a>(
        &self,
        inside: &str,
        budget: &'a UnpackBudget,
        reader: impl Read + 'a,
    ) -> SourceFile<'a> {
        let inside: String = inside.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let name = format!("{}/{}", self.shown, inside.trim_start_matches('/'));
        SourceFile {
            input: self.input,
            unit: self.shown.to_owned(),
            bundled: true,
            folder: folder_of(&name),
            profile: None,
            redirected: None,
            is_hidden: false,
            budget: Some(budget),
            name,
            reader: Box::new(reader),
        }
    }

    /// The only file of an archive, which is called as the archive is.
    pub(super) fn whole<'a>(&self, item: SourceFile<'a>) -> SourceFile<'a> {
        let (name, bundled) = (self.shown.to_owned(), self.bundled);
        SourceFile { folder: folder_of(&name), name, bundled, ..item }
    }

    pub(super) fn budget(&self) -> Result<UnpackBudget, ImportError> {
        let size = std::fs::metadata(self.path).map_err(ImportError::io(self.path))?.len();
        let limit = size.saturating_mul(MAX_RATIO).clamp(FREE, MAX_BYTES);
        Ok(UnpackBudget {
            left: Cell::new(limit),
            limit,
            rows: Cell::new((size / BYTES_PER_ROW).max(FREE_ROWS)),
            row_bytes: Cell::new(size.saturating_mul(MAX_ROW_RATIO).max(FREE_ROW_BYTES)),
        })
    }
}

const DAMAGED: &str = "it is damaged or was cut off; download it again";

/// Explains to a person why a file cannot be read.
pub(in super::super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            DAMAGED.to_owned()
        }
        _ => error.to_string(),
    }
}

/// Explains why a zip archive cannot be read.
pub(super) fn zip_reason(error: ZipError) -> String {
    match error {
        ZipError::Io(error) => reason(&error),
        ZipError::InvalidArchive(_) => DAMAGED.to_owned(),
        error => error.to_string(),
    }
}

/// The bytes and rows that an archive may still unpack to.
pub(in super::super) struct UnpackBudget {
    left: Cell<u64>,
    limit: u64,
    rows: Cell<u64>,
    row_bytes: Cell<u64>,
}

impl UnpackBudget {
    pub(super) fn guard<'b, R: Read + 'b>(&'b self, inner: R) -> impl Read + 'b {
        Limited { inner, budget: self }
    }

    pub(super) fn guard_writer<'b, W: Write + 'b>(&'b self, inner: W) -> impl Write + 'b {
        Limited { inner, budget: self }
    }

    /// Counts a row of so many bytes.
    pub(in super::super) fn row(&self, bytes: usize) -> Result<(), &'static str> {
        let rows = self.rows.get().checked_sub(1);
        let row_bytes = self.row_bytes.get().checked_sub(bytes as u64);
        let (Some(rows), Some(row_bytes)) = (rows, row_bytes) else {
            return Err(
                "it holds more rows than any export of its size does; unpack it yourself if you trust it",
            );
        };
        self.rows.set(rows);
        self.row_bytes.set(row_bytes);
        Ok(())
    }

    fn spend(&self, length: usize) -> io::Result<()> {
        let left = self.left.get().checked_sub(length as u64).ok_or_else(|| {
            io::Error::other(format!(
                "unpacked, it is larger than {} MiB, which no export of its size is; unpack it yourself if you trust it",
                self.limit >> 20
            ))
        })?;
        self.left.set(left);
        Ok(())
    }
}

struct Limited<'b, T> {
    inner: T,
    budget: &'b UnpackBudget,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.budget.spend(length)?;
        Ok(length)
    }
}

impl<W: Write> Write for Limited<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.budget.spend(bytes.len())?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
