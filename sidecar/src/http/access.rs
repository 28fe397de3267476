//! One log line per request, without personal data: no address, no query, and the template of the
//! route instead of its path.

use contract::routes;
use std::time::Instant;

use actix_web::{
    Error,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
};

use super::since;

/// The route of every published file.
const PUBLISHED_FILE: &str = "{file}";

/// A log line that is written when the response is known.
pub(crate) struct LogEntry {
    started: Instant,
    method: Method,
}

impl LogEntry {
    /// Starts a line if the log level is enabled.
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
