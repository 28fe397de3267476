//! The health of the publication source, for `/readyz` and `/metrics`.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use serde_json::{Value, json};

use super::Public;

const LOOKS: &str = "candor_source_looks_total";
const LAST_SUCCESS: &str = "candor_source_last_success_timestamp_seconds";

/// The outcome of a check for a new publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckOutcome {
    Unchanged,
    Loaded,
    /// The present publication is older than the served one.
    Older,
    /// The present publication cannot be served.
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

/// The checks of one site.
#[derive(Debug)]
pub(crate) struct SourceHealth {
    public: String,
    status: Mutex<CheckStatus>,
}

#[derive(Clone, Debug, Default)]
struct CheckStatus {
    outcomes: [u64; CheckOutcome::ALL.len()],
    last_success: Option<Timestamp>,
    last_error: Option<(String, Timestamp)>,
    next: Option<Timestamp>,
}

impl SourceHealth {
    pub(crate) fn new(public: &Public) -> Self {
        Self { public: public.to_string(), status: Mutex::default() }
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
        status.outcomes[outcome as usize] += 1;
    }

    /// Records that the next check is after this wait, or sooner after a change or a ping.
    pub(crate) fn next_in(&self, wait: Duration) {
        self.status().next = Timestamp::now().checked_add(wait).ok();
    }

    /// Describes the checks for `/readyz`.
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
}

/// Sets the gauges of these sites together, for `/metrics`. The time of the last check is that of the only site: those
/// of a list are checked as they are requested.
pub(crate) fn record<'a>(sites: impl Iterator<Item = &'a SourceHealth>, is_only: bool) {
    let (mut outcomes, mut last_success) = ([0; CheckOutcome::ALL.len()], 0);
    for site in sites {
        let status = site.status();
        for (sum, count) in outcomes.iter_mut().zip(status.outcomes) {
            *sum += count;
        }
        last_success = last_success.max(status.last_success.map_or(0, Timestamp::as_second));
    }
    describe_counter!(LOOKS, "Checks of the publication source, by outcome");
    for (outcome, count) in CheckOutcome::ALL.iter().zip(outcomes) {
        counter!(LOOKS, "outcome" => outcome.as_str()).absolute(count);
    }
    if is_only {
        describe_gauge!(
            LAST_SUCCESS,
            "Time of the last successful check of the source, as a Unix time"
        );
        gauge!(LAST_SUCCESS).set(last_success as f64);
    }
}
