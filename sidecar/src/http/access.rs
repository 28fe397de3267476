//! Counts each request in the metrics, and writes one log line without personal data: no address, no query, and the
//! template of the route instead of its path.

use std::{sync::Arc, time::Instant};

use actix_web::{
    Error,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
};

use crate::transport::traffic::{Open, Route, Traffic};

/// A request until its response begins.
pub(crate) struct Access {
    started: Instant,
    route: Route,
    in_flight: Open,
    /// The method, if the log level is enabled.
    logged: Option<Method>,
}

impl Access {
    pub(crate) fn begin(request: &ServiceRequest, traffic: &Arc<Traffic>) -> Self {
        let wanted = tracing::enabled!(tracing::Level::DEBUG);
        Self {
            started: Instant::now(),
            route: Route::of(request.path()),
            in_flight: traffic.request(),
            logged: wanted.then(|| request.method().clone()),
        }
    }

    /// Counts and logs the response, once its head is known.
    pub(crate) fn end<B>(&self, response: &Result<ServiceResponse<B>, Error>) {
        let status = match response {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        let (status, took) = (status.as_u16(), self.started.elapsed());
        self.in_flight.traffic().answered(self.route, status, took);
        if let Some(method) = &self.logged {
            tracing::debug!(
                %method,
                route = self.route.as_str(),
                status,
                microseconds = took.as_micros(),
                "answered"
            );
        }
    }
}
