//! A review as a test writes it into a content folder.

use serde_json::{Value, json};

/// One line of `content/reviews/*.ndjson`; valid until a test says otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Review(Value);

/// The id of the `n`th review.
pub(crate) fn id(n: usize) -> String {
    format!("01J{n:023}")
}

/// Five stars from `Ann n` on the `n`th day of 2026, where there is one in the first four weeks.
pub(crate) fn review(n: usize) -> Review {
    let date = format!("2026-{:02}-{:02}", 1 + n / 28 % 12, 1 + n % 28);
    Review(json!({
        "id": id(n), "author": format!("Ann {n}"), "rating": 5, "date": date,
        "text": format!("Words of review {n}."), "source": "google",
        "updated": format!("{date}T09:00:00Z"),
    }))
}

impl Review {
    /// With another value for one of its keys.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0[key] = value.into();
        self
    }

    /// As it is in its file, without the line break.
    pub(crate) fn line(&self) -> String {
        self.0.to_string()
    }
}

/// The first `count` reviews with ratings that go round from 1 to 5.
pub(crate) fn mixed(count: usize) -> Vec<Review> {
    (0..count).map(|n| review(n).with("rating", 1 + n % 5)).collect()
}
