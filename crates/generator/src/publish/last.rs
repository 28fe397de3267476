//! What the last build left in a folder. It is looked at while the next one reads its content.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

use contract::manifest::{MANIFEST_PATH, Manifest};

use super::{PublishError, untouched::is_untouched};

/// The publication in a folder.
#[derive(Debug)]
pub struct LastPublication {
    public: PathBuf,
    /// Of the bytes of its manifest.
    hash: blake3::Hash,
    manifest: Manifest,
    is_untouched: bool,
}

impl LastPublication {
    /// Looks at a folder. Nothing is found where no manifest can be read; the build will say why.
    #[must_use]
    pub fn look(public: &Path) -> Option<Self> {
        let json = std::fs::read(public.join(MANIFEST_PATH)).ok()?;
        let (hash, manifest) = (blake3::hash(&json), Manifest::from_json(&json).ok()?);
        // It has several megabytes, and the rest takes a while.
        drop(json);
        let is_untouched = is_untouched(public, &manifest);
        Some(Self { public: public.to_owned(), hash, manifest, is_untouched })
    }
}

/// The publication that is in a folder now.
#[derive(Debug)]
pub(super) struct OnDisk<'l> {
    pub(super) manifest: Cow<'l, Manifest>,
    /// All its files are as the manifest says.
    pub is_untouched: bool,
}

impl<'l> OnDisk<'l> {
    /// Reads it, unless it is the one that was looked at.
    pub(super) fn read(
        public: &Path,
        looked_at: Option<&'l LastPublication>,
    ) -> Result<Option<Self>, PublishError> {
        let Some(json) = manifest_bytes(public)? else { return Ok(None) };
        let hash = blake3::hash(&json);
        if let Some(last) = looked_at.filter(|last| last.public == public && last.hash == hash) {
            let manifest = Cow::Borrowed(&last.manifest);
            return Ok(Some(Self { manifest, is_untouched: last.is_untouched }));
        }
        let manifest = parse(public, &json)?;
        let is_untouched = is_untouched(public, &manifest);
        Ok(Some(Self { manifest: Cow::Owned(manifest), is_untouched }))
    }
}

/// Reads the manifest of the site that is in a directory.
///
/// # Errors
/// When there is one that cannot be read.
pub fn manifest_in(public: &Path) -> Result<Option<Manifest>, PublishError> {
    manifest_bytes(public)?.map(|json| parse(public, &json)).transpose()
}

fn manifest_bytes(public: &Path) -> Result<Option<Vec<u8>>, PublishError> {
    let path = public.join(MANIFEST_PATH);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PublishError::io(&path)(error)),
    }
}

fn parse(public: &Path, json: &[u8]) -> Result<Manifest, PublishError> {
    let path = || public.join(MANIFEST_PATH);
    Manifest::from_json(json).map_err(|error| PublishError::Manifest { path: path(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(public: &Path, published_at: &str) {
        let tag = contract::etag::ETag::of(b"");
        let manifest = serde_json::json!({
            "format": 1, "build_id": tag, "published_at": published_at,
            "base_url": "https://x.example", "sidecar": null, "topics": [], "files": [],
        });
        std::fs::write(public.join(MANIFEST_PATH), manifest.to_string()).unwrap();
    }

    #[test]
    fn what_was_looked_at_counts_while_the_manifest_has_the_same_bytes() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert!(LastPublication::look(one.path()).is_none());
        put(one.path(), "2026-01-01T00:00:00Z");
        put(two.path(), "2026-01-01T00:00:00Z");
        let last = LastPublication::look(one.path()).unwrap();
        let read = |folder: &Path| OnDisk::read(folder, Some(&last)).unwrap().unwrap();
        assert!(matches!(read(one.path()).manifest, Cow::Borrowed(_)));
        assert!(matches!(read(two.path()).manifest, Cow::Owned(_)), "another folder");
        put(one.path(), "2026-01-02T00:00:00Z");
        let now = read(one.path()).manifest;
        assert!(matches!(now, Cow::Owned(_)), "another build");
        assert_eq!(now.published_at.to_string(), "2026-01-02T00:00:00Z");
        std::fs::write(one.path().join(MANIFEST_PATH), "{").unwrap();
        assert!(OnDisk::read(one.path(), Some(&last)).is_err());
    }
}
