//! The files of changes, parsed: the span of each change.

use std::{io, ops::Range};

use actix_web::web::Bytes;
use contract::{
    changes::{NEWEST, number},
    model::ReviewId,
    query::{ChangePosition, ChangesQuery},
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The changes of one publication, newest first.
#[derive(Debug)]
pub(crate) struct ChangeList {
    files: Vec<Bytes>,
    /// The file of each change, and its position there.
    spans: Vec<(usize, Range<usize>)>,
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
    older: Option<String>,
    #[serde(borrow)]
    changes: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ChangeRecord {
    id: ReviewId,
    at: Timestamp,
}

impl ChangeList {
    /// Reads `changes.json` and the files of older changes. `read` returns the bytes of a published file.
    ///
    /// # Errors
    /// When a file is missing, is not such a document, or names no file of older changes.
    pub(crate) fn read(read: impl Fn(&str) -> io::Result<Bytes>) -> io::Result<Self> {
        let mut list = Self { files: Vec::new(), spans: Vec::new(), positions: Vec::new() };
        let mut next = Some(NEWEST.to_owned());
        while let Some(path) = next {
            let json = read(&path)?;
            let document: ChangesDocument<'_> = serde_json::from_slice(&json)?;
            for raw in document.changes {
                let ChangeRecord { id, at } = serde_json::from_str(raw.get())?;
                let start = raw.get().as_ptr().addr() - json.as_ptr().addr();
                list.spans.push((list.files.len(), start..start + raw.get().len()));
                list.positions.push(ChangePosition { at, id });
            }
            next = document.older;
            let is_older = |older| number(older).is_some_and(|n| Some(n) < number(&path));
            if next.as_deref().is_some_and(|older| !is_older(older)) {
                return Err(io::Error::other(format!("{path} names no file of older changes")));
            }
            list.files.push(json);
        }
        Ok(list)
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
        let changes = self.spans[start..end].iter();
        let changes = changes.map(|(file, at)| &self.files[*file][at.clone()]).collect();
        let last = end.checked_sub(1).filter(|_| start < end && end < matched);
        let next = last.map(|last| self.positions[last].cursor(query.since));
        ChangesPage { matched, changes, next }
    }
}
