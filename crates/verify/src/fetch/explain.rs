//! Explains why a request or a body failed, and sets the limits that the explanations name.

use std::{io, time::Duration};

use system::download;

/// Longest wait for a connection.
pub(super) const CONNECT: Duration = Duration::from_secs(10);
/// Longest wait for a response's head.
pub(super) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// Largest head of a response.
pub(super) const MAX_HEAD: usize = 64 * 1024;

pub(super) fn explain(error: &ureq::Error) -> String {
    match error {
        ureq::Error::HostNotFound => "the host's name has no address".to_owned(),
        ureq::Error::LargeResponseHeader(..) => {
            format!("more than {MAX_HEAD} bytes of header fields")
        }
        ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            format!("no connection within {} s", CONNECT.as_secs())
        }
        ureq::Error::Timeout(ureq::Timeout::RecvResponse) => {
            format!("no answer within {} s", RESPONSE_TIMEOUT.as_secs())
        }
        ureq::Error::Timeout(_) => "the answer came too slowly".to_owned(),
        ureq::Error::Protocol(why) => format!("the answer is not HTTP: {why}"),
        ureq::Error::Io(error) => explain_io(error),
        error => download::explain(error),
    }
}

/// Explains why a body or a connection broke.
pub(super) fn explain_io(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    match (inner, error.kind()) {
        (Some(ureq::Error::Io(io)), _) => explain_io(io),
        (Some(error), _) => explain(error),
        (None, io::ErrorKind::UnexpectedEof) => "the connection ended in the middle".to_owned(),
        (None, io::ErrorKind::ConnectionRefused) => "the connection was refused".to_owned(),
        (None, io::ErrorKind::ConnectionReset) => "the connection was reset".to_owned(),
        (None, _) => error.to_string(),
    }
}
