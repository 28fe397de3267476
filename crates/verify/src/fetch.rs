//! Fetching: a client of one site, and responses read within limits. Nothing is judged here.

pub(super) mod client;
mod explain;
pub(super) mod response;
