//! The main listener's traffic, counted for `/metrics`. The counters are plain numbers: a histogram
//! of the exporter keeps every sample until it is scraped, and a sidecar may never be.

use std::{
    array::from_fn,
    fmt::{Display, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use contract::routes;

/// The statuses that are shown before they occur, so that an alert sees their first increase.
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
    /// A published file, or nothing.
    File,
}

impl Route {
    const ALL: [Self; 5] = [Self::Search, Self::Since, Self::Mcp, Self::Hub, Self::File];

    /// The route of a path.
    pub(crate) fn of(path: &str) -> Self {
        match path {
            routes::SEARCH => Self::Search,
            routes::MCP => Self::Mcp,
            routes::HUB => Self::Hub,
            path if path.starts_with(routes::SINCE_PREFIX) => Self::Since,
            _ => Self::File,
        }
    }

    /// Its template, without personal data.
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

/// Counts of one sidecar.
#[derive(Debug)]
pub(crate) struct Traffic {
    routes: [RouteCounts; Route::ALL.len()],
    in_flight: AtomicU64,
    connections: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
    malformed: AtomicU64,
    replaced_connections: AtomicU64,
}

#[derive(Debug)]
struct RouteCounts {
    statuses: [AtomicU64; STATUSES],
    /// By the first bound that is not exceeded; the last one has no bound.
    durations: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

impl Default for Traffic {
    fn default() -> Self {
        let zero = AtomicU64::default;
        let counts = |_| RouteCounts {
            statuses: from_fn(|_| zero()),
            durations: from_fn(|_| zero()),
            microseconds: zero(),
        };
        Self {
            routes: from_fn(counts),
            in_flight: zero(),
            connections: zero(),
            received: zero(),
            sent: zero(),
            malformed: zero(),
            replaced_connections: zero(),
        }
    }
}

/// Counts one more of something for as long as it lives.
#[derive(Debug)]
pub(crate) struct Open {
    traffic: Arc<Traffic>,
    gauge: fn(&Traffic) -> &AtomicU64,
}

impl Open {
    fn new(traffic: Arc<Traffic>, gauge: fn(&Traffic) -> &AtomicU64) -> Self {
        gauge(&traffic).fetch_add(1, Relaxed);
        Self { traffic, gauge }
    }

    /// What it is counted in.
    pub(crate) fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        (self.gauge)(&self.traffic).fetch_sub(1, Relaxed);
    }
}

impl Traffic {
    /// A connection that was accepted.
    pub(crate) fn connection(self: &Arc<Self>) -> Open {
        Open::new(self.clone(), |traffic| &traffic.connections)
    }

    /// A connection that is closed for another one.
    pub(crate) fn replaced_connection(&self) {
        self.replaced_connections.fetch_add(1, Relaxed);
    }

    /// A request whose response has not begun.
    pub(crate) fn request(self: &Arc<Self>) -> Open {
        Open::new(self.clone(), |traffic| &traffic.in_flight)
    }

    /// The head of a response, and how long the request took until then.
    pub(crate) fn answered(&self, route: Route, status: u16, took: Duration) {
        let counts = &self.routes[route as usize];
        if let Some(count) = counts.statuses.get(usize::from(status).wrapping_sub(100)) {
            count.fetch_add(1, Relaxed);
        }
        let bucket = BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound);
        counts.durations[bucket.unwrap_or(BOUNDS.len())].fetch_add(1, Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        counts.microseconds.fetch_add(microseconds, Relaxed);
    }

    /// Bytes that arrived on a connection.
    pub(crate) fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Relaxed);
    }

    /// Bytes that were handed to the system for a connection.
    pub(crate) fn sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Relaxed);
    }

    /// A request that is none in HTTP: no route saw it.
    pub(crate) fn malformed(&self) {
        self.malformed.fetch_add(1, Relaxed);
    }

    /// For `/metrics`.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        self.render_requests(&mut text);
        self.render_durations(&mut text);
        for (name, kind, help, value) in [
            (
                "candor_http_requests_in_flight",
                "gauge",
                "Requests whose response has not begun",
                &self.in_flight,
            ),
            ("candor_http_connections", "gauge", "Open connections", &self.connections),
            ("candor_http_received_bytes_total", "counter", "Bytes received", &self.received),
            ("candor_http_sent_bytes_total", "counter", "Bytes sent", &self.sent),
            (
                "candor_http_malformed_requests_total",
                "counter",
                "Requests that were no valid HTTP",
                &self.malformed,
            ),
            (
                "candor_http_replaced_connections_total",
                "counter",
                "Connections closed so that others had a place",
                &self.replaced_connections,
            ),
        ] {
            describe(&mut text, name, kind, help);
            sample(&mut text, name, value.load(Relaxed));
        }
        text
    }

    fn render_requests(&self, text: &mut String) {
        let name = "candor_http_requests_total";
        describe(text, name, "counter", "Requests, by route and status");
        for (route, counts) in Route::ALL.iter().zip(&self.routes) {
            for (status, count) in (100_u16..).zip(&counts.statuses) {
                let count = count.load(Relaxed);
                if count > 0 || EXPECTED.contains(&status) {
                    let labels = format!("route=\"{}\",status=\"{status}\"", route.as_str());
                    sample(text, &format!("{name}{{{labels}}}"), count);
                }
            }
        }
    }

    fn render_durations(&self, text: &mut String) {
        let name = "candor_http_request_duration_seconds";
        describe(text, name, "histogram", "Time until a response begins, by route");
        for (route, counts) in Route::ALL.iter().zip(&self.routes) {
            let (route, mut sum) = (route.as_str(), 0);
            let bounds = BOUNDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(&counts.durations) {
                sum += count.load(Relaxed);
                let labels = format!("route=\"{route}\",le=\"{bound}\"");
                sample(text, &format!("{name}_bucket{{{labels}}}"), sum);
            }
            let seconds = counts.microseconds.load(Relaxed) as f64 / 1e6;
            sample(text, &format!("{name}_sum{{route=\"{route}\"}}"), seconds);
            sample(text, &format!("{name}_count{{route=\"{route}\"}}"), sum);
        }
    }
}

/// The lines before the samples of a metric.
fn describe(text: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a string does not fail.
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

/// One line: the name with its labels, and the value.
fn sample(text: &mut String, name: &str, value: impl Display) {
    let _ = writeln!(text, "{name} {value}");
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
