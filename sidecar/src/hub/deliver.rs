//! The deliverer: claims deliveries that are due and posts the content of their topics to the
//! callbacks (WebSub §7). Every delivery sends the newest content, whatever it was claimed for.

use std::{collections::HashMap, rc::Rc};

use actix_web::web::Bytes;
use tokio::sync::{mpsc, watch};

use super::{
    announce::Announced,
    calls::Calls,
    client::{CallOutcome, HubClient, Post},
    clock::millis,
    content::{TopicContent, document, read},
    context::Context,
    denial::denial_url,
    record::Record,
    secrets::Keyring,
    store::{ClaimSites, Delivered, Delivery, PairKey, Settled, StoreError},
    subscription::{Event, PostResult},
    topics::TopicsBySite,
};

/// Maximum number of deliveries that are claimed at once.
const BATCH: usize = 256;

/// The number of contents of topics in memory above which all are dropped: the store has them.
const CONTENTS: usize = 256;

/// The stage that delivers; see the module.
pub(super) struct Deliverer {
    context: Context,
    topics: watch::Receiver<TopicsBySite>,
    announced: mpsc::UnboundedReceiver<Announced>,
    keys: Rc<Keyring>,
    client: HubClient,
    calls: Calls<Delivery, PostResult>,
    /// Whether more deliveries may be due than were claimed.
    more_due: bool,
    /// The newest known content by site and topic, while deliveries are in progress.
    contents: HashMap<(String, String), Rc<TopicContent>>,
    recorder: mpsc::UnboundedSender<Record>,
}

impl Deliverer {
    pub(super) fn new(
        context: Context,
        topics: watch::Receiver<TopicsBySite>,
        announced: mpsc::UnboundedReceiver<Announced>,
        keys: Rc<Keyring>,
        client: HubClient,
        recorder: mpsc::UnboundedSender<Record>,
    ) -> Self {
        let limits = &context.shared.config.limits;
        let calls = Calls::new(limits.deliveries, limits.deliveries_by_host);
        let (more_due, contents) = (true, HashMap::new());
        Self { context, topics, announced, keys, client, calls, more_due, contents, recorder }
    }

    /// Delivers until the hub stops.
    pub(super) async fn run(mut self) {
        let mut tick = self.context.tick();
        loop {
            if self.context.is_writable() {
                let begun = self.begin_due().await;
                self.context.check(begun);
                self.context.shared.metrics.running(self.calls.queues().running());
            }
            select! {
                Some(Announced { site, topic, content }) = self.announced.recv() => {
                    self.contents.insert((site, topic), content);
                    self.more_due = true;
                }
                Ok(()) = self.topics.changed() => self.more_due = true,
                ended = self.calls.ended() => self.finish_all(ended),
                _ = tick.tick() => self.more_due = true,
                () = self.context.stop.asked() => break,
            }
        }
        self.stop().await;
    }

    /// Begins the deliveries that are due, within the limits.
    async fn begin_due(&mut self) -> Result<(), StoreError> {
        let room = self.calls.queues().room().min(BATCH);
        let limit = self.context.shared.config.limits.deliveries;
        let offered = self.offered_sites();
        if self.more_due && !offered.is_empty() && room * 4 >= BATCH.min(limit) {
            self.claim(offered).await?;
        }
        let mut unfit = Vec::new();
        while let Some(delivery) = self.calls.queues().next() {
            match self.content(&delivery).await {
                Ok(Some((content, link))) if self.has_time(&delivery) => {
                    self.begin(delivery, &content, link);
                }
                Ok(_) => {
                    self.calls.skip(&delivery);
                    unfit.push(delivery);
                }
                Err(error) => {
                    // The claim expires.
                    self.calls.skip(&delivery);
                    return Err(error);
                }
            }
        }
        if self.calls.queues().is_idle() || self.contents.len() > CONTENTS {
            self.contents.clear();
        }
        self.release(unfit).await
    }

    /// Returns the sites that have topics. Without its publication nothing of a site can be delivered.
    fn offered_sites(&self) -> Vec<String> {
        let topics = self.topics.borrow();
        let offered = topics.iter().filter(|(_, topics)| !topics.offered().is_empty());
        offered.map(|(site, _)| site.clone()).collect()
    }

    async fn claim(&mut self, offered: Vec<String>) -> Result<(), StoreError> {
        let queues = self.calls.queues();
        let count = queues.claim_size().min(BATCH);
        let (busy_hosts, busy_sites) = (queues.busy_hosts(), queues.busy_sites());
        let is_free = |site: &String| !busy_sites.contains(site);
        let free: Vec<_> = offered.into_iter().filter(is_free).collect();
        let limits = self.context.claim_limits(count, &busy_hosts, ClaimSites::Only(&free));
        let claimed = self.context.store.claim_deliveries(limits).await?;
        self.more_due = claimed.len() == count || !busy_hosts.is_empty() || !busy_sites.is_empty();
        let surplus = self.calls.queues().enqueue_all(claimed);
        self.release(surplus).await
    }

