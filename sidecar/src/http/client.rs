//! The client that sent a request.

use std::net::Ipv6Addr;

use actix_web::HttpRequest;

use crate::hub::{Client, HubHandle};

/// Determines the client by the address of the peer and `X-Forwarded-For`.
pub(super) fn client(request: &HttpRequest, hub: &HubHandle) -> Client {
    let lines = request.headers().get_all("x-forwarded-for");
    let lines: Vec<_> = lines.filter_map(|line| line.to_str().ok()).collect();
    let peer = request.peer_addr().map_or(Ipv6Addr::UNSPECIFIED.into(), |peer| peer.ip());
    hub.client(peer, &lines)
}
