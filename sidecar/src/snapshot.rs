//! One publication, complete and immutable: every response is made from it.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use actix_web::{
    http::header::{HeaderName, HeaderValue},
    web::Bytes,
};
use contract::{
    etag::ETag,
    fields,
    manifest::{Coding, FileEntry, Link, MANIFEST_PATH, Manifest},
    query::Subject,
    security::is_framed,
};
use jiff::Timestamp;

use crate::{
    catalog::Catalog,
    collection::Collection,
    facts::{Facts, changes::ChangeList},
    name_table::NameTable,
    per_review::PerReview,
    source::LoadError,
    source::{Objects, WantedObject},
    transparency::{self, LoadedLog, TransparencyLog},
    urls::{Target, Urls},
};

/// The document the dynamic routes are served from; always in memory.
pub(crate) const REVIEWS: &str = "reviews.json";

/// The data of the tools; it also says which reviews have which aspects and sentiments, and
/// distinguishes technicians of one name.
pub(crate) const INSIGHTS: &str = "insights.json";

/// The changes, read into memory at the first request.
pub(crate) const CHANGES: &str = "changes.json";

/// What agents read first.
pub(crate) const LLMS: &str = "llms.txt";

/// Files up to this many bytes are held in memory …
const MEMORY_FILE: u64 = 256 * 1024;

/// … as long as all of them together take no more than this.
const MEMORY_BUDGET: u64 = 256 * 1024 * 1024;

/// Bytes of memory for an entry of the manifest.
const FILE_MEMORY: u64 = 256;

/// Bytes of memory for each byte of `reviews.json` beside the document.
const INDEX_SHARE: u64 = 2;

/// A site as one manifest describes it. Every byte was checked against its tag.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) manifest: Manifest,
    /// The manifest's exact bytes.
    pub(crate) manifest_bytes: Bytes,
    pub(crate) loaded_at: Timestamp,
    /// The reviews, for the dynamic routes.
    pub(crate) collection: Arc<Collection>,
    /// What follows from the reviews, for the tools.
    pub(crate) facts: Arc<Facts>,
    /// When `reviews.json` last changed.
    pub(crate) reviews_modified: Option<SystemTime>,
    log: Option<Arc<LoadedLog>>,
    changes: OnceLock<ChangeList>,
    catalog: OnceLock<Catalog>,
    documents: Vec<PublishedDocument>,
    urls: Urls,
    not_found: Option<usize>,
}

/// One file and the headers that never change while it is this file.
#[derive(Debug)]
pub(crate) struct PublishedDocument {
    pub(crate) media_type: HeaderValue,
    pub(crate) link: Option<HeaderValue>,
    pub(crate) cache_control: &'static str,
    pub(crate) security: SecurityFields,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) identity: Representation,
    pub(crate) encoded: Vec<(Coding, Representation)>,
}

/// The header fields that protect readers, shared by all documents that have the same.
pub(crate) type SecurityFields = Arc<[(HeaderName, HeaderValue)]>;

/// The bytes of a document in one coding.
#[derive(Clone, Debug)]
pub(crate) struct Representation {
    pub(crate) etag: ETag,
    pub(crate) length: u64,
    pub(crate) content: Storage,
}

/// Where the bytes are.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    Memory(Bytes),
    Object(PathBuf),
}

