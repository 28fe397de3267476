//! Errors of loading a publication.

use std::{any::Any, io, time::Duration};

use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, ManifestError},
};
use jiff::Timestamp;

use super::FetchError;
use crate::data::collection::CollectionError;

/// What an error says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing responds.
    Outage,
    /// There is no manifest.
    NoSite,
    /// The files differ from the manifest, as while they are being published.
    Torn,
    /// Something else, which the error explains.
    Other,
}

/// The reason why a publication cannot be served.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("cannot read {file}: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("{url} {error}")]
    Fetch { url: String, error: FetchError },
    #[error("{file} cannot be used: {source}")]
    Manifest { file: String, source: ManifestError },
    #[error(
        "{file} is not the file the manifest lists: expected {expected} ({expected_length} bytes), \
         found {actual} ({actual_length} bytes)"
    )]
    Mismatch {
        file: String,
        expected: ETag,
        expected_length: u64,
        actual: ETag,
        actual_length: u64,
    },
    #[error("the manifest's {what} for {file} cannot be in a header")]
    Header { file: String, what: &'static str },
    #[error("reviews.json cannot be answered from: {source}")]
    Collection { source: CollectionError },
    #[error(
        "{file} was published at {published_at}, more than a day ahead of this machine's clock: \
         correct the clock that is wrong, and build and publish again"
    )]
    Ahead { file: String, published_at: Timestamp },
    #[error(
        "{file} is older than the served publication: it was published at {published_at}, the \
         served one at {served}. To go back to it, build and publish it again. If the served one was \
         built with a wrong clock, stop the program, delete manifest.json in --state if it has one, \
         and start it"
    )]
    Older { file: String, published_at: Timestamp, served: Timestamp },
    #[error(
        "{file} lists files of {length} bytes together, and --max-publication is {limit}: publish \
         less, or raise it"
    )]
    TooLarge { file: String, length: u64, limit: u64 },
    #[error(
        "{file} lists {needed} bytes that are not in the state directory, whose disk has {free} bytes \
         left for them: make room, or move --state (or TMPDIR, of `mcp`) to a larger disk"
    )]
    NoSpace { file: String, needed: u64, free: u64 },
    #[error(
        "{file} is of {base_url}, and the list of sites has it as {name}: list it under the host name \
         of its base_url, or of its sidecar"
    )]
    OtherHost { file: String, base_url: String, name: String },
    #[error(
        "{file} has the {key} of {other}, {value}, and two sites cannot have one: give one of them its own \
         in site.toml and build it again, or remove a copy from the list"
    )]
    Copy { file: String, key: &'static str, value: String, other: String },
    #[error("the manifest lists no {0}: build the site again")]
    Missing(&'static str),
    #[error("cannot write to the state directory: {0}")]
    Store(#[source] io::Error),
    #[error(
        "the program failed while it loaded the publication, by a defect of its own ({0}): report it, \
         and publish without what was published last"
    )]
    Defect(String),
    #[error("stopped while loading")]
    Stopped,
}

impl LoadError {
    /// Makes the error of a panic.
    pub(crate) fn defect(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Self::Defect(text.unwrap_or("no message").to_owned())
    }

    /// Whether the publication is unknown. All other errors are about a publication.
    pub(crate) fn is_outage(&self) -> bool {
        matches!(self, Self::Fetch { error, .. } if !error.is_absence())
    }

    /// Returns what it says of the address.
    pub(crate) fn fault(&self) -> Fault {
        match self {
            Self::Fetch { url, error } => error.fault(url.ends_with(MANIFEST_PATH)),
            // One that was cut off is a manifest all the same.
            Self::Manifest { source: ManifestError::Syntax(error), .. } if !error.is_eof() => {
                Fault::NoSite
            }
            Self::Manifest { source: ManifestError::Syntax(_), .. } => Fault::Torn,
            Self::Mismatch { .. } | Self::Collection { .. } | Self::Missing(_) => Fault::Torn,
            _ => Fault::Other,
        }
    }

    /// Whether only the time of the publication is known to be wrong: the served one is valid.
    pub(crate) fn is_about_time(&self) -> bool {
        matches!(self, Self::Ahead { .. } | Self::Older { .. })
    }

    /// Whether the source has no such file, or another one in its place.
    pub(crate) fn lacks_file(&self) -> bool {
        match self {
            Self::Mismatch { .. } => true,
            Self::Fetch { error, .. } => error.is_absence() || error.is_forbidden(),
            _ => false,
        }
    }

    /// Whether the source has no such file.
    pub(crate) fn is_absence(&self) -> bool {
        match self {
            Self::Unreadable { source, .. } => source.kind() == io::ErrorKind::NotFound,
            Self::Fetch { error, .. } => error.is_absence() || error.is_forbidden(),
            _ => false,
        }
    }

    /// Returns the wait that the source asked for, if it did.
    pub(crate) fn retry_after(&self) -> Duration {
        match self {
            Self::Fetch { error, .. } => error.retry_after(),
            _ => Duration::ZERO,
        }
    }
}
