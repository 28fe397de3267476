//! The sources of publications: a folder, or the web server or CDN to which the site is deployed.
//!
//! Both return the manifest, unless it was settled, and the bytes of a file. Neither is trusted: `load` checks every
//! byte against the manifest.

mod address;
mod client;
mod decode;
mod error;
mod fingerprint;
mod folder;
mod health;
mod objects;
mod opener;
mod poll;
mod receive;
mod remote;
mod request;
mod room;
mod settings;

use std::time::Duration;

use actix_web::web::Bytes;

pub use address::{BadAddress, Public, SiteUrl};
pub use settings::RemoteConfig;

pub(crate) use error::{Fault, LoadError};
pub(crate) use health::{CheckOutcome, SourceHealth, record as record_checks};
pub(crate) use objects::{ObjectWriter, Objects, WantedObject};
pub(crate) use opener::SourceOpener;
pub(crate) use poll::{NextPoll, PollSchedule};
pub(crate) use request::FetchError;
pub(crate) use room::Room;

/// An open source. Stays on the thread that opened it.
#[derive(Debug)]
pub(crate) enum PublicationSource {
    Folder(folder::Folder),
    Remote(Box<remote::Remote>),
}

impl PublicationSource {
    /// Returns the present manifest, unless it was settled.
    pub(crate) fn manifest(&mut self) -> Result<Option<Bytes>, LoadError> {
        match self {
            Self::Folder(folder) => folder.manifest(),
            Self::Remote(remote) => remote.manifest(),
        }
    }

    /// Marks the last manifest as processed, so that it is not returned again.
    pub(crate) fn settle(&mut self) {
        match self {
            Self::Folder(folder) => folder.settle(),
            Self::Remote(remote) => remote.settle(),
        }
    }

    /// Writes the bytes of a published file, unchecked.
    pub(crate) fn copy(
        &self,
        wanted: &WantedObject,
        to: &mut ObjectWriter,
    ) -> Result<(), LoadError> {
        match self {
            Self::Folder(folder) => folder.copy(wanted, to),
            Self::Remote(remote) => remote.copy(wanted, to),
        }
    }

    /// Returns the path or URL of a file.
    pub(crate) fn location(&self, name: &str) -> String {
        match self {
            Self::Folder(folder) => folder.location(name),
            Self::Remote(remote) => remote.location(name),
        }
    }

    /// Returns the freshness lifetime of the last manifest.
    pub(crate) fn fresh_for(&self) -> Duration {
        match self {
            Self::Folder(_) => Duration::ZERO,
            Self::Remote(remote) => remote.fresh_for(),
        }
    }

    /// Whether it is reached over a network, where a check may take long.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    /// Returns its name in log lines.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Folder(_) => "the public directory",
            Self::Remote(_) => "the published site",
        }
    }
}
