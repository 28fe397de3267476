//! The health of the publication source, for `/readyz` and `/metrics`.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use metrics::{counter, describe_counter, describe_gauge, gauge, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use serde_json::{Value, json};

use super::Public;

const LOOKS: &str = "candor_source_looks_total";
const LAST_SUCCESS: &str = "candor_source_last_success_timestamp_seconds";

/// The outcome of a check for a new publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckOutcome {
    Unchanged,
    Loaded,
    /// Something is published that is older than what is served.
    Older,
    /// Something is published that cannot be served.
    Refused,
    /// The source does not respond.
    Unreachable,
}

impl CheckOutcome {
    const ALL: [Self; 5] =
        [Self::Unchanged, Self::Loaded, Self::Older, Self::Refused, Self::Unreachable];

    fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Loaded => "loaded",
            Self::Older => "older",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
        }
    }
}

/// The checks of one sidecar.
pub(crate) struct SourceHealth {
    public: String,
    status: Mutex<CheckStatus>,
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
}

#[derive(Clone, Debug, Default)]
struct CheckStatus {
    last_success: Option<Timestamp>,
    last_error: Option<(String, Timestamp)>,
    next: Option<Timestamp>,
}

impl fmt::Debug for SourceHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceHealth").field("status", &self.status).finish_non_exhaustive()
    }
}

impl SourceHealth {
    pub(crate) fn new(public: &Public) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        with_local_recorder(&recorder, || {
            describe_counter!(LOOKS, "Checks of the publication source, by outcome");
            describe_gauge!(
                LAST_SUCCESS,
                "Time of the last successful check of the source, as a Unix time"
            );
            for outcome in CheckOutcome::ALL {
                counter!(LOOKS, "outcome" => outcome.as_str()).absolute(0);
            }
            gauge!(LAST_SUCCESS).set(0.0);
        });
        Self { public: public.to_string(), status: Mutex::default(), recorder, handle }
    }

    fn status(&self) -> MutexGuard<'_, CheckStatus> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a check, with its error if it failed.
    pub(crate) fn checked(&self, outcome: CheckOutcome, error: Option<String>) {
        let now = Timestamp::now();
        let mut status = self.status();
        match error {
            Some(reason) => status.last_error = Some((reason, now)),
            None => status.last_success = Some(now),
        }
        with_local_recorder(&self.recorder, || {
            counter!(LOOKS, "outcome" => outcome.as_str()).increment(1);
            let last = status.last_success.map_or(0, Timestamp::as_second);
            gauge!(LAST_SUCCESS).set(last as f64);
        });
    }

    /// The next check is after this wait, or sooner after a change or a ping.
    pub(crate) fn next_in(&self, wait: Duration) {
        self.status().next = Timestamp::now().checked_add(wait).ok();
    }

    /// For `/readyz`.
    pub(crate) fn describe(&self) -> Value {
        let status = self.status().clone();
        let at = |time: Timestamp| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let error =
            status.last_error.map(|(reason, when)| json!({ "reason": reason, "at": at(when) }));
        json!({
            "public": self.public,
            "last_success": status.last_success.map(at),
            "last_error": error,
            "next_look": status.next.map(at),
        })
    }

    /// For `/metrics`.
    pub(crate) fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }
}
