//! Opens the files of a folder that other people may have filled, as a pull request does: regular files only, and
//! no symbolic link on the way, which could lead to any file of this machine.

#[cfg_attr(unix, path = "root/by_handle.rs")]
#[cfg_attr(not(unix), path = "root/by_path.rs")]
mod walk;

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use contract::problem::{Place, Report};

/// A folder below which no symbolic link is followed. The folder itself may be one where the user named it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The path as the user knows it, for messages.
    shown: PathBuf,
    /// The folder that is opened like any path.
    base: PathBuf,
    /// The path from `base` to the folder, through no link.
    below: PathBuf,
}

/// The reason why a file is not opened.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{} is a symbolic link, and links are not followed here", .0.display())]
    Link(PathBuf),
    #[error("{} is not a regular file", .0.display())]
    Special(PathBuf),
}

impl Refused {
    fn help(&self) -> &'static str {
        match self {
            Self::Link(_) => "replace the link by a copy of what it points to, or remove it",
            Self::Special(_) => "replace it by a regular file, or remove it",
        }
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        Self::new(io::ErrorKind::InvalidInput, refused)
    }
}

impl Root {
    /// A folder that the command line names.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { shown: folder.to_owned(), base: folder.to_owned(), below: PathBuf::new() }
    }

    /// A folder that a file names: `below` another one that is trusted.
    pub fn within(base: PathBuf, below: PathBuf, shown: PathBuf) -> Self {
        Self { shown, base, below }
    }

    /// The folder, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shown
    }

    /// A path below the folder, for messages.
    #[must_use]
    pub fn shown(&self, path: &Path) -> PathBuf {
        self.shown.join(path.strip_prefix(&self.shown).unwrap_or(path))
    }

    /// Opens a file: relative to the folder, or a path that begins with it.
    ///
    /// # Errors
    /// When it cannot be opened, a part of its path is a link, or it is not a regular file.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        let file = walk::open(&self.base, &self.below(path))?;
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if kind.is_file() { Ok(file) } else { Err(Refused::Special(self.shown(path)).into()) }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Those of [`Root::open`], and what reading comes to.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The text of a file; `None` where there is none.
    ///
    /// # Errors
    /// Those of [`Root::open`], and what reading comes to; text that is not UTF-8 is an error.
    pub fn text(&self, path: &Path) -> io::Result<Option<String>> {
        let mut text = String::new();
        match self.open(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether there is something at a path: a file, or what [`Root::open`] refuses.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let opened = walk::open(&self.base, &self.below(path));
        !opened.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Whether it is a folder.
    ///
    /// # Errors
    /// When a part of its path is a link, or it cannot be opened.
    pub fn is_folder(&self) -> io::Result<bool> {
        match walk::open(&self.base, &self.below) {
            Ok(opened) => Ok(opened.metadata()?.is_dir()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The names in a folder, sorted; hidden ones are left out but `.well-known` (RFC 8615). None where there is
    /// no such folder.
    ///
    /// # Errors
    /// When it cannot be listed, or a part of its path is a link.
    pub fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = self.all_names(folder)?;
        names.retain(|name| !is_hidden(name));
        Ok(names)
    }

    /// The same with hidden ones.
    ///
    /// # Errors
    /// As for [`Self::names`].
    pub fn all_names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = match walk::names(&self.base, &self.below(folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            names => names?,
        };
        names.retain(|name| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// Returns a path from `base`.
    fn below(&self, path: &Path) -> PathBuf {
        self.below.join(path.strip_prefix(&self.shown).unwrap_or(path))
    }
}

/// Whether files of this name are not for Candor.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && name != ".well-known"
}

/// The names of a path's parts.
fn parts(path: &Path) -> io::Result<Vec<&OsStr>> {
    let name = |part| match part {
        Component::CurDir => None,
        Component::Normal(name) => Some(Ok(name)),
        _ => Some(Err(io::ErrorKind::InvalidInput.into())),
    };
    path.components().filter_map(name).collect()
}

/// Adds an error for a file that cannot be read.
pub fn report_unreadable(report: &Report, path: &Path, error: &io::Error) {
    let Some(refused) = error.get_ref().and_then(|inner| inner.downcast_ref::<Refused>()) else {
        return report.unreadable(path, error);
    };
    let place = Place::file(path.display().to_string());
    report.error("not-followed", place, refused.to_string(), refused.help());
}
