//! `changes.json`: the changes of reviews, for clients that keep copies.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Body, stream::ObjectWriter};
use content::dataset::Dataset;
use contract::model::ReviewId;

/// Version of the document's shape (contract 2.6).
const VERSION: u32 = 1;

/// `changes.json`.
#[derive(JsonSchema)]
pub(super) struct Changes {
    /// Of the document's shape.
    version: u32,
    /// Newest first.
    changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Kind {
    Added,
    Changed,
    Removed,
}

/// One thing that happened to a review.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct Change {
    /// The review's.
    id: ReviewId,
    /// What happened.
    change: Kind,
    /// When.
    at: Timestamp,
}

pub(super) fn body(data: &Dataset) -> Body<'_> {
    Body::Stream(Box::new(move |out| {
        let document = Changes { version: VERSION, changes: changes(data) };
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &document.version)?;
        object.array("changes", document.changes)?;
        object.close()
    }))
}

/// Returns the changes, newest first; at one instant, later ids first.
fn changes(data: &Dataset) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::with_capacity(data.reviews.len());
    for review in &data.reviews {
        // The stamps say when it came and changed here, not at its source: who looked in between
        // must not miss it.
        changes.push(Change { id: review.id, change: Kind::Added, at: review.added });
        let changed = review.changed.map(|at| Change { id: review.id, change: Kind::Changed, at });
        changes.extend(changed);
    }
    let removed = data.withdrawn.iter().map(|&(id, at)| Change { id, change: Kind::Removed, at });
    changes.extend(removed);
    changes.sort_by_key(|change| std::cmp::Reverse((change.at, change.id)));
    changes
}
