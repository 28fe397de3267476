//! Judging: pure functions from what was fetched to what is wrong with it. No requests here.

pub(super) mod agents;
pub(super) mod content;
pub(super) mod documents;
pub(super) mod feeds;
pub(super) mod headers;
pub(super) mod queries;
pub(super) mod responses;
pub(super) mod site;
