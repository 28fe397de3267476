//! The settings of a remote publication source.

use std::{path::PathBuf, time::Duration};

/// The settings for a site that is fetched from a web server. [`Default`] has the documented values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteConfig {
    /// Files with certificates (PEM) of authorities that are trusted beside Mozilla's.
    pub extra_ca: Vec<PathBuf>,
    /// Looking up the name and connecting; the TLS handshake may take as long again.
    pub connect: Duration,
    /// Until the head of an answer is there.
    pub answer: Duration,
    /// While a body comes, 64 KiB of it must come within this time.
    pub stall_timeout: Duration,
    /// Bytes of a manifest at most.
    pub max_manifest: u64,
    /// The wait after a first failure; it doubles.
    pub first_retry: Duration,
    /// The longest wait between two failures. A `Retry-After` may ask for more.
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
