//! The folder of a site's content, and the folder with defaults that it names.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{text_file, toml_reader::TomlFile};
use contract::problem::Report;

/// The key of `site.toml` that names the folder with defaults.
pub(super) const SHARED: &str = "shared";

/// The files that several sites may share.
pub(super) const SHARED_FILES: &[&str] = &[
    "site.toml",
    "business.toml",
    "services.toml",
    "problems.toml",
    "topics.toml",
    "aspects.toml",
    "strings.toml",
    "templates",
    "import.toml",
];

/// Where the files of a site are looked for. A key that one of the site's shared files lacks is taken
/// from the file of the same name in the shared folder.
#[derive(Clone, Debug)]
pub struct Folder {
    own: PathBuf,
    shared: Option<PathBuf>,
}

impl Folder {
    /// The content folder `own`, and the folder that its `site.toml` names. A mistake in that file is for
    /// its reader to report.
    pub(super) fn of(own: &Path) -> Self {
        #[derive(Deserialize)]
        struct Settings {
            shared: String,
        }
        let settings = text_file::read(&own.join("site.toml"), &Report::default());
        let settings = settings.and_then(|text| toml::from_str::<Settings>(&text).ok());
        let name = settings.map(|settings| settings.shared.trim().to_owned());
        let shared = name.filter(|name| !name.is_empty()).map(|name| own.join(name));
        let shared = shared.filter(|shared| shared.is_dir() && !contains(shared, own));
        Self { own: own.to_owned(), shared }
    }

    /// The content folder.
    #[must_use]
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// The content folder, then the shared one.
    pub(super) fn all(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.own), self.shared.as_ref()].into_iter().flatten().map(PathBuf::as_path)
    }

    /// The shared folder.
    pub(super) fn shared(&self) -> Option<&Path> {
        self.shared.as_deref()
    }

    /// A file with its defaults. `None` where neither exists or can be read.
    pub(super) fn toml<'r>(&self, name: &str, report: &'r Report) -> Option<TomlFile<'r>> {
        let folders = self.all().take(if SHARED_FILES.contains(&name) { 2 } else { 1 });
        let mut files = folders.filter_map(|folder| TomlFile::open(&folder.join(name), report));
        let first = files.next()?;
        Some(match files.next() {
            Some(defaults) => first.with_defaults(defaults),
            None => first,
        })
    }

    /// Whether an error was found in a file of this name.
    pub(super) fn has_errors_in(&self, name: &str, report: &Report) -> bool {
        self.all().any(|folder| report.has_errors_in(&folder.join(name)))
    }
}

/// Whether a folder is another one or somewhere above it. Everything below the shared folder is watched.
pub(super) fn contains(outer: &Path, inner: &Path) -> bool {
    match (outer.canonicalize(), inner.canonicalize()) {
        (Ok(outer), Ok(inner)) => inner.starts_with(outer),
        _ => false,
    }
}
