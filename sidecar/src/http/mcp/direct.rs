//! Handles ordinary tool calls without the SDK: the JSON of the response is written once, from the
//! published bytes. Every other call goes to the SDK, which refuses it or responds the same.

use std::borrow::Cow;

use actix_web::{
    http::header::HeaderMap,
    web::{BufMut, Bytes, BytesMut},
};
use contract::mcp::PROTOCOL_VERSIONS;
use rmcp::model::ClientCapabilities;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    message::{Era, Message, STATELESS, VERSION_HEADER},
    served::Served,
    tools::{self, ToolOutcome},
};

const CALL: &str = "tools/call";
pub(super) const METHOD_HEADER: &str = "mcp-method";
pub(super) const NAME_HEADER: &str = "mcp-name";
const PARAMETER_HEADERS: &str = "mcp-param-";

/// A call as nearly every client writes it; calls with other members go to the SDK.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    arguments: Option<Map<String, Value>>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

/// The answer to a call of a tool; `None` for everything the SDK is to answer.
pub(super) async fn response(
    message: &Message<'_>,
    era: Era,
    headers: &HeaderMap,
    served: &Served,
) -> Option<Bytes> {
    let (id, params) = (message.id?, message.params?);
    if message.method != CALL {
        return None;
    }
    let params: Params<'_> = serde_json::from_str(params.get()).ok()?;
    let tool = served.find(&params.name)?;
    let is_ordinary = match era {
        Era::Handshake => false,
        Era::Session => is_ordinary_in_a_session(headers),
        Era::Stateless => is_ordinary_by_itself(&params, headers),
    };
    if !is_ordinary {
        return None;
    }
    let arguments = params.arguments.unwrap_or_default();
    let outcome = tools::call(served, tool, arguments).await;
    write(id, era, &outcome).ok()
}

fn is_ordinary_in_a_session(headers: &HeaderMap) -> bool {
    let known = |version: &str| version < STATELESS && PROTOCOL_VERSIONS.contains(&version);
    if headers.contains_key(VERSION_HEADER) {
        single_value(headers, VERSION_HEADER).is_some_and(known)
    } else {
        true
    }
}

/// Whether `_meta` and headers agree with each other and with the call (2026-07-28).
fn is_ordinary_by_itself(params: &Params<'_>, headers: &HeaderMap) -> bool {
    let Some(meta) = &params.meta else { return false };
    let capable = meta.capabilities.is_some_and(|capabilities| {
        serde_json::from_str::<ClientCapabilities>(capabilities.get()).is_ok()
    });
    let names_parameters = |name: &str| name.starts_with(PARAMETER_HEADERS);
    capable
        && meta.version.as_deref() == Some(STATELESS)
        && single_value(headers, VERSION_HEADER) == Some(STATELESS)
        && single_value(headers, METHOD_HEADER) == Some(CALL)
        && single_value(headers, NAME_HEADER) == Some(&params.name)
        && !headers.keys().any(|name| names_parameters(name.as_str()))
}

fn single_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut lines = headers.get_all(name);
    let line = lines.next()?.to_str().ok()?;
    lines.next().is_none().then_some(line)
}

/// The JSON-RPC answer, as the SDK would write it.
fn write(id: &RawValue, era: Era, outcome: &ToolOutcome) -> serde_json::Result<Bytes> {
    let length = match outcome {
        ToolOutcome::Data { json, text, .. } => json.len() + text.len() + text.len() / 4,
        ToolOutcome::Mistake(text) => text.len(),
    };
    let mut out = BytesMut::with_capacity(length + 512);
    out.put_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.put_slice(id.get().as_bytes());
    out.put_slice(b",\"result\":{");
    if era == Era::Stateless {
        out.put_slice(b"\"resultType\":\"complete\",");
    }
    out.put_slice(b"\"content\":[");
    for (at, text) in outcome.texts().enumerate() {
        out.put_slice(if at == 0 { b"" } else { b"," });
        out.put_slice(b"{\"type\":\"text\",\"text\":");
        serde_json::to_writer((&mut out).writer(), text)?;
        out.put_slice(b"}");
    }
    out.put_slice(b"],");
    if let ToolOutcome::Data { json, .. } = outcome {
        out.put_slice(b"\"structuredContent\":");
        out.put_slice(json.as_bytes());
        out.put_slice(b",");
    }
    let is_error = matches!(outcome, ToolOutcome::Mistake(_));
    out.put_slice(if is_error { b"\"isError\":true}}" } else { b"\"isError\":false}}" });
    Ok(out.freeze())
}
