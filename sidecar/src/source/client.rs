//! Requests files from a web server, one after the other, in the loader's thread, which blocks.
//! Redirects are followed within the origin that the operator named, because hosts normalise their
//! URLs; a redirect to another origin is an error.

use std::{
    cell::RefCell,
    fmt,
    io::Write,
    pin::pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use actix_http::error::ParseError;
use actix_web::{
    http::{
        StatusCode,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION,
            RETRY_AFTER,
        },
    },
    rt::{Runtime, time::timeout},
};
use awc::{
    ClientResponse, Connector,
    error::{ConnectError, SendRequestError},
};
use contract::duration::retry_after;
use futures_util::future::{Either, select};
use rustls::ClientConfig;
use url::Url;

use super::{
    receive,
    request::{FetchError, MAX_REDIRECTS, SourceRequest, Validators},
    settings::RemoteConfig,
};
use crate::runtime::{
    outgoing::{self, CaError, LATE, USER_AGENT},
    stop::Stop,
};

/// The response with status 304 or 200, with its head.
pub(super) enum SourceResponse {
    /// The bytes are the ones that the client has.
    Unchanged(HeaderMap),
    /// There are new bytes, which were written to the sink.
    Bytes(HeaderMap),
}

/// An HTTP client with a runtime of its own.
pub(super) struct SourceClient {
    client: RefCell<awc::Client>,
    tls: Arc<ClientConfig>,
    runtime: Runtime,
    settings: RemoteConfig,
    stop: Stop,
}

impl fmt::Debug for SourceClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl SourceClient {
    pub(super) fn new(settings: &RemoteConfig, stop: &Stop) -> Result<Self, CaError> {
        let tls = Arc::new(outgoing::tls("--public-extra-ca", &settings.extra_ca)?);
        let runtime = Runtime::new().map_err(CaError::Runtime)?;
        let client = RefCell::new(runtime.block_on(async { client(&tls, settings) }));
        Ok(Self { client, tls, runtime, settings: settings.clone(), stop: stop.clone() })
    }

    /// Closes idle connections. The client keeps them until the next request to their server, and with many sites that
    /// would be a file descriptor for each.
    pub(super) fn close_idle(&self) {
        let new = self.runtime.block_on(async { client(&self.tls, &self.settings) });
        self.client.replace(new);
    }

    /// Sends the request and writes the body to `sink`. Blocks.
    pub(super) fn fetch(
        &self,
        request: &SourceRequest<'_>,
        sink: &mut dyn Write,
    ) -> Result<SourceResponse, FetchError> {
        self.runtime.block_on(async {
            let stopped = pin!(self.stop.asked());
            match select(stopped, pin!(self.ask(request, sink))).await {
                Either::Left(_) => Err(FetchError::Stopped),
                Either::Right((reply, _)) => reply,
            }
        })
    }

    async fn ask(
        &self,
        request: &SourceRequest<'_>,
        sink: &mut dyn Write,
    ) -> Result<SourceResponse, FetchError> {
        let response = self.follow(request).await?;
        let head = response.headers().clone();
        match response.status() {
            StatusCode::NOT_MODIFIED if request.held.is_some() => {
                Ok(SourceResponse::Unchanged(head))
            }
            StatusCode::OK => {
                receive::body(response, request, self.settings.stall_timeout, sink).await?;
                Ok(SourceResponse::Bytes(head))
            }
            status => Err(FetchError::Status { status, retry_after: wait(&head) }),
        }
    }

    /// Returns the response at the end of all redirects.
    async fn follow(&self, request: &SourceRequest<'_>) -> Result<ClientResponse, FetchError> {
        let mut url = request.url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&url, request).await?;
            if !is_redirect(response.status()) {
                return Ok(response);
            }
            let target = response.headers().get(LOCATION).and_then(|field| field.to_str().ok());
            let target = target.and_then(|target| url.join(target).ok());
            url = target.ok_or(FetchError::NoRedirectTarget)?;
            if url.origin() != request.url.origin() {
                return Err(FetchError::OtherOrigin(url));
            }
        }
        Err(FetchError::TooManyRedirects)
    }

    /// Sends the request, and once more over a new connection if the server had closed the one that was used before
    /// (RFC 9112, section 9.3.1).
    async fn send(
        &self,
        url: &Url,
        request: &SourceRequest<'_>,
    ) -> Result<ClientResponse, FetchError> {
        let mut sent = self.try_to_send(url, request).await?;
        if sent.as_ref().is_err_and(broke_off) {
            self.client.replace(client(&self.tls, &self.settings));
            sent = self.try_to_send(url, request).await?;
        }
        sent.map_err(|error| FetchError::NoResponse(explain(&error)))
    }

    async fn try_to_send(
        &self,
        url: &Url,
        request: &SourceRequest<'_>,
    ) -> Result<Result<ClientResponse, SendRequestError>, FetchError> {
        let coding = if request.may_compress { "gzip" } else { "identity" };
        let mut builder = self
            .client
            .borrow()
            .get(url.as_str())
            .insert_header((ACCEPT_ENCODING, coding))
            // What caches on the way hold may be older than what was published.
            .insert_header((CACHE_CONTROL, "no-cache"));
        if let Some(Validators { etag, modified }) = request.held {
            let fields = [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, modified)];
            for (name, value) in fields {
                if let Some(value) = value {
                    builder = builder.insert_header((name, value.clone()));
                }
            }
        }
        let sent = timeout(self.settings.answer, builder.send()).await;
        sent.map_err(|_| FetchError::Timeout(self.settings.answer))
    }
}

/// Makes a client without connections.
fn client(tls: &Arc<ClientConfig>, settings: &RemoteConfig) -> awc::Client {
    let connector = Connector::new()
        .rustls_0_23(tls.clone())
        .timeout(settings.connect)
        .handshake_timeout(settings.connect);
    awc::Client::builder()
        .connector(connector)
        .disable_redirects()
        .disable_timeout()
        .add_default_header(("User-Agent", USER_AGENT))
        .finish()
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Returns the wait that the response asks for.
fn wait(head: &HeaderMap) -> Duration {
    let field = head.get(RETRY_AFTER);
    field.and_then(|field| retry_after(field.as_bytes(), SystemTime::now())).unwrap_or_default()
}

/// Whether a connection ended before the response began.
fn broke_off(error: &SendRequestError) -> bool {
    matches!(
        error,
        SendRequestError::Connect(ConnectError::Disconnected)
            | SendRequestError::Send(_)
            | SendRequestError::Response(ParseError::Io(_))
    )
}

/// Returns the reason why there is no response, for the operator.
fn explain(error: &SendRequestError) -> String {
    match error {
        SendRequestError::Timeout | SendRequestError::Connect(ConnectError::Timeout) => LATE.into(),
        SendRequestError::Connect(ConnectError::Resolver(error)) => {
            format!("its name cannot be resolved: {error}")
        }
        SendRequestError::Connect(ConnectError::Io(error)) if outgoing::is_tls(error) => {
            format!("no secure connection: {error}")
        }
        SendRequestError::Connect(ConnectError::Io(error)) => format!("no connection: {error}"),
        SendRequestError::Connect(error) => format!("no connection: {error}"),
        other => format!("no answer: {other}"),
    }
}
