//! Turns the dataset of a review site into files that any web server can publish.
//!
//! - [`pipeline`] is what every command that looks at content begins with: content in, dataset and problems out.
//! - [`render`] turns the dataset into documents; it is pure and the same on every machine.
//! - [`site`] is the pages people look at, and what other sites and crawlers take.
//! - [`publication`] is the list of both; [`document`] is one file of it.
//! - [`publish`] writes what changed, the manifest last, or a release beside the ones before it.
//! - [`previous`] is the publication before this one.
//! - [`log`] appends to the transparency log what happened to the reviews, and signs it.
//! - [`host`] derives from the manifest what a web server or platform needs to serve it.
//! - [`preview`] builds the site for this machine while its content is edited.

pub mod document;
pub mod host;
pub mod log;
pub mod pipeline;
pub mod preview;
pub mod previous;
pub mod publication;
pub mod publish;
pub mod render;
pub mod site;
