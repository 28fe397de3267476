//! The data that are derived from one publication. It depends on `runtime` alone.
//!
//! - `arena`, `collection`: the parsed `reviews.json`, and the position of each review in its bytes.
//! - `per_review`, `name_table`, `names`: the words and insights that reviews are selected by, and the meanings of
//!   names in queries.
//! - `index`: the search index.
//! - `facts`, `transparency`, `catalog`: what the MCP tools need in addition to the reviews: `insights.json`,
//!   changes and ids, the checked transparency log, and the lists of one publication.

pub(crate) mod arena;
pub(crate) mod catalog;
pub(crate) mod collection;
pub(crate) mod facts;
pub mod index;
pub(crate) mod name_table;
mod names;
pub(crate) mod per_review;
pub(crate) mod transparency;
