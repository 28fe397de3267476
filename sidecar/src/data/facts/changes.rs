//! `changes.json`, parsed: the span of each change.

use std::ops::Range;

use actix_web::web::Bytes;
use contract::{
    model::ReviewId,
    query::{ChangePosition, ChangesQuery},
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The changes of one publication, newest first.
#[derive(Debug)]
pub(crate) struct ChangeList {
    json: Bytes,
    spans: Vec<Range<usize>>,
    positions: Vec<ChangePosition>,
}

/// A page of changes.
#[derive(Debug)]
pub(crate) struct ChangesPage<'a> {
    /// The number of changes, on this page or not.
    pub(crate) matched: usize,
    /// The changes of this page, as published.
    pub(crate) changes: Vec<&'a [u8]>,
    /// The cursor of the next page.
    pub(crate) next: Option<String>,
}

#[derive(Deserialize)]
struct ChangesDocument<'a> {
    #[serde(borrow)]
    changes: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ChangeRecord {
    id: ReviewId,
    at: Timestamp,
}

impl ChangeList {
    /// Reads `changes.json`.
    ///
    /// # Errors
    /// When it is not such a document.
    pub(crate) fn read(json: Bytes) -> Result<Self, serde_json::Error> {
        let document: ChangesDocument<'_> = serde_json::from_slice(&json)?;
        let (mut spans, mut positions) = (Vec::new(), Vec::new());
        for raw in document.changes {
            let ChangeRecord { id, at } = serde_json::from_str(raw.get())?;
            let start = raw.get().as_ptr().addr() - json.as_ptr().addr();
            spans.push(start..start + raw.get().len());
            positions.push(ChangePosition { at, id });
        }
        Ok(Self { json, spans, positions })
    }

    /// Returns the page of a query.
    pub(crate) fn find(&self, query: &ChangesQuery) -> ChangesPage<'_> {
        let since =
            |position: &ChangePosition| query.since.is_none_or(|since| position.at >= since);
        let matched = self.positions.partition_point(since);
        let after =
            |last: ChangePosition| self.positions.partition_point(|position| *position >= last);
        let start = query.after.map_or(0, after).min(matched);
        let end = matched.min(start + query.limit);
        let changes = self.spans[start..end].iter().map(|at| &self.json[at.clone()]).collect();
        let last = end.checked_sub(1).filter(|_| start < end && end < matched);
        let next = last.map(|last| self.positions[last].cursor(query.since));
        ChangesPage { matched, changes, next }
    }
}
