//! The announcer: compares each publication with what the store announced last, and writes a new
//! content with its due deliveries where they differ. A change is found whenever it was made: while
//! the hub ran, while it was down, or by another process.

use std::{
    rc::Rc,
    sync::{Arc, Weak},
};

use tokio::{
    select,
    sync::{mpsc, watch},
};

use super::{
    content::{TopicContent, document, read},
    record::Record,
    stages::Context,
    store::{Announcement, StoreError},
    topics::Topics,
};
use crate::snapshot::Snapshot;

/// A topic has new content, and its deliveries are due.
#[derive(Debug)]
pub(super) struct Announced {
    /// The topic's file.
    pub(super) topic: String,
    pub(super) content: Rc<TopicContent>,
}

/// See the module.
pub(super) struct Announcer {
    context: Context,
    /// The publication that was compared with the store.
    compared: Weak<Snapshot>,
    /// The topics offered now. They are sent before any content of their publication is written.
    topics: watch::Sender<Topics>,
    deliverer: mpsc::UnboundedSender<Announced>,
    recorder: mpsc::UnboundedSender<Record>,
}

impl Announcer {
    pub(super) fn new(
        context: Context,
        topics: watch::Sender<Topics>,
        deliverer: mpsc::UnboundedSender<Announced>,
        recorder: mpsc::UnboundedSender<Record>,
    ) -> Self {
        Self { context, compared: Weak::new(), topics, deliverer, recorder }
    }

    /// Announces until the hub stops.
    pub(super) async fn run(mut self) {
        let mut tick = self.context.tick();
        loop {
            if self.context.is_writable() {
                let announced = self.announce().await;
                self.context.check(announced);
            }
            select! {
                () = self.context.shared.published.changed() => {}
                _ = tick.tick() => {}
                () = self.context.stop.asked() => break,
            }
        }
    }

    /// Compares the current publication with the store, once.
    async fn announce(&mut self) -> Result<(), StoreError> {
        let Some(snapshot) = self.context.shared.published.current() else { return Ok(()) };
        if std::ptr::eq(self.compared.as_ptr(), Arc::as_ptr(&snapshot)) {
            return Ok(());
        }
        let topics = Topics::of(&snapshot.manifest);
        self.topics.send_replace(topics.clone());
        for topic in topics.offered() {
            self.announce_topic(&snapshot, &topic.path).await?;
        }
        let paths: Vec<_> = topics.offered().iter().map(|topic| topic.path.as_str()).collect();
        let withdrawn = self.context.store.withdraw_all_but(&paths).await?;
        if withdrawn > 0 {
            tracing::info!(withdrawn, "dropped deliveries of topics that are no longer offered");
        }
        self.compared = Arc::downgrade(&snapshot);
        Ok(())
    }

    async fn announce_topic(&self, snapshot: &Snapshot, path: &str) -> Result<(), StoreError> {
        let Some(document) = document(snapshot, path) else { return Ok(()) };
        let hash = document.identity.etag.hex();
        if self.context.store.content_hash(path).await?.as_deref() == Some(hash) {
            return Ok(());
        }
        let bytes = match read(document).await {
            Ok(bytes) => bytes,
            Err(error) => {
                // Only a change of the state directory by hand causes this.
                tracing::error!(%error, topic = path, "cannot read a topic to announce it");
                return Ok(());
            }
        };
        let announcement = Announcement {
            topic: path.to_owned(),
            hash: hash.to_owned(),
            media_type: String::from_utf8_lossy(document.media_type.as_bytes()).into_owned(),
            origin: snapshot.manifest.base_url.clone(),
            published_at: snapshot.manifest.published_at.as_millisecond(),
            bytes,
        };
        let announced = self.context.store.announce(&announcement, self.context.now()).await?;
        let Some((seq, subscribers)) = announced else { return Ok(()) };
        tracing::info!(topic = path, seq, subscribers, "announced");
        self.context.shared.metrics.announcement(path);
        let Announcement { topic, bytes, media_type, .. } = announcement;
        let content = TopicContent::new(seq, bytes, media_type);
        // Both fail only while stopping.
        let _ = self.deliverer.send(Announced { topic, content });
        let _ = self.recorder.send(Record::ContentReplaced);
        Ok(())
    }
}
