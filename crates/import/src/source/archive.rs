//! Reads archives in place, within limits on what they unpack to.

use std::{
    cell::Cell,
    io::{self, BufReader, Read, Seek, Write},
    path::Path,
};

use ::zip::result::ZipError;

use flate2::read::MultiGzDecoder;

use super::{MAX_BYTES, MAX_FILES, SourceFile, Visit, folder_of, workbook};
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
/// Largest name of a file in a tar archive, with its other attributes: 1 MiB. The library holds it in memory.
const MAX_NAME: u64 = 1 << 20;
/// Offset of the magic bytes of a tar archive.
const USTAR_AT: usize = 257;

/// An archive and what it is called.
pub(super) struct NamedArchive<'a> {
    pub(super) input: usize,
    pub(super) path: &'a Path,
    pub(super) shown: &'a str,
    /// Whether it is one of many files.
    pub(super) bundled: bool,
    /// Where sheets of a workbook are kept.
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

    fn budget(&self) -> Result<UnpackBudget, ImportError> {
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

pub(super) fn zip(
    file: impl Read + Seek,
    named: &NamedArchive<'_>,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let budget = named.budget()?;
    let file = BufReader::with_capacity(1 << 16, file);
    let unreadable = |error| named.unreadable(zip_reason(error));
    let mut archive = ::zip::ZipArchive::new(file).map_err(unreadable)?;
    if archive.index_for_name(workbook::MARK).is_some() {
        return workbook::read(archive, named, &budget, visit);
    }
    if archive.index_for_name("content.xml").is_some() {
        return Err(named.unreadable("it is an OpenDocument file; save it as .xlsx or CSV"));
    }
    if archive.len() > MAX_FILES {
        return Err(named.unreadable("it holds more than 100,000 files"));
    }
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.is_dir() || entry.is_symlink() || is_hidden(&name) {
            continue;
        }
        visit(named.item(&name, &budget, budget.guard(entry)))?;
    }
    Ok(())
}

/// A compressed tar archive, or one compressed file.
pub(super) fn gzip(
    file: impl Read,
    named: &NamedArchive<'_>,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let budget = named.budget()?;
    let unpacked = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
    let mut unpacked = BufReader::with_capacity(1 << 16, budget.guard(unpacked));
    let mut start = Vec::new();
    let head = io::Read::by_ref(&mut unpacked).take(512).read_to_end(&mut start);
    let unreadable = |error: io::Error| named.unreadable(reason(&error));
    head.map_err(unreadable)?;
    let is_tar = start.get(USTAR_AT..USTAR_AT + 5) == Some(b"ustar");
    let whole = io::Cursor::new(start).chain(unpacked);
    if !is_tar {
        return visit(named.whole(named.item("", &budget, whole)));
    }
    let end = Cell::new(MAX_NAME);
    let mut archive = tar::Archive::new(WithinName { inner: whole, read: 0, end: &end });
    let entries = archive.entries().map_err(unreadable)?;
    for (number, entry) in entries.enumerate() {
        let entry = entry.map_err(unreadable)?;
        end.set(u64::MAX);
        let is_sparse = entry.header().entry_type().is_gnu_sparse();
        let size = if is_sparse { entry.header().entry_size() } else { Ok(entry.size()) };
        let last = entry.raw_file_position().saturating_add(size.map_err(unreadable)?);
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if number >= MAX_FILES {
            return Err(named.unreadable("it holds more than 100,000 files"));
        }
        if entry.header().entry_type().is_file() && !is_hidden(&name) {
            // Holes of a sparse file cost nothing in the archive.
            visit(named.item(&name, &budget, budget.guard(entry)))?;
        }
        end.set(last.saturating_add(MAX_NAME));
    }
    Ok(())
}

/// A tar archive that is read to a position, which the name of the next file must not reach.
struct WithinName<'a, R> {
    inner: R,
    read: u64,
    end: &'a Cell<u64>,
}

impl<R: Read> Read for WithinName<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read += length as u64;
        if self.read > self.end.get() {
            Err(io::Error::other("the name of a file in it is longer than 1 MiB"))
        } else {
            Ok(length)
        }
    }
}

/// Whether a file is hidden or was added by the packing system.
fn is_hidden(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.starts_with('.') || name.starts_with("__MACOSX/")
}

const DAMAGED: &str = "it is damaged or was cut off; download it again";

/// Why a file cannot be read, for a person.
pub(in super::super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            DAMAGED.to_owned()
        }
        _ => error.to_string(),
    }
}

/// Why a zip archive cannot be read.
pub(super) fn zip_reason(error: ZipError) -> String {
    match error {
        ZipError::Io(error) => reason(&error),
        ZipError::InvalidArchive(_) => DAMAGED.to_owned(),
        error => error.to_string(),
    }
}

/// How much an archive may still grow.
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
