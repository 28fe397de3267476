//! Error responses, in the form of their route (docs/api.md, "Errors").

use actix_web::{
    HttpResponse,
    http::{
        StatusCode,
        header::{ALLOW, CACHE_CONTROL, CONTENT_RANGE, HeaderName, HeaderValue, RETRY_AFTER},
    },
};
use contract::{
    api::ErrorBody,
    fields::{DOCUMENT_METHODS, NO_STORE},
    query::Issue,
    routes,
};

use super::refusal::{RpcRefusal, TRANSPORT};

/// Seconds of `Retry-After` while nothing is loaded.
const RETRY_SECONDS: u32 = 5;

/// Seconds of `Retry-After` while there are too many requests.
const BUSY_SECONDS: u32 = 1;

/// The fault of a request, or of the sidecar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RequestProblem {
    /// All faults of the request's parameters.
    Invalid(Vec<Issue>),
    NotFound,
    MethodNotAllowed,
    PreconditionFailed,
    TargetTooLong,
    /// The range is outside a representation of this many bytes.
    RangeNotSatisfiable(u64),
    NothingLoaded,
    /// None of the sites has the host name of the request.
    UnknownHost,
    /// The gate is full.
    Busy,
    /// The gate is full for this site.
    TooManyOfSite,
    /// The gate is full for this client's network.
    TooManyOfClient,
    /// A fault of the sidecar, whose reason is in the log.
    Internal,
}

impl RequestProblem {
    pub(super) fn status_and_body(&self) -> (StatusCode, ErrorBody) {
        let (status, error, message) = match self {
            Self::Invalid(issues) => {
                let body = ErrorBody::new("validation_error", &summary(issues));
                let issues = Some(issues.clone());
                return (StatusCode::BAD_REQUEST, ErrorBody { issues, ..body });
            }
            Self::NotFound => return (StatusCode::NOT_FOUND, ErrorBody::not_found()),
            Self::MethodNotAllowed => {
                return (StatusCode::METHOD_NOT_ALLOWED, ErrorBody::method_not_allowed());
            }
            Self::PreconditionFailed => (
                StatusCode::PRECONDITION_FAILED,
                "precondition_failed",
                "The document is not the one If-Match or If-Unmodified-Since asks for.",
            ),
            Self::TargetTooLong => {
                (StatusCode::URI_TOO_LONG, "uri_too_long", "The path and query are too long.")
            }
            Self::RangeNotSatisfiable(_) => (
                StatusCode::RANGE_NOT_SATISFIABLE,
                "range_not_satisfiable",
                "The range lies outside the document.",
            ),
            Self::NothingLoaded => (
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                "No reviews are loaded yet. Try again in a few seconds.",
            ),
            Self::UnknownHost => (
                StatusCode::MISDIRECTED_REQUEST,
                "misdirected_request",
                "No site of this server has the name in the Host field.",
            ),
            Self::TooManyOfSite => (
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Too many responses of this site are in progress. Try again in a second.",
            ),
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Too many responses are in progress. Try again in a second.",
            ),
            Self::TooManyOfClient => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                "Too many responses to your network are in progress. Try again in a second.",
            ),
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "The document could not be read.")
            }
        };
        (status, ErrorBody::new(error, message))
    }

    /// Returns the header field that belongs to the status.
    fn field(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::MethodNotAllowed => Some((ALLOW, HeaderValue::from_static(DOCUMENT_METHODS))),
            Self::RangeNotSatisfiable(length) => {
                let field = HeaderValue::from_str(&format!("bytes */{length}")).ok()?;
                Some((CONTENT_RANGE, field))
            }
            Self::NothingLoaded => Some((RETRY_AFTER, RETRY_SECONDS.into())),
            Self::Busy | Self::TooManyOfSite | Self::TooManyOfClient => {
                Some((RETRY_AFTER, BUSY_SECONDS.into()))
            }
            Self::Invalid(_)
            | Self::NotFound
            | Self::PreconditionFailed
            | Self::TargetTooLong
            | Self::UnknownHost
            | Self::Internal => None,
        }
    }

    /// Returns the response for a reader at this path: JSON-RPC for MCP, JSON for everyone else.
    pub(crate) fn response(self, path: &str) -> HttpResponse {
        let (status, body) = self.status_and_body();
        let mut response = if is_mcp(path) {
            RpcRefusal::new(status, TRANSPORT, body.message).response()
        } else {
            HttpResponse::build(status).insert_header((CACHE_CONTROL, NO_STORE)).json(body)
        };
        if let Some((name, value)) = self.field() {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// Returns all issues in one line.
fn summary(issues: &[Issue]) -> String {
    let messages: Vec<_> = issues.iter().map(|issue| issue.message.as_str()).collect();
    messages.join("; ")
}

/// Whether programs read the documents below this path, so that an error is JSON there and no page.
pub(crate) fn is_for_programs(path: &str) -> bool {
    is_mcp(path) || path == "/api" || path.starts_with("/api/")
}

fn is_mcp(path: &str) -> bool {
    path.strip_prefix(routes::MCP).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
