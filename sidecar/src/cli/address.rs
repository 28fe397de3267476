//! Socket addresses on the command line.

use std::net::{SocketAddr, ToSocketAddrs};

/// `host:port`, the host by name or number.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().map_err(|error| format!("it is not HOST:PORT ({error})"))?;
    found.into_iter().next().ok_or_else(|| "the host has no address".to_owned())
}
