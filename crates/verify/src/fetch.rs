//! Fetching: a client of one site, and responses read within limits. Nothing is judged here.

pub(super) mod client;
pub(super) mod response;
