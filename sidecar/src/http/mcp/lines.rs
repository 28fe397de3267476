//! The protocol over lines: each is a message, answered as `/mcp` answers it (docs/mcp.md, "Any site,
//! from your own machine").

use actix_web::{
    body::to_bytes,
    http::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue},
    web::Bytes,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Mcp,
    direct::{METHOD_HEADER, NAME_HEADER},
    layer::{BOTH, JSON, SESSION_HEADER, exchange},
    message::{Era, Message, VERSION_HEADER},
    served::Served,
};

/// The one client at the other end. Over HTTP it would send its session and what a message is about in
/// header fields; here they follow from the messages.
pub(crate) struct LineSession {
    mcp: Mcp,
    head: HeaderMap,
}

/// What a message of the stateless era repeats in its header fields.
#[derive(Deserialize)]
struct Named {
    name: Option<String>,
    uri: Option<String>,
}

impl LineSession {
    pub(crate) fn new(mcp: Mcp) -> Self {
        let mut head = HeaderMap::new();
        head.insert(ACCEPT, HeaderValue::from_static(BOTH));
        head.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        // The SDK refuses a message without one; which one is not looked at.
        head.insert(HOST, HeaderValue::from_static("localhost"));
        Self { mcp, head }
    }

    /// The response to a message, in one line; `None` to a notification.
    pub(crate) async fn answer(&mut self, line: Vec<u8>, served: &Served) -> Option<Vec<u8>> {
        let line = Bytes::from(line);
        let message = Message::read(&line).ok();
        let is_notification = message.as_ref().is_some_and(|message| message.id.is_none());
        let mut head = self.head.clone();
        if let Some(message) = message.filter(|it| it.era(&head) == Era::Stateless) {
            for (name, value) in fields(&message) {
                head.insert(name, value);
            }
        }
        let response = exchange(&head, line.clone(), &self.mcp, served).await;
        if let Some(id) = response.headers().get(SESSION_HEADER) {
            self.head.insert(HeaderName::from_static(SESSION_HEADER), id.clone());
        }
        // It is in memory: it cannot fail.
        let mut body = to_bytes(response.into_body()).await.ok()?.to_vec();
        // Between the values of published JSON there may be line breaks. In a string they are escaped.
        body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        (!is_notification && !body.is_empty()).then_some(body)
    }
}

/// The header fields that repeat what a message says.
fn fields(message: &Message<'_>) -> HeaderMap {
    let mut fields = HeaderMap::new();
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            fields.insert(HeaderName::from_static(name), value);
        }
    };
    let text = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).ok();
    if let Some(version) = message.meta_version.and_then(text) {
        set(VERSION_HEADER, &version);
    }
    set(METHOD_HEADER, &message.method);
    let params = message.params.and_then(|params| serde_json::from_str(params.get()).ok());
    if let Some(Named { name, uri }) = params
        && let Some(value) = name.or(uri)
    {
        set(NAME_HEADER, &value);
    }
    fields
}
