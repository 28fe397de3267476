//! The published files at their URLs (docs/documents.md, "Published documents").

use std::{
    ops::Range,
    sync::{Arc, LazyLock},
};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        Method, StatusCode,
        header::{
            ACCEPT_ENCODING, ACCEPT_RANGES, CACHE_CONTROL, CONTENT_RANGE, CONTENT_TYPE, IF_RANGE,
            LOCATION, RANGE,
        },
    },
    web,
};
use contract::{
    etag::{Decision, if_range_holds},
    fields::{NO_CACHE, REVALIDATE},
    manifest::Coding,
    percent::decode_path,
};

use super::{
    AppState,
    body::FileBody,
    conditional,
    negotiate::negotiate,
    preconditions,
    problem::{RequestProblem, is_for_programs},
    range::Part,
};
use crate::{
    publication::snapshot::{PublishedDocument, Representation, Resolved, Snapshot},
    runtime::log_budget::{LogBudget, LogLine},
};

/// The budget of log lines: each request causes the same fault.
static LOG: LazyLock<LogBudget> = LazyLock::new(LogBudget::default);

/// Handles every path without a route: a published file, another spelling of its URL, or 404.
pub(crate) async fn response(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let path = decode_path(request.uri().path());
    let readable = path.as_deref().unwrap_or_default();
    let snapshot = match state.site(&request) {
        Ok(site) => site.snapshot().await,
        Err(problem) => return problem.response(readable),
    };
    let Some(snapshot) = snapshot else {
        return RequestProblem::NothingLoaded.response(readable);
    };
    let found = snapshot.find(readable).filter(|_| state.serve_public);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match found {
        None => not_found(&request, readable, &snapshot).await,
        Some(_) if !reads => RequestProblem::MethodNotAllowed.response(readable),
        Some(Resolved::Redirect(to)) => redirect(&request, to),
        Some(Resolved::Document(document)) => {
            send(&request, document).await.unwrap_or_else(|problem| problem.response(readable))
        }
    }
}

/// Redirects to a path on this origin, never to another: `to` is made from the manifest.
fn redirect(request: &HttpRequest, to: &str) -> HttpResponse {
    let location = match request.uri().query() {
        Some(query) => format!("{to}?{query}"),
        None => to.to_owned(),
    };
    HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, location))
        .insert_header((CACHE_CONTROL, REVALIDATE))
        .finish()
}

/// Returns JSON on paths of programs, the site's own page elsewhere.
async fn not_found(request: &HttpRequest, path: &str, snapshot: &Arc<Snapshot>) -> HttpResponse {
    if is_for_programs(path) {
        return RequestProblem::NotFound.response(path);
    }
    let mut response = HttpResponse::NotFound();
    response.insert_header((CACHE_CONTROL, NO_CACHE));
    let Some(page) = snapshot.not_found_page() else {
        return response.content_type("text/plain; charset=utf-8").body("404 Not found\n");
    };
    response.insert_header((CONTENT_TYPE, page.media_type.clone()));
    protect(&mut response, page);
    match body(request, &page.identity, 0..page.identity.length).await {
        Ok(body) => response.body(body),
        Err(problem) => problem.response(path),
    }
}

async fn send(
    request: &HttpRequest,
    document: &PublishedDocument,
) -> Result<HttpResponse, RequestProblem> {
    let (coding, chosen) = select(request, document);
    let varies = !document.encoded.is_empty();
    let head = |status| {
        let (caching, link) = (document.cache_control, document.link.as_ref());
        let mut response = conditional::head(status, &chosen.etag, caching, varies, link);
        protect(&mut response, document);
        response
    };
    match preconditions::of(request).evaluate(&chosen.etag, document.modified) {
        Decision::Proceed => {}
        Decision::NotModified => {
            return Ok(head(StatusCode::NOT_MODIFIED).finish());
        }
        Decision::PreconditionFailed => return Err(RequestProblem::PreconditionFailed),
    }
    let mut response;
    let bytes = match part(request, document, chosen) {
        Part::Unsatisfiable => return Err(RequestProblem::RangeNotSatisfiable(chosen.length)),
        Part::Whole => {
            response = head(StatusCode::OK);
            0..chosen.length
        }
        Part::Bytes(bytes) => {
            response = head(StatusCode::PARTIAL_CONTENT);
            let (first, last) = (bytes.start, bytes.end - 1);
            let field = format!("bytes {first}-{last}/{}", chosen.length);
            response.insert_header((CONTENT_RANGE, field));
            bytes
        }
    };
    conditional::describe(&mut response, document.media_type.clone(), coding, document.modified);
    response.insert_header((ACCEPT_RANGES, "bytes"));
    Ok(response.body(body(request, chosen, bytes).await?))
}

/// Adds the fields that protect readers.
fn protect(response: &mut HttpResponseBuilder, document: &PublishedDocument) {
    for (name, value) in document.security.iter() {
        response.insert_header((name.clone(), value.clone()));
    }
}

/// Returns the representation in the coding for this client.
fn select<'a>(
    request: &HttpRequest,
    document: &'a PublishedDocument,
) -> (Option<Coding>, &'a Representation) {
    let available: Vec<_> = document.encoded.iter().map(|(coding, _)| *coding).collect();
    let lines = request.headers().get_all(ACCEPT_ENCODING).map(|line| line.as_bytes());
    let chosen = negotiate(lines, &available);
    let encoded = document.encoded.iter().find(|(coding, _)| Some(*coding) == chosen);
    encoded.map_or((None, &document.identity), |(coding, encoded)| (Some(*coding), encoded))
}

/// Returns the requested part: GET only, one range, and only of the document that the client has a part of.
fn part(request: &HttpRequest, document: &PublishedDocument, chosen: &Representation) -> Part {
    let mut lines = request.headers().get_all(RANGE);
    let (Some(range), None) = (lines.next(), lines.next()) else { return Part::Whole };
    let same = request
        .headers()
        .get(IF_RANGE)
        .is_none_or(|field| if_range_holds(field.as_bytes(), &chosen.etag, document.modified));
    if same && request.method() == Method::GET {
        Part::parse(range.as_bytes(), chosen.length)
    } else {
        Part::Whole
    }
}

async fn body(
    request: &HttpRequest,
    chosen: &Representation,
    bytes: Range<u64>,
) -> Result<FileBody, RequestProblem> {
    if request.method() == Method::HEAD {
        return Ok(FileBody::head(bytes.end - bytes.start));
    }
    FileBody::open(chosen, bytes).await.map_err(|error| {
        let object = chosen.etag.hex();
        if let Some(LogLine { left_out }) = LOG.line() {
            tracing::error!(%error, %object, left_out, "cannot read an object of the state directory");
        }
        RequestProblem::Internal
    })
}
