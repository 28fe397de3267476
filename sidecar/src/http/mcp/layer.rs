//! The checks of a request, in their order, and the dispatch of valid requests.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    body::MessageBody,
    http::{
        StatusCode,
        header::{
            ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue,
        },
    },
    web::{self, BufMut, Bytes, BytesMut},
};
use contract::{fields::NO_STORE, mcp::PROTOCOL_VERSIONS, query::shortened, routes};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;

use super::{
    Mcp,
    body::{self, BodyFault},
    direct,
    message::{Era, Message, STATELESS, VERSION_HEADER},
    sdk::{self, Received},
    served::Served,
    session::SessionKey,
    text::quoted,
};
use crate::{
    http::{
        AppState,
        gate::Permit,
        media_type::{essence, parameters},
        pieces::Pieces,
        problem::RequestProblem,
        refusal::{
            BATCH_REVISION, INVALID_REQUEST, RpcRefusal, TRANSPORT, UNKNOWN_SESSION,
            UNSUPPORTED_VERSION,
        },
    },
    publication::snapshot::Snapshot,
    runtime::limits::{LARGE_RESPONSE, MAX_TOOL_TEXT},
    sites::site::Site,
};

/// Carries the id of a session.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";

pub(super) const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
/// The `Accept` that the protocol demands of clients.
pub(super) const BOTH: &str = "application/json, text/event-stream";

/// What the route allows.
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
            let served = Served::from(snapshot);
            let response = exchange(request.headers(), body, &state.mcp, &served).await;
            send(response, &state, permit)
        }
        Err(problem) => problem.response(routes::MCP),
    }
}

/// Answers every other method, under the same names.
pub(crate) async fn wrong_method(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let (site, snapshot) = match published(&request, &state).await {
        Ok(published) => published,
        Err(problem) => return problem.response(routes::MCP),
    };
    if let Err(refusal) = state.mcp.hosts.check(&request, &site, &snapshot.manifest) {
        return refusal.response(None);
    }
    let message = "This path answers POST: there are no streams to open and no sessions to end.";
    let mut response =
        RpcRefusal::new(StatusCode::METHOD_NOT_ALLOWED, TRANSPORT, message).response(None);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
    response
}

/// The site of a request, with what is published of it.
async fn published(
    request: &HttpRequest,
    state: &AppState,
) -> Result<(Arc<Site>, Arc<Snapshot>), RequestProblem> {
    let site = state.site(request)?;
    let snapshot = site.snapshot().await.ok_or(RequestProblem::NothingLoaded)?;
    Ok((site, snapshot))
}

/// The response to a message or batch, after the checks that look into it. How it came is of no matter:
/// `head` has the header fields that belong to it.
pub(super) async fn exchange(
    head: &HeaderMap,
    body: Bytes,
    mcp: &Mcp,
    served: &Served,
) -> HttpResponse {
    match Message::batch(&body) {
        Some(messages) if has_batches(mcp, head) => match messages {
            Ok(messages) => {
                let parts = messages.iter().map(|part| body.slice_ref(part.get().as_bytes()));
                batch(head, parts, mcp, served).await
            }
            Err(refusal) => refusal.response(None),
        },
        _ => respond(head, body, mcp, served).await,
    }
}

/// Sends a response within the limits of all responses.
fn send(response: HttpResponse, state: &AppState, mut permit: Permit) -> HttpResponse {
    let (mut head, body) = response.into_parts();
    match body.try_into_bytes() {
        Err(stream) => head.set_body(stream),
        Ok(bytes) => match state.gate.admit(&mut permit, bytes.len() as u64) {
            Err(problem) => problem.response(routes::MCP),
            Ok(()) => {
                head.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(NO_STORE));
                head.set_body(Pieces::new([bytes], permit)).map_into_boxed_body()
            }
        },
    }
}

/// Whether the request belongs to a session in which clients may send batches.
fn has_batches(mcp: &Mcp, headers: &HeaderMap) -> bool {
    let id = headers.get(SESSION_HEADER).and_then(|id| id.to_str().ok());
    let revision = id.filter(|id| mcp.keys.signed(id)).and_then(SessionKey::revision);
    revision == Some(BATCH_REVISION)
}

/// The responses to the requests of a batch, in their order. Notifications have none. When they
/// are a long response already, further requests are refused.
async fn batch(
    headers: &HeaderMap,
    messages: impl Iterator<Item = Bytes>,
    mcp: &Mcp,
    served: &Served,
) -> HttpResponse {
    let mut responses = BytesMut::new();
    for message in messages {
        let is_full = responses.len() as u64 > LARGE_RESPONSE;
        let response = match Message::read(&message) {
            Ok(read) if is_full && read.id.is_some() => {
                let text = format!(
                    "The responses before this one have more than {LARGE_RESPONSE} bytes: send the \
                     request in a batch of its own."
                );
                RpcRefusal::bad(INVALID_REQUEST, text).response(read.id)
            }
            Ok(read) if read.era(headers) != Era::Session => {
                let text = format!("{} is sent alone, not in a batch.", shortened(&read.method));
                RpcRefusal::bad(INVALID_REQUEST, text).response(read.id)
            }
            _ => respond(headers, message, mcp, served).await,
        };
        let Ok(bytes) = response.into_body().try_into_bytes() else { continue };
        if !bytes.is_empty() {
            responses.put_u8(if responses.is_empty() { b'[' } else { b',' });
            responses.put_slice(&bytes);
        }
    }
    if responses.is_empty() {
        return HttpResponse::Accepted().finish();
    }
    responses.put_u8(b']');
    HttpResponse::Ok().content_type(JSON).body(responses.freeze())
}

