//! The official SDK's service, mounted in actix-web.

use std::convert::Infallible;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header::HeaderName},
    web::Bytes,
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use http_body_util::{BodyDataStream, BodyExt, Full, combinators::BoxBody};
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};

/// What the service answers.
pub(super) type Answer = http::Response<BoxBody<Bytes, Infallible>>;

/// The service, whatever server is behind it.
pub(super) type Sdk =
    Box<dyn Fn(http::Request<Full<Bytes>>) -> LocalBoxFuture<'static, Answer> + Send + Sync>;

/// Mounts a server without sessions that answers JSON. Hosts, origins and sizes are checked before
/// it is asked, by what the current publication says.
pub(super) fn mount<S: ServerHandler + Clone>(server: S) -> Sdk {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::MAX)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let sessions = NeverSessionManager::default().into();
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    Box::new(move |request| {
        let service = service.clone();
        async move { service.handle(request).await }.boxed_local()
    })
}

/// The request in the form the SDK takes; `None` where it has a header no request can have.
pub(super) fn request(from: &HttpRequest, body: Bytes) -> Option<http::Request<Full<Bytes>>> {
    let target = from.uri().path_and_query().map_or("/", |target| target.as_str());
    let mut request = http::Request::builder().method("POST").uri(target);
    for (name, value) in from.headers() {
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
pub(super) async fn receive(answer: Answer) -> (http::response::Parts, Received) {
    let (parts, body) = answer.into_parts();
    let whole = http_body::Body::size_hint(&body).exact().is_some();
    let received = match whole {
        // It cannot fail: its error has no values.
        true => Received::Whole(body.collect().await.map(|all| all.to_bytes()).unwrap_or_default()),
        false => Received::Stream(BodyDataStream::new(body)),
    };
    (parts, received)
}

/// The head of the SDK's answer.
pub(super) fn head(parts: &http::response::Parts) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(parts.status.as_u16());
    let mut answer = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &parts.headers {
        if let Ok(name) = HeaderName::from_bytes(name.as_str().as_bytes()) {
            answer.append_header((name, value.as_bytes()));
        }
    }
    answer
}
