//! The requests of each check, in their order, and the judge of each response.
//!
//! The next request depends on the last response: a document without an ETag is not revalidated, a session that
//! was not opened is not used.

pub(super) mod agents;
pub(super) mod documents;
pub(super) mod manifest;
pub(super) mod queries;
pub(super) mod requests;
pub(super) mod sample;

/// An origin no site has (RFC 6761).
const ORIGIN: &str = "https://candor-verify.invalid";
