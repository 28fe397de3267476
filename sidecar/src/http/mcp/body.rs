//! The body of a message: limited in length and in time, and in the number of long ones at once.

use std::{pin::pin, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header::CONTENT_LENGTH},
    rt::time::timeout,
    web::{self, Bytes, BytesMut},
};
use futures_util::StreamExt;

use crate::{
    http::{
        gate::{Gate, Place},
        problem::RequestProblem,
        refusal::{PARSE_ERROR, RpcRefusal, TRANSPORT},
    },
    runtime::limits::{LARGE_MESSAGE, MAX_MESSAGE},
    sites::site::Site,
};

/// The reason why there is no body.
pub(super) enum BodyFault {
    Refused(RpcRefusal),
    /// The body is long, and there is no free place.
    NoPlace(RequestProblem),
}

impl From<RpcRefusal> for BodyFault {
    fn from(refusal: RpcRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl BodyFault {
    pub(super) fn response(self, path: &str) -> HttpResponse {
        match self {
            Self::Refused(refusal) => refusal.response(),
            Self::NoPlace(problem) => problem.response(path),
        }
    }
}

/// Reads the body, with its place if it is long. A length in the header field counts before the body arrives.
pub(super) async fn collect(
    request: &HttpRequest,
    body: web::Payload,
    within: Duration,
    gate: &Gate,
    site: &Site,
) -> Result<(Bytes, Option<Place>), BodyFault> {
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced: Option<u64> = announced.and_then(|length| length.parse().ok());
    if announced.is_some_and(|length| length > MAX_MESSAGE as u64) {
        return Err(too_long().into());
    }
    timeout(within, read(request, body, gate, site)).await.unwrap_or_else(|_| {
        let message = format!("The body must arrive within {} seconds.", within.as_secs_f32());
        Err(RpcRefusal::new(StatusCode::REQUEST_TIMEOUT, TRANSPORT, message).into())
    })
}

async fn read(
    request: &HttpRequest,
    body: web::Payload,
    gate: &Gate,
    site: &Site,
) -> Result<(Bytes, Option<Place>), BodyFault> {
    let mut body = pin!(body);
    let (mut collected, mut place) = (BytesMut::new(), None);
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| RpcRefusal::bad(PARSE_ERROR, "The body broke off."))?;
        if collected.len() + piece.len() > MAX_MESSAGE {
            return Err(too_long().into());
        }
        if collected.len() + piece.len() > LARGE_MESSAGE && place.is_none() {
            place = Some(gate.large(request, site).map_err(BodyFault::NoPlace)?);
        }
        collected.extend_from_slice(&piece);
    }
    Ok((collected.freeze(), place))
}

fn too_long() -> RpcRefusal {
    let message = format!("A message has at most {MAX_MESSAGE} bytes.");
    RpcRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, TRANSPORT, message)
}
