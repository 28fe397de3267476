//! The documents of a snapshot: their bytes or the place of those, their header fields, their addresses.

use std::collections::HashMap;

use actix_web::{
    http::header::{HeaderName, HeaderValue},
    web::Bytes,
};
use contract::{
    etag::ETag,
    fields,
    manifest::{Coding, FileEntry, Link, MANIFEST_PATH, Manifest, NOT_FOUND_PAGE},
    security::is_framed,
};

use super::{PublishedDocument, Representation, SecurityFields, Snapshot, Storage, is_used};
use crate::{
    publication::urls::Urls,
    source::{LoadError, Objects},
};

/// Maximum bytes of a file that is kept in memory.
const MEMORY_FILE: u64 = 256 * 1024;

/// Maximum bytes of all files in memory together.
const MEMORY_BUDGET: u64 = 256 * 1024 * 1024;

/// The documents that are served.
pub(super) struct Documents {
    pub(super) list: Vec<PublishedDocument>,
    pub(super) urls: Urls,
    pub(super) not_found: Option<usize>,
}

impl Documents {
    /// Makes the documents of a manifest, and that of the manifest.
    pub(super) fn of(
        manifest: &Manifest,
        manifest_bytes: &Bytes,
        serve_public: bool,
        mut memory: MemoryBudget<'_>,
    ) -> Result<Self, LoadError> {
        let security = [security_fields(manifest, "/")?, security_fields(manifest, "/embed/")?];
        let mut list = Vec::new();
        let mut urls = Urls::default();
        let mut not_found = None;
        for file in manifest.files.iter().filter(|file| is_used(manifest, file, serve_public)) {
            urls.add(file, list.len());
            if file.path == NOT_FOUND_PAGE {
                not_found = Some(list.len());
            }
            let security = security[usize::from(is_framed(&file.path))].clone();
            list.push(memory.document(file, security, serve_public)?);
        }
        urls.add_document(format!("/{MANIFEST_PATH}"), list.len());
        let [security, _] = security;
        list.push(PublishedDocument::of_manifest(manifest_bytes.clone(), security));
        Ok(Self { list, urls, not_found })
    }
}

impl PublishedDocument {
    /// Makes the document of the manifest, which is published too. It has no `Last-Modified`: two publications may be
    /// of one second.
    fn of_manifest(bytes: Bytes, security: SecurityFields) -> Self {
        let length = bytes.len() as u64;
        let etag = ETag::of(&bytes);
        Self {
            media_type: HeaderValue::from_static("application/json"),
            link: None,
            cache_control: fields::REVALIDATE,
            security,
            modified: None,
            identity: Representation { etag, length, content: Storage::Memory(bytes) },
            encoded: Vec::new(),
        }
    }
}

/// Reads small files into memory while the budget lasts.
pub(super) struct MemoryBudget<'a> {
    objects: &'a Objects,
    /// The bytes that the previous snapshot has in memory.
    held: HashMap<&'a str, Bytes>,
    /// The tag and the bytes of `reviews.json`, shared by the file and the routes, so that they are in memory once.
    reviews: (&'a ETag, Bytes),
    left: u64,
}

impl<'a> MemoryBudget<'a> {
    /// Starts with an empty budget. `reviews` is the tag and the bytes of `reviews.json`.
    pub(super) fn new(
        objects: &'a Objects,
        previous: Option<&'a Snapshot>,
        reviews: (&'a ETag, Bytes),
    ) -> Self {
        let representations = previous.into_iter().flat_map(Snapshot::representations);
        let held = representations.filter_map(|representation| match &representation.content {
            Storage::Memory(bytes) => Some((representation.etag.hex(), bytes.clone())),
            Storage::Object(_) => None,
        });
        Self { objects, held: held.collect(), reviews, left: MEMORY_BUDGET }
    }

    fn document(
        &mut self,
        file: &FileEntry,
        security: SecurityFields,
        serve_public: bool,
    ) -> Result<PublishedDocument, LoadError> {
        let mut encoded = Vec::new();
        for coding in Coding::ALL {
            if let Some(sibling) = file.encodings.get(&coding).filter(|_| serve_public) {
                encoded.push((coding, self.representation(&sibling.etag, sibling.length)?));
            }
        }
        Ok(PublishedDocument {
            media_type: header(file, "media type", &file.media_type)?,
            link: Link::field(&file.links)
                .map(|links| header(file, "links", &links))
                .transpose()?,
            cache_control: fields::cache_control(&file.path),
            security,
            modified: Some(file.modified.into()),
            identity: self.representation(&file.etag, file.length)?,
            encoded,
        })
    }

    fn representation(&mut self, etag: &ETag, length: u64) -> Result<Representation, LoadError> {
        let content = match &self.reviews {
            (reviews, bytes) if *reviews == etag => Storage::Memory(bytes.clone()),
            _ if length <= MEMORY_FILE.min(self.left) => {
                self.left -= length;
                Storage::Memory(self.read(etag)?)
            }
            _ => Storage::Object(self.objects.path(etag)),
        };
        Ok(Representation { etag: etag.clone(), length, content })
    }

    fn read(&self, etag: &ETag) -> Result<Bytes, LoadError> {
        match self.held.get(etag.hex()) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.objects.read(etag),
        }
    }
}

/// Returns the fields of every document that is framed like the one at this path.
fn security_fields(manifest: &Manifest, path: &str) -> Result<SecurityFields, LoadError> {
    let fields = manifest.security.fields(path).into_iter();
    let field = |(name, value): (&str, String)| {
        let refused = || LoadError::Header { file: MANIFEST_PATH.to_owned(), what: "security" };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
        Ok((name, HeaderValue::from_str(&value).map_err(|_| refused())?))
    };
    fields.map(field).collect()
}

fn header(file: &FileEntry, what: &'static str, text: &str) -> Result<HeaderValue, LoadError> {
    HeaderValue::from_str(text).map_err(|_| LoadError::Header { file: file.path.clone(), what })
}
