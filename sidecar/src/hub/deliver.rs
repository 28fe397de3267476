//! Telling subscribers (WebSub §7): what is due is claimed, called lane by lane, and what came of it
//! recorded. Whatever was due, the newest content is what is sent.

use std::rc::Rc;

use actix_web::rt;

use super::{
    announce::Current,
    client::{Outcome, Post},
    clock::millis,
    store::{ClaimLimits, Delivered, Delivery, Settled, StoreError},
    subscription::{Event, Posted},
    verify::denial,
    worker::{Done, Worker},
};

/// Deliveries that are claimed in one go.
const BATCH: usize = 256;

impl Worker {
    /// Begins the deliveries that are due, as many as may be under way.
    pub(super) async fn deliver(&mut self) -> Result<(), StoreError> {
        let room = self.deliveries.room().min(BATCH);
        if self.more_deliveries_due && room * 4 >= BATCH.min(self.shared.config.limits.deliveries) {
            self.claim(room).await?;
        }
        let mut unfit = Vec::new();
        while let Some(delivery) = self.deliveries.next() {
            match self.current(&delivery).await {
                Ok(Some(content)) if self.has_time(&delivery) => self.begin(delivery, &content),
                Ok(_) => {
                    self.deliveries.done(&delivery.key.host, &delivery.key.callback, true);
                    unfit.push(delivery.subscription);
                }
                Err(error) => {
                    // The claim ends by itself.
                    self.deliveries.done(&delivery.key.host, &delivery.key.callback, true);
                    return Err(error);
                }
            }
        }
        if !unfit.is_empty() {
            self.store.release_deliveries(unfit).await?;
        }
        if self.may_prune && self.deliveries.is_idle() {
            self.prune().await?;
        }
        Ok(())
    }

    async fn claim(&mut self, room: usize) -> Result<(), StoreError> {
        let busy_hosts = self.deliveries.busy_hosts();
        let (now, until) = (self.clock.now(), self.claim_until());
        let limits = ClaimLimits { count: room, busy_hosts: &busy_hosts, now, until };
        let claimed = self.store.claim_deliveries(limits).await?;
        self.more_deliveries_due = claimed.len() == room || !busy_hosts.is_empty();
        let mut surplus = Vec::new();
        for delivery in claimed {
            if let Err(delivery) = self.deliveries.offer(delivery) {
                surplus.push(delivery.subscription);
            }
        }
        match surplus.is_empty() {
            true => Ok(()),
            false => self.store.release_deliveries(surplus).await,
        }
    }

    /// Whether the claim lasts as long as the delivery may take.
    fn has_time(&self, delivery: &Delivery) -> bool {
        delivery.claimed_until - self.clock.now() >= millis(self.shared.config.claim / 2)
    }

    fn begin(&self, delivery: Delivery, content: &Rc<Current>) {
        let Some(topic) = self.topics.get(&delivery.key.topic) else { return };
        let secret = delivery.secret.as_ref();
        let signature = secret.map(|sealed| {
            let secret = self.keys.open_sealed(sealed, &delivery.key.owner());
            secret.map(|secret| content.signature(&secret))
        });
        let (caller, done) = (self.caller.clone(), self.done.0.clone());
        let (seq, now) = (content.seq, self.clock.now());
        let signature = match signature {
            None => None,
            Some(Some(signature)) => Some(signature),
            // Never unsigned where a secret was given (WebSub §8.3).
            Some(None) => {
                let error =
                    Some("its secret cannot be decrypted: is hub.key the right one?".into());
                let result = Posted::Failed { retry_after: None };
                let outcome = Outcome { result, error, was_answered: true };
                let _ = done.send(Done::Posted(delivery, seq, outcome));
                return;
            }
        };
        let post = Post {
            callback: delivery.callback.clone(),
            body: content.bytes.clone(),
            media_type: content.media_type.clone(),
            link: topic.link.clone(),
            signature,
            id: delivery.id(self.store.instance(), seq),
        };
        rt::spawn(async move {
            let outcome = caller.post(post, now).await;
            // Fails only while stopping.
            let _ = done.send(Done::Posted(delivery, seq, outcome));
        });
    }

    /// A delivery has ended.
    pub(super) fn posted(&mut self, delivery: Delivery, seq: i64, outcome: Outcome<Posted>) {
        self.deliveries.done(&delivery.key.host, &delivery.key.callback, outcome.was_answered);
        let Delivery { subscription, key, callback, topic_url, .. } = delivery;
        if outcome.result == Posted::Delivered {
            return self.results.delivered.push((key, Delivered { seq, subscription }));
        }
        let farewell = Some(denial(&callback, &topic_url));
        let (event, error) = (Event::Posted(outcome.result), outcome.error);
        self.results.settled.push(Settled { key, event, error, farewell });
    }

    /// Forgets bytes that no delivery needs, here and in the store's files.
    pub(super) async fn prune(&mut self) -> Result<(), StoreError> {
        self.may_prune = false;
        self.contents.clear();
        self.must_scrub |= self.store.prune().await?;
        if self.must_scrub {
            self.must_scrub = !self.store.scrub().await?;
        }
        Ok(())
    }
}