    /// Whether the claim lasts as long as the delivery may take.
    fn has_time(&self, delivery: &Delivery) -> bool {
        let least = millis(self.context.shared.config.claim / 2);
        delivery.claimed_until - self.context.now() >= least
    }

    /// Returns the newest content of the delivery's topic with its `Link` field; `None` for a topic that is not offered
    /// now.
    async fn content(
        &mut self,
        delivery: &Delivery,
    ) -> Result<Option<(Rc<TopicContent>, String)>, StoreError> {
        let PairKey { site, topic, .. } = &delivery.key;
        let name = (site.clone(), topic.clone());
        let known = self.contents.get(&name).filter(|known| known.seq >= delivery.seq);
        let content = match known.cloned() {
            Some(content) => Some(content),
            None => self.load(name).await?,
        };
        // The link is read after the content: the topics are at least as new as any content.
        let topics = self.topics.borrow();
        let topic = topics.get(site).and_then(|topics| topics.get(topic));
        let link = topic.map(|topic| topic.link.clone());
        Ok(content.zip(link))
    }

    /// Reads the newest content in the store.
    async fn load(
        &mut self,
        (site, topic): (String, String),
    ) -> Result<Option<Rc<TopicContent>>, StoreError> {
        let stored = self.context.store.content(&site, &topic).await?;
        let Some(stored) = stored else { return Ok(None) };
        let bytes = match stored.bytes {
            Some(bytes) => Some(bytes),
            None => self.published_bytes(&site, &topic, &stored.hash).await,
        };
        let Some(bytes) = bytes else { return Ok(None) };
        let content = TopicContent::new(stored.seq, bytes, stored.media_type);
        self.contents.insert((site, topic), content.clone());
        Ok(Some(content))
    }

    /// Returns the bytes of this hash, if they are the published ones.
    async fn published_bytes(&self, site: &str, topic: &str, hash: &str) -> Option<Bytes> {
        let snapshot = self.context.shared.sites.by_name(site)?.published.current()?;
        let document = document(&snapshot, topic)?;
        if document.identity.etag.hex() == hash { read(document).await.ok() } else { None }
    }

    fn begin(&mut self, mut delivery: Delivery, content: &TopicContent, link: String) {
        delivery.seq = content.seq;
        let signature = match &delivery.secret {
            None => None,
            Some(sealed) => match self.keys.open_sealed(sealed, &delivery.key.owner()) {
                Some(secret) => Some(content.signature(&secret)),
                // Never unsigned where a secret was given (WebSub §8.3).
                None => return self.fail_undecryptable(delivery),
            },
        };
        let post = Post {
            callback: delivery.callback.clone(),
            body: content.bytes.clone(),
            media_type: content.media_type.clone(),
            link,
            signature,
            id: delivery.id(self.context.store.instance()),
        };
        let (client, now) = (self.client.clone(), self.context.now());
        self.calls.begin(delivery, async move { client.post(post, now).await });
    }

    fn fail_undecryptable(&mut self, delivery: Delivery) {
        self.calls.skip(&delivery);
        let error = Some("its secret cannot be decrypted: is hub.key the right one?".into());
        let result = PostResult::Failed { retry_after: None };
        self.finish(delivery, CallOutcome { result, error, had_response: true });
    }

    fn finish_all(&self, ended: Vec<(Delivery, CallOutcome<PostResult>)>) {
        ended.into_iter().for_each(|(delivery, outcome)| self.finish(delivery, outcome));
    }

    fn finish(&self, delivery: Delivery, outcome: CallOutcome<PostResult>) {
        let Delivery { subscription, key, seq, callback, topic_url, .. } = delivery;
        let record = match outcome.result {
            PostResult::Delivered => Record::Delivered(key, Delivered { seq, subscription }),
            result => Record::Settled(Settled {
                error: outcome.error,
                denial: Some(denial_url(&callback, &topic_url)),
                ..Settled::new(key, Event::Posted(result))
            }),
        };
        // The recorder outlives this stage.
        let _ = self.recorder.send(record);
    }

    /// Ends the claims of deliveries that do not begin.
    async fn release(&self, deliveries: Vec<Delivery>) -> Result<(), StoreError> {
        let rows = deliveries.iter().map(|delivery| delivery.subscription).collect();
        self.context.store.release_deliveries(rows).await
    }

    async fn stop(&mut self) {
        let wait = self.context.shared.config.timeouts.stop;
        let (ended, waiting) = self.calls.stop(wait).await;
        self.finish_all(ended);
        let released = self.release(waiting).await;
        self.context.check(released);
    }
}
