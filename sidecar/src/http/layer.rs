//! The middleware around every handler: preflights, common fields, the log. It is one layer instead
//! of several, because each of the framework's allocates memory per request, which is measurable
//! where a response has a few bytes.

use std::task::{Context, Poll};

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse, Transform},
    http::Method,
};
use futures_util::{
    FutureExt,
    future::{Either, LocalBoxFuture, Map, Ready, ready},
};

use super::{access::LogEntry, cors};

/// Answers preflights, adds the fields of every answer and logs.
pub(crate) struct Layer;

/// The middleware around a service.
pub(crate) struct LayerService<S>(S);

type Answered<B> = Result<ServiceResponse<B>, Error>;

impl<S, B> Transform<S, ServiceRequest> for Layer
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Transform = LayerService<S>;
    type InitError = ();
    type Future = Ready<Result<LayerService<S>, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        ready(Ok(LayerService(service)))
    }
}

impl<S, B> Service<ServiceRequest> for LayerService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Either<
        Map<S::Future, fn(Answered<B>) -> Answered<BoxBody>>,
        LocalBoxFuture<'static, Answered<BoxBody>>,
    >;

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let entry = LogEntry::begin(&request);
        if *request.method() != Method::OPTIONS && entry.is_none() {
            return Either::Left(self.0.call(request).map(finish));
        }
        let answered = match *request.method() == Method::OPTIONS {
            true => Either::Left(ready(finish(Ok(request.into_response(cors::preflight()))))),
            false => Either::Right(self.0.call(request).map(finish)),
        };
        let logged = answered.inspect(|response| {
            if let Some(entry) = entry {
                entry.end(response);
            }
        });
        Either::Right(logged.boxed_local())
    }
}

fn finish<B: MessageBody + 'static>(answered: Answered<B>) -> Answered<BoxBody> {
    let mut response = answered?.map_into_boxed_body();
    cors::add(response.headers_mut());
    Ok(response)
}
