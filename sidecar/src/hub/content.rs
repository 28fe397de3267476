//! The content of a topic: the body of its deliveries, and its document in a publication.

use std::{cell::RefCell, collections::HashMap, fs, io, rc::Rc};

use actix_web::{rt::task::spawn_blocking, web::Bytes};

use super::secrets::Secret;
use crate::publication::snapshot::{PublishedDocument, Resolved, Snapshot, Storage};

/// The content of a topic with this number. All deliveries share its body, and those with one secret share its
/// signature.
#[derive(Debug)]
pub(super) struct TopicContent {
    pub(super) seq: i64,
    pub(super) bytes: Bytes,
    /// The whole `Content-Type` of the topic, so that a delivery's is equal to it.
    pub(super) media_type: String,
    signatures: RefCell<HashMap<Secret, String>>,
}

impl TopicContent {
    pub(super) fn new(seq: i64, bytes: Bytes, media_type: String) -> Rc<Self> {
        Rc::new(Self { seq, bytes, media_type, signatures: RefCell::default() })
    }

    /// Returns the value of `X-Hub-Signature`, computed once per secret.
    pub(super) fn signature(&self, secret: &Secret) -> String {
        if let Some(known) = self.signatures.borrow().get(secret) {
            return known.clone();
        }
        let signature = secret.signature(&self.bytes);
        self.signatures.borrow_mut().insert(secret.clone(), signature.clone());
        signature
    }
}

/// Returns the document of a topic in a publication.
pub(super) fn document<'a>(snapshot: &'a Snapshot, path: &str) -> Option<&'a PublishedDocument> {
    match snapshot.find(&format!("/{path}")) {
        Some(Resolved::Document(document)) => Some(document),
        _ => None,
    }
}

/// Returns the bytes of a document, from memory or from its object.
pub(super) async fn read(document: &PublishedDocument) -> io::Result<Bytes> {
    match &document.identity.content {
        Storage::Memory(bytes) => Ok(bytes.clone()),
        Storage::Object(path) => {
            let path = path.clone();
            let read = spawn_blocking(move || fs::read(path)).await;
            Ok(read.map_err(io::Error::other)??.into())
        }
    }
}
