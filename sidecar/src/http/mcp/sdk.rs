//! The official SDK's service, mounted in actix-web.

use std::{convert::Infallible, fmt, sync::Arc};

use actix_web::{
    HttpResponse, HttpResponseBuilder,
    http::{
        StatusCode,
        header::{HeaderMap, HeaderName},
    },
    web::Bytes,
};
use contract::routes;
use futures_util::{FutureExt, future::LocalBoxFuture};
use http_body_util::{BodyDataStream, BodyExt, Full, combinators::BoxBody};
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};

/// The response of the service.
type McpResponse = http::Response<BoxBody<Bytes, Infallible>>;

type Handle =
    dyn Fn(http::Request<Full<Bytes>>) -> LocalBoxFuture<'static, McpResponse> + Send + Sync;

/// An MCP server in the SDK's HTTP service, whatever its type is.
#[derive(Clone)]
pub struct McpServer(Arc<Handle>);

impl McpServer {
    /// Mounts a server without sessions that responds with JSON. The service checks no hosts,
    /// origins and sizes: the sidecar does that before, according to the current publication.
    pub fn new<S: ServerHandler + Clone>(server: S) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let sessions = NeverSessionManager::default().into();
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        Self(Arc::new(move |request| {
            let service = service.clone();
            async move { service.handle(request).await }.boxed_local()
        }))
    }

    /// The response to a request.
    pub(super) async fn call(&self, request: http::Request<Full<Bytes>>) -> McpResponse {
        (self.0)(request).await
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("McpServer")
    }
}

/// The request in the form the SDK takes; `None` where it has a header no request can have.
pub(super) fn request(head: &HeaderMap, body: Bytes) -> Option<http::Request<Full<Bytes>>> {
    let mut request = http::Request::builder().method("POST").uri(routes::MCP);
    for (name, value) in head {
        request = request.header(name.as_str(), value.as_bytes());
    }
    request.body(Full::new(body)).ok()
}

/// An answer of the SDK: its bytes, or where it streams the bytes to come.
pub(super) enum Received {
    Whole(Bytes),
    Stream(BodyDataStream<BoxBody<Bytes, Infallible>>),
}

/// Takes an answer apart.
pub(super) async fn receive(response: McpResponse) -> (http::response::Parts, Received) {
    let (parts, body) = response.into_parts();
    let whole = http_body::Body::size_hint(&body).exact().is_some();
    let received = if whole {
        // It cannot fail: its error has no values.
        Received::Whole(body.collect().await.map(|all| all.to_bytes()).unwrap_or_default())
    } else {
        Received::Stream(BodyDataStream::new(body))
    };
    (parts, received)
}

/// The head of the SDK's answer.
pub(super) fn head(parts: &http::response::Parts) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(parts.status.as_u16());
    let mut response = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &parts.headers {
        if let Ok(name) = HeaderName::from_bytes(name.as_str().as_bytes()) {
            response.append_header((name, value.as_bytes()));
        }
    }
    response
}
