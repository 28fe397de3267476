//! Turns a business's verified reviews into files any web server can publish.
//!
//! ```text
//! content/ ─▶ content ─▶ dataset ─▶ render ─▶ publish ─▶ public/ + manifest
//!             (problem)  (names,    (pure)    (etag, compress)
//!                        insights)
//! ```
//!
//! - [`content`] reads hand-written TOML and machine-written reviews, and reports every
//!   [`problem`] at once.
//! - [`dataset`] applies corrections, resolves [`names`], withholds what nobody verified.
//! - [`insights`] computes what customers say, with evidence for every number; it is pure too.
//! - [`render`] turns the dataset into documents; it is pure and the same on every machine.
//! - [`site`] is the pages people look at, and what other sites and crawlers take.
//! - [`publish`] writes what changed so that no reader sees half a site, the [`manifest`] last.
//! - [`journal`] lets the next command complete a change that was cut short.
//! - [`host`] derives from the manifest what a web server or platform needs to serve it.
//! - [`query`] is what a client may ask of the list of reviews, the same for every interface.
//! - [`api`] is what those interfaces answer.
//! - [`mcp`] is what agents are offered: identity, tools, schemas.
//! - [`etag`] decides conditional requests; the sidecar uses it too.
//! - [`verify`] looks at a live site from outside.
//! - [`cli`] is the command line: one module per verb.

pub mod api;
pub mod cli;
pub mod compress;
pub mod content;
pub mod dataset;
pub mod etag;
pub mod host;
pub mod import;
pub mod insights;
pub mod journal;
pub mod manifest;
pub mod mcp;
pub mod model;
pub mod names;
pub mod pipeline;
pub mod previous;
pub mod problem;
pub mod publish;
pub mod query;
pub mod render;
pub mod site;
pub mod text;
pub mod verify;
pub mod watch;
