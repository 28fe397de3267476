//! The errors because of which nothing is imported.

use std::{
    io,
    path::{Path, PathBuf},
};

use content::change::ChangeError;
use contract::problem::Problem;
use system::access::explained;

/// A reason and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; {help}")]
pub struct Refusal {
    /// The reason why something is not imported.
    pub reason: String,
    /// The remedy.
    pub help: String,
    /// An option to add to the command, if that is enough: `--source NAME`.
    pub option: Option<String>,
}

impl Refusal {
    pub(crate) fn new(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Self { reason: reason.into(), help: help.into(), option: None }
    }

    /// Adds the option that is the remedy. Lines to write into a file are not an option.
    pub(crate) fn answered_by(self, option: impl Into<String>) -> Self {
        Self { option: Some(option.into()).filter(|option| option.starts_with("--")), ..self }
    }
}

/// An error because of which nothing was imported. The content is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// An input cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, String),
    /// An input is not an export, or one that cannot be imported.
    #[error("{0} cannot be imported: {1}")]
    Unknown(String, Refusal),
    /// The input leaves a question open.
    #[error(transparent)]
    Open(Refusal),
    /// Content that belongs to the import is wrong.
    #[error("the content has errors that an import cannot go on with; candor check shows them")]
    Content(Vec<Problem>),
    /// A stored review cannot be read.
    #[error("{0}")]
    Stored(String),
    /// Options contradict each other or the input.
    #[error("{0}")]
    Setting(String),
    /// The inputs hold no review at all.
    #[error(
        "{0}: there is no review in it; an empty export usually means a failed export, so nothing was changed; pass --allow-shrink to accept it"
    )]
    Nothing(String),
    /// More than one business.
    #[error(
        "the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n{0}"
    )]
    Locations(String),
    /// Too much would be removed.
    #[error(
        "{removed} of {stored} stored reviews would be removed, more than 5 or a tenth of them; look whether the export is whole, and add --allow-shrink if it is"
    )]
    Shrink {
        /// Reviews that would be removed.
        removed: u64,
        /// Stored reviews in all.
        stored: u64,
    },
    /// `--prune` with an export that is not complete.
    #[error(
        "--prune needs a complete export, and this one has {reviews} of {claimed} reviews from {source_name}; leave --prune away, or export everything"
    )]
    Incomplete {
        /// The platform.
        source_name: String,
        /// Reviews in the import.
        reviews: u64,
        /// Reviews at the source, as it states.
        claimed: String,
    },
    /// The content cannot be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The user pressed Ctrl-C.
    #[error("interrupted; nothing was changed")]
    Interrupted,
    /// A fault of Candor, which should not happen.
    #[error("internal: {0}")]
    Internal(String),
}

impl ImportError {
    /// Returns the option to add to the command, if that is enough.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        match self {
            Self::Unknown(_, refusal) | Self::Open(refusal) => refusal.option.as_deref(),
            Self::Locations(_) => Some("--location ID"),
            Self::Shrink { .. } => Some("--allow-shrink"),
            _ => None,
        }
    }

    /// An error of the system with this file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io(path.to_owned(), explained(path)(error))
    }

    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }
}
