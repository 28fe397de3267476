//! `POST /api/websub/hub`: reads a form, and answers 202, or the reason in plain text (WebSub §5.1.2).

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method, StatusCode,
        header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
    },
    rt::time::timeout,
    web::{self, BytesMut, Payload},
};
use contract::fields::NO_STORE;
use futures_util::StreamExt;

use super::{
    AppState,
    client::client,
    media_type::{essence, parameters},
    problem::RequestProblem,
};
use crate::hub::{BadRequest, HubHandle, HubRequest, RateLimited, Refused, Topics};

/// Maximum bytes of a form: a callback and a topic of 2,048 bytes each, all percent-encoded, and a secret fit in.
const MAX_FORM: usize = 16 * 1024;

/// The time within which a form must arrive.
const FORM_TIMEOUT: Duration = Duration::from_secs(10);

/// Seconds of `Retry-After` while the hub cannot accept requests.
const RETRY_SECONDS: u64 = 30;

/// A fault of a request, or of the hub.
struct HubRefusal {
    status: StatusCode,
    /// The label `reason` of the metric.
    kind: &'static str,
    reason: String,
    retry_after: Option<u64>,
}

impl HubRefusal {
    /// Makes the refusal of a form that is not a request.
    fn malformed(status: StatusCode, reason: impl Into<String>) -> Self {
        Self { status, kind: "malformed", reason: reason.into(), retry_after: None }
    }
}

impl From<RequestProblem> for HubRefusal {
    fn from(problem: RequestProblem) -> Self {
        let (status, body) = problem.status_and_body();
        Self { status, kind: "malformed", reason: body.message, retry_after: None }
    }
}

impl From<RateLimited> for HubRefusal {
    fn from(RateLimited { limit, wait }: RateLimited) -> Self {
        Self {
            status: StatusCode::TOO_MANY_REQUESTS,
            kind: limit,
            reason: "too many requests: come back later".into(),
            retry_after: Some(wait.as_secs() + 1),
        }
    }
}

impl From<Refused> for HubRefusal {
    fn from(refused: Refused) -> Self {
        let (status, kind, reason, retry_after) = match refused {
            Refused::Full => (
                StatusCode::TOO_MANY_REQUESTS,
                "full",
                "there are too many subscriptions, or too many that wait: come back later",
                Some(RETRY_SECONDS),
            ),
            Refused::Blocked => (
                StatusCode::FORBIDDEN,
                "blocked",
                "the operator of this hub has blocked the host of hub.callback",
                None,
            ),
            Refused::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                "the hub cannot take requests at the moment: come back later",
                Some(RETRY_SECONDS),
            ),
        };
        Self { status, kind, reason: reason.into(), retry_after }
    }
}

/// Answers every request to the hub's address.
pub(crate) async fn response(
    request: HttpRequest,
    form: Payload,
    state: web::Data<AppState>,
    hub: web::Data<HubHandle>,
) -> HttpResponse {
    if request.method() != Method::POST {
        let mut response = HttpResponse::MethodNotAllowed();
        response.insert_header((ALLOW, "POST, OPTIONS"));
        return text(response, "the hub answers POST (https://www.w3.org/TR/websub/)");
    }
    let (mode, result) = process(&request, form, &state, &hub).await;
    match result {
        Ok(()) => {
            hub.metrics().request(mode, StatusCode::ACCEPTED.as_u16());
            text(HttpResponse::Accepted(), "accepted")
        }
        Err(HubRefusal { status, kind, reason, retry_after }) => {
            hub.metrics().request(mode, status.as_u16());
            hub.metrics().refusal(kind);
            let mut response = HttpResponse::build(status);
            if let Some(seconds) = retry_after {
                response.insert_header((RETRY_AFTER, seconds));
            }
            text(response, &reason)
        }
    }
}

