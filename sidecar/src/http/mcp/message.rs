//! A JSON-RPC message, parsed as far as its checks need; `dispatch` parses its parameters.

use std::borrow::Cow;

use contract::{mcp::PROTOCOL_VERSIONS, query::shortened};
use rmcp::model::{ClientCapabilities, InitializeRequestParams};
use serde::{Deserialize, Deserializer};
use serde_json::{json, value::RawValue};

use super::{apps, text::quoted};
use crate::http::refusal::{
    INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcRefusal, TRANSPORT, UNSUPPORTED_VERSION,
};

/// The first revision without a handshake. Revisions compare as text.
pub(super) const STATELESS: &str = "2026-07-28";

/// The prefix of the keys with which a message of that revision describes itself and its client.
const META: &str = "io.modelcontextprotocol/";

/// Maximum bytes of an id, as JSON: every response repeats it.
const MAX_ID: usize = 256;

/// Maximum number of messages in a batch. The text of a response may have 64 KiB.
const MAX_BATCH: usize = 16;

/// A request, or a notification, which has no id.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Cow<'a, str>,
    pub(super) params: Option<&'a RawValue>,
    pub(super) meta: Meta<'a>,
}

/// The description of the client in the parameters' `_meta`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    /// The revision, as JSON.
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

/// The two eras of the protocol, and the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// The message opens a session, whatever its headers are.
    Handshake,
    /// The message belongs to a session.
    Session,
    /// The message belongs to no session.
    Stateless,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Reads a member that exists, even if it is null.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

impl<'a> Message<'a> {
    /// Reads a body.
    ///
    /// # Errors
    /// With the refusal, and the id that it answers if one could be read.
    pub(super) fn read(body: &'a [u8]) -> Result<Self, (RpcRefusal, Option<&'a RawValue>)> {
        let parse_error = |what: &dyn std::fmt::Display| {
            (RpcRefusal::bad(PARSE_ERROR, format!("The body is not JSON: {what}")), None)
        };
        let text = std::str::from_utf8(body).map_err(|error| parse_error(&error))?;
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| parse_error(&error))?;
        match whole.get().as_bytes().first() {
            Some(b'{') => {}
            Some(b'[') => return Err((RpcRefusal::batch(), None)),
            _ => return Err((invalid("A message is a JSON object."), None)),
        }
        let envelope: Envelope<'a> = serde_json::from_str(whole.get())
            .map_err(|_| (invalid("A message has each member once."), None))?;
        envelope.message()
    }

    /// Splits a batch into its messages, unread; `None` if the body is not an array of JSON values.
    ///
    /// # Errors
    /// For an empty batch, and for one that is too long.
    pub(super) fn batch(body: &'a [u8]) -> Option<Result<Vec<&'a RawValue>, RpcRefusal>> {
        if body.trim_ascii_start().first() != Some(&b'[') {
            return None;
        }
        let messages: Vec<&RawValue> = serde_json::from_slice(body).ok()?;
        Some(match messages.len() {
            0 => Err(invalid("A batch has a message at least.")),
            1..=MAX_BATCH => Ok(messages),
            count => Err(invalid(&format!(
                "A batch has at most {MAX_BATCH} messages, and this one has {count}."
            ))),
        })
    }

    /// Returns the era, first of all by the method: a handshake opens a session under any header. `header` is the
    /// revision that a transport names beside the message.
    pub(super) fn era(&self, header: Option<&str>) -> Era {
        match &*self.method {
            "initialize" => Era::Handshake,
            "server/discover" => Era::Stateless,
            _ if self.meta.version.is_some() => Era::Stateless,
            _ if header.is_some_and(|version| version >= STATELESS) => Era::Stateless,
            _ => Era::Session,
        }
    }

    /// Returns the revision in `_meta`, if it is text.
    pub(super) fn version(&self) -> Option<Cow<'a, str>> {
        self.meta.version.and_then(string)
    }

    /// Whether the result has the form of the stateless revision.
    pub(super) fn is_stateless(&self) -> bool {
        self.version().is_some_and(|version| *version >= *STATELESS)
    }

    /// Whether the client shows views: by the handshake itself, or by the description in a message without one.
    pub(super) fn offers_views(&self) -> bool {
        let described: Option<ClientCapabilities> = match (&*self.method, self.params) {
            ("initialize", Some(params)) => {
                let params: Option<InitializeRequestParams> =
                    serde_json::from_str(params.get()).ok();
                params.map(|params| params.capabilities)
            }
            _ => self.meta.capabilities.and_then(|json| serde_json::from_str(json.get()).ok()),
        };
        described.is_some_and(|capabilities| apps::offered(&capabilities))
    }

    /// Refuses a stateless message without its revision, or without the capabilities of its client.
    pub(super) fn check_meta(&self) -> Result<(), RpcRefusal> {
        let version = self.version();
        if let Some(version) = &version {
            check_version(version, "The protocolVersion of _meta")?;
        }
        let capabilities = self.meta.capabilities.map(|json| serde_json::from_str(json.get()));
        let is_capable = matches!(capabilities, Some(Ok::<ClientCapabilities, _>(_)));
        let wrong = [("protocolVersion", version.is_some()), ("clientCapabilities", is_capable)];
        let wrong: Vec<_> = wrong
            .iter()
            .filter(|(_, is_good)| !is_good)
            .map(|(name, _)| format!("{META}{name}"))
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let message =
            format!("The _meta of the params lacks, or has in another form: {}.", wrong.join(", "));
        Err(RpcRefusal::bad(INVALID_PARAMS, message))
    }
}

