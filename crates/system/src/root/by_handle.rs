//! Opens each part of a path in the folder before it, which is open: what is renamed meanwhile changes nothing.

use std::{ffi::OsStr, fs::File, io, os::fd::OwnedFd, path::Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};

use super::{Refused, parts};

/// Opens what is at a path, of whatever kind.
pub(super) fn open(base: &Path, below: &Path) -> io::Result<File> {
    // A pipe is opened without waiting for its other end.
    walk(base, below, OFlags::NONBLOCK | OFlags::NOCTTY).map(File::from)
}

/// The names in a folder.
pub(super) fn names(base: &Path, below: &Path) -> io::Result<Vec<String>> {
    let entries = Dir::new(walk(base, below, OFlags::DIRECTORY)?)?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names.collect()
}

fn walk(base: &Path, below: &Path, last: OFlags) -> io::Result<OwnedFd> {
    let read = OFlags::RDONLY | OFlags::CLOEXEC;
    let start = if base == Path::new("") { Path::new(".") } else { base };
    let mut at = openat(CWD, start, read | OFlags::DIRECTORY, Mode::empty())?;
    let (mut seen, parts) = (base.to_owned(), parts(below)?);
    for (number, name) in (1..).zip(&parts) {
        seen.push(name);
        let kind = if number == parts.len() { last } else { OFlags::DIRECTORY };
        at = match openat(&at, *name, read | OFlags::NOFOLLOW | kind, Mode::empty()) {
            Ok(opened) => opened,
            Err(_) if is_link(&at, name) => return Err(Refused::Link(seen).into()),
            Err(error) => return Err(error.into()),
        };
    }
    Ok(at)
}

fn is_link(folder: &OwnedFd, name: &OsStr) -> bool {
    let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink)
}
