//! The last publication, as CI finds it: a file of the last run, or the live site itself.

use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
    str::FromStr,
    time::Duration,
};

use contract::manifest::{Coding, Manifest, ManifestError};

use system::download;

/// Timeout until a live site's response begins.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum bytes of a manifest: 128 MiB, as for the sidecar. It is kept in memory.
const MAX_MANIFEST: u64 = 128 << 20;
/// Maximum number of redirects.
const MAX_REDIRECTS: u32 = 5;

/// The location of the manifest of the last publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Previous {
    /// A file; the other documents are beside it.
    File(PathBuf),
    /// An address; the other documents are beside it.
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

/// The reason why the last publication cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PreviousError {
    /// The file cannot be read.
    #[error("{0}")]
    File(PathBuf, #[source] io::Error),
    /// The site does not respond, or not with a document, or not to its end.
    #[error("{0}")]
    Answer(url::Url, #[source] io::Error),
    /// The response or file is not a manifest.
    #[error("{0}")]
    Manifest(String, #[source] ManifestError),
}

impl Previous {
    /// Reads the manifest; `None` if nothing was published yet (no such file, or 404). `say` receives a line about the
    /// host that redirects led to.
    ///
    /// # Errors
    /// When there is something that cannot be read.
    pub fn manifest(&self, say: &dyn Fn(&str)) -> Result<Option<Manifest>, PreviousError> {
        let Some(bytes) = self.read(MAX_MANIFEST, None, say)? else { return Ok(None) };
        let manifest = Manifest::from_json(&bytes);
        manifest.map(Some).map_err(|error| PreviousError::Manifest(self.to_string(), error))
    }

    /// Reads a document published beside the manifest, of this length at most.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn document(&self, path: &str, length: u64) -> Result<Option<Vec<u8>>, PreviousError> {
        self.beside(path).read(length, None, &|_| {})
    }

    /// The place of a document that is published beside the manifest.
    pub(crate) fn beside(&self, path: &str) -> Self {
        match self {
            Self::File(manifest) => Self::File(manifest.with_file_name(path)),
            Self::Url(manifest) => manifest.join(path).map_or_else(|_| self.clone(), Self::Url),
        }
    }

    /// Reads it; of a site in this coding, and `None` if it sends another one.
    pub(crate) fn read(
        &self,
        limit: u64,
        coding: Option<Coding>,
        say: &dyn Fn(&str),
    ) -> Result<Option<Vec<u8>>, PreviousError> {
        match self {
            Self::File(path) => match read_within(limit, || File::open(path)) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(PreviousError::File(path.clone(), error)),
            },
            Self::Url(url) => {
                let failed = |error| PreviousError::Answer(url.clone(), error);
                let mut request = download::agent(url, MAX_REDIRECTS, TIMEOUT).get(url.as_str());
                if let Some(coding) = coding {
                    request = request.header("Accept-Encoding", coding.token());
                }
                let response = request
                    .call()
                    .map_err(|error| failed(io::Error::other(download::explain(&error))))?;
                let sent = response.headers().get("Content-Encoding").map(|it| it.as_bytes());
                if coding.is_some_and(|coding| sent != Some(coding.token().as_bytes())) {
                    return Ok(None);
                }
                if let Some(host) = download::redirected(url, &response) {
                    say(&format!("{url} redirects to {host}"));
                }
                match response.status().as_u16() {
                    404 | 410 => Ok(None),
                    200..=299 => read_within(limit, || download::body(response, limit))
                        .map(Some)
                        .map_err(failed),
                    status => Err(failed(io::Error::other(format!("http status: {status}")))),
                }
            }
        }
    }
}

fn read_within<R: Read>(limit: u64, open: impl FnOnce() -> io::Result<R>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open()?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(download::too_large(limit)) } else { Ok(bytes) }
}

impl std::fmt::Display for Previous {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}
