//! A document as a host serves it.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::platform::needs_type;
use crate::document::JSON;
use contract::{
    etag::ETag,
    fields,
    manifest::{Coding, FileEntry, Link, MANIFEST_PATH, Manifest},
    security::is_framed,
};

/// The folders of the transparency log's tiles and receipts, all of one media type that platforms do not know.
pub(super) const TILES: [&str; 2] = ["log/tile/", "log/proof/"];

/// A document, with the header fields that a host must send with it.
#[derive(Debug, Serialize)]
pub(crate) struct Served<'a> {
    /// The URL path, prefix included, not percent-encoded: `/`, `/badges/`, `/feed.xml`.
    pub url: String,
    /// The URL path without the prefix.
    pub below: String,
    /// The path of its file, relative to the public directory.
    pub file: &'a str,
    /// The whole `Content-Type` value.
    pub(crate) media_type: &'a str,
    /// Whether a platform needs a rule for the type.
    pub(crate) needs_type: bool,
    /// Whether its bytes never change.
    pub(crate) is_immutable: bool,
    /// Whether it is a tile or a receipt of the transparency log. There may be thousands, and one rule is for all.
    pub(crate) is_tile: bool,
    /// Whether other sites show it in frames.
    pub(crate) is_framed: bool,
    /// The ETag of the bytes without a coding.
    pub etag: ETag,
    /// The ETag of each sibling.
    pub(crate) encodings: BTreeMap<Coding, &'a ETag>,
    /// Seconds since 1970; `None` for the manifest: two publications may fall into one second.
    pub(crate) modified: Option<i64>,
    /// The whole `Link` value, if it has one.
    pub link: Option<String>,
    /// Whether the path of another document differs from this one's in letter case alone.
    differs_in_case: bool,
}

impl<'a> Served<'a> {
    /// Returns every document that has an address, sorted by file.
    pub(super) fn all(manifest: &'a Manifest) -> Vec<Self> {
        let prefix = prefix(manifest);
        let listed = manifest.files.iter().filter(|file| file.has_address());
        let mut documents: Vec<_> = listed.map(|file| Self::of(file, &prefix)).collect();
        documents.push(Self::of_manifest(manifest, &prefix));
        documents.sort_by(|a, b| a.file.cmp(b.file));
        let mut spellings: HashMap<String, usize> = HashMap::new();
        for document in &documents {
            *spellings.entry(document.url.to_ascii_lowercase()).or_default() += 1;
        }
        for document in &mut documents {
            let count = spellings.get(&document.url.to_ascii_lowercase());
            document.differs_in_case = count.is_some_and(|count| *count > 1);
        }
        documents
    }

    fn of(file: &'a FileEntry, prefix: &str) -> Self {
        let below = file.url_path();
        Self {
            url: format!("{prefix}{below}"),
            below,
            file: &file.path,
            media_type: &file.media_type,
            needs_type: needs_type(&file.path, &file.media_type),
            is_immutable: fields::is_immutable(&file.path),
            is_tile: TILES.iter().any(|folder| file.path.starts_with(folder)),
            is_framed: is_framed(&file.path),
            etag: file.etag.clone(),
            encodings: file.encodings.iter().map(|(coding, file)| (*coding, &file.etag)).collect(),
            modified: Some(file.modified.as_second()),
            link: Link::field(&file.links),
            differs_in_case: false,
        }
    }

    /// Returns the manifest, which is published too; its ETag can only come from its bytes.
    fn of_manifest(manifest: &Manifest, prefix: &str) -> Self {
        Self {
            url: format!("{prefix}/{MANIFEST_PATH}"),
            below: format!("/{MANIFEST_PATH}"),
            file: MANIFEST_PATH,
            media_type: JSON,
            needs_type: needs_type(MANIFEST_PATH, JSON),
            is_immutable: false,
            is_tile: false,
            is_framed: false,
            etag: ETag::of(&manifest.to_json()),
            encodings: BTreeMap::new(),
            modified: None,
            link: None,
            differs_in_case: false,
        }
    }

    /// Whether a platform needs a rule for it.
    pub(super) fn needs_rule(&self) -> bool {
        !self.is_tile
            && (self.needs_type || self.link.is_some() || self.is_immutable || self.is_framed)
    }
}

/// The path of `base_url`: nothing, or `/shop`.
pub(super) fn prefix(manifest: &Manifest) -> String {
    let base = url::Url::parse(&manifest.base_url).ok();
    base.as_ref().map_or("", |url| url.path()).trim_end_matches('/').to_owned()
}
