//! `GET /api/reviews/since/{date}` (docs/api.md, "GET /api/reviews/since/{date}").

use actix_web::{HttpRequest, HttpResponse, http::Method, web};
use contract::{
    manifest::Coding,
    model::Day,
    query::{Given, ignored, since_date},
    routes,
};

use super::{
    AppState,
    conditional::{ConditionalResponse, ResponseParts, decide},
    envelope, files, pieces,
    problem::RequestProblem,
    send,
};
use crate::runtime::limits::MAX_COMPRESSED;

/// The bytes right before the reviews.
const REVIEWS: &str = ",\"reviews\":[\n";

/// Returns the date in a path, if the path is one of this route.
pub(super) fn date(path: &str) -> Option<&str> {
    let date = path.strip_prefix(routes::SINCE_PREFIX)?;
    (!date.is_empty() && !date.contains('/')).then_some(date)
}

/// Answers GET and HEAD, and all other requests below `/api/reviews/since/`.
pub(crate) async fn response(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    // As the other routes do, with `%32` read as `2`.
    let Some(date) = date(request.match_info().as_str()) else {
        return files::response(request, state).await;
    };
    let answered = match *request.method() {
        Method::GET | Method::HEAD => try_response(&request, date, &state).await,
        _ => Err(RequestProblem::MethodNotAllowed),
    };
    answered.unwrap_or_else(|problem| problem.response(routes::SINCE))
}

async fn try_response(
    request: &HttpRequest,
    date: &str,
    state: &AppState,
) -> Result<HttpResponse, RequestProblem> {
    let site = state.site(request)?;
    send::check_target(request)?;
    let day = since_date(&Given::Text(date.into()))
        .map_err(|issue| RequestProblem::Invalid(vec![issue]))?;
    // It takes no place while it waits for a site that has to be loaded.
    let snapshot = site.snapshot().await;
    let mut permit = state.gate.enter(request, &site)?;
    let snapshot = snapshot.ok_or(RequestProblem::NothingLoaded)?;
    let arena = &snapshot.collection.arena;
    let newest = arena.since(day);
    let head = head(day, newest.count);
    let tail = envelope::tail(None, &ignored(request.uri().query().unwrap_or_default()), &[]);
    let identity = [head.as_bytes(), &newest.digest, tail.as_bytes()].concat();
    let modified = snapshot.reviews_modified;
    let reviews = arena.newest(newest.count);
    let available = codings(reviews.len() as u64);
    match decide(request, available, ResponseParts { identity, modified, link: None })? {
        ConditionalResponse::Complete(response) => Ok(response),
        ConditionalResponse::WithBody(mut response, coding, tag) => {
            let mut parts = vec![head.into(), reviews, tail.into()];
            if let Some(coding) = coding {
                parts = vec![state.encoder.encode(coding, &tag, parts).await?];
            }
            state.gate.admit(&mut permit, pieces::length(&parts))?;
            Ok(send::parts(request, &mut response, parts, permit))
        }
    }
}

fn head(since: Day, matched: usize) -> String {
    let (since, matched) = (since.to_string(), matched.to_string());
    let parts =
        ["{\"since\":\"", &since, "\",\"matched\":", &matched, ",\"returned\":", &matched, REVIEWS];
    parts.concat()
}

/// Returns the codings, the quickest first. A response that would take too long is sent as it is.
fn codings(length: u64) -> &'static [Coding] {
    if length > MAX_COMPRESSED { &[] } else { &[Coding::Gzip, Coding::Brotli] }
}
