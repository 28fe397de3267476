//! The route: the checks of a request, in their order, and its response.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{
            ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue,
        },
    },
    web,
};
use contract::{fields::NO_STORE, routes};

use super::{
    body::{self, BodyFault},
    exchange::exchange,
    headers::{self, SESSION},
    message::Message,
    served::Served,
    session::SessionKey,
};
use crate::{
    http::{
        AppState,
        gate::Permit,
        media_type::{essence, parameters},
        pieces::Pieces,
        problem::RequestProblem,
        refusal::{JSON, RpcRefusal, TRANSPORT},
    },
    publication::snapshot::Snapshot,
    sites::site::Site,
};

const EVENT_STREAM: &str = "text/event-stream";

/// The methods that the route allows.
const METHODS: &str = "POST, OPTIONS";

/// Answers `POST /mcp`.
pub(crate) async fn response(
    request: HttpRequest,
    body: web::Payload,
    state: web::Data<AppState>,
) -> HttpResponse {
    let (site, snapshot) = match published(&request, &state).await {
        Ok(published) => published,
        Err(problem) => return problem.response(routes::MCP),
    };
    // Even the body of a request that is refused is taken: a connection that is closed on unread
    // bytes is reset, and the client may never see the answer (RFC 9112, section 9.6).
    let body = body::collect(&request, body, state.mcp.body_timeout, &state.gate, &site).await;
    let checked = state.mcp.hosts.check(&request, &site, &snapshot.manifest);
    let checked = checked.and_then(|()| check_media(request.headers()));
    let (body, place) = match checked.map_err(BodyFault::from).and(body) {
        Ok(body) => body,
        Err(fault) => return fault.response(routes::MCP),
    };
    // Only now: who sends slowly takes nobody's place, except for a long message.
    match state.gate.enter(&request, &site) {
        Ok(permit) => {
            let permit = permit.with_large(place);
            respond(request.headers(), &body, &state, &Served::from(snapshot), permit).await
        }
        Err(problem) => problem.response(routes::MCP),
    }
}

/// Answers every other method, under the same host names.
pub(crate) async fn wrong_method(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let (site, snapshot) = match published(&request, &state).await {
        Ok(published) => published,
        Err(problem) => return problem.response(routes::MCP),
    };
    if let Err(refusal) = state.mcp.hosts.check(&request, &site, &snapshot.manifest) {
        return refusal.response();
    }
    let message = "This path answers POST: there are no streams to open and no sessions to end.";
    let mut response =
        RpcRefusal::new(StatusCode::METHOD_NOT_ALLOWED, TRANSPORT, message).response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
    response
}

/// Returns the site of a request, with its publication.
async fn published(
    request: &HttpRequest,
    state: &AppState,
) -> Result<(Arc<Site>, Arc<Snapshot>), RequestProblem> {
    let site = state.site(request)?;
    let snapshot = site.snapshot().await.ok_or(RequestProblem::NothingLoaded)?;
    Ok((site, snapshot))
}

/// Returns the response to a message or batch, within the limits of all responses.
async fn respond(
    headers: &HeaderMap,
    body: &[u8],
    state: &AppState,
    served: &Served,
    mut permit: Permit,
) -> HttpResponse {
    let keys = &state.mcp.keys;
    let id = headers.get(SESSION).and_then(|id| id.to_str().ok());
    let session = id.filter(|id| keys.signed(id)).and_then(SessionKey::session);
    let check = |message: &Message<'_>| headers::check(headers, keys, message);
    let reply = exchange(body, served, session.as_ref(), check).await;
    let mut response = HttpResponse::build(reply.status);
    response.insert_header((CACHE_CONTROL, NO_STORE));
    if reply.body.is_empty() {
        return response.finish();
    }
    if let Some(session) = reply.opened {
        match keys.new_id(&session) {
            Ok(id) => drop(response.insert_header((SESSION, id))),
            Err(error) => {
                tracing::error!(%error, "cannot open a session");
                return RequestProblem::Internal.response(routes::MCP);
            }
        }
    }
    match state.gate.admit(&mut permit, reply.body.len() as u64) {
        Err(problem) => problem.response(routes::MCP),
        Ok(()) => response.content_type(JSON).body(Pieces::new([reply.body.into()], permit)),
    }
}

/// Checks that the request is plain JSON, and that both forms of a response are acceptable, which the protocol demands
/// even of clients that receive JSON alone.
fn check_media(headers: &HeaderMap) -> Result<(), RpcRefusal> {
    if !accepts(headers, JSON) || !accepts(headers, EVENT_STREAM) {
        return Err(RpcRefusal::new(
            StatusCode::NOT_ACCEPTABLE,
            TRANSPORT,
            format!("Accept must list both {JSON} and {EVENT_STREAM}."),
        ));
    }
    let unsupported =
        |message: &str| RpcRefusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, TRANSPORT, message);
    let mut types = headers.get_all(CONTENT_TYPE).filter_map(|value| value.to_str().ok());
    if !types.next().is_some_and(|value| essence(value).eq_ignore_ascii_case(JSON)) {
        return Err(unsupported("Content-Type must be application/json."));
    }
    let coded = headers.get(CONTENT_ENCODING);
    if coded.is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        Ok(())
    } else {
        Err(unsupported("Send the body without Content-Encoding."))
    }
}

/// Whether a media type is listed itself, and not with `q=0`.
fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let lines = headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|range| {
        let refused = parameters(range)
            .any(|(name, value)| name.eq_ignore_ascii_case("q") && value.parse() == Ok(0.0));
        essence(range).eq_ignore_ascii_case(media_type) && !refused
    })
}
