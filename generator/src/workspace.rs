//! `candor-workspace.toml`: the sites that an agency keeps together.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// The file's name.
pub const WORKSPACE_FILE: &str = "candor-workspace.toml";

/// A site of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Its folder as seen from the workspace, such as `sites/acme`.
    pub name: String,
    /// Its folder, with `content/` in it.
    pub folder: PathBuf,
}

/// Why the sites of a workspace are not known.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// There is no such file.
    #[error(
        "there is no workspace file {0}; write one with sites = [\"sites/*\"], or name it with --workspace FILE"
    )]
    Missing(PathBuf),
    /// It cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, io::Error),
    /// It is no TOML, or has other keys.
    #[error("{0} cannot be read: {1}")]
    Syntax(PathBuf, toml::de::Error),
    /// An entry cannot be looked for.
    #[error("{0}: {1:?} is no path or pattern: {2}")]
    Pattern(PathBuf, String, glob::PatternError),
    /// A folder cannot be looked into.
    #[error("{0}: the sites of {1:?} cannot be listed: {2}")]
    Listing(PathBuf, String, glob::GlobError),
    /// An entry names no folder.
    #[error("{0}: {1:?} is no folder; correct the entry, or remove it")]
    NoFolder(PathBuf, String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkspaceFile {
    /// Folders; `*` stands for any name.
    sites: Vec<String>,
}

/// The sites that a workspace file lists, by name, each once. Names that begin with a dot do not fit `*`.
///
/// # Errors
/// When the file cannot be read, or an entry names no folder.
pub fn sites(file: &Path) -> Result<Vec<Site>, WorkspaceError> {
    let text = fs::read_to_string(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => WorkspaceError::Missing(file.to_owned()),
        _ => WorkspaceError::Unreadable(file.to_owned(), error),
    })?;
    let read: WorkspaceFile =
        toml::from_str(&text).map_err(|error| WorkspaceError::Syntax(file.to_owned(), error))?;
    let root = file.parent().unwrap_or(Path::new(""));
    let mut sites = BTreeMap::new();
    for entry in read.sites {
        let found = folders(root, &entry, file)?;
        if found.is_empty() {
            return Err(WorkspaceError::NoFolder(file.to_owned(), entry));
        }
        for site in found {
            // Two names of one folder are one site.
            let folder = site.folder.canonicalize();
            sites.entry(folder.unwrap_or_else(|_| site.folder.clone())).or_insert(site);
        }
    }
    let mut sites: Vec<Site> = sites.into_values().collect();
    sites.sort();
    Ok(sites)
}

fn folders(root: &Path, entry: &str, file: &Path) -> Result<Vec<Site>, WorkspaceError> {
    // The path of the workspace is no pattern, whatever stands in it.
    let pattern = Path::new(&glob::Pattern::escape(&root.to_string_lossy())).join(entry);
    let options =
        glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(&pattern.to_string_lossy(), options)
        .map_err(|error| WorkspaceError::Pattern(file.to_owned(), entry.to_owned(), error))?;
    let mut sites = Vec::new();
    for path in found {
        let folder = path
            .map_err(|error| WorkspaceError::Listing(file.to_owned(), entry.to_owned(), error))?;
        if folder.is_dir() {
            let name = folder.strip_prefix(root).unwrap_or(&folder);
            let name = name.to_string_lossy().replace('\\', "/");
            sites.push(Site { name, folder });
        }
    }
    Ok(sites)
}
