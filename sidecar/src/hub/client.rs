//! The HTTP requests to subscribers: verifications, deliveries and denials. Only 2xx is a success, redirects are not
//! followed, and no more of a response is read than is needed.

use std::{
    error::Error,
    time::{Duration, UNIX_EPOCH},
};

use actix_web::{rt::time::timeout, web::Bytes};
use contract::duration;
use http::{
    Request, Response, StatusCode,
    header::{
        ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, LINK, RETRY_AFTER, TRANSFER_ENCODING,
        USER_AGENT,
    },
    request::Builder,
};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy,
    rt::{TokioExecutor, TokioTimer},
};

use super::{
    connector::Connector,
    resolver::{NoResponse, PolicedResolver},
    settings::{HubConfig, HubTimeouts},
    subscription::{PostResult, VerificationResult},
};
use crate::runtime::outgoing::{self, CaError};

/// The header with the id of a delivery.
const DELIVERY_ID: &str = "X-Hub-Delivery";

/// The header with the signature of a delivery (WebSub §7.1).
const SIGNATURE: &str = "X-Hub-Signature";

/// Bytes of the response to a delivery that are read and ignored, so that its connection can be
/// used again.
const IGNORED_ANSWER: usize = 1024;

/// The time within which the ignored body must arrive; after it, its connection is not used again.
const IGNORED_ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum time until the head of the response to a delivery, however large the topic is.
const LONGEST_ANSWER: Duration = Duration::from_secs(45);

/// Maximum bytes of the head of a response.
const MAX_HEAD: usize = 128 * 1024;

/// The time after which an unused connection is closed. A subscriber can have callbacks of very many hosts.
const IDLE: Duration = Duration::from_secs(15);

/// The hub's HTTP client.
#[derive(Clone)]
pub(crate) struct HubClient {
    client: legacy::Client<Connector, Full<Bytes>>,
    timeouts: HubTimeouts,
    /// The subscribers of a test, in place of the network.
    #[cfg(test)]
    network: Option<std::rc::Rc<super::seeds::network::Network>>,
}

/// A delivery to be posted.
#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) callback: String,
    pub(crate) body: Bytes,
    pub(crate) media_type: String,
    pub(crate) link: String,
    pub(crate) signature: Option<String>,
    pub(crate) id: String,
}

/// The end of a call. `error` is the reason for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallOutcome<T> {
    pub(crate) result: T,
    pub(crate) error: Option<String>,
    /// Whether the head of a response arrived.
    pub(crate) had_response: bool,
}

impl<T> CallOutcome<T> {
    fn success(result: T) -> Self {
        Self { result, error: None, had_response: true }
    }

    fn failure(result: T, error: String) -> Self {
        Self { result, error: Some(error), had_response: true }
    }

    fn no_response(result: T, error: String) -> Self {
        Self { result, error: Some(error), had_response: false }
    }
}

impl HubClient {
    /// Makes a client that connects only to addresses of the resolver, and trusts Mozilla's certificate authorities and
    /// those of the operator.
    pub(crate) fn new(config: &HubConfig, resolver: PolicedResolver) -> Result<Self, CaError> {
        let tls = outgoing::tls("--hub-extra-ca", &config.extra_ca)?;
        let client = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .http1_max_buf_size(MAX_HEAD)
            .build(Connector::new(resolver, tls, config.timeouts.connect));
        Ok(Self {
            client,
            timeouts: config.timeouts.clone(),
            #[cfg(test)]
            network: None,
        })
    }

    #[cfg(test)]
    pub(super) fn with_network(&self, network: super::seeds::network::Network) -> Self {
        Self { network: Some(std::rc::Rc::new(network)), ..self.clone() }
    }