fn text(mut response: actix_web::HttpResponseBuilder, text: &str) -> HttpResponse {
    response
        .insert_header((CACHE_CONTROL, NO_STORE))
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body(format!("{text}\n"))
}

/// Returns the mode for the metrics, as far as it was understood, and the result of the request.
async fn process(
    request: &HttpRequest,
    form: Payload,
    state: &AppState,
    hub: &HubHandle,
) -> (&'static str, Result<(), HubRefusal>) {
    let parsed = async {
        // Taken even if the request is refused: a connection that is closed on unread bytes is
        // reset, and the client may never see the answer (RFC 9112, section 9.6).
        let form = read(form).await;
        let client = client(request, hub);
        hub.check_client(client)?;
        if !is_form(request.headers().get(CONTENT_TYPE)) {
            let reason = "the form must be application/x-www-form-urlencoded in UTF-8";
            return Err(HubRefusal::malformed(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
        }
        let form = form?;
        let site = state.site(request)?;
        let Some(snapshot) = site.snapshot().await else {
            return Err(Refused::Unavailable.into());
        };
        let topics = Topics::of(&snapshot.manifest);
        let parsed = HubRequest::parse(&form, &topics, hub.allowed_ports());
        let bad = |bad: BadRequest| HubRefusal::malformed(StatusCode::BAD_REQUEST, bad.to_string());
        Ok((site, client, parsed.map_err(bad)?))
    };
    match parsed.await {
        Err(refusal) => ("unknown", Err(refusal)),
        Ok((site, client, HubRequest::Publish)) => {
            ("publish", hub.ping(&site, client).map_err(HubRefusal::from))
        }
        Ok((site, client, HubRequest::Subscription(subscription_request))) => {
            let mode = subscription_request.mode.as_str();
            if let Err(too_often) = hub.check_host(client, &subscription_request.callback.host) {
                return (mode, Err(too_often.into()));
            }
            let submitted = hub.submit(client, &site, subscription_request).await;
            (mode, submitted.map_err(HubRefusal::from))
        }
    }
}

/// Whether the field is the type of a form, without a character set or with the one that WebSub §5.1 names.
fn is_form(field: Option<&HeaderValue>) -> bool {
    let Some(Ok(field)) = field.map(HeaderValue::to_str) else { return false };
    let is_utf_8 = |(name, value): (&str, &str)| {
        !name.eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
    };
    essence(field).eq_ignore_ascii_case("application/x-www-form-urlencoded")
        && parameters(field).all(is_utf_8)
}

async fn read(mut form: Payload) -> Result<BytesMut, HubRefusal> {
    let reading = async {
        let mut bytes = BytesMut::new();
        while let Some(piece) = form.next().await {
            let broken = |_| HubRefusal::malformed(StatusCode::BAD_REQUEST, "the form broke off");
            bytes.extend_from_slice(&piece.map_err(broken)?);
            if bytes.len() > MAX_FORM {
                let reason = format!("the form is longer than {MAX_FORM} bytes");
                return Err(HubRefusal::malformed(StatusCode::PAYLOAD_TOO_LARGE, reason));
            }
        }
        Ok(bytes)
    };
    let late =
        |_| HubRefusal::malformed(StatusCode::REQUEST_TIMEOUT, "the form took too long to arrive");
    timeout(FORM_TIMEOUT, reading).await.map_err(late)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_urlencoded_utf_8() {
        let form = "application/x-www-form-urlencoded";
        for (field, accepted) in [
            (form.to_owned(), true),
            ("Application/X-WWW-Form-Urlencoded".to_owned(), true),
            (format!("{form}; charset=UTF-8"), true),
            (format!("{form};charset=\"utf-8\"; x=y"), true),
            (format!("{form}; charset=iso-8859-1"), false),
            ("multipart/form-data".to_owned(), false),
            ("application/json".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_form(HeaderValue::from_str(&field).ok().as_ref()), accepted, "{field}");
        }
        assert!(!is_form(None));
    }
}
