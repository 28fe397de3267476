//! One line in the log per request, without what identifies or interests a person: no address, no
//! query, and the route's template instead of its path.

use contract::routes;
use std::time::Instant;

use actix_web::{
    Error,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
};

use super::since;

/// What stands for every published file.
const PUBLISHED_FILE: &str = "{file}";

/// A line in the making.
pub(crate) struct LogEntry {
    started: Instant,
    method: Method,
}

impl LogEntry {
    /// Where somebody reads it.
    pub(crate) fn begin(request: &ServiceRequest) -> Option<Self> {
        let wanted = tracing::enabled!(tracing::Level::DEBUG);
        wanted.then(|| Self { started: Instant::now(), method: request.method().clone() })
    }

    /// Logs how the request was answered, once the head of the answer is known.
    pub(crate) fn end<B>(self, response: &Result<ServiceResponse<B>, Error>) {
        let status = match response {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        let request = response.as_ref().ok().map(ServiceResponse::request);
        let pattern = request.and_then(|request| match since::date(request.path()) {
            Some(_) => Some(routes::SINCE.to_owned()),
            None => request.match_pattern(),
        });
        tracing::debug!(
            method = %self.method,
            route = pattern.as_deref().unwrap_or(PUBLISHED_FILE),
            status = status.as_u16(),
            microseconds = self.started.elapsed().as_micros(),
            "answered"
        );
    }
}
