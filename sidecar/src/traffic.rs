//! What is counted of the main listener's traffic, for `/metrics`.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Counts of one sidecar.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    malformed: AtomicU64,
}

impl Traffic {
    /// A request that is none in HTTP: no route saw it.
    pub(crate) fn malformed(&self) {
        self.malformed.fetch_add(1, Relaxed);
    }

    /// For `/metrics`.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        let name = "candor_http_malformed_requests_total";
        describe(&mut text, name, "counter", "Requests that were no valid HTTP");
        sample(&mut text, name, "", self.malformed.load(Relaxed));
        text
    }
}

/// The lines before the samples of a metric.
fn describe(text: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a string does not fail.
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

/// One line; `labels` with their braces.
fn sample(text: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "{name}{labels} {value}");
}
