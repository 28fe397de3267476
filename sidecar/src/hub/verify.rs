//! The verifier: writes subscription requests to the store, and makes them subscriptions once the
//! subscriber confirms its intent (WebSub §5.3).

use std::rc::Rc;

use tokio::{
    join,
    sync::{mpsc, oneshot},
};

use super::{
    callback::Callback,
    calls::Calls,
    client::{CallOutcome, HubClient},
    context::Context,
    record::Record,
    request::{SubscriptionMode, SubscriptionRequest},
    secrets::Keyring,
    store::{
        Capacity, ClaimSites, PairKey, RequestOutcome, Settled, Share, StoreError,
        VerificationClaim, site_name,
    },
    subscription::{Event, Pending, VerificationResult},
};
use crate::runtime::{
    limits::SHARES,
    log_budget::{LogBudget, LogLine},
    random::{NoRandomness, Random},
};

/// A subscription request from one of the threads that respond to requests.
#[derive(Debug)]
pub(super) struct Submission {
    /// The site of the request: its name in the store.
    pub(super) site: String,
    /// The network of the client that sent it; empty if it is unknown.
    pub(super) network: String,
    pub(super) request: SubscriptionRequest,
    /// The channel for the result. Dropped when the request cannot be recorded.
    pub(super) reply: oneshot::Sender<RequestOutcome>,
}

/// The stage that verifies; see the module.
pub(super) struct Verifier {
    context: Context,
    submissions: mpsc::Receiver<Submission>,
    keys: Rc<Keyring>,
    random: Random,
    log: LogBudget,
    client: HubClient,
    newcomers: Lane,
    /// A lane for renewals, so that no number of newcomers delays those who are subscribed.
    renewals: Lane,
    recorder: mpsc::UnboundedSender<Record>,
}

/// Verifications that share a limit on the number in progress.
struct Lane {
    calls: Calls<VerificationClaim, VerificationResult>,
    /// Whether more verifications may be due than were claimed.
    more_due: bool,
    renews: bool,
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
        let lane = |renews| Lane {
            calls: Calls::new(limits.verifications, limits.verifications_by_host),
            more_due: true,
            renews,
        };
        let (newcomers, renewals) = (lane(false), lane(true));
        let random = Random::new();
        Self {
            context,
            submissions,
            keys,
            random,
            log: LogBudget::default(),
            client,
            newcomers,
            renewals,
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
                Some(Submission { site, network, request, reply }) = self.submissions.recv() => {
                    if let Some(outcome) = self.accept(&site, network, request).await {
                        // Fails when the client is gone.
                        let _ = reply.send(outcome);
                    }
                }
                ended = self.newcomers.calls.ended() => self.finish(ended),
                ended = self.renewals.calls.ended() => self.finish(ended),
                _ = tick.tick() => self.look_for_due(),
                () = self.context.stop.asked() => break,
            }
        }
        self.stop().await;
    }

    /// Writes a request to the store, and returns the result, or `None` if that is unknown.
    async fn accept(
        &mut self,
        site: &str,
        network: String,
        request: SubscriptionRequest,
    ) -> Option<RequestOutcome> {
        let SubscriptionRequest { mode, path, topic_url, callback, secret, lease } = request;
        let key = PairKey::new(site, &path, &callback);
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
            network,
            // The store knows.
            seen: 0,
        };
        let limits = &self.context.shared.config.limits;
        let capacity = Capacity {
            by_host: limits.subscriptions_by_host,
            by_domain: limits.subscriptions_by_domain,
            by_site: (limits.subscriptions / SHARES as i64).max(1),
            in_all: limits.subscriptions,
            pending: limits.pending,
        };
        let rules = self.context.rules(&self.random);
        let asked = self.context.store.request(&key, pending, capacity, &rules).await;
        let outcome = self.context.check(asked)?;
        if let RequestOutcome::Recorded(effect) = outcome {
            let (mode, effect, site) = (mode.as_str(), effect.as_str(), site_name(site));
            let PairKey { topic, host, .. } = &key;
            match self.log.line() {
                Some(LogLine { left_out }) => {
                    tracing::info!(site, topic, host, mode, effect, left_out, "asked");
                }
                None => tracing::debug!(site, topic, host, mode, effect, "asked"),
            }
        }
        self.look_for_due();
        Some(outcome)
    }

    fn look_for_due(&mut self) {
        self.newcomers.more_due = true;
        self.renewals.more_due = true;
    }

    /// Begins the verifications that are due, within the limits.
    async fn begin_due(&mut self) -> Result<(), StoreError> {
        for lane in [&mut self.renewals, &mut self.newcomers] {
            lane.claim(&self.context).await?;
            while let Some(verification) = lane.calls.queues().next() {
                let pending = verification.pending.clone();
                let call = verify(
                    self.client.clone(),
                    pending,
                    self.random.challenge(),
                    self.context.now(),
                );
                lane.calls.begin(verification, call);
            }
        }
        Ok(())
    }

    fn finish(&self, ended: Vec<(VerificationClaim, CallOutcome<VerificationResult>)>) {
        for (VerificationClaim { key, pending }, outcome) in ended {
            let event = Event::Verified { ticket: pending.ticket, result: outcome.result };
            let settled = Settled { error: outcome.error, ..Settled::new(key, event) };
            // The recorder outlives this stage.
            let _ = self.recorder.send(Record::Settled(settled));
        }
    }

    async fn stop(&mut self) {
        let wait = self.context.shared.config.timeouts.stop;
        let (newcomers, renewals) =
            join!(self.newcomers.calls.stop(wait), self.renewals.calls.stop(wait));
        for (ended, waiting) in [newcomers, renewals] {
            self.finish(ended);
            let released = release(&self.context, waiting).await;
            self.context.check(released);
        }
    }
}

