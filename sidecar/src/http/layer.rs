//! The middleware around every handler: preflights, common fields, metrics and log, and the notifications for the
//! connection. It is one layer instead of several, because each of the framework's allocates memory per request, which
//! is measurable if a response has a few bytes.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse, Transform},
    http::Method,
};
use futures_util::{
    FutureExt,
    future::{Either, Map, Ready, ready},
};
use pin_project_lite::pin_project;

use super::{access::Access, answering, cors};
use crate::transport::{
    pipeline::{Answering, Pipeline},
    traffic::Traffic,
};

/// Answers preflights, adds the fields of every response, counts and logs.
pub(crate) struct Layer(pub(crate) Arc<Traffic>);

/// The middleware around a service.
pub(crate) struct LayerService<S> {
    service: S,
    traffic: Arc<Traffic>,
}

type Answered<B> = Result<ServiceResponse<B>, Error>;

/// The response of a service, with the common fields.
type Finished<F, B> = Map<F, fn(Answered<B>) -> Answered<BoxBody>>;

pin_project! {
    /// A response to come, and the record of its request.
    pub(crate) struct Accounted<F> {
        #[pin]
        response: F,
        access: Access,
        answering: Option<Answering>,
    }
}

impl<S, B> Transform<S, ServiceRequest> for Layer
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Transform = LayerService<S>;
    type InitError = ();
    type Future = Ready<Result<LayerService<S>, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        ready(Ok(LayerService { service, traffic: self.0.clone() }))
    }
}

impl<S, B> Service<ServiceRequest> for LayerService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Accounted<Either<Finished<S::Future, B>, Ready<Answered<BoxBody>>>>;

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&self, mut request: ServiceRequest) -> Self::Future {
        let access = Access::begin(&request, &self.traffic);
        let pipeline = request.conn_data::<Pipeline>().cloned();
        let answering = pipeline.as_ref().map(Pipeline::answering);
        if let Some(pipeline) = pipeline {
            answering::follow_upload(&mut request, &pipeline);
        }
        let response = if *request.method() == Method::OPTIONS {
            Either::Right(ready(finish(Ok(request.into_response(cors::preflight())))))
        } else {
            let finish: fn(Answered<B>) -> Answered<BoxBody> = finish;
            Either::Left(self.service.call(request).map(finish))
        };
        Accounted { response, access, answering }
    }
}

impl<F: Future<Output = Answered<BoxBody>>> Future for Accounted<F> {
    type Output = Answered<BoxBody>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let answered = std::task::ready!(this.response.poll(cx));
        this.access.end(&answered);
        let answering = this.answering.take();
        Poll::Ready(answered.map(|response| answering::follow_body(response, answering)))
    }
}

fn finish<B: MessageBody + 'static>(answered: Answered<B>) -> Answered<BoxBody> {
    let mut response = answered?.map_into_boxed_body();
    cors::add(response.headers_mut());
    Ok(response)
}
