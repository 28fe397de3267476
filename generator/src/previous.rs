//! The last publication, as CI finds it: a file kept from the last run, or the live site itself.

use std::{
    io::{self, Read},
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use contract::manifest::{Manifest, ManifestError};

/// Longest wait for a live site's answer.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Largest document read back from a live site: 8 GiB.
const MAX_BYTES: u64 = 8 << 30;

/// Where the manifest of the last publication is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Previous {
    /// A file; its neighbours are the other documents.
    File(PathBuf),
    /// An address, likewise.
    Url(url::Url),
}

impl FromStr for Previous {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match url::Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Self::Url(url)),
            // One letter is a Windows drive.
            Ok(url) if url.scheme().len() > 1 && text.contains("://") => Err(format!(
                "{}: addresses cannot be read, only http, https and files",
                url.scheme()
            )),
            _ => Ok(Self::File(text.into())),
        }
    }
}

/// Why the last publication cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PreviousError {
    /// The file cannot be read.
    #[error("{0}")]
    File(PathBuf, #[source] io::Error),
    /// The site does not answer, or not with a document.
    #[error("{0}")]
    Url(url::Url, #[source] Box<ureq::Error>),
    /// What was read is no manifest.
    #[error("{0}")]
    Manifest(String, #[source] ManifestError),
}

impl Previous {
    /// The manifest; `None` where nothing was published yet (no such file, or 404).
    ///
    /// # Errors
    /// When there is something that cannot be read.
    pub fn manifest(&self) -> Result<Option<Manifest>, PreviousError> {
        let Some(bytes) = self.read()? else { return Ok(None) };
        let manifest = Manifest::from_json(&bytes);
        manifest.map(Some).map_err(|error| PreviousError::Manifest(self.to_string(), error))
    }

    /// A document published beside the manifest.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn document(&self, path: &str) -> Result<Option<Vec<u8>>, PreviousError> {
        let beside = match self {
            Self::File(manifest) => Self::File(manifest.with_file_name(path)),
            Self::Url(manifest) => manifest.join(path).map_or_else(|_| self.clone(), Self::Url),
        };
        beside.read()
    }

    fn read(&self) -> Result<Option<Vec<u8>>, PreviousError> {
        match self {
            Self::File(path) => match std::fs::read(path) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(PreviousError::File(path.clone(), error)),
            },
            Self::Url(url) => match fetch(url) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(ureq::Error::StatusCode(404 | 410)) => Ok(None),
                Err(error) => Err(PreviousError::Url(url.clone(), Box::new(error))),
            },
        }
    }
}

fn fetch(url: &url::Url) -> Result<Vec<u8>, ureq::Error> {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build().into();
    let response = agent.get(url.as_str()).call()?;
    let mut bytes = Vec::new();
    response.into_body().into_with_config().limit(MAX_BYTES).reader().read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl std::fmt::Display for Previous {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}