impl Lane {
    /// Claims due verifications, as far as there is room.
    async fn claim(&mut self, context: &Context) -> Result<(), StoreError> {
        let queues = self.calls.queues();
        let count = queues.claim_size();
        if !self.more_due || count == 0 {
            return Ok(());
        }
        let (busy_hosts, busy_sites) = (queues.busy_hosts(), queues.busy_sites());
        let free = ClaimSites::AllBut(&busy_sites);
        let limits = context.claim_limits(count, &busy_hosts, free);
        let claimed = if self.renews {
            context.store.claim_renewals(limits).await?
        } else {
            let limit = &context.shared.config.limits;
            let share = Share {
                by_network: limit.verifications_by_network,
                by_domain: limit.verifications_by_domain,
            };
            context.store.claim_newcomers(limits, share).await?
        };
        self.more_due = claimed.len() == count || !busy_hosts.is_empty() || !busy_sites.is_empty();
        let surplus = queues.enqueue_all(claimed);
        release(context, surplus).await
    }
}

/// Ends the claims of verifications that do not begin.
async fn release(
    context: &Context,
    verifications: Vec<VerificationClaim>,
) -> Result<(), StoreError> {
    let tickets = verifications.iter().map(|claimed| claimed.pending.ticket).collect();
    context.store.release_verifications(tickets).await
}

/// Requests the subscriber's confirmation that it wants the change that was requested in its name.
async fn verify(
    client: HubClient,
    pending: Pending,
    challenge: Result<String, NoRandomness>,
    now: i64,
) -> CallOutcome<VerificationResult> {
    match challenge {
        Ok(challenge) => {
            client.verify(&verification_url(&pending, &challenge), &challenge, now).await
        }
        Err(error) => CallOutcome {
            result: VerificationResult::NoResponse,
            error: Some(error.to_string()),
            had_response: true,
        },
    }
}

/// Returns the URL of a verification (WebSub §5.3). Without the lease when unsubscribing.
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
