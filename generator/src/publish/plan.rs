//! What a publication changes about the one before.

use std::{
    collections::{BTreeSet, HashSet},
    time::SystemTime,
};

use jiff::Timestamp;
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
    pub(super) on_disk: Option<&'m Manifest>,
    /// Those of a build that did not come to its end.
    unfinished: BTreeSet<String>,
}

impl<'m> Owned<'m> {
    pub(super) fn new(on_disk: Option<&'m Manifest>, unfinished: Vec<String>) -> Self {
        Self { on_disk, unfinished: unfinished.into_iter().collect() }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.on_disk.is_some_and(|manifest| manifest.has(name)) || self.unfinished.contains(name)
    }

    /// Those that a publication does not have, and those that a journal has to name for it: the manifest
    /// in the directory names the others until it is replaced.
    pub(super) fn compare(&self, next: &Manifest) -> (Vec<String>, Vec<String>) {
        let listed: HashSet<String> =
            self.on_disk.into_iter().flat_map(Manifest::disk_paths).collect();
        let wanted: HashSet<String> = next.disk_paths().collect();
        let unfinished = || self.unfinished.iter();
        let stale = listed.iter().chain(unfinished()).filter(|name| !wanted.contains(*name));
        let unlisted = wanted.iter().chain(unfinished()).filter(|name| !listed.contains(*name));
        let sorted = |names: BTreeSet<&String>| names.into_iter().cloned().collect();
        (sorted(stale.collect()), sorted(unlisted.collect()))
    }

    /// Whether the manifest in the directory gives these bytes to the file `name`, which may be a
    /// precompressed one.
    pub(super) fn lists(&self, name: &str, etag: &ETag) -> bool {
        self.listed(name).is_some_and(|(listed, _)| listed == etag)
    }

    /// Whether it gives it this time too.
    pub(super) fn is_since(&self, name: &str, etag: &ETag, modified: Option<SystemTime>) -> bool {
        self.listed(name)
            .is_some_and(|(listed, time)| listed == etag && modified == Some(time.into()))
    }

    fn listed(&self, name: &str) -> Option<(&'m ETag, Timestamp)> {
        let listed = |path: &str| self.on_disk.and_then(|manifest| manifest.file(path));
        let sibling = |coding: Coding| {
            let file = listed(name.strip_suffix(coding.suffix())?)?;
            Some((&file.encodings.get(&coding)?.etag, file.modified))
        };
        let document = listed(name).map(|file| (&file.etag, file.modified));
        document.or_else(|| Coding::ALL.into_iter().find_map(sibling))
    }
}