    /// Verifies the intent of a subscriber: it confirms by 2xx and a body that is exactly the
    /// challenge (WebSub §5.3.1).
    pub(crate) async fn verify(
        &self,
        url: &str,
        challenge: &str,
        now: i64,
    ) -> CallOutcome<VerificationResult> {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.verify(url, challenge, now).await;
        }
        let sent = self.send(Request::get(url), Bytes::new(), self.timeouts.answer).await;
        let response = match sent {
            Ok(response) => response,
            Err(NoResponse { error, may_retry }) => {
                let (again, never) = (VerificationResult::NoResponse, VerificationResult::Refused);
                return CallOutcome::no_response(if may_retry { again } else { never }, error);
            }
        };
        if !response.status().is_success() {
            return CallOutcome::failure(VerificationResult::Refused, status(response.status()));
        }
        let reason = match timeout(self.timeouts.body, read(response, challenge.len())).await {
            Ok(Some(body)) if body == challenge.as_bytes() => {
                return CallOutcome::success(VerificationResult::Confirmed { requested_at: now });
            }
            Ok(_) => "answered without the challenge",
            Err(_) => "did not end its answer in time",
        };
        CallOutcome::failure(VerificationResult::Refused, reason.into())
    }

    /// Posts a delivery. The body of the response is ignored (WebSub §7).
    pub(crate) async fn post(&self, post: Post, now: i64) -> CallOutcome<PostResult> {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.post(post, now).await;
        }
        let size = Duration::from_secs((post.body.len() / (1024 * 1024)) as u64);
        let limit = (self.timeouts.answer + size).min(LONGEST_ANSWER);
        let mut request = Request::post(post.callback)
            .header(CONTENT_TYPE, post.media_type)
            .header(LINK, post.link)
            .header(DELIVERY_ID, post.id);
        if let Some(signature) = post.signature {
            request = request.header(SIGNATURE, signature);
        }
        let response = match self.send(request, post.body, limit).await {
            Ok(response) => response,
            Err(NoResponse { error, .. }) => {
                return CallOutcome::no_response(PostResult::Failed { retry_after: None }, error);
            }
        };
        let found = response.status();
        let now = UNIX_EPOCH + Duration::from_millis(now.unsigned_abs());
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after =
            retry_after.and_then(|field| duration::retry_after(field.as_bytes(), now));
        let _ = timeout(IGNORED_ANSWER_TIMEOUT, read(response, IGNORED_ANSWER)).await;
        match found {
            found if found.is_success() => CallOutcome::success(PostResult::Delivered),
            StatusCode::GONE => CallOutcome::failure(PostResult::Gone, status(found)),
            _ => CallOutcome::failure(PostResult::Failed { retry_after }, status(found)),
        }
    }

    /// Sends a denial. The response is ignored.
    pub(crate) async fn deny(&self, url: &str) {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.deny(url).await;
        }
        let _ = self.send(Request::get(url), Bytes::new(), self.timeouts.answer).await;
    }

    /// Sends a request, and once more if the connection ended before the response began: a server may close an idle
    /// connection at the moment in which a request is sent on it, which is not a failure of the server (RFC 9112,
    /// section 9.3.1). The body of the response is yet to be read.
    async fn send(
        &self,
        request: Builder,
        body: Bytes,
        limit: Duration,
    ) -> Result<Response<Incoming>, NoResponse> {
        let request = request
            .header(USER_AGENT, outgoing::USER_AGENT)
            .header(ACCEPT_ENCODING, "identity")
            .body(Full::new(body))
            .map_err(|error| explain(&error))?;
        let send = || timeout(limit, self.client.request(request.clone()));
        let mut sent = send().await;
        if matches!(&sent, Ok(Err(error)) if broke_off(error)) {
            sent = send().await;
        }
        sent.map_err(|_| NoResponse::late())?.map_err(|error| explain(&error))
    }
}

/// Returns the body, if it is complete and has at most `limit` bytes.
async fn read(response: Response<Incoming>, limit: usize) -> Option<Vec<u8>> {
    let is_framed = [CONTENT_LENGTH, TRANSFER_ENCODING]
        .into_iter()
        .any(|field| response.headers().contains_key(field));
    let (mut body, mut read) = (response.into_body(), Vec::new());
    while let Some(frame) = body.frame().await {
        match frame.map(|frame| frame.into_data().unwrap_or_default()) {
            Ok(bytes) => read.extend_from_slice(&bytes),
            // A body without a length ends with the connection. Many servers close it without a TLS close_notify, which
            // reads as an error.
            Err(_) if !is_framed => break,
            Err(_) => return None,
        }
        if read.len() > limit {
            return None;
        }
    }
    Some(read)
}

fn status(status: StatusCode) -> String {
    format!("answered {}", status.as_u16())
}

/// Whether a connection that had been made ended before the response began.
fn broke_off(error: &legacy::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<hyper::Error>());
    cause.is_some_and(|cause| !cause.is_parse())
}

/// Returns the reason why there is no response: that of the connector, or else the first cause.
fn explain(error: &(dyn Error + 'static)) -> NoResponse {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let reason = || NoResponse { error: format!("no answer: {cause}"), may_retry: true };
    cause.downcast_ref::<NoResponse>().cloned().unwrap_or_else(reason)
}
