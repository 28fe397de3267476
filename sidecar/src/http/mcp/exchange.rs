//! The response to a message or a batch, for both transports.

use actix_web::http::StatusCode;
use contract::query::shortened;
use rmcp::model::{ErrorCode, ErrorData, ServerResult};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    dispatch,
    message::{Era, Message},
    served::Served,
    session::Session,
};
use crate::{
    http::refusal::{BATCH_REVISION, INTERNAL_ERROR, INVALID_REQUEST, RpcRefusal},
    runtime::limits::LARGE_RESPONSE,
};

/// A response.
pub(super) struct Reply {
    /// The status over HTTP.
    pub(super) status: StatusCode,
    /// The body in JSON; empty if no message needs a response.
    pub(super) body: Vec<u8>,
    /// The session that it opens.
    pub(super) opened: Option<Session>,
}

#[derive(Serialize)]
struct ResultBody<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: &'a ServerResult,
}

impl Reply {
    fn none() -> Self {
        Self { status: StatusCode::ACCEPTED, body: Vec::new(), opened: None }
    }

    fn ok(body: Vec<u8>) -> Self {
        Self { status: StatusCode::OK, body, opened: None }
    }

    fn refused(refusal: &RpcRefusal, id: Option<&RawValue>) -> Self {
        Self { status: refusal.status, body: refusal.body(id), opened: None }
    }
}

/// Responds to a message, or to a batch in a session of the revision that has them. `check` makes the transport's checks of each message.
pub(super) async fn exchange(
    body: &[u8],
    served: &Served,
    session: Option<&Session>,
    check: impl Fn(&Message<'_>) -> Result<(), RpcRefusal>,
) -> Reply {
    let revision = session.map(|session| &*session.revision);
    match Message::batch(body) {
        Some(Ok(messages)) if revision == Some(BATCH_REVISION) => {
            batch(&messages, served, session, check).await
        }
        Some(Err(refusal)) if revision == Some(BATCH_REVISION) => Reply::refused(&refusal, None),
        _ => respond(body, served, session, check).await,
    }
}

/// Returns the responses to the requests of a batch, in their order. Notifications have none. When they are a long
/// response already, further requests are refused.
async fn batch(
    messages: &[&RawValue],
    served: &Served,
    session: Option<&Session>,
    check: impl Fn(&Message<'_>) -> Result<(), RpcRefusal>,
) -> Reply {
    let mut responses = Vec::new();
    for message in messages {
        let is_full = responses.len() as u64 > LARGE_RESPONSE;
        let check_part = |part: &Message<'_>| {
            if is_full && part.id.is_some() {
                let text = format!(
                    "The responses before this one have more than {LARGE_RESPONSE} bytes: send the \
                     request in a batch of its own."
                );
                return Err(RpcRefusal::bad(INVALID_REQUEST, text));
            }
            if part.era(None) != Era::Session {
                let text = format!("{} is sent alone, not in a batch.", shortened(&part.method));
                return Err(RpcRefusal::bad(INVALID_REQUEST, text));
            }
            check(part)
        };
        let reply = respond(message.get().as_bytes(), served, session, check_part).await;
        if !reply.body.is_empty() {
            responses.push(if responses.is_empty() { b'[' } else { b',' });
            responses.extend(reply.body);
        }
    }
    if responses.is_empty() {
        return Reply::none();
    }
    responses.push(b']');
    Reply::ok(responses)
}

/// Returns the response to one message.
async fn respond(
    body: &[u8],
    served: &Served,
    session: Option<&Session>,
    check: impl Fn(&Message<'_>) -> Result<(), RpcRefusal>,
) -> Reply {
    let message = match Message::read(body) {
        Ok(message) => message,
        Err((refusal, id)) => return Reply::refused(&refusal, id),
    };
    if let Err(refusal) = check(&message) {
        return Reply::refused(&refusal, message.id);
    }
    let Some(id) = message.id else { return Reply::none() };
    let has_views = match (message.era(None), session) {
        (Era::Session, Some(session)) => session.has_views,
        _ => message.offers_views(),
    };
    let result = match answer(&message, served, has_views).await {
        Ok(result) => result,
        Err(refusal) => return Reply::refused(&refusal, Some(id)),
    };
    let opened = match &result {
        ServerResult::InitializeResult(result) => {
            Some(Session { revision: result.protocol_version.as_str().to_owned(), has_views })
        }
        _ => None,
    };
    match serde_json::to_vec(&ResultBody { jsonrpc: "2.0", id, result: &result }) {
        Ok(body) => Reply { opened, ..Reply::ok(body) },
        Err(error) => {
            tracing::error!(%error, "a result cannot be written");
            let text = "The answer could not be written.";
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Reply::refused(&RpcRefusal::new(status, INTERNAL_ERROR, text), Some(id))
        }
    }
}

async fn answer(
    message: &Message<'_>,
    served: &Served,
    has_views: bool,
) -> Result<ServerResult, RpcRefusal> {
    let is_stateless = message.era(None) == Era::Stateless;
    if is_stateless {
        message.check_meta()?;
    }
    // Errors of a method are results in HTTP, but for one of the stateless revision.
    let unknown_method = |error: &ErrorData| error.code == ErrorCode::METHOD_NOT_FOUND;
    let has_status = is_stateless || message.meta.version.is_some();
    dispatch::result(message, served, has_views).await.map_err(|error| {
        let status = if has_status && unknown_method(&error) {
            StatusCode::NOT_FOUND
        } else {
            StatusCode::OK
        };
        let refusal = RpcRefusal::new(status, error.code.0.into(), error.message);
        RpcRefusal { data: error.data, ..refusal }
    })
}
