//! A port to listen on that no other program uses.

use std::{
    io::ErrorKind,
    net::{SocketAddr, TcpListener},
};

use anyhow::Context as _;

/// Ports after the requested one that are tried before the system chooses.
const MAX_NEXT_PORTS: u16 = 20;

/// Returns the requested address, a free port after it, or any free port.
pub(super) fn free_address(asked: SocketAddr) -> anyhow::Result<SocketAddr> {
    let next = (0..=MAX_NEXT_PORTS).filter_map(|step| asked.port().checked_add(step));
    for port in next.chain([0]) {
        match TcpListener::bind(SocketAddr::new(asked.ip(), port)) {
            Ok(listener) => return Ok(listener.local_addr()?),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen on {asked}")),
        }
    }
    anyhow::bail!("cannot listen on {asked}: no port is free")
}
