//! The main listener's traffic, counted for `/metrics`.

use std::{
    array::from_fn,
    sync::{Arc, OnceLock},
    time::Duration,
};

use actix_web::rt::time::interval;
use contract::routes;
use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram,
    gauge, histogram, with_local_recorder,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

const REQUESTS: &str = "candor_http_requests_total";
const DURATION: &str = "candor_http_request_duration_seconds";

/// The interval of the upkeep of histograms, which keep every sample until then or until a scrape.
const UPKEEP: Duration = Duration::from_secs(1);

/// The statuses that are counted from 0 on, so that an alert sees their first increase.
const EXPECTED: [u16; 7] = [200, 304, 400, 404, 429, 500, 503];

/// Upper bounds of the buckets of the durations, in seconds.
const BOUNDS: [f64; 9] = [0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The statuses of HTTP, from 100.
const STATUSES: usize = 500;

/// A route of the main listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Search,
    Since,
    Mcp,
    Hub,
    /// A published file, or a path without one.
    File,
}

impl Route {
    const ALL: [Self; 5] = [Self::Search, Self::Since, Self::Mcp, Self::Hub, Self::File];

    /// Returns the route of a path.
    pub(crate) fn of(path: &str) -> Self {
        match path {
            routes::SEARCH => Self::Search,
            routes::MCP | routes::MCP_WITH_SLASH => Self::Mcp,
            routes::HUB => Self::Hub,
            path if path.starts_with(routes::SINCE_PREFIX) => Self::Since,
            _ => Self::File,
        }
    }

    /// Returns its template, without personal data.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Search => routes::SEARCH,
            Self::Since => routes::SINCE,
            Self::Mcp => routes::MCP,
            Self::Hub => routes::HUB,
            Self::File => "{file}",
        }
    }
}

/// The counts of one sidecar: its own, so that several can run in one process.
#[derive(Debug)]
pub(crate) struct Traffic {
    recorder: PrometheusRecorder,
    routes: [RouteCounts; Route::ALL.len()],
    in_flight: Gauge,
    connections: Gauge,
    received: Counter,
    sent: Counter,
    malformed: Counter,
    replaced_connections: Counter,
}

#[derive(Debug)]
struct RouteCounts {
    /// The counter of each status, looked up once.
    statuses: [OnceLock<Counter>; STATUSES],
    durations: Histogram,
}

impl Default for Traffic {
    fn default() -> Self {
        // Only an empty list of bounds is refused.
        let builder = PrometheusBuilder::new().set_buckets(&BOUNDS).unwrap_or_default();
        let recorder = builder.build_recorder();
        let counter = |name: &'static str, help: &'static str| {
            with_local_recorder(&recorder, || {
                describe_counter!(name, help);
                counter!(name)
            })
        };
        let gauge = |name: &'static str, help: &'static str| {
            with_local_recorder(&recorder, || {
                describe_gauge!(name, help);
                gauge!(name)
            })
        };
        let routes = with_local_recorder(&recorder, || {
            describe_counter!(REQUESTS, "Requests, by route and status");
            describe_histogram!(DURATION, "Time until a response begins, by route");
            Route::ALL.map(|route| RouteCounts {
                statuses: from_fn(|_| OnceLock::new()),
                durations: histogram!(DURATION, "route" => route.as_str()),
            })
        });
        let traffic = Self {
            routes,
            in_flight: gauge(
                "candor_http_requests_in_flight",
                "Requests whose response has not begun",
            ),
            connections: gauge("candor_http_connections", "Open connections"),
            received: counter("candor_http_received_bytes_total", "Bytes received"),
            sent: counter("candor_http_sent_bytes_total", "Bytes sent"),
            malformed: counter(
                "candor_http_malformed_requests_total",
                "Requests that were no valid HTTP",
            ),
            replaced_connections: counter(
                "candor_http_replaced_connections_total",
                "Connections closed so that others had a place",
            ),
            recorder,
        };
        for (route, status) in Route::ALL.iter().flat_map(|it| EXPECTED.map(|status| (*it, status)))
        {
            traffic.count(route, status, 0);
        }
        traffic
    }
}

/// Counts one more of a kind for as long as it exists.
#[derive(Debug)]
pub(crate) struct Open {
    traffic: Arc<Traffic>,
    gauge: fn(&Traffic) -> &Gauge,
}

impl Open {
    fn new(traffic: Arc<Traffic>, gauge: fn(&Traffic) -> &Gauge) -> Self {
        gauge(&traffic).increment(1);
        Self { traffic, gauge }
    }

