//! Fetching: a client of one site, and responses read within limits. Nothing is judged here.

pub(super) mod answer;
pub(super) mod client;
