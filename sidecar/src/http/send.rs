//! The last step of a dynamic response, and the first check of its request.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, http::Method, web::Bytes};

use super::{gate::Permit, pieces::Pieces, problem::RequestProblem};
use crate::limits::MAX_TARGET;

/// Refuses a target that is longer than every valid one.
pub(super) fn check_target(request: &HttpRequest) -> Result<(), RequestProblem> {
    let target = request.uri().path_and_query();
    match target.is_some_and(|target| target.as_str().len() > MAX_TARGET) {
        true => Err(RequestProblem::TargetTooLong),
        false => Ok(()),
    }
}

/// The answer with these bytes for GET, without them for HEAD.
pub(super) fn parts(
    request: &HttpRequest,
    response: &mut HttpResponseBuilder,
    parts: Vec<Bytes>,
    permit: Permit,
) -> HttpResponse {
    let body = Pieces::new(parts, permit);
    match *request.method() == Method::HEAD {
        true => response.body(body.without_bytes()),
        false => response.body(body),
    }
}
