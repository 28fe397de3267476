//! The connections to subscribers: to addresses of the resolver only, and over TLS.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::rt::{net::TcpStream, time::timeout};
use futures_util::future::BoxFuture;
use http::Uri;
use hyper_util::{
    client::legacy::connect::{Connected, Connection},
    rt::TokioIo,
};
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::{TlsConnector, client::TlsStream};
use tower_service::Service;

use super::resolver::{NoResponse, PolicedResolver};
use crate::runtime::outgoing;

/// Makes the connections of the HTTP client.
#[derive(Clone)]
pub(super) struct Connector {
    resolver: PolicedResolver,
    tls: TlsConnector,
    /// The time for the lookup and the connection; the TLS handshake has as long again.
    limit: Duration,
}

/// A connection to a subscriber.
pub(super) struct SecureStream(TlsStream<TcpStream>);

impl Connector {
    pub(super) fn new(resolver: PolicedResolver, tls: ClientConfig, limit: Duration) -> Self {
        Self { resolver, tls: Arc::new(tls).into(), limit }
    }

    async fn connect(&self, url: &Uri) -> Result<SecureStream, NoResponse> {
        let host = url.host().unwrap_or_default();
        let port = url.port_u16().unwrap_or(443);
        let tcp = timeout(self.limit, async {
            let addresses = self.resolver.lookup(host, port).await?;
            TcpStream::connect(&*addresses).await.map_err(no_connection)
        });
        let tcp = tcp.await.unwrap_or_else(|_| Err(NoResponse::late()))?;
        tcp.set_nodelay(true).map_err(no_connection)?;
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|error| no_connection(io::Error::other(error)))?;
        let secured = timeout(self.limit, self.tls.connect(name, tcp)).await;
        match secured.map_err(|_| NoResponse::late())? {
            Ok(stream) => Ok(SecureStream(stream)),
            // A certificate or another demand of TLS does not change soon.
            Err(error) if outgoing::is_tls(&error) => Err(NoResponse {
                error: format!("no secure connection: {error}"),
                may_retry: false,
            }),
            Err(error) => Err(no_connection(error)),
        }
    }
}

fn no_connection(error: io::Error) -> NoResponse {
    NoResponse { error: format!("no connection: {error}"), may_retry: true }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<SecureStream>;
    type Error = NoResponse;
    type Future = BoxFuture<'static, Result<Self::Response, NoResponse>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NoResponse>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, url: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move { connector.connect(&url).await.map(TokioIo::new) })
    }
}

impl Connection for SecureStream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for SecureStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for SecureStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, pieces)
    }

    // Without it a copy of the topic would be made for each delivery.
    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
