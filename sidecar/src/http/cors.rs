//! Every browser on every origin may read everything: it is public, and no request carries
//! credentials.

use actix_web::{
    Error, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{
            ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
            ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::{DefaultHeaders, Next},
};

const ALLOW_METHODS: &str = "GET, HEAD, POST, OPTIONS";
const ALLOW_HEADERS: &str = "If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, \
     Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";
const EXPOSE_HEADERS: &str = "ETag, Link, Last-Modified, Mcp-Session-Id";

/// Seconds a browser may remember a preflight.
const MAX_AGE: &str = "3600";

/// What every answer carries, errors included.
pub(crate) fn headers() -> DefaultHeaders {
    DefaultHeaders::new()
        .add((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .add((ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSE_HEADERS))
        .add((X_CONTENT_TYPE_OPTIONS, "nosniff"))
}

/// Answers `OPTIONS` on every path.
pub(crate) async fn preflight<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if request.method() != Method::OPTIONS {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let answer = HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, ALLOW_METHODS))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, ALLOW_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish();
    Ok(request.into_response(answer))
}
