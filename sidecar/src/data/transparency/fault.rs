//! The reasons why a log cannot be used.

use std::io;

use review_log::{BundleError, CheckpointError, HistoryError, RevocationError};

/// The remedy for a log whose files contradict each other.
const REMEDY: &str = "Run candor verify --log on the site: it says what differs. Then build the site \
                      and publish all of it again";

/// A fault of a file of the log, with its remedy.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}. {}", reason.remedy())]
pub(crate) struct LogFault {
    file: String,
    reason: LogFaultReason,
}

/// The reason of a fault.
#[derive(Debug, thiserror::Error)]
pub(super) enum LogFaultReason {
    #[error("it is missing")]
    Missing,
    #[error("it has {length} bytes, and at most {limit} are read")]
    TooLong { length: u64, limit: u64 },
    #[error("it cannot be read from the state directory: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it is not a document of its kind: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error(transparent)]
    Revocation(#[from] RevocationError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("it is of the log {signed:?}, and candor-log.json names {named:?}")]
    OtherLog { signed: String, named: String },
    #[error(
        "it was signed for {size} entries, which are {needed} bundles, and {found} are published"
    )]
    Bundles { size: u64, needed: u64, found: u64 },
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("it has {found} entries, and its path says {expected}")]
    Width { expected: u64, found: u64 },
    #[error(
        "the entries are not those that it was signed for: an entry was changed, or replaced, or moved"
    )]
    Root,
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl LogFaultReason {
    fn remedy(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => {
                "The site is served whole, and candor verify --log can check it"
            }
            Self::Unreadable(_) => "Make the state directory readable and restart",
            _ => REMEDY,
        }
    }

    pub(super) fn of(self, file: impl Into<String>) -> LogFault {
        LogFault { file: file.into(), reason: self }
    }
}
