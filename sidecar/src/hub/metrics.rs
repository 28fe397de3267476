//! The hub's metrics for Prometheus: `/metrics` on the admin listener.

use contract::routes::TOPICS;

use metrics::{counter, describe_counter, describe_gauge, gauge, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

use super::{
    store::Backlog,
    subscription::{Effect, Reason},
};
use crate::publication::published::Published;

const REQUESTS: &str = "candor_hub_requests_total";
const REFUSALS: &str = "candor_hub_refusals_total";
const VERIFICATIONS: &str = "candor_hub_verifications_total";
const DELIVERIES: &str = "candor_hub_deliveries_total";
const ANNOUNCEMENTS: &str = "candor_hub_announcements_total";
const SUBSCRIPTIONS: &str = "candor_hub_subscriptions";
const QUEUE: &str = "candor_hub_queue_length";
const OLDEST_DUE: &str = "candor_hub_oldest_due_seconds";
const PENDING: &str = "candor_hub_pending_verifications";
const RUNNING: &str = "candor_hub_deliveries_running";
const WRITABLE: &str = "candor_hub_store_writable";
const READY: &str = "candor_publication_ready";
const PUBLISHED: &str = "candor_publication_timestamp_seconds";
const REFUSED: &str = "candor_publication_refused_seconds";
const REVIEWS: &str = "candor_publication_reviews";

/// The modes that are counted, shown from the start: a counter that begins with its first event has no increase that an
/// alert could see.
const MODES: [&str; 4] = ["subscribe", "unsubscribe", "publish", "unknown"];
const STATUSES: [u16; 5] = [202, 400, 403, 429, 503];

/// The reasons of refusals: over the limit of its client, of its client and host, or of pings; no place is free; the
/// host is blocked; the store cannot be written; the form is not a request.
const REFUSAL_KINDS: [&str; 7] =
    ["client_limit", "host_limit", "ping_limit", "full", "blocked", "unavailable", "malformed"];
const VERIFIED: [Effect; 4] =
    [Effect::Activated, Effect::Renewed, Effect::Rejected, Effect::Removed(Reason::Unsubscribed)];
const POSTED: [Effect; 4] = [
    Effect::Delivered,
    Effect::Retry { due_at: 0 },
    Effect::Removed(Reason::Failures),
    Effect::Removed(Reason::Gone),
];

/// The counts of one sidecar: its own, so that several can run in one process.
#[derive(Debug)]
pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        with_local_recorder(&recorder, || {
            describe_counter!(REQUESTS, "Requests to the hub, by mode and answer");
            describe_counter!(REFUSALS, "Requests to the hub that were refused, by reason");
            describe_counter!(VERIFICATIONS, "Verifications that ended, by topic and outcome");
            describe_counter!(DELIVERIES, "Posts to subscribers, by topic and outcome");
            describe_counter!(ANNOUNCEMENTS, "Changes of a topic that were announced");
            describe_gauge!(SUBSCRIPTIONS, "Subscriptions, by topic");
            describe_gauge!(QUEUE, "Deliveries that wait or are under way");
            describe_gauge!(OLDEST_DUE, "Seconds since the longest due delivery is due");
            describe_gauge!(PENDING, "Requests whose subscriber has not confirmed them yet");
            describe_gauge!(RUNNING, "Deliveries under way");
            describe_gauge!(WRITABLE, "1 while the hub's store can be written, 0 otherwise");
            describe_gauge!(READY, "1 while there is a publication to answer from, 0 otherwise");
            describe_gauge!(PUBLISHED, "When the served publication was made, as a Unix time");
            describe_gauge!(
                REFUSED,
                "Seconds since the newest publication is refused, 0 if it is not"
            );
            describe_gauge!(REVIEWS, "Reviews of the served publication");
        });
        let metrics = Self { recorder };
        metrics.begin();
        metrics
    }

    /// Sets every counter to zero.
    fn begin(&self) {
        with_local_recorder(&self.recorder, || {
            for (mode, status) in
                MODES.iter().flat_map(|mode| STATUSES.map(|status| (*mode, status)))
            {
                counter!(REQUESTS, "mode" => mode, "status" => status.to_string()).absolute(0);
            }
            for kind in REFUSAL_KINDS {
                counter!(REFUSALS, "reason" => kind).absolute(0);
            }
            for topic in TOPICS {
                counter!(ANNOUNCEMENTS, "topic" => topic).absolute(0);
                for effect in VERIFIED {
                    let outcome = effect.as_str();
                    counter!(VERIFICATIONS, "topic" => topic, "outcome" => outcome).absolute(0);
                }
                for effect in POSTED {
                    let outcome = effect.as_str();
                    counter!(DELIVERIES, "topic" => topic, "outcome" => outcome).absolute(0);
                }
            }
        });
    }

    /// Sets the gauges of the served publication, and of the time for which a newer one has been refused.
    pub(crate) fn publication(&self, published: &Published) {
        let current = published.current();
        let refused = published
            .refusal()
            .filter(|refusal| !refusal.is_outage)
            .map_or(0.0, |refusal| refusal.since.elapsed().as_secs_f64());
        with_local_recorder(&self.recorder, || {
            gauge!(READY).set(f64::from(u8::from(current.is_some())));
            gauge!(REFUSED).set(refused);
            let Some(snapshot) = current else { return };
            gauge!(PUBLISHED).set(snapshot.manifest.published_at.as_second() as f64);
            gauge!(REVIEWS).set(snapshot.collection.arena.len() as f64);
        });
    }

    /// Returns the text of `/metrics`.
    pub(crate) fn render(&self) -> String {
        self.recorder.handle().render()
    }

    pub(crate) fn request(&self, mode: &'static str, status: u16) {
        let status = status.to_string();
        with_local_recorder(&self.recorder, || {
            counter!(REQUESTS, "mode" => mode, "status" => status).increment(1);
        });
    }

    /// Counts a refusal of `kind`, one of [`REFUSAL_KINDS`].
    pub(crate) fn refusal(&self, kind: &'static str) {
        with_local_recorder(&self.recorder, || counter!(REFUSALS, "reason" => kind).increment(1));
    }

    pub(crate) fn verification(&self, topic: &str, outcome: &'static str) {
        let topic = topic.to_owned();
        with_local_recorder(&self.recorder, || {
            counter!(VERIFICATIONS, "topic" => topic, "outcome" => outcome).increment(1);
        });
    }

    pub(crate) fn deliveries(&self, topic: &str, outcome: &'static str, number: u64) {
        let topic = topic.to_owned();
        with_local_recorder(&self.recorder, || {
            counter!(DELIVERIES, "topic" => topic, "outcome" => outcome).increment(number);
        });
    }

    pub(crate) fn announcement(&self, topic: &str) {
        let topic = topic.to_owned();
        with_local_recorder(&self.recorder, || {
            counter!(ANNOUNCEMENTS, "topic" => topic).increment(1);
        });
    }

    /// Sets the gauges of the queue and of the subscriptions.
    pub(crate) fn observe(&self, backlog: &Backlog, now: i64) {
        let late = backlog.oldest_due.map_or(0, |due| now.saturating_sub(due).max(0));
        with_local_recorder(&self.recorder, || {
            for topic in TOPICS {
                let counted = backlog.subscriptions.iter().find(|(name, _)| name == topic);
                let number = counted.map_or(0, |(_, number)| *number);
                gauge!(SUBSCRIPTIONS, "topic" => topic).set(number as f64);
            }
            gauge!(QUEUE).set(backlog.deliveries as f64);
            gauge!(OLDEST_DUE).set(late as f64 / 1000.0);
            gauge!(PENDING).set(backlog.verifications as f64);
        });
    }

    /// Sets the number of deliveries in progress.
    pub(crate) fn running(&self, number: usize) {
        with_local_recorder(&self.recorder, || gauge!(RUNNING).set(number as f64));
    }

    pub(crate) fn writable(&self, writable: bool) {
        with_local_recorder(&self.recorder, || {
            gauge!(WRITABLE).set(if writable { 1.0 } else { 0.0 });
        });
    }
}
