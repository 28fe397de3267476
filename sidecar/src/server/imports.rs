//! The time of each source's last import, for `/readyz` and `/metrics`, so that stopped imports are noticed.

use jiff::Timestamp;
use metrics::{describe_gauge, gauge};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::publication::snapshot::Snapshot;

const LAST_IMPORT: &str = "candor_last_import_timestamp_seconds";

/// A source of `reviews.json`.
#[derive(Debug, Deserialize)]
struct PublishedSource {
    source: String,
    last_import: Option<Timestamp>,
}

/// Returns the sources of a publication that were ever imported, with the time of the last import.
fn last_imports(snapshot: &Snapshot) -> Vec<(String, Timestamp)> {
    let sources: Vec<PublishedSource> =
        serde_json::from_str(&snapshot.collection.head.sources).unwrap_or_default();
    let imported = sources.into_iter();
    imported.filter_map(|source| Some((source.source, source.last_import?))).collect()
}

/// Describes the imports for `/readyz`.
pub(crate) fn describe(snapshot: &Snapshot) -> Value {
    let now = Timestamp::now().as_second();
    let lines = last_imports(snapshot).into_iter().map(|(source, at)| {
        json!({
            "source": source,
            "last_import": at.to_string(),
            "age_seconds": (now - at.as_second()).max(0),
        })
    });
    lines.collect()
}

/// Sets the gauges for `/metrics`.
pub(crate) fn record(snapshot: &Snapshot) {
    describe_gauge!(LAST_IMPORT, "Time of the last import of a source, as a Unix time");
    for (source, at) in last_imports(snapshot) {
        gauge!(LAST_IMPORT, "source" => source).set(at.as_second() as f64);
    }
}
