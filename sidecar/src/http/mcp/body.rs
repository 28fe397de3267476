//! The body of a message: not too long, and in time.

use std::{pin::pin, time::Duration};

use actix_web::{
    HttpRequest,
    http::{StatusCode, header::CONTENT_LENGTH},
    rt::time::timeout,
    web::{self, Bytes, BytesMut},
};
use futures_util::StreamExt;

use super::refusal::{PARSE_ERROR, RpcRefusal, TRANSPORT};
use crate::limits::MAX_MESSAGE;

/// The body. A length that is announced is believed at once.
pub(super) async fn collect(
    request: &HttpRequest,
    body: web::Payload,
    within: Duration,
) -> Result<Bytes, RpcRefusal> {
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced: Option<u64> = announced.and_then(|length| length.parse().ok());
    if announced.is_some_and(|length| length > MAX_MESSAGE as u64) {
        return Err(too_long());
    }
    timeout(within, read(body)).await.unwrap_or_else(|_| {
        let message = format!("The body must arrive within {} seconds.", within.as_secs_f32());
        Err(RpcRefusal::new(StatusCode::REQUEST_TIMEOUT, TRANSPORT, message))
    })
}

async fn read(body: web::Payload) -> Result<Bytes, RpcRefusal> {
    let mut body = pin!(body);
    let mut collected = BytesMut::new();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| RpcRefusal::bad(PARSE_ERROR, "The body broke off."))?;
        if collected.len() + piece.len() > MAX_MESSAGE {
            return Err(too_long());
        }
        collected.extend_from_slice(&piece);
    }
    Ok(collected.freeze())
}

fn too_long() -> RpcRefusal {
    let message = format!("A message has at most {MAX_MESSAGE} bytes.");
    RpcRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, TRANSPORT, message)
}
