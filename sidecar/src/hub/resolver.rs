//! The only place where the hub resolves names: one lookup per connection, which is made to an address that the policy
//! permits. A name that resolves differently the next time is therefore harmless (DNS rebinding).

use std::{fmt, io, net::SocketAddr, sync::Arc};

use actix_web::rt::task::spawn_blocking;
use dns_lookup::{AddrInfoHints, LookupErrorKind, SockType, getaddrinfo};

use super::policy::AddressPolicy;
use crate::runtime::outgoing::LATE;

/// Resolves host names. Blocks.
pub trait NameLookup: fmt::Debug + Send + Sync {
    /// Returns every address of a host name.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is no such name, or it has no address; any other kind
    /// when the lookup fails.
    fn lookup(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The system's own resolver.
#[derive(Debug)]
pub(crate) struct SystemLookup;

impl NameLookup for SystemLookup {
    fn lookup(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let hints = AddrInfoHints { socktype: SockType::Stream.into(), ..Default::default() };
        match getaddrinfo(Some(host), None, Some(hints)) {
            Ok(found) => found
                .map(|found| found.map(|found| SocketAddr::new(found.sockaddr.ip(), port)))
                .collect(),
            Err(error) => Err(match error.kind() {
                LookupErrorKind::NoName | LookupErrorKind::NoData => {
                    io::Error::new(io::ErrorKind::NotFound, io::Error::from(error))
                }
                _ => error.into(),
            }),
        }
    }
}

/// The reason why no head of a response arrived.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{error}")]
pub(super) struct NoResponse {
    pub(super) error: String,
    /// Whether a later attempt may succeed: the name exists, its address is permitted, and TLS did not fail.
    pub(super) may_retry: bool,
}

impl NoResponse {
    pub(super) fn late() -> Self {
        Self { error: LATE.into(), may_retry: true }
    }
}

/// The resolver of the hub's HTTP client.
#[derive(Clone, Debug)]
pub(crate) struct PolicedResolver {
    lookup: Arc<dyn NameLookup>,
    policy: Arc<AddressPolicy>,
}

impl PolicedResolver {
    pub(crate) fn new(lookup: Arc<dyn NameLookup>, policy: AddressPolicy) -> Self {
        Self { lookup, policy: Arc::new(policy) }
    }

    /// Returns the addresses that may be connected to. A name that does not exist, or has none, does not change soon.
    pub(super) async fn lookup(
        &self,
        host: &str,
        port: u16,
    ) -> Result<Vec<SocketAddr>, NoResponse> {
        let (lookup, name) = (self.lookup.clone(), host.to_owned());
        let found = spawn_blocking(move || lookup.lookup(&name, port)).await;
        let found = found.unwrap_or_else(|error| Err(io::Error::other(error)));
        self.permitted(found.map_err(|error| NoResponse {
            error: format!("its name cannot be resolved: {error}"),
            may_retry: error.kind() != io::ErrorKind::NotFound,
        })?)
    }

    /// Returns those of the addresses that may be connected to.
    pub(super) fn permitted(&self, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, NoResponse> {
        let permitted = found.into_iter().filter(|found| self.policy.permits(found.ip()));
        let permitted: Vec<_> = permitted.collect();
        if permitted.is_empty() {
            let error = "the name has no address that may be connected to".into();
            return Err(NoResponse { error, may_retry: false });
        }
        Ok(permitted)
    }
}
