//! `changes.json` made answerable: where each change lies in it.

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
pub(crate) struct Changes {
    json: Bytes,
    stretches: Vec<Range<usize>>,
    places: Vec<ChangePosition>,
}

/// A page of changes.
#[derive(Debug)]
pub(crate) struct ChangesPage<'a> {
    /// How many changes there are, on this page or not.
    pub(crate) matched: usize,
    /// Those of this page, as published.
    pub(crate) changes: Vec<&'a [u8]>,
    /// The cursor of the page after this one.
    pub(crate) next: Option<String>,
}

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    changes: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Change {
    id: ReviewId,
    at: Timestamp,
}

impl Changes {
    /// Reads `changes.json`.
    ///
    /// # Errors
    /// When it is no such document.
    pub(crate) fn read(json: Bytes) -> Result<Self, serde_json::Error> {
        let document: Document<'_> = serde_json::from_slice(&json)?;
        let (mut stretches, mut places) = (Vec::new(), Vec::new());
        for raw in document.changes {
            let Change { id, at } = serde_json::from_str(raw.get())?;
            let start = raw.get().as_ptr().addr() - json.as_ptr().addr();
            stretches.push(start..start + raw.get().len());
            places.push(ChangePosition { at, id });
        }
        Ok(Self { json, stretches, places })
    }

    /// The page asked for.
    pub(crate) fn find(&self, query: &ChangesQuery) -> ChangesPage<'_> {
        let since = |place: &ChangePosition| query.since.is_none_or(|since| place.at >= since);
        let matched = self.places.partition_point(since);
        let after = |last: ChangePosition| self.places.partition_point(|place| *place >= last);
        let start = query.after.map_or(0, after).min(matched);
        let end = matched.min(start + query.limit);
        let changes = self.stretches[start..end].iter().map(|at| &self.json[at.clone()]).collect();
        let last = end.checked_sub(1).filter(|_| start < end && end < matched);
        let next = last.map(|last| self.places[last].cursor(query.since));
        ChangesPage { matched, changes, next }
    }
}
