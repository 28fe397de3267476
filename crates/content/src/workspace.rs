//! `candor-workspace.toml`: the sites that an agency keeps together.

use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Component, Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::toml_reader::TomlFile;
use contract::problem::{Problem, Report};
use system::root::Root;

/// The file's name.
pub const WORKSPACE_FILE: &str = "candor-workspace.toml";

/// A site of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The path of its folder from the workspace, such as `sites/acme`.
    pub name: String,
    /// The folder of the site, which has `content/`.
    pub folder: PathBuf,
}

/// The reason why the sites of a workspace are not known.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// There is no workspace file.
    #[error(
        "there is no workspace file {0}; write one with sites = [\"sites/*\"], or name it with --workspace FILE"
    )]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, io::Error),
    /// The file is not TOML, or its keys are not those of a list.
    #[error("{}: {}; {}", .0.place, .0.message, .0.help)]
    Syntax(Box<Problem>),
    /// An entry is not a valid pattern.
    #[error("{0}: {1:?} is not a path or pattern: {2}")]
    Pattern(PathBuf, String, glob::PatternError),
    /// A folder cannot be listed.
    #[error("{0}: the sites of {1:?} cannot be listed: {2}")]
    Listing(PathBuf, String, glob::GlobError),
    /// An entry matches no folder.
    #[error("{0}: {1:?} is not a folder; correct the entry, or remove it")]
    NoFolder(PathBuf, String),
    /// A folder is not one of the checkout.
    #[error("{0}: {1}; correct the entry, or replace a link by a copy of what it points to")]
    Unreachable(PathBuf, String),
}

#[derive(Deserialize, JsonSchema)]
struct WorkspaceFile {
    /// Paths of folders; `*` matches any name.
    #[schemars(extend("x-missing" = ["{name} is missing", "write sites = [\"sites/*\"]"]))]
    sites: Vec<String>,
}

/// The sites that a workspace file lists, by name, each once. `*` does not match names that begin with a dot.
///
/// # Errors
/// When the file cannot be read, or an entry names no folder.
pub fn sites(file: &Path) -> Result<Vec<Site>, WorkspaceError> {
    let root = file.parent().unwrap_or(Path::new(""));
    let text = Root::at(root).text(file);
    let text = text.map_err(|error| WorkspaceError::Unreadable(file.to_owned(), error))?;
    let text = text.ok_or_else(|| WorkspaceError::Missing(file.to_owned()))?;
    let (report, shown) = (Report::default(), file.display().to_string());
    let read = TomlFile::from_text(shown, &text, &report).load::<WorkspaceFile>();
    if let Some(fault) = report.into_problems().into_iter().next() {
        return Err(WorkspaceError::Syntax(fault.into()));
    }
    let mut sites = BTreeMap::new();
    for entry in read.into_iter().flat_map(|read| read.sites) {
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
    // The path of the workspace is not a pattern, whatever is in it.
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
            let content = folder.join("content");
            let content = content.is_symlink().then_some((name.join("content"), content));
            for (name, shown) in [(name.to_owned(), folder.clone())].into_iter().chain(content) {
                named_folder(root, &name).map_err(|fault| {
                    WorkspaceError::Unreachable(file.to_owned(), fault.about(&shown.display()))
                })?;
            }
            let name = name.to_string_lossy().replace('\\', "/");
            sites.push(Site { name, folder });
        }
    }
    Ok(sites)
}

/// The reason why a folder that a file names is not used.
#[derive(Debug)]
pub(crate) enum Unreachable {
    /// There is no such folder.
    Missing,
    /// The folder is outside this one: a user who may change the file may not read other files of this machine.
    Outside(PathBuf),
    /// A link is on the way, or the folder cannot be read.
    Unreadable(io::Error),
}

impl Unreachable {
    /// The reason, for the folder of this path.
    pub(crate) fn about(&self, path: &impl fmt::Display) -> String {
        match self {
            Self::Missing => format!("there is no folder {path}"),
            Self::Outside(limit) => format!("{path} is outside {}", limit.display()),
            Self::Unreadable(error) => format!("{path} cannot be read: {error}"),
        }
    }
}

/// Returns the folder that a file in `from` names. Its path leads through no link, and not out of the checkout that
/// `from` is in; without a checkout, not out of the workspace; without both, not out of the folder around `from`.
pub(crate) fn named_folder(from: &Path, name: &Path) -> Result<Root, Unreachable> {
    let shown = from.join(name);
    let start = if from == Path::new("") { Path::new(".") } else { from };
    let start = start.canonicalize().map_err(Unreachable::Unreadable)?;
    let around = |is_limit: &dyn Fn(&Path) -> bool| start.ancestors().find(|at| is_limit(at));
    let limit = around(&is_checkout)
        .or_else(|| around(&|at| at.join(WORKSPACE_FILE).exists()))
        .or_else(|| start.parent());
    let limit = limit.unwrap_or(&start);
    let Ok(below) = without_parents(&start.join(name)).strip_prefix(limit).map(Path::to_owned)
    else {
        return Err(Unreachable::Outside(limit.to_owned()));
    };
    let root = Root::within(limit.to_owned(), below, shown);
    match root.is_folder() {
        Ok(true) => Ok(root),
        Ok(false) => Err(Unreachable::Missing),
        Err(error) => Err(Unreachable::Unreadable(error)),
    }
}

/// Whether a folder is a checkout. In a linked worktree `.git` is a file.
fn is_checkout(at: &Path) -> bool {
    at.join(".git/HEAD").exists() || at.join(".git").is_file()
}

/// Returns the checkout around a content folder, if a path that its files name leads out of it, or into the content.
#[must_use]
pub fn left_checkout(content: &Path, named: &Path) -> Option<PathBuf> {
    let content = content.canonicalize().ok()?;
    let checkout = content.ancestors().find(|at| is_checkout(at))?;
    let real = real_path(named);
    let is_inside = real.is_some_and(|at| at.starts_with(checkout) && !at.starts_with(&content));
    (!is_inside).then(|| checkout.to_owned())
}

/// Returns the folder of the site: the one that has its content folder.
#[must_use]
pub fn site_folder(content: &Path) -> PathBuf {
    if content.file_name().is_some() {
        return content.parent().unwrap_or(content).to_owned();
    }
    let content = std::path::absolute(content).map(|path| without_parents(&path));
    content.ok().and_then(|path| Some(path.parent()?.to_owned())).unwrap_or_default()
}

/// Returns the relative path that leads from one absolute path to another.
#[must_use]
pub fn path_between(start: &Path, end: &Path) -> PathBuf {
    let common = start.components().zip(end.components()).take_while(|(a, b)| a == b).count();
    let up = start.components().skip(common).map(|_| Component::ParentDir);
    up.chain(end.components().skip(common)).collect()
}

/// Returns how a path is related to the content folder, as a part of a message; `None` if they are apart.
#[must_use]
pub fn relation(path: &Path, content: &Path) -> Option<&'static str> {
    let (path, content) = (real_path(path)?, content.canonicalize().ok()?);
    let relations = [
        (path == content, "is the content folder"),
        (path.starts_with(&content), "is inside the content folder"),
        (content.starts_with(&path), "contains the content folder"),
    ];
    relations.into_iter().find_map(|(holds, words)| holds.then_some(words))
}

/// Returns a path without links and `..`. Its last parts need not exist.
fn real_path(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let real = path
        .ancestors()
        .find_map(|at| Some(at.canonicalize().ok()?.join(path.strip_prefix(at).ok()?)));
    real.map(|real| without_parents(&real))
}

/// Returns a path without `..` and the folders before it.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