/// Refuses a revision that is not supported. `place` names where it was read.
pub(super) fn check_version(version: &str, place: &str) -> Result<(), RpcRefusal> {
    if PROTOCOL_VERSIONS.contains(&version) {
        return Ok(());
    }
    let code = if *version >= *STATELESS { UNSUPPORTED_VERSION } else { TRANSPORT };
    let supported = PROTOCOL_VERSIONS.join(", ");
    let text = format!("{place} {} is not supported; these are: {supported}.", quoted(version));
    let data = json!({ "supported": PROTOCOL_VERSIONS, "requested": shortened(version) });
    Err(RpcRefusal::bad(code, text).with_data(data))
}

impl<'a> Envelope<'a> {
    fn message(self) -> Result<Message<'a>, (RpcRefusal, Option<&'a RawValue>)> {
        let id = match self.id {
            Some(id) if id.get().len() > MAX_ID => {
                return Err((invalid(&format!("An id has at most {MAX_ID} bytes.")), None));
            }
            Some(id) if !is_id(id) => {
                let message = "An id is a string or a whole number; a notification has none.";
                return Err((invalid(message), None));
            }
            id => id,
        };
        if self.jsonrpc.and_then(string).as_deref() != Some("2.0") {
            return Err((invalid("A message says \"jsonrpc\": \"2.0\"."), id));
        }
        let Some(method) = self.method else {
            let message = "A message must have a method. This server sends no requests, so it accepts no responses.";
            return Err((invalid(message), id));
        };
        let method = string(method).ok_or_else(|| (invalid("A method is a string."), id))?;
        if self.params.is_some_and(|params| !params.get().starts_with('{')) {
            return Err((invalid("The message is not of the protocol's form."), id));
        }
        let params = self.params.and_then(|params| serde_json::from_str(params.get()).ok());
        let meta = params.and_then(|params: Params<'a>| params.meta).unwrap_or_default();
        Ok(Message { id, method, params: self.params, meta })
    }
}

/// Returns a JSON string, with its escapes decoded.
fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let escaped = raw.get().contains('\\');
    match raw.get().strip_prefix('"')?.strip_suffix('"')? {
        plain if !escaped => Some(Cow::Borrowed(plain)),
        _ => serde_json::from_str(raw.get()).ok().map(Cow::Owned),
    }
}

fn is_id(raw: &RawValue) -> bool {
    let text = raw.get();
    text.starts_with('"') || text.parse::<i64>().is_ok()
}

fn invalid(message: &str) -> RpcRefusal {
    RpcRefusal::bad(INVALID_REQUEST, message)
}
