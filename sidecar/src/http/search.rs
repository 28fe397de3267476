//! `GET /api/reviews/search` (docs/api.md, "GET /api/reviews/search").

use actix_web::{HttpRequest, HttpResponse, http::header::HeaderValue, web};
use contract::{
    manifest::{Coding, Link},
    query::{Given, SEARCH, Search, encoded, pairs},
    routes,
};

use super::{
    AppState,
    conditional::{ConditionalResponse, ResponseParts, decide},
    envelope::ReviewPage,
    problem::RequestProblem,
    send,
};
use crate::publication::snapshot::Snapshot;

/// The codings of a page, which is small: the quickest is the first.
const CODINGS: [Coding; 2] = [Coding::Gzip, Coding::Brotli];

/// Answers GET and HEAD.
pub(crate) async fn response(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match try_response(&request, &state).await {
        Ok(response) => response,
        Err(problem) => problem.response(routes::SEARCH),
    }
}

async fn try_response(
    request: &HttpRequest,
    state: &AppState,
) -> Result<HttpResponse, RequestProblem> {
    let site = state.site(request)?;
    send::check_target(request)?;
    let query = request.uri().query().unwrap_or_default();
    let search = Search::parse(pairs(query)).map_err(RequestProblem::Invalid)?;
    // It takes no place while it waits for a site that has to be loaded.
    let snapshot = site.snapshot().await;
    let mut permit = state.gate.enter(request, &site)?;
    let snapshot = snapshot.ok_or(RequestProblem::NothingLoaded)?;
    let hits = snapshot.collection.find(&search);
    let unresolved = snapshot.collection.names.unresolved(&search.filter);
    let page = ReviewPage::new(&snapshot.collection, &search, &hits, &unresolved);
    let content = ResponseParts {
        identity: page.identity(),
        modified: modified(&snapshot, &search),
        link: page.next.as_ref().and_then(|next| link(&snapshot.manifest.base_url, query, next)),
    };
    match decide(request, &CODINGS, content)? {
        ConditionalResponse::Complete(response) => Ok(response),
        ConditionalResponse::WithBody(mut response, coding, tag) => {
            let mut parts = vec![page.to_bytes()];
            if let Some(coding) = coding {
                parts = vec![state.encoder.encode(coding, &tag, parts).await?];
            }
            state.gate.admit(&mut permit, super::pieces::length(&parts))?;
            Ok(send::parts(request, &mut response, parts, permit))
        }
    }
}

/// What is found follows from `reviews.json` alone, except aspects, topics, sentiments, and who is meant
/// where two technicians share a name.
fn modified(snapshot: &Snapshot, search: &Search) -> Option<std::time::SystemTime> {
    let filter = &search.filter;
    let by_insights = filter.technician.is_some()
        || filter.aspect.is_some()
        || filter.topic.is_some()
        || filter.sentiment.is_some()
        || !search.facets.is_empty();
    snapshot.reviews_modified.filter(|_| !by_insights)
}

/// Returns the link to the next page: the same parameters with another cursor.
fn link(base_url: &str, query: &str, next: &str) -> Option<HeaderValue> {
    let mut href = [base_url, routes::SEARCH, "?"].concat();
    let given: Vec<_> = pairs(query).collect();
    for parameter in SEARCH.iter().filter(|parameter| parameter.name != "cursor") {
        // There is one value at most, or the search would have been refused.
        let given = given.iter().find(|(name, _)| *name == parameter.name);
        if let Some((name, Given::Text(value))) = given
            && !value.is_empty()
        {
            href.extend([name, "=", &encoded(value), "&"]);
        }
    }
    href.extend(["cursor=", next]);
    HeaderValue::try_from(Link { href, rel: "next".into() }.to_string()).ok()
}
