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
    /// The bytes of its manifest.
    json: Vec<u8>,
    manifest: Manifest,
    is_untouched: bool,
}

impl LastPublication {
    /// Looks at a folder. Nothing is found where no manifest can be read; the build will say why.
    #[must_use]
    pub fn look(public: &Path) -> Option<Self> {
        let json = std::fs::read(public.join(MANIFEST_PATH)).ok()?;
        let manifest = Manifest::from_json(&json).ok()?;
        let is_untouched = is_untouched(public, &manifest);
        Some(Self { public: public.to_owned(), json, manifest, is_untouched })
    }
}

/// The publication that is in a folder now.
#[derive(Debug)]
pub(super) struct OnDisk<'l> {
    pub(super) manifest: Cow<'l, Manifest>,
    /// All its files are as the manifest says.
    pub(super) is_untouched: bool,
}

impl<'l> OnDisk<'l> {
    /// Reads it, unless it is the one that was looked at.
    pub(super) fn read(
        public: &Path,
        looked_at: Option<&'l LastPublication>,
    ) -> Result<Option<Self>, PublishError> {
        let Some(json) = manifest_bytes(public)? else { return Ok(None) };
        if let Some(last) = looked_at.filter(|last| last.public == public && last.json == json) {
            let manifest = Cow::Borrowed(&last.manifest);
            return Ok(Some(Self { manifest, is_untouched: last.is_untouched }));
        }
        let manifest = parse(public, &json)?;
        let is_untouched = is_untouched(public, &manifest);
        Ok(Some(Self { manifest: Cow::Owned(manifest), is_untouched }))
    }
}

/// Reads the manifest of the site that stands in a directory.
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
