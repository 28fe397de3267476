//! One publication, its documents, the file of each URL, and the current publication of a site.
//!
//! - `urls`: which URL is which file.
//! - `snapshot`: one publication and its documents.
//! - `published`: the current publication, and why a newer one is refused.

pub(crate) mod published;
pub(crate) mod snapshot;
mod urls;
