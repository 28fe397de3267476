//! The first steps of a conditional response, before its body is made: select a content coding, compute the ETag,
//! compare it with the client's.

use std::{
    cell::RefCell,
    time::{Duration, SystemTime},
};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        StatusCode,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG,
            HeaderValue, LAST_MODIFIED, LINK, VARY,
        },
    },
};
use contract::{
    etag::{Decision, ETag},
    fields::REVALIDATE,
    manifest::Coding,
};

use super::{negotiate::negotiate, preconditions, problem::RequestProblem};

const JSON: &str = "application/json";

/// Part of the ETag of every compressed response: change it when an encoder or a level changes.
const ENCODERS: &[u8] = b"encoders 1";

/// The time by which the server's `Date` may be late; it has whole seconds.
const CLOCK_STEP: Duration = Duration::from_secs(3);

/// The data that the header fields of a response are made from.
#[derive(Debug)]
pub(super) struct ResponseParts {
    /// Bytes that determine the body, to be hashed.
    pub(super) identity: Vec<u8>,
    /// The time of the last change, if it is known.
    pub(super) modified: Option<SystemTime>,
    pub(super) link: Option<HeaderValue>,
}

/// The result of the conditional request.
pub(super) enum ConditionalResponse {
    /// A complete response without a body.
    Complete(HttpResponse),
    /// A response that still needs its body in this coding and with this ETag.
    WithBody(HttpResponseBuilder, Option<Coding>, ETag),
}

/// Evaluates the fields of the request; `available` is in the order of preference.
pub(super) fn decide(
    request: &HttpRequest,
    available: &[Coding],
    mut content: ResponseParts,
) -> Result<ConditionalResponse, RequestProblem> {
    let lines = request.headers().get_all(ACCEPT_ENCODING).map(|line| line.as_bytes());
    let coding = negotiate(lines, available);
    if let Some(coding) = coding {
        content.identity.extend(ENCODERS);
        content.identity.extend(coding.token().as_bytes());
    }
    let tag = ETag::of(&content.identity);
    match preconditions::of(request).evaluate(&tag, content.modified) {
        Decision::PreconditionFailed => Err(RequestProblem::PreconditionFailed),
        Decision::NotModified => {
            let status = StatusCode::NOT_MODIFIED;
            let mut response = head(status, &tag, REVALIDATE, true, content.link.as_ref());
            Ok(ConditionalResponse::Complete(response.finish()))
        }
        Decision::Proceed => {
            let link = content.link.as_ref();
            let mut response = head(StatusCode::OK, &tag, REVALIDATE, true, link);
            describe(&mut response, HeaderValue::from_static(JSON), coding, content.modified);
            Ok(ConditionalResponse::WithBody(response, coding, tag))
        }
    }
}

/// Adds the fields that 200 and 304 share (RFC 9110 section 15.4.5). `varies` is whether the document has several
/// codings.
pub(super) fn head(
    status: StatusCode,
    etag: &ETag,
    cache_control: &'static str,
    varies: bool,
    link: Option<&HeaderValue>,
) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    response.insert_header((ETAG, etag.as_str()));
    response.insert_header((CACHE_CONTROL, HeaderValue::from_static(cache_control)));
    if varies {
        response.insert_header((VARY, HeaderValue::from_static("Accept-Encoding")));
    }
    if let Some(link) = link {
        response.insert_header((LINK, link.clone()));
    }
    response
}

/// Adds the fields that only a response with content needs.
pub(super) fn describe(
    response: &mut HttpResponseBuilder,
    media_type: HeaderValue,
    coding: Option<Coding>,
    modified: Option<SystemTime>,
) {
    response.insert_header((CONTENT_TYPE, media_type));
    if let Some(coding) = coding {
        response.insert_header((CONTENT_ENCODING, HeaderValue::from_static(coding.token())));
    }
    if let Some(modified) = modified {
        date(response, modified);
    }
}

/// Writes `Last-Modified`, which is never in the future (RFC 9110 section 8.8.2.1): for a very recent change, it and
/// `Date` are from one clock. Otherwise the server's own `Date` is later.
fn date(response: &mut HttpResponseBuilder, modified: SystemTime) {
    if modified < SystemTime::UNIX_EPOCH {
        // Formatting it would panic; no file of a web site is that old.
        return;
    }
    let now = SystemTime::now();
    if now.duration_since(modified).is_ok_and(|age| age > CLOCK_STEP) {
        if let Some(modified) = written(modified) {
            response.insert_header((LAST_MODIFIED, modified));
        }
        return;
    }
    response.insert_header((DATE, httpdate::fmt_http_date(now)));
    response.insert_header((LAST_MODIFIED, httpdate::fmt_http_date(modified.min(now))));
}

thread_local! {
    /// The last time that was written as a date, which is usually the next one too.
    static WRITTEN: RefCell<Option<(SystemTime, HeaderValue)>> = const { RefCell::new(None) };
}

/// Formats a time as a field has it.
fn written(time: SystemTime) -> Option<HeaderValue> {
    WRITTEN.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(of, _)| *of != time) {
            let text = httpdate::fmt_http_date(time);
            *last = HeaderValue::try_from(text).ok().map(|value| (time, value));
        }
        last.as_ref().map(|(_, value)| value.clone())
    })
}