/// The response to one message.
async fn respond(headers: &HeaderMap, body: Bytes, mcp: &Mcp, served: &Served) -> HttpResponse {
    let message = match Message::read(&body) {
        Ok(message) => message,
        Err((refusal, id)) => return refusal.response(id),
    };
    let era = message.era(headers);
    let checked = check_session(mcp, era, headers);
    if let Err(refusal) = checked.and_then(|()| check_version(&message, era, headers)) {
        return refusal.response(message.id);
    }
    if mcp.direct
        && let Some(bytes) = direct::response(&message, era, headers, served).await
    {
        return HttpResponse::Ok().content_type(JSON).body(bytes);
    }
    let Some(forwarded) = sdk::request(headers, body.clone()) else {
        let message_text = "A header of the request cannot be read.";
        return RpcRefusal::bad(TRANSPORT, message_text).response(message.id);
    };
    let (parts, received) = sdk::receive(mcp.server(served).call(forwarded).await).await;
    let mut head = sdk::head(&parts);
    let bytes = match received {
        Received::Stream(stream) => return head.streaming(stream),
        Received::Whole(bytes) if bytes.is_empty() => return head.finish(),
        Received::Whole(bytes) if bytes.len() > MAX_TOOL_TEXT && is_error(&bytes) => {
            let text = "The message is refused. The reason repeats a value that is too long.";
            return RpcRefusal::bad(INVALID_REQUEST, text).response(message.id);
        }
        Received::Whole(bytes) => bytes,
    };
    if !is_json(&parts) {
        return error_in_json(&parts, &bytes).response(message.id);
    }
    if era == Era::Handshake
        && let Some(revision) = agreed_revision(&bytes)
    {
        match mcp.keys.new_id(&revision) {
            Ok(id) => drop(head.insert_header((SESSION_HEADER, id))),
            Err(error) => {
                tracing::error!(%error, "cannot open a session");
                return RequestProblem::Internal.response(routes::MCP);
            }
        }
    }
    head.body(bytes)
}

/// What is sent must be JSON as it is, and both forms of an answer must be acceptable, as the
/// protocol demands even of clients that get JSON alone.
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

/// A message of a session says which; the other kinds need none and may name any.
fn check_session(mcp: &Mcp, era: Era, headers: &HeaderMap) -> Result<(), RpcRefusal> {
    if era != Era::Session {
        return Ok(());
    }
    let mut ids = headers.get_all(SESSION_HEADER);
    match (ids.next(), ids.next()) {
        (None, _) => Err(RpcRefusal::bad(
            TRANSPORT,
            "The Mcp-Session-Id header is missing: send initialize first, and its id from then on.",
        )),
        (Some(_), Some(_)) => Err(RpcRefusal::bad(TRANSPORT, "Send one Mcp-Session-Id header.")),
        (Some(id), None) if id.to_str().is_ok_and(|id| mcp.keys.signed(id)) => Ok(()),
        (Some(_), None) => Err(RpcRefusal::new(
            StatusCode::NOT_FOUND,
            UNKNOWN_SESSION,
            "The session is not known here: send initialize to open a new one.",
        )),
    }
}

/// The header names a revision we speak. Whether it is that of `_meta` is the SDK's to judge.
fn check_version(message: &Message<'_>, era: Era, headers: &HeaderMap) -> Result<(), RpcRefusal> {
    let mut versions = headers.get_all(VERSION_HEADER);
    let (version, second) = (versions.next(), versions.next());
    if second.is_some() {
        return Err(RpcRefusal::bad(TRANSPORT, "Send one MCP-Protocol-Version header."));
    }
    let known = |version: &str| PROTOCOL_VERSIONS.contains(&version);
    let Some(version) = version.filter(|_| era != Era::Handshake && message.meta_version.is_none())
    else {
        return Ok(());
    };
    let version = String::from_utf8_lossy(version.as_bytes());
    if known(&version) {
        return Ok(());
    }
    let code = if *version >= *STATELESS { UNSUPPORTED_VERSION } else { TRANSPORT };
    let supported = PROTOCOL_VERSIONS.join(", ");
    let text = format!(
        "MCP-Protocol-Version {} is not supported; these are: {supported}.",
        quoted(&version)
    );
    let data = json!({ "supported": PROTOCOL_VERSIONS, "requested": shortened(&version) });
    Err(RpcRefusal::bad(code, text).with_data(data))
}

fn is_json(parts: &http::response::Parts) -> bool {
    let field = parts.headers.get(http::header::CONTENT_TYPE);
    field.and_then(|value| value.to_str().ok()).is_some_and(|value| essence(value) == JSON)
}

/// What the SDK says in plain text. It calls a message it cannot read an unsupported media type.
fn error_in_json(parts: &http::response::Parts, bytes: &Bytes) -> RpcRefusal {
    let status = StatusCode::from_u16(parts.status.as_u16());
    match status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR) {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            RpcRefusal::bad(INVALID_REQUEST, "The message is not of the protocol's form.")
        }
        status => RpcRefusal::new(status, TRANSPORT, shortened(&String::from_utf8_lossy(bytes))),
    }
}

/// Whether the response is an error, which may repeat what the client sent.
fn is_error(bytes: &Bytes) -> bool {
    #[derive(Deserialize)]
    struct RpcResponse {
        error: Option<IgnoredAny>,
    }
    serde_json::from_slice(bytes).is_ok_and(|response: RpcResponse| response.error.is_some())
}

/// The revision in the result of a handshake; `None` if it has none, as an error.
fn agreed_revision(bytes: &Bytes) -> Option<String> {
    #[derive(Deserialize)]
    struct RpcResponse {
        result: Initialized,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Initialized {
        protocol_version: String,
    }
    let response: RpcResponse = serde_json::from_slice(bytes).ok()?;
    Some(response.result.protocol_version)
}