/// What a URL path leads to.
#[derive(Debug)]
pub(crate) enum Resolved<'a> {
    Document(&'a PublishedDocument),
    /// To this percent-encoded path.
    Redirect(&'a str),
}

impl Snapshot {
    /// Builds a snapshot of files that are all in the store.
    pub(crate) fn new(
        manifest: Manifest,
        manifest_bytes: Bytes,
        serve_public: bool,
        objects: &Objects,
        previous: Option<&Self>,
    ) -> Result<Self, LoadError> {
        let mut memory = MemoryBudget::new(objects, previous);
        let (collection, facts) = memory.collection(&manifest, previous)?;
        let security = [security_fields(&manifest, "/")?, security_fields(&manifest, "/embed/")?];
        let mut documents = Vec::new();
        let mut urls = Urls::default();
        let mut not_found = None;
        for file in manifest.files.iter().filter(|file| is_used(&manifest, file, serve_public)) {
            urls.add(file, documents.len());
            if file.path == "404.html" {
                not_found = Some(documents.len());
            }
            let security = security[usize::from(is_framed(&file.path))].clone();
            documents.push(memory.document(file, security, serve_public)?);
        }
        urls.add_document(format!("/{MANIFEST_PATH}"), documents.len());
        let [security, _] = security;
        documents.push(PublishedDocument::of_manifest(manifest_bytes.clone(), security));
        let reviews_modified = manifest.file(REVIEWS).map(|file| file.modified.into());
        let loaded_at = Timestamp::now();
        let mut snapshot = Self {
            manifest,
            manifest_bytes,
            loaded_at,
            collection,
            facts,
            reviews_modified,
            log: None,
            changes: OnceLock::new(),
            catalog: OnceLock::new(),
            documents,
            urls,
            not_found,
        };
        let before = previous.and_then(|previous| previous.log.as_ref());
        // It shares the bytes of documents that are in memory.
        snapshot.log = LoadedLog::of(&snapshot.manifest, before, |path| snapshot.read(path));
        Ok(snapshot)
    }

    /// An estimate of its memory in bytes: the documents that are in it, the manifest, and the index
    /// and the insights of the reviews.
    pub(crate) fn memory(&self) -> u64 {
        let in_memory =
            |representation: &&Representation| matches!(representation.content, Storage::Memory(_));
        let documents = self.representations().filter(in_memory);
        let documents: u64 = documents.map(|representation| representation.length).sum();
        let files = self.manifest.files.len() as u64 * FILE_MEMORY;
        documents + files + INDEX_SHARE * self.collection.arena.json().len() as u64
    }

    /// The transparency log; `None` if there is none, or one that cannot be trusted.
    pub(crate) fn log(&self) -> Option<&TransparencyLog> {
        self.log.as_ref()?.log()
    }

    /// Everything of a kind, by name.
    pub(crate) fn names(&self, subject: Subject) -> &NameTable {
        self.collection.names.names(subject)
    }

    /// What agents are offered of this publication.
    pub(crate) fn catalog(&self, make: impl FnOnce(&Self) -> Catalog) -> &Catalog {
        self.catalog.get_or_init(|| make(self))
    }

    /// The changes, once somebody asked for them.
    pub(crate) fn loaded_changes(&self) -> Option<&ChangeList> {
        self.changes.get()
    }

    /// The list of changes. The first call reads it, and blocks.
    ///
    /// # Errors
    /// When it is not published or is no such list.
    pub(crate) fn changes(&self) -> io::Result<&ChangeList> {
        if self.changes.get().is_none() {
            let changes = ChangeList::read(self.read(CHANGES)?).map_err(io::Error::other)?;
            // Whoever was first, they are the same.
            let _ = self.changes.set(changes);
        }
        self.changes.get().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The bytes of a published file. Blocks where they are not in memory.
    ///
    /// # Errors
    /// When there is no such file, or the state directory was meddled with.
    pub(crate) fn read(&self, path: &str) -> io::Result<Bytes> {
        match self.find(&format!("/{path}")) {
            Some(Resolved::Document(document)) => match &document.identity.content {
                Storage::Memory(bytes) => Ok(bytes.clone()),
                Storage::Object(path) => std::fs::read(path).map(Bytes::from),
            },
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// What a decoded URL path leads to.
    pub(crate) fn find(&self, path: &str) -> Option<Resolved<'_>> {
        match self.urls.get(path)? {
            Target::Document(at) => self.documents.get(*at).map(Resolved::Document),
            Target::Redirect(to) => Some(Resolved::Redirect(to)),
        }
    }

    /// The site's own page for what does not exist.
    pub(crate) fn not_found_page(&self) -> Option<&PublishedDocument> {
        self.documents.get(self.not_found?)
    }

    fn representations(&self) -> impl Iterator<Item = &Representation> {
        self.documents.iter().flat_map(|document| {
            let encoded = document.encoded.iter().map(|(_, representation)| representation);
            std::iter::once(&document.identity).chain(encoded)
        })
    }

    /// The tags of every object an answer may still open.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &ETag> {
        self.representations().map(|representation| &representation.etag)
    }
}

impl PublishedDocument {
    /// The manifest is published too. It has no `Last-Modified`: two publications may fall into one
    /// second.
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

/// The files a sidecar needs of a manifest: all of them to serve them, otherwise what the dynamic
/// routes answer from.
pub(crate) fn wanted(manifest: &Manifest, serve_public: bool) -> Vec<WantedObject> {
    let used = manifest.files.iter().filter(|file| is_used(manifest, file, serve_public));
    let mut wanted = Vec::new();
    for file in used {
        let (etag, length) = (file.etag.clone(), file.length);
        wanted.push(WantedObject { name: file.path.clone(), coding: None, etag, length });
        for (coding, encoded) in file.encodings.iter().filter(|_| serve_public) {
            let (etag, length) = (encoded.etag.clone(), encoded.length);
            wanted.push(WantedObject {
                name: file.sibling(*coding),
                coding: Some(*coding),
                etag,
                length,
            });
        }
    }
    wanted
}

fn is_used(manifest: &Manifest, file: &FileEntry, serve_public: bool) -> bool {
    serve_public
        || matches!(file.path.as_str(), REVIEWS | INSIGHTS | CHANGES | LLMS)
        || transparency::is_used(file)
        || manifest.topics.iter().any(|topic| topic.path == file.path)
}

/// Reads small files into memory while the budget lasts.
struct MemoryBudget<'a> {
    objects: &'a Objects,
    /// What the snapshot before this one holds already.
    held: HashMap<&'a str, Bytes>,
    /// Where answers come from and the file too, so that its bytes are in memory once.
    reviews: Option<(ETag, Bytes)>,
    left: u64,
}

impl<'a> MemoryBudget<'a> {
    fn new(objects: &'a Objects, previous: Option<&'a Snapshot>) -> Self {
        let representations = previous.into_iter().flat_map(Snapshot::representations);
        let held = representations.filter_map(|representation| match &representation.content {
            Storage::Memory(bytes) => Some((representation.etag.hex(), bytes.clone())),
            Storage::Object(_) => None,
        });
        Self { objects, held: held.collect(), reviews: None, left: MEMORY_BUDGET }
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
            Some((reviews, bytes)) if reviews == etag => Storage::Memory(bytes.clone()),
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
            None => {
                std::fs::read(self.objects.path(etag)).map(Bytes::from).map_err(LoadError::Store)
            }
        }
    }

    /// The reviews, or those of the snapshot before if nothing they follow from changed.
    fn collection(
        &mut self,
        manifest: &Manifest,
        previous: Option<&Snapshot>,
    ) -> Result<(Arc<Collection>, Arc<Facts>), LoadError> {
        let tag = |manifest: &Manifest, path| manifest.file(path).map(|file| file.etag.clone());
        let of = |manifest| (tag(manifest, REVIEWS), tag(manifest, INSIGHTS));
        let (Some(reviews), insights) = of(manifest) else {
            return Err(LoadError::Missing(REVIEWS));
        };
        let same = previous.filter(|previous| of(&previous.manifest) == of(manifest));
        let (collection, facts) = match same {
            Some(same) => (same.collection.clone(), same.facts.clone()),
            None => {
                let insights = insights.as_ref().map(|tag| self.read(tag)).transpose()?;
                let insights = insights.as_deref().unwrap_or_default();
                let per_review = PerReview::read(insights);
                let collection = Collection::read(self.read(&reviews)?, &per_review)
                    .map_err(|source| LoadError::Collection { source })?;
                let facts = Facts::of(&collection, insights);
                (Arc::new(collection), Arc::new(facts))
            }
        };
        self.reviews = Some((reviews, collection.arena.json().clone()));
        Ok((collection, facts))
    }
}

/// The fields of every document that is framed like the one at this path.
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
