//! What was published and not yet announced. The store knows what was announced last, so it does
//! not matter when a change was made: while the hub looked, while it was down, or by whom.

use std::{cell::RefCell, collections::HashMap, fs, io, rc::Rc, sync::Arc};

use actix_web::{rt::task::spawn_blocking, web::Bytes};

use super::{
    secrets::Secret,
    store::{Announcement, Delivery, StoreError},
    topics::Topics,
    worker::Worker,
};
use crate::snapshot::{Content as Stored, Document, Found, Snapshot};

/// What is delivered of a topic now. Its body is shared by all deliveries, its signature by those
/// with one secret.
#[derive(Debug)]
pub(super) struct Current {
    pub(super) seq: i64,
    pub(super) bytes: Bytes,
    pub(super) media_type: String,
    signatures: RefCell<HashMap<Secret, String>>,
}

impl Current {
    fn new(seq: i64, bytes: Bytes, media_type: String) -> Rc<Self> {
        Rc::new(Self { seq, bytes, media_type, signatures: RefCell::default() })
    }

    /// Computed once by secret.
    pub(super) fn signature(&self, secret: &Secret) -> String {
        if let Some(known) = self.signatures.borrow().get(secret) {
            return known.clone();
        }
        let signature = secret.signature(&self.bytes);
        self.signatures.borrow_mut().insert(secret.clone(), signature.clone());
        signature
    }
}

impl Worker {
    /// Compares the current publication with what was announced, once.
    pub(super) async fn announce(&mut self) -> Result<(), StoreError> {
        let Some(snapshot) = self.shared.published.current() else { return Ok(()) };
        if std::ptr::eq(self.announced.as_ptr(), Arc::as_ptr(&snapshot)) {
            return Ok(());
        }
        self.topics = Topics::of(&snapshot.manifest);
        let offered: Vec<_> =
            self.topics.offered().iter().map(|topic| topic.path.clone()).collect();
        for path in &offered {
            self.announce_topic(&snapshot, path).await?;
        }
        let paths: Vec<_> = offered.iter().map(String::as_str).collect();
        let withdrawn = self.store.withdraw_all_but(&paths).await?;
        if withdrawn > 0 {
            tracing::info!(withdrawn, "dropped deliveries of topics that are no longer offered");
        }
        self.announced = Arc::downgrade(&snapshot);
        (self.more_deliveries_due, self.may_prune) = (true, true);
        Ok(())
    }

    async fn announce_topic(&mut self, snapshot: &Snapshot, path: &str) -> Result<(), StoreError> {
        let Some(document) = document(snapshot, path) else { return Ok(()) };
        let hash = document.identity.etag.hex();
        if self.store.content_hash(path).await?.as_deref() == Some(hash) {
            return Ok(());
        }
        let bytes = match read(document).await {
            Ok(bytes) => bytes,
            Err(error) => {
                // Only a meddling with the state directory brings this about.
                tracing::error!(%error, topic = path, "cannot read a topic to announce it");
                return Ok(());
            }
        };
        let announcement = Announcement {
            topic: path.to_owned(),
            hash: hash.to_owned(),
            media_type: media_type(document),
            origin: snapshot.manifest.base_url.clone(),
            published_at: snapshot.manifest.published_at.as_millisecond(),
            bytes,
        };
        let announced = self.store.announce(&announcement, self.clock.now()).await?;
        let Some((seq, subscribers)) = announced else { return Ok(()) };
        tracing::info!(topic = path, seq, subscribers, "announced");
        self.shared.metrics.announcement(path);
        // The bytes before these are no longer stored.
        self.must_scrub = true;
        let Announcement { bytes, media_type, .. } = announcement;
        self.contents.insert(path.to_owned(), Current::new(seq, bytes, media_type));
        Ok(())
    }

    /// The content to send instead of the one a delivery was made for: the newest. `None` for a
    /// topic that is no longer offered.
    pub(super) async fn current(
        &mut self,
        delivery: &Delivery,
    ) -> Result<Option<Rc<Current>>, StoreError> {
        let topic = &delivery.key.topic;
        if self.topics.get(topic).is_none() {
            return Ok(None);
        }
        if let Some(known) = self.contents.get(topic).filter(|known| known.seq >= delivery.seq) {
            return Ok(Some(known.clone()));
        }
        let Some(content) = self.store.content(topic).await? else { return Ok(None) };
        let bytes = match content.bytes {
            Some(bytes) => bytes,
            None => match self.published_bytes(topic, &content.hash).await {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
        };
        let current = Current::new(content.seq, bytes, content.media_type);
        self.contents.insert(topic.clone(), current.clone());
        Ok(Some(current))
    }

    /// The bytes of this hash, if they are what is published now.
    async fn published_bytes(&self, topic: &str, hash: &str) -> Option<Bytes> {
        let snapshot = self.shared.published.current()?;
        let document = document(&snapshot, topic)?;
        match document.identity.etag.hex() == hash {
            true => read(document).await.ok(),
            false => None,
        }
    }
}

fn document<'a>(snapshot: &'a Snapshot, path: &str) -> Option<&'a Document> {
    match snapshot.find(&format!("/{path}")) {
        Some(Found::Document(document)) => Some(document),
        _ => None,
    }
}

/// The whole `Content-Type` of the topic itself, so that a delivery's is equal to it.
fn media_type(document: &Document) -> String {
    String::from_utf8_lossy(document.media_type.as_bytes()).into_owned()
}

async fn read(document: &Document) -> io::Result<Bytes> {
    match &document.identity.content {
        Stored::Memory(bytes) => Ok(bytes.clone()),
        Stored::Object(path) => {
            let path = path.clone();
            let read = spawn_blocking(move || fs::read(path)).await;
            Ok(read.map_err(io::Error::other)??.into())
        }
    }
}
