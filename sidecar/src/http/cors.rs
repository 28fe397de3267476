//! CORS: every page of every origin may read everything, because all data is public and no request
//! has credentials.

use actix_web::{
    HttpResponse,
    http::header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue,
        X_CONTENT_TYPE_OPTIONS,
    },
};
use contract::fields;

/// Adds the fields of every response, including errors.
pub(crate) fn add(fields: &mut HeaderMap) {
    fields.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static(fields::ALLOW_ORIGIN));
    fields.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(fields::EXPOSE_HEADERS));
    fields.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static(fields::NO_SNIFFING));
}

/// Returns the response to `OPTIONS`, on every path.
pub(crate) fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, fields::ALLOW_METHODS))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, fields::ALLOW_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, fields::MAX_AGE))
        .finish()
}
