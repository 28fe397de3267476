//! What the generator and the sidecar agree on: the shapes they publish, the questions a client may
//! ask of them, and the rules of HTTP both follow.
//!
//! - [`model`] is what is published: the business, its reviews, their averages.
//! - [`query`] is what a client may ask of the list of reviews, the same for every interface.
//! - [`api`] is what those interfaces answer; [`mcp`] is what agents are offered: identity, tools,
//!   schemas.
//! - [`routes`] are the paths of both programs.
//! - [`manifest`] lists the files of a publication.
//! - [`etag`] decides conditional requests; [`fields`] are header fields.
//! - [`lock`] keeps other processes off a file.
//! - [`text`] cleans and folds texts; [`problem`] is how a fault in a file is reported.

pub mod api;
pub mod compress;
pub mod etag;
pub mod fields;
pub mod lock;
pub mod manifest;
pub mod mcp;
pub mod model;
pub mod problem;
pub mod query;
pub mod routes;
pub mod text;
