//! The verifier: writes subscription requests to the store, and makes them subscriptions once the
//! subscriber confirms its intent (WebSub §5.3).

use std::rc::Rc;

use tokio::{
    select,
    sync::{mpsc, oneshot},
};

use super::{
    callback::Callback,
    calls::Calls,
    client::{CallOutcome, HubClient},
    record::Record,
    request::{SubscriptionMode, SubscriptionRequest},
    secrets::Keyring,
    stages::Context,
    store::{Capacity, PairKey, Settled, StoreError, VerificationClaim},
    subscription::{Event, Pending, VerificationResult},
};
use crate::{
    log_budget::{LogBudget, LogLine},
    random::Random,
};

/// A subscription request from one of the threads that respond to requests.
#[derive(Debug)]
pub(super) struct Submission {
    pub(super) request: SubscriptionRequest,
    /// Whether there was room for it. Dropped when it cannot be recorded.
    pub(super) reply: oneshot::Sender<bool>,
}

/// See the module.
pub(super) struct Verifier {
    context: Context,
    submissions: mpsc::Receiver<Submission>,
    keys: Rc<Keyring>,
    random: Random,
    log: LogBudget,
    client: HubClient,
    calls: Calls<VerificationClaim, VerificationResult>,
    /// More verifications may be due than were claimed.
    more_due: bool,
    recorder: mpsc::UnboundedSender<Record>,
}

impl Verifier {
    pub(super) fn new(
        context: Context,
        submissions: mpsc::Receiver<Submission>,
        keys: Rc<Keyring>,
        client: HubClient,
        recorder: mpsc::UnboundedSender<Record>,
    ) -> Self {
        let limits = &context.shared.config.limits;
        let calls = Calls::new(limits.verifications, limits.verifications_by_host);
        let random = Random::new();
        Self {
            context,
            submissions,
            keys,
            random,
            log: LogBudget::default(),
            client,
            calls,
            more_due: true,
            recorder,
        }
    }

    /// Verifies until the hub stops.
    pub(super) async fn run(mut self) {
        let mut tick = self.context.tick();
        loop {
            if self.context.is_writable() {
                let begun = self.begin_due().await;
                self.context.check(begun);
            }
            select! {
                Some(Submission { request, reply }) = self.submissions.recv() => {
                    if let Some(had_room) = self.accept(request).await {
                        // Fails when the client is gone.
                        let _ = reply.send(had_room);
                    }
                }
                ended = self.calls.ended() => self.finish(ended),
                _ = tick.tick() => self.more_due = true,
                () = self.context.stop.asked() => break,
            }
        }
        self.stop().await;
    }

    /// Writes a request to the store: whether there was room for it, or `None` when it cannot be
    /// recorded.
    async fn accept(&mut self, request: SubscriptionRequest) -> Option<bool> {
        let SubscriptionRequest { mode, path, topic_url, callback, secret, lease } = request;
        let key = PairKey::new(&path, &callback);
        let secret = secret.map(|secret| self.keys.seal(&secret, &key.owner())).transpose();
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
            due_at: self.context.now(),
        };
        let limits = &self.context.shared.config.limits;
        let capacity = Capacity {
            by_host: limits.subscriptions_by_host,
            in_all: limits.subscriptions,
            pending: limits.pending,
        };
        let rules = self.context.rules(&self.random);
        let asked = self.context.store.request(&key, pending, capacity, &rules).await;
        let effect = self.context.check(asked)?;
        if let Some(effect) = effect {
            let (mode, effect) = (mode.as_str(), effect.as_str());
            match self.log.line() {
                Some(LogLine { left_out }) => {
                    tracing::info!(
                        topic = key.topic,
                        host = key.host,
                        mode,
                        effect,
                        left_out,
                        "asked"
                    );
                }
                None => {
                    tracing::debug!(topic = key.topic, host = key.host, mode, effect, "asked");
                }
            }
        }
        self.more_due = true;
        Some(effect.is_some())
    }

    /// Begins the verifications that are due, within the limits.
    async fn begin_due(&mut self) -> Result<(), StoreError> {
        let room = self.calls.queues().room();
        if self.more_due && room > 0 {
            let busy_hosts = self.calls.queues().busy_hosts();
            let limits = self.context.claim_limits(room, &busy_hosts);
            let claimed = self.context.store.claim_verifications(limits).await?;
            self.more_due = claimed.len() == room || !busy_hosts.is_empty();
            let surplus = self.calls.queues().enqueue_all(claimed);
            self.release(surplus).await?;
        }
        while let Some(verification) = self.calls.queues().next() {
            self.begin(verification);
        }
        Ok(())
    }

    fn begin(&mut self, verification: VerificationClaim) {
        let (client, now) = (self.client.clone(), self.context.now());
        let challenge = self.random.challenge();
        let pending = verification.pending.clone();
        self.calls.begin(verification, async move {
            match challenge {
                Ok(challenge) => {
                    let url = verification_url(&pending, &challenge);
                    client.verify(&url, &challenge, now).await
                }
                Err(error) => CallOutcome {
                    result: VerificationResult::NoResponse,
                    error: Some(error.to_string()),
                    had_response: true,
                },
            }
        });
    }

    fn finish(&self, ended: Vec<(VerificationClaim, CallOutcome<VerificationResult>)>) {
        for (VerificationClaim { key, pending }, outcome) in ended {
            let event = Event::Verified { ticket: pending.ticket, result: outcome.result };
            let settled = Settled { error: outcome.error, ..Settled::new(key, event) };
            // The recorder outlives this stage.
            let _ = self.recorder.send(Record::Settled(settled));
        }
    }

    /// Ends the claims of verifications that do not begin.
    async fn release(&self, verifications: Vec<VerificationClaim>) -> Result<(), StoreError> {
        let tickets = verifications.iter().map(|claimed| claimed.pending.ticket).collect();
        self.context.store.release_verifications(tickets).await
    }

    async fn stop(&mut self) {
        let wait = self.context.shared.config.timeouts.stop;
        let (ended, waiting) = self.calls.stop(wait).await;
        self.finish(ended);
        let released = self.release(waiting).await;
        self.context.check(released);
    }
}

/// The URL of a verification (WebSub §5.3). Without the lease when unsubscribing.
fn verification_url(pending: &Pending, challenge: &str) -> String {
    let lease = pending.lease.to_string();
    let mut parameters = vec![
        ("hub.mode", pending.mode.as_str()),
        ("hub.topic", &pending.topic_url),
        ("hub.challenge", challenge),
    ];
    if pending.mode == SubscriptionMode::Subscribe {
        parameters.push(("hub.lease_seconds", &lease));
    }
    Callback::with_parameters(&pending.callback, &parameters)
}
