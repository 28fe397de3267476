//! `candor import` and `candor forget`: every format, every way in, every merge rule.

mod absence;
mod accounting;
mod bounds;
mod branches;
mod caps;
mod claims;
mod columns;
mod conduct;
mod corpus;
mod decode;
mod detection;
mod doubts;
mod explain;
mod exports;
mod forget;
mod formats;
mod forms;
mod google_api;
mod identity;
mod import_age;
mod invisible;
mod kept_words;
mod known_formats;
mod limit;
mod listed;
mod merging;
mod mistaken;
mod not_taken;
mod one_business;
mod own_table;
mod people;
mod people_apart;
mod permutations;
mod places;
mod purchases;
mod quotes;
mod replies;
mod row_sources;
mod schedule;
mod sequences;
mod shapes;
mod spellings;
mod told_by_words;
mod undo;
mod ways_in;
mod whose;
mod wishes;
pub(crate) mod workbooks;
mod written_dates;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::project::Project;

pub(crate) use ways_in::zip_of;

/// A hand-made export.
fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(name)
}

impl Project {
    /// Every stored review, in the order of files and lines.
    pub(super) fn stored(&self) -> Vec<Value> {
        let mut files = self.tree("content/reviews");
        files.retain(|name, _| name.ends_with(".ndjson"));
        let lines = files.values().flat_map(|bytes| str::from_utf8(bytes).unwrap().lines());
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The lines of the log.
    pub(super) fn import_log(&self) -> Vec<Value> {
        let path = self.path("content/imports.log.ndjson");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Writes these Business Profile reviews as one export.
    pub(super) fn write_export(&self, name: &str, reviews: &[Value]) {
        self.write(name, json!({ "reviews": reviews }).to_string());
    }
}

/// The nth Business Profile review.
fn google(n: usize) -> Value {
    let (month, day) = (1 + n / 28 % 12, 1 + n % 28);
    let at = format!("2025-{month:02}-{day:02}T12:{:02}:00Z", n % 60);
    json!({
        "name": format!("accounts/1/locations/7/reviews/AbFvOqTill{n:04}"),
        "reviewer": { "displayName": format!("Ann {n}") },
        "starRating": (["ONE", "TWO", "THREE", "FOUR", "FIVE"][n % 5]),
        "comment": format!("Words of review {n}, and there are enough of them to tell."),
        "createTime": at, "updateTime": at,
    })
}

/// The same review as Apify has it.
fn apify(n: usize) -> Value {
    let google = google(n);
    json!({
        "reviewId": format!("ChZDSUhNMG9nS0VJQ0FnSUNUill{n:04}"), "reviewerId": format!("11000000{n:04}"),
        "name": google["reviewer"]["displayName"], "stars": 1 + n % 5, "text": google["comment"],
        "publishedAtDate": google["createTime"], "placeId": "ChIJtillwater0001",
    })
}
