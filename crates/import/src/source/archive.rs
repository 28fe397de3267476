//! Reads archives in place, within limits on what they unpack to.

use std::{
    cell::Cell,
    io::{self, BufReader, Read, Seek},
};

use flate2::read::MultiGzDecoder;

use super::{
    MAX_FILES, Visit,
    unpack::{NamedArchive, reason, zip_reason},
    workbook,
};
use crate::error::ImportError;

/// Largest name of a file in a tar archive, with its other attributes: 1 MiB. The library holds it in memory.
const MAX_NAME: u64 = 1 << 20;
/// Offset of the magic bytes of a tar archive.
const USTAR_AT: usize = 257;

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
