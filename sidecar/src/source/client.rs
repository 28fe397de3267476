//! Requests files from a web server, one after the other, in the loader's thread, which blocks.
//! Redirects are followed within the origin that the operator named, because hosts normalise their
//! URLs; a redirect to another origin is an error.

use std::{
    cell::RefCell,
    fmt,
    io::{self, Write},
    pin::pin,
    sync::Arc,
    time::Duration,
};

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
use awc::{ClientResponse, Connector};
use futures_util::future::{Either, select};
use jiff::Timestamp;
use rustls::ClientConfig;
use url::Url;

use super::{receive, remote::Validators, settings::RemoteConfig};
use crate::runtime::{
    outgoing::{self, CaError, USER_AGENT},
    stop::Stop,
};

/// Redirects that are followed for one file.
const MAX_REDIRECTS: usize = 3;

/// Why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("{0}")]
    NoResponse(String),
    #[error("did not answer within {0:?}")]
    Timeout(Duration),
    #[error("answered {}{}", status.as_u16(), retry_note(*retry_after))]
    Status { status: StatusCode, retry_after: Duration },
    #[error("is redirected to another origin, {0}: if the site is there, name it in --public")]
    OtherOrigin(Url),
    #[error("is redirected more than {MAX_REDIRECTS} times")]
    TooManyRedirects,
    #[error("is redirected nowhere")]
    NoRedirectTarget,
    #[error("comes in the coding {0}, which was not asked for")]
    Coding(String),
    #[error("comes in a broken gzip coding: {0}")]
    Broken(io::Error),
    #[error("broke off after {received} bytes: {reason}")]
    Interrupted { received: u64, reason: String },
    #[error("came too slowly: less than 64 KiB in {0:?}")]
    Slow(Duration),
    #[error("is longer than {0} bytes")]
    TooLong(u64),
    #[error("cannot be kept: {0}")]
    Sink(io::Error),
    #[error("was cancelled")]
    Stopped,
}

/// What a `Retry-After` adds to the message.
fn retry_note(retry_after: Duration) -> String {
    match retry_after.as_secs() {
        0 => String::new(),
        seconds => format!(" with Retry-After: {seconds} s"),
    }
}

impl FetchError {
    /// The server responds and has no such file, as opposed to being unreachable.
    pub(crate) fn is_absence(&self) -> bool {
        match self {
            Self::Status { status, .. } => {
                matches!(*status, StatusCode::NOT_FOUND | StatusCode::GONE)
            }
            Self::TooLong(_) => true,
            _ => false,
        }
    }

    /// The status with which some object stores respond for missing files.
    pub(crate) fn is_forbidden(&self) -> bool {
        matches!(self, Self::Status { status: StatusCode::FORBIDDEN, .. })
    }

    /// The `Retry-After` of the response; zero without one.
    pub(crate) fn retry_after(&self) -> Duration {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => Duration::ZERO,
        }
    }
}

/// A request for a file.
pub(super) struct SourceRequest<'a> {
    pub(super) url: Url,
    /// The validators of the bytes that are held already.
    pub(super) held: Option<&'a Validators>,
    /// Bytes at most.
    pub(super) limit: u64,
    /// Whether the bytes may come compressed; otherwise they are taken as they come.
    pub(super) may_compress: bool,
}

/// The response with status 304 or 200.
pub(super) enum SourceResponse {
    /// The bytes are those that are held.
    Unchanged(HeaderMap),
    /// New bytes; they were written to the sink.
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

    /// Closes idle connections. The client keeps them until their server is asked again, and with
    /// many sites that would be a file descriptor for each.
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
            status => Err(FetchError::Status { status, retry_after: retry_after(&head) }),
        }
    }

    /// The answer at the end of all redirects.
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

    async fn send(
        &self,
        url: &Url,
        request: &SourceRequest<'_>,
    ) -> Result<ClientResponse, FetchError> {
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
        match timeout(self.settings.answer, builder.send()).await {
            Err(_) => Err(FetchError::Timeout(self.settings.answer)),
            Ok(Err(error)) => Err(FetchError::NoResponse(outgoing::explain(&error))),
            Ok(Ok(response)) => Ok(response),
        }
    }
}

/// A client without connections.
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

/// `Retry-After` (RFC 9110 section 10.2.3).
fn retry_after(head: &HeaderMap) -> Duration {
    let field = head.get(RETRY_AFTER).and_then(|field| field.to_str().ok());
    let wait =
        field.and_then(|field| outgoing::retry_after(field, Timestamp::now().as_millisecond()));
    wait.unwrap_or_default()
}
