//! Every answer that is an error, in the shape its reader expects (contract section 5).

use actix_web::{
    HttpResponse,
    http::{
        StatusCode,
        header::{ALLOW, CACHE_CONTROL, CONTENT_RANGE, HeaderName, HeaderValue, RETRY_AFTER},
    },
};
use serde_json::json;

/// Seconds after which a client may ask again while nothing is loaded.
const RETRY_SECONDS: u32 = 5;

/// The methods of a file.
const FILE_METHODS: &str = "GET, HEAD, OPTIONS";

/// JSON-RPC leaves codes from -32000 to the server.
const JSON_RPC_ERROR: i32 = -32000;

/// What went wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    NotFound,
    MethodNotAllowed,
    PreconditionFailed,
    /// Of a representation of this many bytes.
    RangeNotSatisfiable(u64),
    NothingLoaded,
    /// The reason is in the log.
    Internal,
}

impl Problem {
    fn parts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
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
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "The document could not be read.")
            }
        }
    }

    /// What the status asks for beside the text.
    fn field(self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Self::MethodNotAllowed => Some((ALLOW, HeaderValue::from_static(FILE_METHODS))),
            Self::RangeNotSatisfiable(length) => {
                let field = HeaderValue::from_str(&format!("bytes */{length}")).ok()?;
                Some((CONTENT_RANGE, field))
            }
            Self::NothingLoaded => Some((RETRY_AFTER, RETRY_SECONDS.into())),
            Self::NotFound | Self::PreconditionFailed | Self::Internal => None,
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
        answer.json(match is_mcp(path) {
            true => json!({
                "jsonrpc": "2.0", "id": null,
                "error": { "code": JSON_RPC_ERROR, "message": message },
            }),
            false => json!({ "error": error, "message": message }),
        })
    }
}

/// Whether programs read what is below this path, so that an error is JSON there and no page.
pub(crate) fn is_for_programs(path: &str) -> bool {
    is_mcp(path) || path == "/api" || path.starts_with("/api/")
}

fn is_mcp(path: &str) -> bool {
    path == "/mcp" || path.starts_with("/mcp/")
}
