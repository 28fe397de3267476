//! One publication, its documents, the file of each URL, and the current publication of a site.
//!
//! - `urls`: the file of each URL.
//! - `snapshot`: one publication and its documents.
//! - `published`: the current publication, and the reason why a newer one is refused.

pub(crate) mod published;
pub(crate) mod snapshot;
mod urls;
