//! What a publication changes about the one before.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use contract::manifest::{FileEntry, Manifest};

/// One document that differs between two publications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", content = "path", rename_all = "lowercase")]
pub enum Change {
    /// New.
    Added(String),
    /// Other bytes, another media type or other links.
    Changed(String),
    /// Gone.
    Removed(String),
}

impl Change {
    /// The document's path.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Added(path) | Self::Changed(path) | Self::Removed(path) => path,
        }
    }
}

/// What one publication changes about another, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In order of their paths.
    pub changes: Vec<Change>,
}

impl Plan {
    /// From `old` to `new`. Encodings and times do not count.
    #[must_use]
    pub fn between(old: &Manifest, new: &Manifest) -> Self {
        let by_path = |manifest: &'_ Manifest| -> BTreeMap<String, FileEntry> {
            manifest.files.iter().map(|file| (file.path.clone(), file.clone())).collect()
        };
        let (old, new) = (by_path(old), by_path(new));
        let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let change = |path: &String| match (old.get(path), new.get(path)) {
            (None, Some(_)) => Some(Change::Added(path.clone())),
            (Some(_), None) => Some(Change::Removed(path.clone())),
            (Some(a), Some(b)) if !same_document(a, b) => Some(Change::Changed(path.clone())),
            _ => None,
        };
        Self { changes: paths.into_iter().filter_map(change).collect() }
    }
}

fn same_document(a: &FileEntry, b: &FileEntry) -> bool {
    a.etag == b.etag && a.media_type == b.media_type && a.links == b.links
}

/// The names in the public directory that are Candor's to replace and remove.
#[derive(Debug, Default)]
pub(super) struct Owned(BTreeSet<String>);

impl Owned {
    pub(super) fn new(on_disk: Option<&Manifest>, unfinished: Vec<String>) -> Self {
        let listed = on_disk.into_iter().flat_map(Manifest::disk_paths);
        Self(listed.chain(unfinished).collect())
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }
}
