//! The conditional fields of a request, in the form that `contract::etag` evaluates.

use actix_web::{
    HttpRequest,
    http::header::{HeaderName, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE},
};
use contract::etag::Preconditions;

/// Collects the fields; several lines of one are one list (RFC 9110 section 5.3).
pub(crate) fn of(request: &HttpRequest) -> Preconditions {
    Preconditions {
        if_match: field(request, IF_MATCH),
        if_none_match: field(request, IF_NONE_MATCH),
        if_modified_since: field(request, IF_MODIFIED_SINCE),
        if_unmodified_since: field(request, IF_UNMODIFIED_SINCE),
    }
}

fn field(request: &HttpRequest, name: HeaderName) -> Option<Vec<u8>> {
    let lines: Vec<_> = request.headers().get_all(name).map(|line| line.as_bytes()).collect();
    (!lines.is_empty()).then(|| lines.join(b", ".as_slice()))
}
