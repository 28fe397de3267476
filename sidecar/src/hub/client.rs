//! The HTTP requests to subscribers: verifications, deliveries and denials. Only 2xx is a success, redirects are not
//! followed, and no more of a response is read than is needed.

use std::{cell::RefCell, fmt, rc::Rc, sync::Arc, time::Duration};

use actix_tls::connect;
use actix_web::{
    http::{
        StatusCode,
        header::{CONTENT_TYPE, LINK, RETRY_AFTER},
    },
    rt::time::timeout,
    web::Bytes,
};
use awc::{
    Client, Connector,
    error::{ConnectError, SendRequestError},
};
use futures_util::{Stream, StreamExt};
use http_body_util::BodyExt;
use url::Url;

use super::{
    resolver::PolicedResolver,
    settings::{HubConfig, HubTimeouts},
    single_request::{NoResponse, SingleRequests, unresolved},
    subscription::{PostResult, VerificationResult},
};
use crate::runtime::outgoing::{self, CaError, USER_AGENT};

/// The header with the id of a delivery.
const DELIVERY_ID: &str = "X-Hub-Delivery";

/// The header with the signature of a delivery (WebSub §7.1).
const SIGNATURE: &str = "X-Hub-Signature";

/// Bytes of the response to a delivery that are read and ignored, so that its connection can be
/// used again.
const IGNORED_ANSWER: usize = 1024;

/// The time within which the ignored body must arrive; after it, its connection is not used again.
const IGNORED_ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of denials in progress at once.
pub(super) const MAX_DENIALS: usize = 16;

/// Maximum time until the head of the response to a delivery, however large the topic is.
const LONGEST_ANSWER: Duration = Duration::from_secs(45);

/// The hub's HTTP client.
#[derive(Clone)]
pub(crate) struct HubClient {
    client: Rc<RefCell<Client>>,
    make: Rc<dyn Fn() -> Client>,
    verifications: SingleRequests,
    timeouts: HubTimeouts,
    /// The subscribers of a test, in place of the network.
    #[cfg(test)]
    network: Option<Rc<super::seeds::network::Network>>,
}

