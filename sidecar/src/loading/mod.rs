//! Makes a publication the current one of its site.
//!
//! - `timeline`: checks the time of a publication.
//! - `load`: checks every file of a publication against its manifest, and replaces the current publication.
//! - `reload`: the threads that load, the `jobs` of each, and the `watch` of folders.

pub(crate) mod load;
pub(crate) mod reload;
mod timeline;
