//! A request for a file of a web server, and the errors without bytes.

use std::{io, time::Duration};

use actix_web::http::{
    StatusCode,
    header::{DATE, ETAG, HeaderMap, HeaderValue, LAST_MODIFIED},
};
use url::Url;

use super::error::Fault;

/// Maximum number of redirects for one file.
pub(super) const MAX_REDIRECTS: usize = 3;

/// The validators of a response: the host's own ETag and its date.
#[derive(Clone, Debug)]
pub(super) struct Validators {
    pub(super) etag: Option<HeaderValue>,
    pub(super) modified: Option<HeaderValue>,
}

impl Validators {
    pub(super) fn of(head: &HeaderMap) -> Self {
        let field = |name| head.get(name).cloned();
        let instant = |name| httpdate::parse_http_date(head.get(name)?.to_str().ok()?).ok();
        // A file that changes again within the second has the same date (RFC 9110 section 8.8.2.2).
        let is_strong = instant(LAST_MODIFIED)
            .zip(instant(DATE))
            .is_some_and(|(modified, sent)| sent >= modified + Duration::from_secs(1));
        Self { etag: field(ETAG), modified: field(LAST_MODIFIED).filter(|_| is_strong) }
    }
}

/// A request for a file.
pub(super) struct SourceRequest<'a> {
    pub(super) url: Url,
    /// The validators of the bytes that the client has already.
    pub(super) held: Option<&'a Validators>,
    /// Maximum bytes of the file.
    pub(super) limit: u64,
    /// Whether the bytes may be received compressed; otherwise they are read without decoding.
    pub(super) may_compress: bool,
}

/// The reason why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("{0}")]
    NoResponse(String),
    #[error("did not answer within {0:?}")]
    Timeout(Duration),
    #[error("answered {}{}", status.as_u16(), retry_note(*retry_after))]
    Status { status: StatusCode, retry_after: Duration },
    #[error("is redirected to another origin, {0}: if the site is there, name that address")]
    OtherOrigin(Url),
    #[error("is redirected more than {MAX_REDIRECTS} times")]
    TooManyRedirects,
    #[error("is redirected nowhere")]
    NoRedirectTarget,
    #[error("comes in the coding {0}, which was not asked for")]
    Coding(String),
    #[error("comes in a broken gzip coding: {0}")]
    Broken(io::Error),
    #[error("broke off after {received} bytes: {reason}")]
    Interrupted { received: u64, reason: String },
    #[error("came too slowly: less than 64 KiB in {0:?}")]
    Slow(Duration),
    #[error("is longer than {0} bytes")]
    TooLong(u64),
    #[error("cannot be kept: {0}")]
    Sink(io::Error),
    #[error("was cancelled")]
    Stopped,
}

/// Returns the part of the message about a `Retry-After`.
fn retry_note(retry_after: Duration) -> String {
    match retry_after.as_secs() {
        0 => String::new(),
        seconds => format!(" with Retry-After: {seconds} s"),
    }
}

impl FetchError {
    /// Whether the server responds and has no such file, as opposed to being unreachable.
    pub(crate) fn is_absence(&self) -> bool {
        match self {
            Self::Status { status, .. } => {
                matches!(*status, StatusCode::NOT_FOUND | StatusCode::GONE)
            }
            Self::TooLong(_) => true,
            _ => false,
        }
    }

    /// Returns what it says of the address: of the manifest, or of a file that the manifest lists.
    pub(super) fn fault(&self, is_of_manifest: bool) -> Fault {
        match self {
            Self::OtherOrigin(_) | Self::Coding(_) | Self::Broken(_) | Self::Sink(_) => {
                Fault::Other
            }
            _ if !self.is_absence() && !self.is_forbidden() => Fault::Outage,
            _ if !is_of_manifest => Fault::Torn,
            Self::TooLong(_) => Fault::Other,
            _ => Fault::NoSite,
        }
    }

    /// Whether the status is the one with which some object stores respond for missing files.
    pub(crate) fn is_forbidden(&self) -> bool {
        matches!(self, Self::Status { status: StatusCode::FORBIDDEN, .. })
    }

    /// Returns the `Retry-After` of the response; zero without one.
    pub(crate) fn retry_after(&self) -> Duration {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_of_the_second_in_which_it_was_sent_tells_no_versions_apart() {
        let sent = "Tue, 01 Jan 2030 10:00:05 GMT";
        for (modified, date, is_kept) in [
            ("Tue, 01 Jan 2030 10:00:04 GMT", Some(sent), true),
            (sent, Some(sent), false),
            ("Tue, 01 Jan 2030 10:00:06 GMT", Some(sent), false),
            ("yesterday", Some(sent), false),
            ("Tue, 01 Jan 2030 10:00:04 GMT", None, false),
        ] {
            let mut head = HeaderMap::new();
            head.insert(LAST_MODIFIED, HeaderValue::from_static(modified));
            if let Some(date) = date {
                head.insert(DATE, HeaderValue::from_static(date));
            }
            assert_eq!(Validators::of(&head).modified.is_some(), is_kept, "{modified} {date:?}");
        }
    }
}
