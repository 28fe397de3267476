//! The parts that the sidecar runs without, for `/readyz`, `/metrics` and the log. Reads continue.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use metrics::{describe_gauge, gauge};
use serde_json::{Value, json};

const DEGRADED: &str = "candor_degraded";

/// A part without which reads continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The hub: its store or its key.
    Hub,
    /// The keys of the MCP sessions.
    McpSessionKeys,
    /// The state directory.
    State,
}

impl Part {
    const ALL: [Self; 3] = [Self::Hub, Self::McpSessionKeys, Self::State];

    fn as_str(self) -> &'static str {
        match self {
            Self::Hub => "hub",
            Self::McpSessionKeys => "mcp_session_keys",
            Self::State => "state",
        }
    }
}

/// The parts that were not usable when the process started, each with the reason and the remedy.
#[derive(Debug, Default)]
pub(crate) struct Degraded(Mutex<BTreeMap<Part, String>>);

impl Degraded {
    /// Reports a part until the process ends.
    pub(crate) fn report(&self, part: Part, reason: String) {
        tracing::error!(part = part.as_str(), %reason, "the sidecar runs degraded");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(part, reason);
    }

    /// Returns the parts with the hub, which reports its faults itself because they end.
    fn parts(&self, hub: Option<String>) -> BTreeMap<Part, String> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        parts.extend(hub.map(|reason| (Part::Hub, reason)));
        parts
    }

    /// Describes the parts for `/readyz`, if there are any; `hub` is the reason why the hub pauses.
    pub(crate) fn describe(&self, hub: Option<String>) -> Option<Value> {
        let parts = self.parts(hub);
        let described = parts
            .iter()
            .map(|(part, reason)| json!({ "part": part.as_str(), "reason": reason }))
            .collect();
        (!parts.is_empty()).then_some(described)
    }

    /// Sets the gauges for `/metrics`.
    pub(crate) fn record(&self, hub: Option<String>) {
        let parts = self.parts(hub);
        describe_gauge!(DEGRADED, "1 for a part the sidecar runs without, 0 otherwise");
        for part in Part::ALL {
            let value = u8::from(parts.contains_key(&part));
            gauge!(DEGRADED, "part" => part.as_str()).set(f64::from(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use metrics::with_local_recorder;
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn every_part_has_a_line_and_those_that_are_missing_a_reason() {
        let degraded = Degraded::default();
        assert_eq!(degraded.describe(None), None);
        degraded.report(Part::State, "it is read-only".into());
        assert_eq!(
            degraded.describe(Some("no store".into())),
            Some(json!([
                { "part": "hub", "reason": "no store" },
                { "part": "state", "reason": "it is read-only" },
            ]))
        );
        let recorder = PrometheusBuilder::new().build_recorder();
        with_local_recorder(&recorder, || degraded.record(None));
        let text = recorder.handle().render();
        for line in ["part=\"hub\"} 0", "part=\"mcp_session_keys\"} 0", "part=\"state\"} 1"] {
            assert!(text.contains(&format!("candor_degraded{{{line}")), "{line} in {text}");
        }
    }
}
