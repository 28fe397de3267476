//! The only place where the hub resolves names: one lookup per connection, which is made to an address that the policy
//! permits. A name that resolves differently the next time is therefore harmless (DNS rebinding).

use std::{error::Error, fmt, io, net::SocketAddr, sync::Arc};

use actix_tls::connect::Resolve;
use actix_web::rt::task::spawn_blocking;
use dns_lookup::{AddrInfoHints, LookupErrorKind, SockType, getaddrinfo};
use futures_util::future::LocalBoxFuture;

use super::policy::AddressPolicy;

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

/// The error that every address of the name is outside the policy.
#[derive(Debug, thiserror::Error)]
#[error("the name has no address that may be connected to")]
pub(crate) struct BlockedAddress;

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

    /// Returns the addresses that may be connected to.
    pub(super) fn permitted(
        &self,
        found: Vec<SocketAddr>,
    ) -> Result<Vec<SocketAddr>, BlockedAddress> {
        let permitted = found.into_iter().filter(|found| self.policy.permits(found.ip()));
        let permitted: Vec<_> = permitted.collect();
        if permitted.is_empty() { Err(BlockedAddress) } else { Ok(permitted) }
    }
}

impl Resolve for PolicedResolver {
    fn lookup<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> LocalBoxFuture<'a, Result<Vec<SocketAddr>, Box<dyn Error>>> {
        let (lookup, host) = (self.lookup.clone(), host.to_owned());
        Box::pin(async move {
            let found = spawn_blocking(move || lookup.lookup(&host, port)).await??;
            Ok(self.permitted(found)?)
        })
    }
}
