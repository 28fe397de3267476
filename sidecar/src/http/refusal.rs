//! The JSON-RPC form of a refused request (docs/mcp.md, "Protocol").

use actix_web::{
    HttpResponse,
    http::{StatusCode, header::CACHE_CONTROL},
};
use contract::fields::NO_STORE;
use serde::Serialize;
use serde_json::{Value, value::RawValue};

/// The message is not JSON (JSON-RPC 2.0 section 5.1).
pub(super) const PARSE_ERROR: i64 = -32700;
/// The message is not one of the protocol.
pub(super) const INVALID_REQUEST: i64 = -32600;
/// The parameters cannot be used.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// A fault of the sidecar, whose reason is in the log.
pub(super) const INTERNAL_ERROR: i64 = -32603;
/// The transport refuses the message, before any method.
pub(super) const TRANSPORT: i64 = -32000;
/// The session id was not signed by this server.
pub(super) const UNKNOWN_SESSION: i64 = -32001;
/// A header field contradicts the message (2026-07-28).
pub(super) const HEADER_MISMATCH: i64 = -32020;
/// The revision of the protocol is not supported (2026-07-28).
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// The media type of all messages.
pub(super) const JSON: &str = "application/json";

/// The only revision whose servers must receive batches.
pub(super) const BATCH_REVISION: &str = "2025-03-26";

/// A refused request.
#[derive(Debug)]
pub(super) struct RpcRefusal {
    pub(super) status: StatusCode,
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

#[derive(Serialize)]
struct RefusalBody<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    error: RpcError<'a>,
}

#[derive(Serialize)]
struct RpcError<'a> {
    code: i64,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

impl RpcRefusal {
    pub(super) fn new(status: StatusCode, code: i64, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), data: None }
    }

    /// Makes a refusal with status 400 and this code.
    pub(super) fn bad(code: i64, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Makes the refusal of a batch in a revision that has none.
    pub(super) fn batch() -> Self {
        let message =
            format!("Only sessions of revision {BATCH_REVISION} have batches: send one message.");
        Self::bad(INVALID_REQUEST, message)
    }

    pub(super) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Returns the body, as the response to the request of this id; null if none could be read.
    pub(super) fn body(&self, id: Option<&RawValue>) -> Vec<u8> {
        let error = RpcError { code: self.code, message: &self.message, data: self.data.as_ref() };
        // Text keys only: writing it does not fail.
        serde_json::to_vec(&RefusalBody { jsonrpc: "2.0", id, error }).unwrap_or_default()
    }

    /// Returns the response to a request that was refused before its id was read.
    pub(super) fn response(&self) -> HttpResponse {
        HttpResponse::build(self.status)
            .insert_header((CACHE_CONTROL, NO_STORE))
            .content_type(JSON)
            .body(self.body(None))
    }
}
