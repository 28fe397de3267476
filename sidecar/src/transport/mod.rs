//! Connections below HTTP, and what clients may use of them. It depends on `runtime` alone.
//!
//! - `shares`: the share of each client network.
//! - `traffic`: counts of what the server receives and sends.
//! - `request_line`, `pipeline`: what is percent-encoded in a request line, and one request at a time on each
//!   connection.
//! - `connections`, `connection`: the places of the open connections by client network, and the disconnection of
//!   slow clients.

pub(crate) mod connection;
pub(crate) mod connections;
pub(crate) mod pipeline;
mod request_line;
pub(crate) mod shares;
pub(crate) mod traffic;
