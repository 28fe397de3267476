//! Turns the dataset of a review site into files that any web server can publish.
//!
//! - [`pipeline`] is the first step of every command that reads content: content in, dataset and problems out.
//! - [`render`] turns the dataset into documents; it is pure and the same on every machine.
//! - [`site`] makes the pages for people, and the documents for other sites and crawlers.
//! - [`publication`] is the list of both; [`document`] is one file of it.
//! - [`publish`] writes the files that changed, the manifest last, or a release beside the ones before it.
//! - [`previous`] is the publication before this one.
//! - [`recompute`] compares a published site with what its `reviews.json` gives.
//! - [`log`] appends events of the reviews to the transparency log, and signs it.
//! - [`host`] derives from the manifest the files that a web server or platform needs to serve it.
//! - [`preview`] builds the site for this machine while its content is edited.

pub mod document;
pub mod host;
pub mod log;
pub mod pipeline;
pub mod preview;
pub mod previous;
pub mod publication;
pub mod publish;
pub mod recompute;
pub mod render;
pub mod site;
