//! Where publications come from: a folder, or the web server or CDN the site is deployed to.
//!
//! Both answer the same two questions: is there another manifest than the one that was settled,
//! and what are the bytes of this file? Neither is believed: `load` checks every byte against the
//! manifest.

mod address;
mod client;
mod decode;
mod error;
mod fingerprint;
mod folder;
mod health;
mod objects;
mod poll;
mod receive;
mod remote;
mod settings;

use std::time::Duration;

use actix_web::web::Bytes;

pub use address::{BadAddress, Public, SiteUrl};
pub use settings::RemoteConfig;

pub(crate) use client::FetchError;
pub(crate) use error::LoadError;
pub(crate) use health::{CheckOutcome, SourceHealth};
pub(crate) use objects::{ObjectWriter, Objects, WantedObject};
pub(crate) use poll::{NextPoll, PollSchedule};

use crate::{outgoing::CaError, stop::Stop};

/// An open source. Stays on the thread that opened it.
#[derive(Debug)]
pub(crate) enum PublicationSource {
    Folder(folder::Folder),
    Remote(Box<remote::Remote>),
}

impl PublicationSource {
    pub(crate) fn open(
        public: &Public,
        remote: &RemoteConfig,
        stop: &Stop,
    ) -> Result<Self, CaError> {
        Ok(match public {
            Public::Folder(path) => Self::Folder(folder::Folder::new(path, stop)),
            Public::Url(url) => Self::Remote(Box::new(remote::Remote::open(url, remote, stop)?)),
        })
    }

    /// The manifest as it is now, unless it is the one that was settled.
    pub(crate) fn manifest(&mut self) -> Result<Option<Bytes>, LoadError> {
        match self {
            Self::Folder(folder) => folder.manifest(),
            Self::Remote(remote) => remote.manifest(),
        }
    }

    /// Nothing more is to be made of the manifest it gave last.
    pub(crate) fn settle(&mut self) {
        match self {
            Self::Folder(folder) => folder.settle(),
            Self::Remote(remote) => remote.settle(),
        }
    }

    /// Hands over the bytes of a published file, whatever they are.
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

    /// Where it says a file is.
    pub(crate) fn location(&self, name: &str) -> String {
        match self {
            Self::Folder(folder) => folder.location(name),
            Self::Remote(remote) => remote.location(name),
        }
    }

    /// For how long it called its last manifest fresh.
    pub(crate) fn fresh_for(&self) -> Duration {
        match self {
            Self::Folder(_) => Duration::ZERO,
            Self::Remote(remote) => remote.fresh_for(),
        }
    }

    /// Whether it is reached over a network, where anything may take its time.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    /// In a log line.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Folder(_) => "the public directory",
            Self::Remote(_) => "the published site",
        }
    }
}
