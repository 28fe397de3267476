//! A GET on a connection of its own. The body of its response may end with the connection (RFC 9112, section 6.3, rule
//! 8): the HTTP client of the other requests takes such a response for empty.

use std::{error::Error, io, sync::Arc, time::Duration};

use actix_tls::connect::Resolve;
use actix_web::rt::{self, net::TcpStream, time::timeout};
use http::{
    Request, Response,
    header::{HOST, USER_AGENT},
};
use http_body_util::Empty;
use hyper::{
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio_rustls::{TlsConnector, client::TlsStream};
use url::Url;

use super::resolver::{BlockedAddress, PolicedResolver};
use crate::runtime::outgoing::{self, LATE};

/// Sends such requests, to addresses of the resolver only.
#[derive(Clone)]
pub(super) struct SingleRequests {
    resolver: PolicedResolver,
    tls: TlsConnector,
    /// The time for the lookup and the connection; the TLS handshake has as long again.
    connect: Duration,
}

/// The reason why no head of a response arrived.
#[derive(Debug)]
pub(super) struct NoResponse {
    pub(super) error: String,
    /// Whether a later attempt may succeed: the name exists, its address is permitted, and TLS did
    /// not fail.
    pub(super) may_retry: bool,
}

impl NoResponse {
    pub(super) fn late() -> Self {
        Self { error: LATE.into(), may_retry: true }
    }
}

impl SingleRequests {
    pub(super) fn new(resolver: PolicedResolver, tls: ClientConfig, connect: Duration) -> Self {
        Self { resolver, tls: Arc::new(tls).into(), connect }
    }

    /// Returns the response to a GET of an `https` URL; its body is yet to be read.
    pub(super) async fn get(&self, url: &Url) -> Result<Response<Incoming>, NoResponse> {
        let no_answer = |error: &dyn Error| NoResponse {
            error: format!("no answer: {error}"),
            may_retry: true,
        };
        let host = url.host_str().unwrap_or_default();
        let stream = timeout(self.connect, self.connect(host, url)).await;
        let stream = stream.map_err(|_| NoResponse::late())??;
        let stream = timeout(self.connect, self.secure(host, stream)).await;
        let stream = stream.map_err(|_| NoResponse::late())??;
        let handshake = http1::handshake(TokioIo::new(stream)).await;
        let (mut requests, connection) = handshake.map_err(|error| no_answer(&error))?;
        // Ends with the response.
        rt::spawn(connection);
        let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let request = Request::get(&url[url::Position::BeforePath..])
            .header(HOST, authority)
            .header(USER_AGENT, outgoing::USER_AGENT)
            .body(Empty::<Bytes>::new())
            .map_err(|error| no_answer(&error))?;
        requests.send_request(request).await.map_err(|error| no_answer(&error))
    }

    /// Connects to the first address of the name that accepts a connection.
    async fn connect(&self, host: &str, url: &Url) -> Result<TcpStream, NoResponse> {
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses =
            self.resolver.lookup(host, port).await.map_err(|error| unresolved(&*error))?;
        let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in addresses {
            match TcpStream::connect(address).await {
                Ok(stream) => return Ok(stream),
                Err(error) => refused = error,
            }
        }
        Err(NoResponse { error: format!("no connection: {refused}"), may_retry: true })
    }

    async fn secure(&self, host: &str, tcp: TcpStream) -> Result<TlsStream<TcpStream>, NoResponse> {
        let name = ServerName::try_from(host.to_owned());
        let secured = match name {
            Ok(name) => self.tls.connect(name, tcp).await,
            Err(error) => Err(io::Error::other(error)),
        };
        secured.map_err(|error| {
            if outgoing::is_tls(&error) {
                NoResponse { error: format!("no secure connection: {error}"), may_retry: false }
            } else {
                NoResponse { error: format!("no connection: {error}"), may_retry: true }
            }
        })
    }
}

/// Describes a failed lookup. A name that does not exist, or has no permitted address, does not change soon.
pub(super) fn unresolved(error: &(dyn Error + 'static)) -> NoResponse {
    if let Some(blocked) = error.downcast_ref::<BlockedAddress>() {
        return NoResponse { error: blocked.to_string(), may_retry: false };
    }
    let found = error.downcast_ref::<io::Error>().map(io::Error::kind);
    NoResponse {
        error: format!("its name cannot be resolved: {error}"),
        may_retry: found != Some(io::ErrorKind::NotFound),
    }
}
