//! The insights from the outside: gold sets, the training of the detector, names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod detector;
mod gold;
#[path = "../gold/marked.rs"]
mod marked;
mod names;
#[path = "../gold/scores.rs"]
mod scores;
