//! Notifies the connection when the body of a request has been read, and when the body of its response has been passed
//! on.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::{
    HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    error::PayloadError,
    http::header::CONTENT_LENGTH,
    web::Bytes,
};
use futures_util::Stream;

use crate::transport::pipeline::{Answering, Pipeline, Uploading};

/// The body of a request, until its end.
struct Upload {
    payload: Payload,
    uploading: Option<Uploading>,
}

/// The body of a response, until it is dropped.
struct Followed {
    body: BoxBody,
    _answering: Answering,
}

/// Notifies the connection whether this request has a body that is read to its end.
pub(super) fn follow_upload(request: &mut ServiceRequest, pipeline: &Pipeline) {
    match request.take_payload() {
        Payload::None => pipeline.has_body(0),
        payload => {
            // A body in chunks has no length: the server refuses a head that says both.
            let length = request.headers().get(CONTENT_LENGTH).and_then(|it| it.to_str().ok());
            if let Some(length) = length.and_then(|length| length.parse().ok()) {
                pipeline.has_body(length);
            }
            let uploading = Some(pipeline.uploading());
            let payload = Box::pin(Upload { payload, uploading });
            request.set_payload(Payload::Stream { payload });
        }
    }
}

/// Returns the response, and notifies the connection when its body has been passed on. A body in memory is passed on at
/// once.
pub(super) fn follow_body(
    response: ServiceResponse<BoxBody>,
    answering: Option<Answering>,
) -> ServiceResponse<BoxBody> {
    let Some(answering) = answering else { return response };
    response.map_body(|_, body| match body.size() {
        BodySize::None | BodySize::Sized(0) => body,
        _ => match body.try_into_bytes() {
            Ok(bytes) => BoxBody::new(bytes),
            Err(body) => BoxBody::new(Followed { body, _answering: answering }),
        },
    })
}

impl Stream for Upload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(Pin::new(&mut self.payload).poll_next(cx));
        if !matches!(next, Some(Ok(_))) {
            self.uploading = None;
        }
        Poll::Ready(next)
    }
}

impl MessageBody for Followed {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.body.as_pin_mut().poll_next(cx)
    }
}