impl fmt::Debug for HubClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubClient").field("timeouts", &self.timeouts).finish_non_exhaustive()
    }
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

    pub(super) fn failure(result: T, error: String) -> Self {
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
        let verifications =
            SingleRequests::new(resolver.clone(), tls.clone(), config.timeouts.connect);
        let (tls, connect) = (Arc::new(tls), config.timeouts.connect);
        let limit = config.limits.deliveries + MAX_DENIALS;
        let make = move || {
            let resolver = connect::Resolver::custom(resolver.clone());
            let connector = Connector::new()
                .connector(connect::Connector::new(resolver).service())
                .rustls_0_23(tls.clone())
                .timeout(connect)
                .handshake_timeout(connect)
                .limit(limit);
            Client::builder()
                .connector(connector)
                .disable_redirects()
                .disable_timeout()
                .add_default_header(("User-Agent", USER_AGENT))
                .finish()
        };
        let client = Rc::new(RefCell::new(make()));
        Ok(Self {
            client,
            make: Rc::new(make),
            verifications,
            timeouts: config.timeouts.clone(),
            #[cfg(test)]
            network: None,
        })
    }

    #[cfg(test)]
    pub(super) fn with_network(&self, network: super::seeds::network::Network) -> Self {
        Self { network: Some(Rc::new(network)), ..self.clone() }
    }

    /// Closes idle connections, and those in use once their call has ended. The client keeps them
    /// until their host is called again, and a subscriber can have callbacks of very many hosts.
    pub(crate) fn close_idle(&self) {
        #[cfg(test)]
        if self.network.is_some() {
            return;
        }
        self.client.replace((self.make)());
    }

    /// Verifies the intent of a subscriber: it confirms by 2xx and a body that is exactly the
    /// challenge (WebSub §5.3.1).
    pub(crate) async fn verify(
        &self,
        url: &Url,
        challenge: &str,
        now: i64,
    ) -> CallOutcome<VerificationResult> {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.verify(url, challenge, now).await;
        }
        let head = timeout(self.timeouts.answer, self.verifications.get(url)).await;
        let answer = match head.unwrap_or_else(|_| Err(NoResponse::late())) {
            Ok(answer) => answer,
            Err(NoResponse { error, may_retry: true }) => {
                return CallOutcome::no_response(VerificationResult::NoResponse, error);
            }
            Err(NoResponse { error, .. }) => {
                return CallOutcome::no_response(VerificationResult::Refused, error);
            }
        };
        if !answer.status().is_success() {
            return CallOutcome::failure(
                VerificationResult::Refused,
                status(answer.status().as_u16()),
            );
        }
        let is_framed = ["content-length", "transfer-encoding"]
            .into_iter()
            .any(|field| answer.headers().contains_key(field));
        let body = answer.into_body().into_data_stream();
        let body = read(body, challenge.len() + 1);
        match timeout(self.timeouts.body, body).await {
            // A body without a length ends with the connection. Many servers close it without a TLS
            // close_notify, which reads as an error; the challenge shows that the body is complete.
            Ok(Some(body)) if body.bytes == challenge.as_bytes() && (body.ended || !is_framed) => {
                CallOutcome::success(VerificationResult::Confirmed { requested_at: now })
            }
            Ok(_) => CallOutcome::failure(
                VerificationResult::Refused,
                "answered without the challenge".into(),
            ),
            Err(_) => CallOutcome::failure(
                VerificationResult::Refused,
                "did not end its answer in time".into(),
            ),
        }
    }

    /// Posts a delivery. The body of the response is ignored (WebSub §7).
    pub(crate) async fn post(&self, post: Post, now: i64) -> CallOutcome<PostResult> {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.post(post, now).await;
        }
        let size = Duration::from_secs((post.body.len() / (1024 * 1024)) as u64);
        let limit = (self.timeouts.answer + size).min(LONGEST_ANSWER);
        let mut request = self
            .client
            .borrow()
            .post(&post.callback)
            .insert_header((CONTENT_TYPE, post.media_type))
            .insert_header((LINK, post.link))
            .insert_header((DELIVERY_ID, post.id));
        if let Some(signature) = post.signature {
            request = request.insert_header((SIGNATURE, signature));
        }
        let request = request.freeze();
        let send = || async {
            let request = request.as_ref().map_err(|error| error.to_string())?;
            let head = timeout(limit, request.send_body(post.body.clone())).await;
            Ok(head.unwrap_or(Err(SendRequestError::Timeout)))
        };
        let mut head = send().await;
        if matches!(&head, Ok(Err(error)) if outgoing::broke_off(error)) {
            head = send().await;
        }
        let mut answer = match head {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                let failed = PostResult::Failed { retry_after: None };
                return CallOutcome::no_response(failed, explain(&error));
            }
            Err(error) => {
                let failed = PostResult::Failed { retry_after: None };
                return CallOutcome::no_response(failed, error);
            }
        };
        let _ = timeout(IGNORED_ANSWER_TIMEOUT, read(&mut answer, IGNORED_ANSWER)).await;
        match answer.status() {
            found if found.is_success() => CallOutcome::success(PostResult::Delivered),
            StatusCode::GONE => CallOutcome::failure(PostResult::Gone, status(410)),
            found => {
                let field = answer.headers().get(RETRY_AFTER);
                let field = field.and_then(|field| field.to_str().ok());
                let retry_after =
                    field.and_then(|field| crate::runtime::outgoing::retry_after(field, now));
                CallOutcome::failure(PostResult::Failed { retry_after }, status(found.as_u16()))
            }
        }
    }

    /// Sends a denial. The response is ignored.
    pub(crate) async fn deny(&self, url: &str) {
        #[cfg(test)]
        if let Some(network) = &self.network {
            return network.deny(url).await;
        }
        let request = self.client.borrow().get(url);
        let _ = timeout(self.timeouts.answer, request.send()).await;
    }
}

/// The body of a response, as far as it was read.
struct ResponseBody {
    bytes: Vec<u8>,
    /// Whether it ended without an error.
    ended: bool,
}

/// Reads the body, unless it is longer than `limit`.
async fn read<S, E>(mut answer: S, limit: usize) -> Option<ResponseBody>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
{
    let mut body = ResponseBody { bytes: Vec::new(), ended: true };
    while let Some(piece) = answer.next().await {
        let Ok(piece) = piece else { return Some(ResponseBody { ended: false, ..body }) };
        body.bytes.extend_from_slice(&piece);
        if body.bytes.len() > limit {
            return None;
        }
    }
    Some(body)
}

fn status(status: u16) -> String {
    format!("answered {status}")
}

/// Returns the reason why there is no response.
fn explain(error: &SendRequestError) -> String {
    match error {
        SendRequestError::Connect(ConnectError::Resolver(error)) => unresolved(&**error).error,
        other => outgoing::explain(other),
    }
}
