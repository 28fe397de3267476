//! How the source does, for `/readyz` and `/metrics`.

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

/// What a look came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Unchanged,
    Loaded,
    /// Older than what is served.
    Older,
    /// Something is published that cannot be served.
    Refused,
    /// Nobody knows what is published.
    Unreachable,
}

impl Look {
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

/// The looks of one sidecar.
pub(crate) struct Health {
    public: String,
    looks: Mutex<Looks>,
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
}

#[derive(Clone, Debug, Default)]
struct Looks {
    last_success: Option<Timestamp>,
    last_error: Option<(String, Timestamp)>,
    next: Option<Timestamp>,
}

impl fmt::Debug for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Health").field("looks", &self.looks).finish_non_exhaustive()
    }
}

impl Health {
    pub(crate) fn new(public: &Public) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        with_local_recorder(&recorder, || {
            describe_counter!(LOOKS, "Looks at what is published, by outcome");
            describe_gauge!(LAST_SUCCESS, "When a look last found all well");
            for look in Look::ALL {
                counter!(LOOKS, "outcome" => look.as_str()).absolute(0);
            }
            gauge!(LAST_SUCCESS).set(0.0);
        });
        Self { public: public.to_string(), looks: Mutex::default(), recorder, handle }
    }

    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A look ended; with an error unless all is well.
    pub(crate) fn looked(&self, look: Look, error: Option<String>) {
        let now = Timestamp::now();
        let mut looks = self.looks();
        match error {
            Some(reason) => looks.last_error = Some((reason, now)),
            None => looks.last_success = Some(now),
        }
        with_local_recorder(&self.recorder, || {
            counter!(LOOKS, "outcome" => look.as_str()).increment(1);
            let last = looks.last_success.map_or(0, Timestamp::as_second);
            gauge!(LAST_SUCCESS).set(last as f64);
        });
    }

    /// The next look comes after this wait, or sooner if something happens.
    pub(crate) fn next_in(&self, wait: Duration) {
        self.looks().next = Timestamp::now().checked_add(wait).ok();
    }

    /// For `/readyz`.
    pub(crate) fn describe(&self) -> Value {
        let looks = self.looks().clone();
        let at = |time: Timestamp| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let error =
            looks.last_error.map(|(reason, when)| json!({ "reason": reason, "at": at(when) }));
        json!({
            "public": self.public,
            "last_success": looks.last_success.map(at),
            "last_error": error,
            "next_look": looks.next.map(at),
        })
    }

    /// For `/metrics`.
    pub(crate) fn render(&self) -> String {
        self.handle.run_upkeep();
        self.handle.render()
    }
}