    /// Returns the counts that it is part of.
    pub(crate) fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        (self.gauge)(&self.traffic).decrement(1);
    }
}

impl Traffic {
    /// Counts a connection that was accepted.
    pub(crate) fn connection(self: &Arc<Self>) -> Open {
        Open::new(self.clone(), |traffic| &traffic.connections)
    }

    /// Counts a connection that is closed for another one.
    pub(crate) fn replaced_connection(&self) {
        self.replaced_connections.increment(1);
    }

    /// Counts a request whose response has not begun.
    pub(crate) fn request(self: &Arc<Self>) -> Open {
        Open::new(self.clone(), |traffic| &traffic.in_flight)
    }

    /// Counts the head of a response, and the time that the request took until then.
    pub(crate) fn answered(&self, route: Route, status: u16, took: Duration) {
        self.count(route, status, 1);
        self.routes[route as usize].durations.record(took);
    }

    fn count(&self, route: Route, status: u16, number: u64) {
        let statuses = &self.routes[route as usize].statuses;
        let counter = || {
            with_local_recorder(
                &self.recorder,
                || counter!(REQUESTS, "route" => route.as_str(), "status" => status.to_string()),
            )
        };
        if let Some(count) = statuses.get(usize::from(status).wrapping_sub(100)) {
            count.get_or_init(counter).increment(number);
        }
    }

    /// Counts bytes that arrived on a connection.
    pub(crate) fn received(&self, bytes: usize) {
        self.received.increment(bytes as u64);
    }

    /// Counts bytes that were passed to the system for a connection.
    pub(crate) fn sent(&self, bytes: usize) {
        self.sent.increment(bytes as u64);
    }

    /// Counts a request that is not HTTP: no route received it.
    pub(crate) fn malformed(&self) {
        self.malformed.increment(1);
    }

    /// Returns the text for `/metrics`.
    pub(crate) fn render(&self) -> String {
        self.recorder.handle().render()
    }

    /// Bounds the memory of the histograms until the process ends.
    pub(crate) async fn keep_up(&self) {
        let (mut ticks, handle) = (interval(UPKEEP), self.recorder.handle());
        loop {
            ticks.tick().await;
            handle.run_upkeep();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_its_template() {
        for (path, route) in [
            ("/api/reviews/search", "/api/reviews/search"),
            ("/api/reviews/since/2026-01-01", "/api/reviews/since/{date}"),
            ("/api/reviews/since/x/y", "/api/reviews/since/{date}"),
            ("/mcp", "/mcp"),
            ("/mcp/", "/mcp"),
            ("/api/websub/hub", "/api/websub/hub"),
            ("/api/reviews/search/x", "{file}"),
            ("/", "{file}"),
        ] {
            assert_eq!(Route::of(path).as_str(), route, "{path}");
        }
        let numbers = Route::ALL.map(|route| route as usize);
        assert_eq!(numbers, [0, 1, 2, 3, 4], "the position of its counts");
    }

    #[test]
    fn durations_are_cumulative_and_unexpected_statuses_appear_when_they_occur() {
        let traffic = Arc::new(Traffic::default());
        let line = |line: &str| traffic.render().lines().any(|shown| shown == line);
        let unexpected = "candor_http_requests_total{route=\"/mcp\",status=\"418\"} 1";
        let sum = |seconds| {
            format!("candor_http_request_duration_seconds_sum{{route=\"/mcp\"}} {seconds}")
        };
        assert!(!traffic.render().contains("418") && line(&sum("0")));
        traffic.answered(Route::Mcp, 418, Duration::from_millis(5));
        traffic.answered(Route::Mcp, 200, Duration::from_millis(20));
        traffic.answered(Route::Mcp, 200, Duration::from_secs(60));
        assert!(line(unexpected) && line(&sum("60.025")));
        assert!(line("candor_http_requests_total{route=\"/mcp\",status=\"200\"} 2"));
        assert!(line("candor_http_requests_total{route=\"/mcp\",status=\"503\"} 0"));
        for (bound, count) in [("0.001", 0), ("0.005", 1), ("0.05", 2), ("5", 2), ("+Inf", 3)] {
            let bucket = format!("_bucket{{route=\"/mcp\",le=\"{bound}\"}} {count}");
            assert!(line(&format!("candor_http_request_duration_seconds{bucket}")), "{bound}");
        }
        let open = (traffic.request(), traffic.connection());
        assert!(line("candor_http_requests_in_flight 1") && line("candor_http_connections 1"));
        drop(open);
        assert!(line("candor_http_requests_in_flight 0") && line("candor_http_connections 0"));
    }
}
