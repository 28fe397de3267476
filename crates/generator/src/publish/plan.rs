//! The changes from one publication to the next.

use std::{collections::BTreeSet, time::SystemTime};

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
    /// The document is new.
    Added(String),
    /// The document has other bytes, another media type or other links.
    Changed(String),
    /// The document is removed.
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

/// The differences of one publication from another, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The changes, in order of their paths.
    pub changes: Vec<Change>,
}

impl Plan {
    /// Compares `old` with `new`. Encodings and times do not count.
    #[must_use]
    pub fn between(old: &Manifest, new: &Manifest) -> Self {
        let change = |pair: (Option<&FileEntry>, Option<&FileEntry>)| match pair {
            (Some(was), Some(is)) if same_document(was, is) => None,
            (Some(_), Some(is)) => Some(Change::Changed(is.path.clone())),
            (Some(was), None) => Some(Change::Removed(was.path.clone())),
            (None, is) => is.map(|is| Change::Added(is.path.clone())),
        };
        Self { changes: old.beside(new).filter_map(change).collect() }
    }
}

fn same_document(a: &FileEntry, b: &FileEntry) -> bool {
    a.etag == b.etag && a.media_type == b.media_type && a.links == b.links
}

/// The names in the public directory that Candor may replace and remove.
#[derive(Debug, Default)]
pub(super) struct Owned<'m> {
    pub(super) on_disk: Option<&'m Manifest>,
    /// The names of a build that did not complete.
    unfinished: BTreeSet<String>,
}

impl<'m> Owned<'m> {
    pub(super) fn new(on_disk: Option<&'m Manifest>, unfinished: Vec<String>) -> Self {
        Self { on_disk, unfinished: unfinished.into_iter().collect() }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.on_disk.is_some_and(|manifest| manifest.has(name)) || self.unfinished.contains(name)
    }

    /// Returns the names that a publication does not have, and those that a journal has to name for it: the manifest in
    /// the directory names the others until it is replaced. Both are sorted.
    pub(crate) fn compare(&self, next: &Manifest) -> (Vec<String>, Vec<String>) {
        let unfinished = || self.unfinished.iter().cloned();
        let (mut stale, mut unlisted): (BTreeSet<String>, BTreeSet<String>) = match self.on_disk {
            Some(last) => {
                (names_without(last, next).collect(), names_without(next, last).collect())
            }
            None => (BTreeSet::new(), next.disk_paths().collect()),
        };
        stale.extend(unfinished().filter(|name| !next.has(name)));
        let is_listed = |name: &String| self.on_disk.is_some_and(|last| last.has(name));
        unlisted.extend(unfinished().filter(|name| !is_listed(name)));
        (stale.into_iter().collect(), unlisted.into_iter().collect())
    }

    /// Whether the manifest in the directory gives these bytes and this time to the file `name`, which may be a
    /// precompressed one.
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

/// Returns the names that a manifest has and another does not.
fn names_without<'m>(manifest: &'m Manifest, other: &'m Manifest) -> impl Iterator<Item = String> {
    // Most documents are in both, and with the same siblings.
    let differs = |(file, same): &(&FileEntry, Option<&FileEntry>)| {
        same.is_none_or(|same| !same.encodings.keys().eq(file.encodings.keys()))
    };
    let files = manifest.beside(other).filter_map(|(file, same)| Some((file?, same)));
    let names = files.filter(differs).flat_map(|(file, _)| file.disk_paths());
    names.chain(manifest.host_files.iter().cloned()).filter(|name| !other.has(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a manifest of files: path, bytes and codings.
    fn manifest(files: &[(&str, &str, &[&str])], host_files: &[&str]) -> Manifest {
        let files = files.iter().map(|(path, bytes, codings)| {
            let tag = ETag::of(bytes.as_bytes());
            let coded = |coding: &&str| {
                ((*coding).to_owned(), serde_json::json!({ "length": 1, "etag": tag }))
            };
            let encodings: serde_json::Map<_, _> = codings.iter().map(coded).collect();
            serde_json::json!({
                "path": path, "media_type": "text/plain", "length": 1, "etag": tag,
                "modified": "2026-01-01T00:00:00Z", "encodings": encodings,
            })
        });
        let manifest = serde_json::json!({
            "format": 1, "build_id": ETag::of(b""), "published_at": "2026-01-01T00:00:00Z",
            "base_url": "https://x.example", "sidecar": null, "topics": [],
            "files": files.collect::<Vec<_>>(), "host_files": host_files,
        });
        Manifest::from_json(manifest.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn what_differs_between_two_manifests() {
        let old = manifest(&[("a", "1", &["br"]), ("c", "1", &[]), ("e", "1", &["gzip"])], &["_h"]);
        let new = manifest(
            &[("b", "1", &[]), ("c", "2", &["br"]), ("e", "1", &[]), ("f", "1", &[])],
            &["c.x"],
        );
        let [a, b, c, f] = ["a", "b", "c", "f"].map(str::to_owned);
        let changes =
            vec![Change::Removed(a), Change::Added(b), Change::Changed(c), Change::Added(f)];
        assert_eq!(Plan::between(&old, &new).changes, changes);
        let compare = |on_disk, unfinished: &[&str]| {
            let unfinished = unfinished.iter().map(|name| (*name).to_owned()).collect();
            Owned::new(on_disk, unfinished).compare(&new)
        };
        let (stale, unlisted) = compare(Some(&old), &["c", "x"]);
        assert_eq!(stale, ["_h", "a", "a.br", "e.gz", "x"]);
        assert_eq!(unlisted, ["b", "c.br", "c.x", "f", "x"]);
        let (stale, unlisted) = compare(None, &["x"]);
        assert_eq!(
            (stale, unlisted),
            (
                vec!["x".to_owned()],
                ["b", "c", "c.br", "c.x", "e", "f", "x"].map(str::to_owned).to_vec()
            )
        );
        assert_eq!(Owned::new(Some(&new), Vec::new()).compare(&new), (Vec::new(), Vec::new()));
    }
}
