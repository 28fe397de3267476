//! What a publication changes about the one before.

use std::{collections::BTreeSet, time::SystemTime};

use serde::Serialize;

use contract::{
    etag::ETag,
    manifest::{Coding, FileEntry, Manifest},
};

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
        let added = |file: &&FileEntry| old.file(&file.path).is_none();
        let added = new.files.iter().filter(added).map(|file| Change::Added(file.path.clone()));
        let changed = old.files.iter().filter_map(|file| match new.file(&file.path) {
            None => Some(Change::Removed(file.path.clone())),
            Some(now) => (!same_document(file, now)).then(|| Change::Changed(file.path.clone())),
        });
        let mut changes: Vec<Change> = added.chain(changed).collect();
        changes.sort_by(|a, b| a.path().cmp(b.path()));
        Self { changes }
    }
}

fn same_document(a: &FileEntry, b: &FileEntry) -> bool {
    a.etag == b.etag && a.media_type == b.media_type && a.links == b.links
}

/// The names in the public directory that are Candor's to replace and remove.
#[derive(Debug, Default)]
pub(super) struct Owned<'m> {
    names: BTreeSet<String>,
    on_disk: Option<&'m Manifest>,
}

impl<'m> Owned<'m> {
    pub(super) fn new(on_disk: Option<&'m Manifest>, unfinished: Vec<String>) -> Self {
        let listed = on_disk.into_iter().flat_map(Manifest::disk_paths);
        Self { names: listed.chain(unfinished).collect(), on_disk }
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.names.contains(path)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    /// Whether the manifest in the directory gives these bytes and this time to the file `name`, which
    /// may be a precompressed one.
    pub(super) fn is_listed(&self, name: &str, etag: &ETag, modified: Option<SystemTime>) -> bool {
        let listed = |path: &str| self.on_disk.and_then(|manifest| manifest.file(path));
        let sibling = |coding: Coding| {
            let file = listed(name.strip_suffix(coding.suffix())?)?;
            Some((&file.encodings.get(&coding)?.etag, file.modified))
        };
        let document = listed(name).map(|file| (&file.etag, file.modified));
        let found = document.or_else(|| Coding::ALL.into_iter().find_map(sibling));
        found.is_some_and(|(tag, time)| tag == etag && modified == Some(time.into()))
    }
}
