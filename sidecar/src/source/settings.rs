//! The settings of a remote publication source.

use std::{path::PathBuf, time::Duration};

/// The settings for a site that is fetched from a web server. [`Default`] has the documented values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteConfig {
    /// Files with certificates (PEM) of authorities that are trusted beside Mozilla's.
    pub extra_ca: Vec<PathBuf>,
    /// The time for the lookup of the name and the connection; the TLS handshake has as long again.
    pub connect: Duration,
    /// The time until the head of a response.
    pub answer: Duration,
    /// The time within which 64 KiB of a body must arrive while it is received.
    pub stall_timeout: Duration,
    /// Maximum bytes of a manifest.
    pub max_manifest: u64,
    /// The wait after a first failure; it doubles.
    pub first_retry: Duration,
    /// The maximum wait between two failures. A `Retry-After` may be longer.
    pub longest_retry: Duration,
}

impl Default for RemoteConfig {
    fn default() -> Self {
        Self {
            extra_ca: Vec::new(),
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(30),
            max_manifest: 128 * 1024 * 1024,
            first_retry: Duration::from_secs(1),
            longest_retry: Duration::from_secs(60),
        }
    }
}
