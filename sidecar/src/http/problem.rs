//! Every answer that is an error, in the shape its reader expects (contract section 5).

use actix_web::{
    HttpResponse,
    http::{
        StatusCode,
        header::{ALLOW, CACHE_CONTROL, CONTENT_RANGE, HeaderName, HeaderValue, RETRY_AFTER},
    },
};
use contract::{api::Refusal, fields::DOCUMENT_METHODS, query::Issue, routes};
use serde_json::json;

/// Seconds after which a client may ask again while nothing is loaded.
const RETRY_SECONDS: u32 = 5;

/// JSON-RPC leaves codes from -32000 to the server.
const JSON_RPC_ERROR: i32 = -32000;

/// Seconds after which a client may ask again when too many ask.
const BUSY_SECONDS: u32 = 1;

/// What went wrong with a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// Everything that is wrong with its parameters.
    Invalid(Vec<Issue>),
    NotFound,
    MethodNotAllowed,
    PreconditionFailed,
    TargetTooLong,
    /// Of a representation of this many bytes.
    RangeNotSatisfiable(u64),
    NothingLoaded,
    /// As many answers are under way as may be.
    Busy,
    /// The reason is in the log.
    Internal,
}

impl Problem {
    fn parts(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::Invalid(_) => (StatusCode::BAD_REQUEST, "validation_error", ""),
            Self::NotFound => {
                (StatusCode::NOT_FOUND, "not_found", "There is nothing at this path.")
            }
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "This path answers GET, HEAD and OPTIONS.",
            ),
            Self::PreconditionFailed => (
                StatusCode::PRECONDITION_FAILED,
                "precondition_failed",
                "The document is not the one If-Match or If-Unmodified-Since asks for.",
            ),
            Self::TargetTooLong => (
                StatusCode::URI_TOO_LONG,
                "uri_too_long",
                "The address is longer than any right request's.",
            ),
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
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Too many answers are under way. Try again in a second.",
            ),
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "The document could not be read.")
            }
        }
    }

    /// What the status asks for beside the text.
    fn field(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::MethodNotAllowed => Some((ALLOW, HeaderValue::from_static(DOCUMENT_METHODS))),
            Self::RangeNotSatisfiable(length) => {
                let field = HeaderValue::from_str(&format!("bytes */{length}")).ok()?;
                Some((CONTENT_RANGE, field))
            }
            Self::NothingLoaded => Some((RETRY_AFTER, RETRY_SECONDS.into())),
            Self::Busy => Some((RETRY_AFTER, BUSY_SECONDS.into())),
            Self::Invalid(_)
            | Self::NotFound
            | Self::PreconditionFailed
            | Self::TargetTooLong
            | Self::Internal => None,
        }
    }

    /// The answer for a reader at this path: JSON-RPC for MCP, JSON for everyone else.
    pub(crate) fn answer(self, path: &str) -> HttpResponse {
        let (status, error, message) = self.parts();
        let mut answer = HttpResponse::build(status);
        answer.insert_header((CACHE_CONTROL, "no-store"));
        if let Some(field) = self.field() {
            answer.insert_header(field);
        }
        let message = match &self {
            Self::Invalid(issues) => summary(issues),
            _ => message.to_owned(),
        };
        if is_mcp(path) {
            return answer.json(json!({
                "jsonrpc": "2.0", "id": null,
                "error": { "code": JSON_RPC_ERROR, "message": message },
            }));
        }
        let issues = match self {
            Self::Invalid(issues) => Some(issues),
            _ => None,
        };
        answer.json(Refusal { error: error.to_owned(), message, issues })
    }
}

/// All issues in one line.
fn summary(issues: &[Issue]) -> String {
    let messages: Vec<_> = issues.iter().map(|issue| issue.message.as_str()).collect();
    messages.join("; ")
}

/// Whether programs read what is below this path, so that an error is JSON there and no page.
pub(crate) fn is_for_programs(path: &str) -> bool {
    is_mcp(path) || path == "/api" || path.starts_with("/api/")
}

fn is_mcp(path: &str) -> bool {
    path.strip_prefix(routes::MCP).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
