//! `GET /api/reviews/search` (contract section 3).

use actix_web::{HttpRequest, HttpResponse, http::header::HeaderValue, web};
use contract::{
    manifest::{Coding, Link},
    query::{Given, SEARCH, Search, encoded, pairs},
    routes,
};

use super::{
    Service,
    conditional::{Content, Next, decide},
    envelope::Page,
    problem::Problem,
    send,
};
use crate::snapshot::Snapshot;

/// A page is small: the quickest comes first.
const CODINGS: [Coding; 3] = [Coding::Zstd, Coding::Gzip, Coding::Brotli];

/// Answers GET and HEAD.
pub(crate) async fn answer(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    match respond(&request, &service).await {
        Ok(answer) => answer,
        Err(problem) => problem.answer(routes::SEARCH),
    }
}

async fn respond(request: &HttpRequest, service: &Service) -> Result<HttpResponse, Problem> {
    let mut permit = service.gate.enter()?;
    send::check_target(request)?;
    let query = request.uri().query().unwrap_or_default();
    let search = Search::parse(pairs(query)).map_err(Problem::Invalid)?;
    let snapshot = service.published.current().ok_or(Problem::NothingLoaded)?;
    let hits = snapshot.collection.find(&search);
    let page = Page::new(&snapshot.collection.arena, &search.filter, &hits, &search.ignored);
    let content = Content {
        identity: page.identity(),
        modified: modified(&snapshot, &search),
        link: page.next.as_ref().and_then(|next| link(&snapshot.manifest.base_url, query, next)),
    };
    match decide(request, &CODINGS, content)? {
        Next::Done(answer) => Ok(answer),
        Next::Send(mut answer, coding, tag) => {
            let mut parts = vec![page.to_bytes()];
            if let Some(coding) = coding {
                parts = vec![service.encoder.encode(coding, &tag, parts).await?];
            }
            service.gate.admit(&mut permit, super::pieces::length(&parts))?;
            Ok(send::parts(request, &mut answer, parts, permit))
        }
    }
}

/// What is found follows from `reviews.json` alone, except who is meant where two technicians share
/// a name.
fn modified(snapshot: &Snapshot, search: &Search) -> Option<std::time::SystemTime> {
    snapshot.reviews_modified.filter(|_| search.filter.technician.is_none())
}

/// To the next page: the same parameters with another cursor.
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
