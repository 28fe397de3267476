//! One publication, complete and immutable: every response is made from it.

mod documents;

use std::{
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
    changes,
    etag::ETag,
    manifest::{Coding, FileEntry, Manifest},
    parallel::both_if,
    query::Subject,
};
use jiff::Timestamp;

use crate::{
    data::{
        catalog::Catalog,
        collection::Collection,
        facts::{Facts, PublishedInsights, changes::ChangeList},
        name_table::NameTable,
        per_review::PerReview,
        transparency::{self, LoadedLog, TransparencyLog},
    },
    publication::urls::{Target, Urls},
    source::{LoadError, Objects, WantedObject},
};
use documents::{Documents, MemoryBudget};

/// The document from which the dynamic routes are served; always in memory.
pub(crate) const REVIEWS: &str = "reviews.json";

/// The document of the tools; it also has the aspects and sentiments of reviews, and distinguishes technicians of one
/// name.
pub(crate) const INSIGHTS: &str = "insights.json";

/// The document that agents read first.
pub(crate) const LLMS: &str = "llms.txt";

/// Bytes of `reviews.json` from which a snapshot is built on several threads. Each of them keeps memory, which counts
/// where one process has many small sites.
const LARGE: usize = 1 << 20;

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
    /// The data of the tools, derived from the reviews.
    pub(crate) facts: Arc<Facts>,
    /// The time at which `reviews.json` last changed.
    pub(crate) reviews_modified: Option<SystemTime>,
    log: Option<Arc<LoadedLog>>,
    changes: OnceLock<ChangeList>,
    catalog: OnceLock<Catalog>,
    documents: Vec<PublishedDocument>,
    urls: Urls,
    not_found: Option<usize>,
}

/// One file, with the header fields that never change while it is this file.
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

/// The place of the bytes.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    Memory(Bytes),
    Object(PathBuf),
}

/// The result of looking up a URL path.
#[derive(Debug)]
pub(crate) enum Resolved<'a> {
    Document(&'a PublishedDocument),
    /// A redirect to this percent-encoded path.
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
        let [Some(tag), insights] = sources(&manifest) else {
            return Err(LoadError::Missing(REVIEWS));
        };
        let same = previous.filter(|previous| sources(&previous.manifest) == sources(&manifest));
        let json = match same {
            Some(same) => same.collection.arena.json().clone(),
            None => objects.read(tag)?,
        };
        let memory = MemoryBudget::new(objects, previous, (tag, json.clone()));
        let (read, documents) = both_if(
            json.len() >= LARGE,
            || match same {
                Some(same) => Ok((same.collection.clone(), same.facts.clone())),
                None => read_reviews(json, insights, objects),
            },
            || Documents::of(&manifest, &manifest_bytes, serve_public, memory),
        );
        let (collection, facts) = read?;
        let Documents { list: documents, urls, not_found } = documents?;
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

    /// Estimates its memory in bytes: the documents that are in it, the manifest, and the index and the insights of the
    /// reviews.
    pub(crate) fn memory(&self) -> u64 {
        let in_memory =
            |representation: &&Representation| matches!(representation.content, Storage::Memory(_));
        let documents = self.representations().filter(in_memory);
        let documents: u64 = documents.map(|representation| representation.length).sum();
        let files = self.manifest.files.len() as u64 * FILE_MEMORY;
        documents + files + INDEX_SHARE * self.collection.arena.json().len() as u64
    }

    /// Returns the transparency log; `None` if there is none, or one that cannot be trusted.
    pub(crate) fn log(&self) -> Option<&TransparencyLog> {
        self.log.as_ref()?.log()
    }

    /// Returns all names of a kind.
    pub(crate) fn names(&self, subject: Subject) -> &NameTable {
        self.collection.names.names(subject)
    }

    /// Returns the catalogue for agents, made by the first call.
    pub(crate) fn catalog(&self, make: impl FnOnce(&Self) -> Catalog) -> &Catalog {
        self.catalog.get_or_init(|| make(self))
    }

    /// Returns the changes, if they were requested before.
    pub(crate) fn loaded_changes(&self) -> Option<&ChangeList> {
        self.changes.get()
    }

    /// Returns the list of changes. The first call reads it, and blocks.
    ///
    /// # Errors
    /// When it is not published or is not such a list.
    pub(crate) fn changes(&self) -> io::Result<&ChangeList> {
        if self.changes.get().is_none() {
            let changes = ChangeList::read(|path| self.read(path))?;
            // Whoever was first, they are the same.
            let _ = self.changes.set(changes);
        }
        self.changes.get().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns the bytes of a published file. Blocks if they are not in memory.
    ///
    /// # Errors
    /// When there is no such file, or another program changed the state directory.
    pub(crate) fn read(&self, path: &str) -> io::Result<Bytes> {
        match self.find(&format!("/{path}")) {
            Some(Resolved::Document(document)) => match &document.identity.content {
                Storage::Memory(bytes) => Ok(bytes.clone()),
                Storage::Object(path) => std::fs::read(path).map(Bytes::from),
            },
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Looks up a decoded URL path.
    pub(crate) fn find(&self, path: &str) -> Option<Resolved<'_>> {
        match self.urls.get(path)? {
            Target::Document(at) => self.documents.get(*at).map(Resolved::Document),
            Target::Redirect(to) => Some(Resolved::Redirect(to)),
        }
    }

    /// Returns the site's own page for paths that do not exist.
    pub(crate) fn not_found_page(&self) -> Option<&PublishedDocument> {
        self.documents.get(self.not_found?)
    }

    fn representations(&self) -> impl Iterator<Item = &Representation> {
        self.documents.iter().flat_map(|document| {
            let encoded = document.encoded.iter().map(|(_, representation)| representation);
            std::iter::once(&document.identity).chain(encoded)
        })
    }

    /// Returns the tags of every object that a response may still open.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &ETag> {
        self.representations().map(|representation| &representation.etag)
    }
}

/// Returns the files of a manifest that a sidecar needs: all of them to serve them, otherwise those that the dynamic
/// routes are served from.
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
        || matches!(file.path.as_str(), REVIEWS | INSIGHTS | LLMS)
        || changes::number(&file.path).is_some()
        || transparency::is_used(file)
        || manifest.topics.iter().any(|topic| topic.path == file.path)
}

/// Returns the tags of the documents that reviews are read from: `reviews.json` and `insights.json`.
fn sources(manifest: &Manifest) -> [Option<&ETag>; 2] {
    [REVIEWS, INSIGHTS].map(|path| manifest.file(path).map(|file| &file.etag))
}

/// Reads the reviews, and `insights.json` if there is one.
fn read_reviews(
    reviews: Bytes,
    insights: Option<&ETag>,
    objects: &Objects,
) -> Result<(Arc<Collection>, Arc<Facts>), LoadError> {
    let insights = insights.map(|tag| objects.read(tag)).transpose()?.unwrap_or_default();
    let per_review = PerReview::read(&insights);
    // The insights are read on this thread: a log line about them belongs to its site.
    let (insights, collection) = both_if(
        reviews.len() >= LARGE,
        || PublishedInsights::read(&insights),
        || Collection::read(reviews, &per_review),
    );
    let collection = collection.map_err(|source| LoadError::Collection { source })?;
    let facts = Facts::of(&collection, insights);
    Ok((Arc::new(collection), Arc::new(facts)))
}
