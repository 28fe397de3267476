//! Requests become subscriptions here, once their subscriber says that it wants them
//! (WebSub §5.3).

use actix_web::rt;

use super::{
    callback::Callback,
    client::Outcome,
    request::{Mode, SubscriptionRequest},
    store::{Capacity, ClaimLimits, Key, Settled, StoreError, Verification},
    subscription::{Answer, Effect, Event, Pending, Reason},
    worker::{Done, Worker},
};

/// What a subscriber is told when its subscription ends for its failures.
const FAILED_TOO_OFTEN: &str = "three deliveries in a row were not answered with 2xx";

impl Settled {
    pub(super) fn aged(key: Key) -> Self {
        Self { key, event: Event::Aged, error: None, farewell: None }
    }
}

impl Worker {
    /// Takes a request: whether there was room for it, or `None` when it cannot be recorded.
    pub(super) async fn ask(&mut self, subscription_request: SubscriptionRequest) -> Option<bool> {
        let key = Key::new(&subscription_request.path, &subscription_request.callback);
        let SubscriptionRequest { mode, topic_url, callback, lease, .. } = subscription_request;
        let secret = subscription_request
            .secret
            .map(|secret| self.keys.seal(&secret, &key.owner()))
            .transpose();
        let (Ok(secret), Ok(ticket)) = (secret, self.random.ticket()) else {
            tracing::error!("the system gives no random numbers: the hub takes no requests");
            return None;
        };
        let pending = Pending {
            ticket,
            mode,
            topic_url,
            callback: callback.url,
            secret,
            lease: i64::try_from(lease.as_secs()).unwrap_or(i64::MAX),
            attempts: 0,
            due_at: self.clock.now(),
        };
        let limits = &self.shared.config.limits;
        let capacity = Capacity {
            by_host: limits.subscriptions_by_host,
            in_all: limits.subscriptions,
            pending: limits.pending,
        };
        let asked = self.store.ask(&key, pending, capacity, &self.rules()).await;
        let effect = self.judge(asked)?;
        if let Some(effect) = effect {
            let (mode, effect) = (mode.as_str(), effect.as_str());
            tracing::info!(topic = key.topic, host = key.host, mode, effect, "asked");
        }
        self.more_verifications_due = true;
        Some(effect.is_some())
    }

    /// Begins the verifications that are due, as many as may be under way.
    pub(super) async fn verify(&mut self) -> Result<(), StoreError> {
        let room = self.verifications.room();
        if self.more_verifications_due && room > 0 {
            let busy_hosts = self.verifications.busy_hosts();
            let (now, until) = (self.clock.now(), self.claim_until());
            let limits = ClaimLimits { count: room, busy_hosts: &busy_hosts, now, until };
            let claimed = self.store.claim_verifications(limits).await?;
            self.more_verifications_due = claimed.len() == room || !busy_hosts.is_empty();
            let mut surplus = Vec::new();
            for verification in claimed {
                if let Err(verification) = self.verifications.offer(verification) {
                    surplus.push(verification.pending.ticket);
                }
            }
            if !surplus.is_empty() {
                self.store.release_verifications(surplus).await?;
            }
        }
        while let Some(verification) = self.verifications.next() {
            self.begin_verification(verification);
        }
        Ok(())
    }

    fn begin_verification(&self, verification: Verification) {
        let (caller, done) = (self.caller.clone(), self.done.0.clone());
        let (now, challenge) = (self.clock.now(), self.random.challenge());
        rt::spawn(async move {
            let outcome = match challenge {
                Ok(challenge) => {
                    let url = question(&verification.pending, &challenge);
                    caller.ask(&url, &challenge, now).await
                }
                Err(error) => Outcome {
                    result: Answer::Silent,
                    error: Some(error.to_string()),
                    was_answered: true,
                },
            };
            // Fails only while stopping.
            let _ = done.send(Done::Asked(verification, outcome));
        });
    }

    /// A verification has ended.
    pub(super) fn asked(&mut self, verification: Verification, outcome: Outcome<Answer>) {
        let Verification { key, pending } = verification;
        self.verifications.done(&key.host, &key.callback, outcome.was_answered);
        let event = Event::Answered { ticket: pending.ticket, answer: outcome.result };
        let error = outcome.error;
        self.results.settled.push(Settled { key, event, error, farewell: None });
    }

    /// Records events, and does what follows from them: a line in the log, a count, a last word.
    pub(super) async fn settle(&self, events: &[Settled]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let effects = self.store.settle(events, &self.rules()).await?;
        for (Settled { key, event, error, farewell }, effect) in events.iter().zip(effects) {
            let (topic, host, reason) = (&key.topic, &key.host, error.as_deref());
            match event {
                Event::Posted(_) => self.shared.metrics.deliveries(topic, effect.as_str(), 1),
                Event::Answered { .. } => self.shared.metrics.verification(topic, effect.as_str()),
                _ => {}
            }
            let what = effect.as_str();
            match effect {
                Effect::Nothing => tracing::debug!(topic, host, reason, "nothing changed"),
                Effect::Removed(_) => tracing::info!(topic, host, reason, what, "removed"),
                _ => tracing::info!(topic, host, reason, what, "subscription"),
            }
            if effect == Effect::Removed(Reason::Failures)
                && let Some(url) = farewell
            {
                self.deny(url.clone());
            }
        }
        Ok(())
    }

    /// Best effort: the subscription has ended whatever comes of it.
    fn deny(&self, url: String) {
        let (caller, places) = (self.caller.clone(), self.denials.clone());
        rt::spawn(async move {
            if let Ok(_place) = places.acquire().await {
                caller.deny(&url).await;
            }
        });
    }
}

/// The verification request of WebSub §5.3. The lease is not asked about when unsubscribing.
fn question(pending: &Pending, challenge: &str) -> String {
    let lease = pending.lease.to_string();
    let mut parameters = vec![
        ("hub.mode", pending.mode.as_str()),
        ("hub.topic", &pending.topic_url),
        ("hub.challenge", challenge),
    ];
    if pending.mode == Mode::Subscribe {
        parameters.push(("hub.lease_seconds", &lease));
    }
    Callback::with_parameters(&pending.callback, &parameters)
}

/// The denial of WebSub §5.2.
pub(super) fn denial(callback: &str, topic_url: &str) -> String {
    let parameters =
        [("hub.mode", "denied"), ("hub.topic", topic_url), ("hub.reason", FAILED_TOO_OFTEN)];
    Callback::with_parameters(callback, &parameters)
}
