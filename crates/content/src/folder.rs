//! The folder of a site's content, and the folder with defaults that it names.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::Deserialize;

use super::{text_file, toml_reader::TomlFile};
use crate::workspace::{Unreachable, named_folder};
use contract::problem::Report;
use system::root::Root;

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

/// The folder with defaults that the command line names: it may be outside the checkout.
static NAMED: OnceLock<PathBuf> = OnceLock::new();

/// Accepts a shared folder outside the checkout, where a `site.toml` names it. The first call counts.
pub fn accept_shared(folder: PathBuf) {
    NAMED.get_or_init(|| folder);
}

/// The folders in which the files of a site are looked for. A key that one of the site's shared files lacks is read
/// from the file of the same name in the shared folder.
#[derive(Debug)]
pub struct Folder {
    own: Root,
    shared: Result<Option<Root>, SharedFault>,
}

/// The reason why the folder that a site names is not used.
#[derive(Debug)]
pub(super) enum SharedFault {
    /// The content folder is inside the named folder.
    AroundContent,
    /// The named folder cannot be reached.
    Unreachable(Unreachable),
}

impl SharedFault {
    /// Returns the reason and the remedy, for the folder of this path.
    pub(super) fn say(&self, path: &Path) -> (String, String) {
        const HELP: &str = "write the path of a folder beside the sites as seen from the content folder, such as ../../../defaults";
        let path = path.display();
        match self {
            Self::AroundContent => {
                (format!("{path} contains this content folder"), HELP.to_owned())
            }
            Self::Unreachable(fault) => {
                let help = match fault {
                    Unreachable::Missing => HELP.to_owned(),
                    Unreachable::Outside(_) => format!(
                        "move it there, or accept it on the command line with --shared {path}"
                    ),
                    Unreachable::Unreadable(_) => {
                        "replace a link by a copy of what it points to".to_owned()
                    }
                };
                (fault.about(&path), help)
            }
        }
    }
}

impl Folder {
    /// Finds the content folder `own`, and the folder that its `site.toml` names. A mistake in that file is reported
    /// when it is read.
    pub(super) fn of(own: &Path) -> Self {
        #[derive(Deserialize)]
        struct Settings {
            shared: String,
        }
        let root = Root::at(own);
        let settings = text_file::read(&root, "site.toml", &Report::default());
        let settings = settings.and_then(|text| toml::from_str::<Settings>(&text).ok());
        let name = settings.map(|settings| settings.shared.trim().to_owned());
        let name = name.filter(|name| !name.is_empty());
        let shared = name.map(|name| shared(own, &name)).transpose();
        Self { own: root, shared }
    }

    /// The content folder.
    #[must_use]
    pub fn own(&self) -> &Root {
        &self.own
    }

    /// The content folder, then the shared one.
    pub(super) fn all(&self) -> impl Iterator<Item = &Root> {
        [Some(&self.own), self.shared.as_ref().ok().and_then(Option::as_ref)].into_iter().flatten()
    }

    /// The shared folder, where the site names one.
    pub(super) fn shared(&self) -> Result<Option<&Root>, &SharedFault> {
        self.shared.as_ref().map(Option::as_ref)
    }

    /// A file with its defaults. `None` where neither exists or can be read.
    pub(super) fn toml<'r>(&self, name: &str, report: &'r Report) -> Option<TomlFile<'r>> {
        let folders = self.all().take(if SHARED_FILES.contains(&name) { 2 } else { 1 });
        let mut files = folders.filter_map(|folder| TomlFile::open(folder, name, report));
        let file = files.next()?;
        Some(match files.next() {
            Some(defaults) => file.with_defaults(defaults),
            None => file,
        })
    }

    /// Whether an error was found in a file of this name.
    pub(super) fn has_errors_in(&self, name: &str, report: &Report) -> bool {
        self.all().any(|folder| report.has_errors_in(&folder.path().join(name)))
    }
}

/// Returns the shared folder that `site.toml` names, which a pull request can change. If the command line names it too,
/// it may be anywhere.
fn shared(own: &Path, name: &str) -> Result<Root, SharedFault> {
    let shown = own.join(name);
    let (found, content) = (shown.canonicalize().ok(), own.canonicalize().ok());
    if let (Some(found), Some(content)) = (&found, content)
        && content.starts_with(found)
    {
        return Err(SharedFault::AroundContent);
    }
    match NAMED.get().and_then(|named| named.canonicalize().ok()) {
        Some(named) if found.as_ref() == Some(&named) => Ok(Root::at(&shown)),
        _ => named_folder(own, Path::new(name)).map_err(SharedFault::Unreachable),
    }
}
