//! How a publication becomes the current one of its site.
//!
//! - `timeline`: whether the time of a publication can be right.
//! - `load`: checks every file of a publication against its manifest, and replaces the current publication.
//! - `reload`: the threads that do so, the `jobs` of each, and the `watch` of folders.

pub(crate) mod load;
pub(crate) mod reload;
mod timeline;
