//! The client: one site, one deadline, and the requests sent to it.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use ureq::http;
use url::Url;

use super::{
    explain::{CONNECT, MAX_HEAD, RESPONSE_TIMEOUT, explain},
    response::{self, Limit, Response},
};
use system::download::agent_with;

/// Bytes a second a body must come with, on average.
const MIN_RATE: u64 = 64 * 1024;

/// Sends requests to one site, within one deadline.
pub(crate) struct SiteClient {
    /// An agent that keeps connections.
    agent: ureq::Agent,
    /// An agent that opens a connection for each request.
    fresh: ureq::Agent,
    base: Url,
    deadline: Instant,
    sent: AtomicU64,
}

/// A request, and how much of its response is read.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    method: &'static str,
    url: Url,
    fields: Vec<(&'static str, String)>,
    body: Option<String>,
    limit: Limit,
}

/// The reason why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The time for all of it is over.
    OutOfTime,
    /// The reason, for people.
    NoResponse(String),
}

impl Request {
    pub(crate) fn new(method: &'static str, url: Url) -> Self {
        let limit = Limit { bytes: 0, keep: false };
        Self { method, url, fields: Vec::new(), body: None, limit }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Reads this much of the response, and keeps it.
    pub(crate) fn keeping(mut self, bytes: u64) -> Self {
        self.limit = Limit { bytes, keep: true };
        self
    }

    /// Reads this much of the response, and keeps its ETag alone.
    pub(crate) fn hashing(mut self, bytes: u64) -> Self {
        self.limit = Limit { bytes, keep: false };
        self
    }

    fn head(&self) -> http::request::Builder {
        let builder = http::Request::builder().method(self.method).uri(self.url.as_str());
        self.fields.iter().fold(builder, |builder, (name, value)| builder.header(*name, value))
    }
}

impl SiteClient {
    /// Sends requests below `base`, which ends with a slash, for `time` from now.
    pub(crate) fn new(base: Url, time: Duration) -> Self {
        let config = || {
            ureq::Agent::config_builder()
                .timeout_connect(Some(CONNECT))
                .timeout_recv_response(Some(RESPONSE_TIMEOUT))
                .max_redirects(0)
                .max_response_header_size(MAX_HEAD)
                .user_agent(concat!("candor-verify/", env!("CARGO_PKG_VERSION")))
        };
        Self {
            agent: agent_with(&base, config()),
            fresh: agent_with(&base, config().max_idle_connections(0)),
            base,
            deadline: Instant::now() + time,
            sent: AtomicU64::new(0),
        }
    }

    pub(crate) fn base(&self) -> &Url {
        &self.base
    }

    /// The address of a path of the site, which begins with a slash and is not encoded.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path.trim_start_matches('/').split('/'));
        }
        url
    }

    /// Returns the number of requests that were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    pub(crate) fn out_of_time(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Sends a request and reads the response as far as was requested. No redirect is followed. What a
    /// kept connection spoils is tried again on a new one.
    pub(crate) fn send(&self, request: &Request) -> Result<Response, Failure> {
        match self.try_send(&self.agent, request) {
            Ok(response) => Ok(response),
            Err(ureq::Error::Protocol(_) | ureq::Error::Io(_)) if !self.out_of_time() => {
                self.try_send(&self.fresh, request).map_err(|error| self.failure(&error))
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    fn try_send(&self, agent: &ureq::Agent, request: &Request) -> Result<Response, ureq::Error> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ureq::Error::Timeout(ureq::Timeout::Global));
        }
        let fair = CONNECT + RESPONSE_TIMEOUT + Duration::from_secs(request.limit.bytes / MIN_RATE);
        let time = Some(left.min(fair));
        self.sent.fetch_add(1, Ordering::Relaxed);
        let response = match &request.body {
            Some(body) => {
                let request = request.head().body(body.clone())?;
                agent.run(agent.configure_request(request).timeout_global(time).build())?
            }
            None => {
                let request = request.head().body(())?;
                agent.run(agent.configure_request(request).timeout_global(time).build())?
            }
        };
        let (head, body) = response.into_parts();
        let reader = body.into_with_config().limit(u64::MAX).reader();
        let coding = response::coding(&head.headers);
        let body = response::receive(reader, coding, request.limit);
        Ok(Response { status: head.status.as_u16(), fields: head.headers, body })
    }

    fn failure(&self, error: &ureq::Error) -> Failure {
        if self.out_of_time() { Failure::OutOfTime } else { Failure::NoResponse(explain(error)) }
    }
}
