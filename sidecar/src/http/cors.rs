//! Every browser on every origin may read everything: it is public, and no request carries
//! credentials.

use actix_web::{
    HttpResponse,
    http::header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue,
        X_CONTENT_TYPE_OPTIONS,
    },
};

const ALLOW_METHODS: &str = "GET, HEAD, POST, OPTIONS";
const ALLOW_HEADERS: &str = "If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, \
     Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";
const EXPOSE_HEADERS: &str = "ETag, Link, Last-Modified, Mcp-Session-Id";

/// Seconds a browser may remember a preflight.
const MAX_AGE: &str = "3600";

/// What every answer carries, errors included.
pub(crate) fn add(fields: &mut HeaderMap) {
    fields.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    fields.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSE_HEADERS));
    fields.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

/// The answer to `OPTIONS`, on every path.
pub(crate) fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, ALLOW_METHODS))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, ALLOW_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, MAX_AGE))
        .finish()
}
