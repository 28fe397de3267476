//! One line in the log per request, without what identifies or interests a person: no address, no
//! query, and the route's template instead of its path.

use std::time::Instant;

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

/// What stands for every published file.
const PUBLISHED_FILE: &str = "{file}";

/// Logs how the request was answered, once the head of the answer is known.
pub(crate) async fn log<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return next.call(request).await;
    }
    let started = Instant::now();
    let method = request.method().clone();
    let answer = next.call(request).await;
    let status = match &answer {
        Ok(answer) => answer.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    let pattern = answer.as_ref().ok().and_then(|answer| answer.request().match_pattern());
    tracing::debug!(
        %method,
        route = pattern.as_deref().unwrap_or(PUBLISHED_FILE),
        status = status.as_u16(),
        microseconds = started.elapsed().as_micros(),
        "answered"
    );
    answer
}
