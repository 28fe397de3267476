//! Checks the header fields of a message, by the era that it belongs to.

use std::borrow::Cow;

use actix_web::http::{StatusCode, header::HeaderMap};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;

use super::{
    keys::Keys,
    message::{Era, Message, STATELESS, check_version},
    text::quoted,
};
use crate::http::refusal::{
    HEADER_MISMATCH, INVALID_REQUEST, RpcRefusal, TRANSPORT, UNKNOWN_SESSION,
};

/// The field with the id of a session.
pub(super) const SESSION: &str = "mcp-session-id";
/// The field with the revision.
const VERSION: &str = "mcp-protocol-version";
/// The field that repeats the method.
const METHOD: &str = "mcp-method";
/// The field that repeats the name in a call.
const NAME: &str = "mcp-name";

/// Returns the one value of a field, if there is one.
pub(super) fn single<'a>(
    headers: &'a HeaderMap,
    name: &str,
) -> Result<Option<&'a str>, RpcRefusal> {
    let mut lines = headers.get_all(name);
    match (lines.next().map(|value| value.to_str()), lines.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => {
            let message = format!("A request has one {name} field at most, of visible characters.");
            Err(RpcRefusal::bad(TRANSPORT, message))
        }
    }
}

/// Refuses a message whose header fields are not those of its era, or contradict it.
pub(super) fn check(
    headers: &HeaderMap,
    keys: &Keys,
    message: &Message<'_>,
) -> Result<(), RpcRefusal> {
    let version = headers.get(VERSION).and_then(|value| value.to_str().ok());
    let era = message.era(version);
    if era == Era::Session {
        check_session(headers, keys)?;
    }
    let version = single(headers, VERSION)?;
    if era != Era::Handshake
        && message.meta.version.is_none()
        && let Some(version) = version
    {
        check_version(version, "MCP-Protocol-Version")?;
    }
    if version.is_some_and(|version| version >= STATELESS) {
        check_repeated(headers, message, era == Era::Handshake)?;
    }
    match era {
        Era::Handshake => check_handshake(message, version),
        Era::Stateless if message.id.is_some() => check_meta(message, version),
        _ => Ok(()),
    }
}

/// Checks the session of a message that belongs to one.
fn check_session(headers: &HeaderMap, keys: &Keys) -> Result<(), RpcRefusal> {
    let Some(id) = single(headers, SESSION)? else {
        return Err(RpcRefusal::bad(
            TRANSPORT,
            "The Mcp-Session-Id header is missing: send initialize first, and its id from then on.",
        ));
    };
    if keys.signed(id) {
        return Ok(());
    }
    Err(RpcRefusal::new(
        StatusCode::NOT_FOUND,
        UNKNOWN_SESSION,
        "The session is not known here: send initialize to open a new one.",
    ))
}

/// Checks that fields, which proxies read, agree with the message (SEP-2243). A handshake may leave them out.
fn check_repeated(
    headers: &HeaderMap,
    message: &Message<'_>,
    is_optional: bool,
) -> Result<(), RpcRefusal> {
    let differs = |name: &str, said: Option<&str>, expected: &str| {
        let said = said.map_or_else(|| "missing".to_owned(), quoted);
        mismatch(format!("The {name} header is {said}, and the message says {}.", quoted(expected)))
    };
    let method = single(headers, METHOD).map_err(as_mismatch)?;
    if method != Some(&*message.method) && !(is_optional && method.is_none()) {
        return Err(differs("Mcp-Method", method, &message.method));
    }
    let Some(expected) = named(message) else { return Ok(()) };
    let name = single(headers, NAME).map_err(as_mismatch)?;
    let decoded = name.map(decoded).transpose()?;
    if decoded.as_deref() == Some(&*expected) {
        Ok(())
    } else {
        Err(differs("Mcp-Name", decoded.as_deref(), &expected))
    }
}

/// Returns the name that `Mcp-Name` repeats.
fn named<'a>(message: &Message<'a>) -> Option<Cow<'a, str>> {
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        name: Option<Cow<'a, str>>,
        #[serde(borrow)]
        uri: Option<Cow<'a, str>>,
    }
    let params: Named<'_> = serde_json::from_str(message.params?.get()).ok()?;
    match &*message.method {
        "tools/call" | "prompts/get" => params.name,
        "resources/read" => params.uri,
        _ => None,
    }
}

/// Decodes a value from base64, which a header field uses for characters that it cannot have.
fn decoded(value: &str) -> Result<Cow<'_, str>, RpcRefusal> {
    let coded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let Some(coded) = coded else { return Ok(value.into()) };
    let bytes = BASE64_STANDARD.decode(coded).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned).ok_or_else(|| mismatch("The Mcp-Name header is not text in base64."))
}

fn check_handshake(message: &Message<'_>, version: Option<&str>) -> Result<(), RpcRefusal> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Asked<'a> {
        #[serde(borrow)]
        protocol_version: Cow<'a, str>,
    }
    let asked = message.params.and_then(|it| serde_json::from_str::<Asked<'_>>(it.get()).ok());
    match (version, asked) {
        (Some(version), Some(asked)) if version != asked.protocol_version => {
            let message = format!(
                "MCP-Protocol-Version {} is not the protocolVersion {} of the params.",
                quoted(version),
                quoted(&asked.protocol_version)
            );
            Err(RpcRefusal::bad(INVALID_REQUEST, message))
        }
        _ => Ok(()),
    }
}

/// Checks that the field repeats the revision of `_meta`.
fn check_meta(message: &Message<'_>, version: Option<&str>) -> Result<(), RpcRefusal> {
    match message.version() {
        Some(said) if version != Some(&*said) => {
            let version = version.map_or_else(|| "missing".to_owned(), quoted);
            let said = quoted(&said);
            Err(mismatch(format!(
                "The MCP-Protocol-Version header is {version}, and _meta says {said}."
            )))
        }
        Some(_) => Ok(()),
        None => message.check_meta(),
    }
}

fn mismatch(message: impl Into<String>) -> RpcRefusal {
    RpcRefusal::bad(HEADER_MISMATCH, message)
}

fn as_mismatch(refusal: RpcRefusal) -> RpcRefusal {
    RpcRefusal { code: HEADER_MISMATCH, ..refusal }
}
