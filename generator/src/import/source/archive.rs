//! Reads archives in place, within limits on what they unpack to.

use std::{
    cell::Cell,
    io::{self, BufReader, Read, Seek},
    path::Path,
};

use flate2::read::MultiGzDecoder;

use super::{MAX_BYTES, MAX_FILES, SourceFile, Visit, folder_of};
use crate::import::ImportError;

/// An archive may grow to this many times its size …
const MAX_RATIO: u64 = 200;
/// … beyond what any archive may grow to: 256 MiB.
const FREE: u64 = 256 << 20;
/// Offset of the magic bytes of a tar archive.
const USTAR_AT: usize = 257;

/// An archive and what it is called.
pub(super) struct NamedArchive<'a> {
    pub(super) input: usize,
    pub(super) path: &'a Path,
    pub(super) shown: &'a str,
}

impl NamedArchive<'_> {
    fn unreadable(&self, reason: impl ToString) -> ImportError {
        ImportError::Read(self.shown.to_owned(), reason.to_string())
    }

    /// Names are shown, never used as paths.
    fn item<'a>(&self, inside: &str, reader: impl Read + 'a) -> SourceFile<'a> {
        let inside: String = inside.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let name = format!("{}/{}", self.shown, inside.trim_start_matches('/'));
        SourceFile {
            input: self.input,
            unit: self.shown.to_owned(),
            bundled: true,
            folder: folder_of(&name),
            profile: None,
            name,
            reader: Box::new(reader),
        }
    }

    fn budget(&self) -> Result<UnpackBudget, ImportError> {
        let size = std::fs::metadata(self.path).map_err(ImportError::io(self.path))?.len();
        let limit = size.saturating_mul(MAX_RATIO).clamp(FREE, MAX_BYTES);
        Ok(UnpackBudget { left: Cell::new(limit), limit })
    }
}

pub(super) fn zip(
    file: impl Read + Seek,
    named: &NamedArchive<'_>,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let budget = named.budget()?;
    let file = BufReader::with_capacity(1 << 16, file);
    let mut archive = ::zip::ZipArchive::new(file).map_err(|error| named.unreadable(error))?;
    if archive.len() > MAX_FILES {
        return Err(named.unreadable("it holds more than 100,000 files"));
    }
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| named.unreadable(error))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.is_dir() || entry.is_symlink() || is_hidden(&name) {
            continue;
        }
        visit(named.item(&name, budget.guard(entry)))?;
    }
    Ok(())
}

/// A compressed tar archive, or one compressed file.
pub(super) fn gzip(
    file: impl Read,
    named: &NamedArchive<'_>,
    bundled: bool,
    visit: &mut Visit<'_>,
) -> Result<(), ImportError> {
    let budget = named.budget()?;
    let unpacked = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
    let mut unpacked = BufReader::with_capacity(1 << 16, budget.guard(unpacked));
    let mut start = Vec::new();
    let head = io::Read::by_ref(&mut unpacked).take(512).read_to_end(&mut start);
    head.map_err(|error| named.unreadable(error))?;
    let is_tar = start.get(USTAR_AT..USTAR_AT + 5) == Some(b"ustar");
    let whole = io::Cursor::new(start).chain(unpacked);
    if !is_tar {
        let item = named.item("", whole);
        return visit(SourceFile { name: named.shown.to_owned(), bundled, ..item });
    }
    let mut archive = tar::Archive::new(whole);
    let entries = archive.entries().map_err(|error| named.unreadable(error))?;
    for (number, entry) in entries.enumerate() {
        let entry = entry.map_err(|error| named.unreadable(error))?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if number >= MAX_FILES {
            return Err(named.unreadable("it holds more than 100,000 files"));
        }
        if entry.header().entry_type().is_file() && !is_hidden(&name) {
            // Holes of a sparse file cost nothing in the archive.
            visit(named.item(&name, budget.guard(entry)))?;
        }
    }
    Ok(())
}

/// Whether a file is hidden or was added by the packing system.
fn is_hidden(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.starts_with('.') || name.starts_with("__MACOSX/")
}

/// How much an archive may still grow.
struct UnpackBudget {
    left: Cell<u64>,
    limit: u64,
}

impl UnpackBudget {
    fn guard<'b, R: Read + 'b>(&'b self, inner: R) -> impl Read + 'b {
        LimitedReader { inner, budget: self }
    }
}

struct LimitedReader<'b, R> {
    inner: R,
    budget: &'b UnpackBudget,
}

impl<R: Read> Read for LimitedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        match self.budget.left.get().checked_sub(length as u64) {
            Some(left) => self.budget.left.set(left),
            None => {
                return Err(io::Error::other(format!(
                    "unpacked, it is larger than {} MiB, which no export of its size is; unpack it yourself if you trust it",
                    self.budget.limit >> 20
                )));
            }
        }
        Ok(length)
    }
}
