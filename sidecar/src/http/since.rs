//! `GET /api/reviews/since/{date}` (contract section 4).

use actix_web::{HttpRequest, HttpResponse, web};
use reviews::{
    manifest::Coding,
    model::Day,
    query::{Given, since_date},
};

use super::{
    Service,
    conditional::{Content, Next, decide},
    encode::MAX_ENCODED,
    pieces,
    problem::Problem,
    send,
};
use crate::{arena::Newest, collection::Collection, deflate::Stream};

/// The route's template.
pub(crate) const ROUTE: &str = "/api/reviews/since/{date}";

/// What follows the reviews.
const TAIL: &str = "]}\n";

/// Answers GET and HEAD.
pub(crate) async fn answer(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    match respond(&request, &service).await {
        Ok(answer) => answer,
        Err(problem) => problem.answer(ROUTE),
    }
}

async fn respond(request: &HttpRequest, service: &Service) -> Result<HttpResponse, Problem> {
    let mut permit = service.gate.enter()?;
    send::check_target(request)?;
    let date = request.match_info().get("date").unwrap_or_default();
    let day =
        since_date(&Given::Text(date.into())).map_err(|issue| Problem::Invalid(vec![issue]))?;
    let snapshot = service.published.current().ok_or(Problem::NothingLoaded)?;
    let collection = &snapshot.collection;
    let newest = collection.arena.since(day);
    let head = head(day, newest.boundary.count);
    let mut hasher = blake3::Hasher::new();
    hasher.update(head.as_bytes()).update(&newest.boundary.digest).update(TAIL.as_bytes());
    let modified = snapshot.reviews_modified;
    let reviews = collection.arena.newest(newest.boundary.count);
    let available = codings(collection, reviews.len() as u64);
    match decide(request, available, Content { hasher, modified, link: None })? {
        Next::Done(answer) => Ok(answer),
        Next::Send(mut answer, coding, tag) => {
            let plain = vec![head.clone().into(), reviews, TAIL.into()];
            let parts = match coding {
                None => plain,
                Some(Coding::Gzip) => match collection.stream() {
                    Some(stream) => gzip(stream, newest, &head).into(),
                    None => {
                        let arena = collection.arena.clone();
                        let make = move || Ok(compress_prefix(&arena, newest, &head));
                        vec![service.encoder.run(&tag, make).await?]
                    }
                },
                Some(coding) => vec![service.encoder.encode(coding, &tag, plain).await?],
            };
            service.gate.admit(&mut permit, pieces::length(&parts))?;
            Ok(send::parts(request, &mut answer, parts, permit))
        }
    }
}

fn head(since: Day, matched: usize) -> String {
    format!("{{\"since\":\"{since}\",\"matched\":{matched},\"returned\":{matched},\"reviews\":[\n")
}

/// gzip lies ready, so it comes first. An answer that is too long to be compressed while somebody
/// waits can be had in gzip alone, once that is there.
fn codings(collection: &Collection, length: u64) -> &'static [Coding] {
    match (length > MAX_ENCODED, collection.stream()) {
        (false, _) => &[Coding::Gzip, Coding::Zstd, Coding::Brotli],
        (true, Some(_)) => &[Coding::Gzip],
        (true, None) => &[],
    }
}

fn gzip(stream: &Stream, newest: Newest, head: &str) -> [web::Bytes; 3] {
    stream.gzip(newest.days, head.as_bytes(), TAIL.as_bytes())
}

/// Makes the bytes that are not there yet: the same that will be.
fn compress_prefix(arena: &crate::arena::Arena, newest: Newest, head: &str) -> Vec<u8> {
    match Stream::of(arena, newest.days, || true) {
        Some(stream) => gzip(&stream, newest, head).concat(),
        None => Vec::new(),
    }
}
