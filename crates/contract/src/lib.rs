//! The contract between the generator and the sidecar: the published types, the query parameters,
//! and the rules of HTTP that both follow.
//!
//! - [`model`] is the published data: the business, its reviews, their averages.
//! - [`query`] parses the parameters of a query on the reviews, the same for every interface.
//! - [`api`] has the response types of the HTTP API; [`mcp`] has the identity, the tools and the
//!   schemas of the MCP server.
//! - [`routes`] and [`changes`] have the paths of both programs; [`percent`] encodes paths in URLs.
//! - [`manifest`] lists the files of a publication; [`compress`] makes their precompressed
//!   siblings.
//! - [`etag`] evaluates conditional requests; [`fields`] and [`security`] have
//!   header fields.
//! - [`files`] writes files that are whole or not there; [`lock`] takes locks on files.
//! - [`duration`] and [`hex`] parse what their names say; [`address`] has the addresses that are not public.
//! - [`text`] cleans and folds texts; [`problem`] describes a fault in a file.

pub mod address;
pub mod api;
pub mod changes;
pub mod compress;
pub mod duration;
pub mod etag;
pub mod fields;
pub mod files;
pub mod hex;
pub mod lock;
pub mod manifest;
pub mod mcp;
pub mod model;
pub mod parallel;
pub mod percent;
pub mod problem;
pub mod query;
pub mod routes;
pub mod security;
pub mod text;
