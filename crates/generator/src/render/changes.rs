//! `changes.json` and the files of older changes: the changes of reviews, for clients that keep copies.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Body, Document, JSON, document, stream::ObjectWriter};
use content::dataset::Dataset;
use contract::{
    changes::{NEWEST, WINDOW, older},
    model::ReviewId,
};

/// Version of the document's shape.
const VERSION: u32 = 1;

/// `changes.json`, or a file of older changes.
#[derive(JsonSchema)]
pub(super) struct Changes {
    /// Of the document's shape.
    version: u32,
    /// The file with the changes before these, relative to this one. Null in the file of the oldest.
    older: Option<String>,
    /// Newest first, 500 at most.
    #[schemars(length(max = WINDOW))]
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

/// The newest changes, and files of older ones. Those are numbered from the oldest, so that a new change is a
/// difference in two files and not in all of them.
pub(super) fn documents(data: &Dataset) -> impl Iterator<Item = Document<'_>> {
    let all = changes(data);
    let old = all.len().saturating_sub(WINDOW);
    let files = old.div_ceil(WINDOW);
    let first_of = move |n: usize| old.min((n - 1) * WINDOW);
    let newest = (NEWEST.to_owned(), files, old..all.len());
    let before = (1..=files).map(move |n| (older(n), n - 1, first_of(n)..first_of(n + 1)));
    std::iter::once(newest).chain(before).map(move |(path, before, range)| {
        let older = (before > 0).then(|| older(before));
        let changes = all[all.len() - range.end..all.len() - range.start].to_vec();
        document(data, &path, JSON, body(Changes { version: VERSION, older, changes }))
    })
}

fn body<'d>(file: Changes) -> Body<'d> {
    Body::Stream(Box::new(move |out| {
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &file.version)?;
        object.member("older", &file.older)?;
        object.array("changes", &file.changes)?;
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
