//! Connections below HTTP, and the limits of their clients. It depends on `runtime` alone.
//!
//! - `shares`: the share of each client network.
//! - `traffic`: counts of what the server receives and sends.
//! - `request_line`, `pipeline`: the percent-encoding in a request line, and one request at a time on each connection.
//! - `connections`, `connection`: the places of the open connections by client network, and the disconnection of
//!   slow clients.

pub(crate) mod connection;
pub(crate) mod connections;
pub(crate) mod pipeline;
mod request_line;
pub(crate) mod shares;
pub(crate) mod traffic;
