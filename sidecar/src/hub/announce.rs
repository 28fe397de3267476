//! The announcer: compares each publication of each site with the last one that the store announced, and writes a new
//! content with its due deliveries if they differ. A change is found whenever it was made: while the hub ran, while it
//! was down, or by another process.

use std::{collections::HashMap, rc::Rc, sync::Arc};

use contract::{etag::ETag, manifest::Manifest};
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};

use super::{
    content::{TopicContent, document, read},
    context::Context,
    record::Record,
    store::{Announcement, StoreError, site_name},
    topics::{Topics, TopicsBySite},
};
use crate::{publication::snapshot::Snapshot, sites::Sites};

/// A change of a topic's content whose deliveries are due.
#[derive(Debug)]
pub(super) struct Announced {
    pub(super) site: String,
    /// The topic's file.
    pub(super) topic: String,
    pub(super) content: Rc<TopicContent>,
}

/// A publication that was compared with the store.
#[derive(Debug, PartialEq, Eq)]
struct Compared {
    build_id: ETag,
    published_at: Timestamp,
    /// Whether its topics are offered to the deliverer: its site has subscribers, or is the only one.
    is_followed: bool,
}

/// The stage that announces; see the module.
pub(super) struct Announcer {
    context: Context,
    /// The publication of each site that was last compared with the store.
    compared: HashMap<String, Compared>,
    /// The offered topics. They are sent before any content of their publication is written.
    topics: watch::Sender<TopicsBySite>,
    deliverer: mpsc::UnboundedSender<Announced>,
    recorder: mpsc::UnboundedSender<Record>,
}

impl Announcer {
    pub(super) fn new(
        context: Context,
        topics: watch::Sender<TopicsBySite>,
        deliverer: mpsc::UnboundedSender<Announced>,
        recorder: mpsc::UnboundedSender<Record>,
    ) -> Self {
        Self { context, compared: HashMap::new(), topics, deliverer, recorder }
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
                () = self.context.shared.sites.changed() => {}
                _ = tick.tick() => {}
                () = self.context.stop.asked() => break,
            }
        }
    }

    /// Compares every publication that is loaded with the store, once.
    async fn announce(&mut self) -> Result<(), StoreError> {
        let sites = self.context.shared.sites.clone();
        self.forget_removed(&sites);
        for site in sites.loaded() {
            let Some(snapshot) = site.published.current() else { continue };
            let Manifest { build_id, published_at, .. } = &snapshot.manifest;
            let compared = Compared {
                build_id: build_id.clone(),
                published_at: *published_at,
                is_followed: site.is_only() || site.is_followed(),
            };
            if self.compared.get(site.name()) != Some(&compared) {
                self.announce_site(site.name(), &snapshot, compared.is_followed).await?;
                self.compared.insert(site.name().to_owned(), compared);
            }
            let is_current = |now: &Arc<Snapshot>| Arc::ptr_eq(now, &snapshot);
            site.set_compared(site.published.current().as_ref().is_some_and(is_current));
        }
        Ok(())
    }

    /// Withdraws the topics of sites that are no longer served. Those of a site that was unloaded remain: the store has
    /// the bytes to deliver.
    fn forget_removed(&mut self, sites: &Sites) {
        let before = self.compared.len();
        self.compared.retain(|site, _| sites.by_name(site).is_some());
        if self.compared.len() < before {
            let compared = &self.compared;
            self.topics.send_modify(|topics| topics.retain(|site, _| compared.contains_key(site)));
        }
    }

    async fn announce_site(
        &self,
        site: &str,
        snapshot: &Snapshot,
        is_followed: bool,
    ) -> Result<(), StoreError> {
        let topics = Topics::of(&snapshot.manifest);
        if is_followed {
            let offer = |offered: &mut TopicsBySite| {
                offered.insert(site.to_owned(), topics.clone());
            };
            self.topics.send_modify(offer);
        }
        for topic in topics.offered() {
            self.announce_topic(site, snapshot, &topic.path).await?;
        }
        let paths: Vec<_> = topics.offered().iter().map(|topic| topic.path.as_str()).collect();
        let withdrawn = self.context.store.withdraw_all_but(site, &paths).await?;
        if withdrawn > 0 {
            tracing::info!(
                site = site_name(site),
                withdrawn,
                "dropped deliveries of topics that are no longer offered"
            );
        }
        Ok(())
    }

    async fn announce_topic(
        &self,
        site: &str,
        snapshot: &Snapshot,
        path: &str,
    ) -> Result<(), StoreError> {
        let Some(document) = document(snapshot, path) else { return Ok(()) };
        let hash = document.identity.etag.hex();
        if self.context.store.content_hash(site, path).await?.as_deref() == Some(hash) {
            return Ok(());
        }
        let bytes = match read(document).await {
            Ok(bytes) => bytes,
            Err(error) => {
                // Only a change of the state directory by hand causes this.
                tracing::error!(%error, site = site_name(site), topic = path, "cannot read a topic to announce it");
                return Ok(());
            }
        };
        let announcement = Announcement {
            site: site.to_owned(),
            topic: path.to_owned(),
            hash: hash.to_owned(),
            media_type: String::from_utf8_lossy(document.media_type.as_bytes()).into_owned(),
            origin: snapshot.manifest.base_url.clone(),
            published_at: snapshot.manifest.published_at.as_millisecond(),
            bytes,
        };
        let announced = self.context.store.announce(&announcement, self.context.now()).await?;
        let Some((seq, subscribers)) = announced else { return Ok(()) };
        match subscribers {
            // Each topic of every site, once; a log of many sites would have little else.
            0 => tracing::debug!(site = site_name(site), topic = path, seq, "announced"),
            _ => {
                tracing::info!(site = site_name(site), topic = path, seq, subscribers, "announced")
            }
        }
        self.context.shared.metrics.announcement(path);
        let Announcement { site, topic, bytes, media_type, .. } = announcement;
        let content = TopicContent::new(seq, bytes, media_type);
        // Both fail only while stopping.
        if subscribers > 0 {
            let _ = self.deliverer.send(Announced { site, topic, content });
        }
        let _ = self.recorder.send(Record::ContentReplaced);
        Ok(())
    }
}
