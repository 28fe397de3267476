//! The last step of a dynamic response, and the first check of its request.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, http::Method, web::Bytes};

use contract::query::check_count;

use super::{gate::Permit, pieces::Pieces, problem::RequestProblem};
use crate::runtime::limits::MAX_TARGET;

/// Refuses a target that is longer than every valid one, or has more parameters.
pub(super) fn check_target(request: &HttpRequest) -> Result<(), RequestProblem> {
    let target = request.uri().path_and_query();
    if target.is_some_and(|target| target.as_str().len() > MAX_TARGET) {
        return Err(RequestProblem::TargetTooLong);
    }
    check_count(request.uri().query().unwrap_or_default())
        .map_err(|issue| RequestProblem::Invalid(vec![issue]))
}

/// Returns the response with these bytes for GET, without them for HEAD.
pub(super) fn parts(
    request: &HttpRequest,
    response: &mut HttpResponseBuilder,
    parts: Vec<Bytes>,
    permit: Permit,
) -> HttpResponse {
    let body = Pieces::new(parts, permit);
    if *request.method() == Method::HEAD {
        response.body(body.without_bytes())
    } else {
        response.body(body)
    }
}
