//! What a sidecar is told, once it makes sense.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crate::hub::HubConfig;

/// How long a start waits for another process to let go of the state directory.
pub const LOCK_WAIT: Duration = Duration::from_secs(30);

/// How often the manifest is looked at, whether the watch reported anything or not.
pub const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// How long the public directory may disagree with its manifest before that is an error.
pub const REFUSAL_LIMIT: Duration = Duration::from_secs(600);

/// How long running requests may take to end after a stop was asked for.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Worker threads at most, however many cores there are.
const MAX_WORKERS: usize = 4;

/// How a sidecar runs. [`Config::new`] checks the directories and sets everything else to its
/// default.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The directory the site is published to.
    pub public: PathBuf,
    /// What must survive a restart; made when first needed.
    pub state: PathBuf,
    /// Whether the published files are served too, not only the dynamic routes.
    pub serve_public: bool,
    /// Threads that answer requests.
    pub workers: usize,
    /// [`LOCK_WAIT`]
    pub lock_wait: Duration,
    /// [`POLL_INTERVAL`]
    pub poll_interval: Duration,
    /// [`REFUSAL_LIMIT`]
    pub refusal_limit: Duration,
    /// [`SHUTDOWN_TIMEOUT`]; whole seconds count.
    pub shutdown_timeout: Duration,
    /// How the WebSub hub works.
    pub hub: HubConfig,
}

/// Why the configuration makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// What is in the public directory may be published by any web server.
    #[error(
        "the state directory {state} lies inside the public directory {public}, where it would be \
         published: choose another --state"
    )]
    StateIsPublic {
        /// As given.
        state: PathBuf,
        /// As given.
        public: PathBuf,
    },
    /// A path that cannot be made absolute.
    #[error("{path} is not usable as a directory: {source}")]
    Path {
        /// As given.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Config {
    /// A sidecar for this public directory that keeps its state in that one.
    ///
    /// # Errors
    /// When the state directory lies inside the public one.
    pub fn new(public: impl Into<PathBuf>, state: impl Into<PathBuf>) -> Result<Self, ConfigError> {
        let (public, state) = (public.into(), state.into());
        if absolute(&state)?.starts_with(absolute(&public)?) {
            return Err(ConfigError::StateIsPublic { state, public });
        }
        Ok(Self {
            public,
            state,
            serve_public: false,
            workers: thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_WORKERS),
            lock_wait: LOCK_WAIT,
            poll_interval: POLL_INTERVAL,
            refusal_limit: REFUSAL_LIMIT,
            shutdown_timeout: SHUTDOWN_TIMEOUT,
            hub: HubConfig::default(),
        })
    }
}

fn absolute(path: &Path) -> Result<PathBuf, ConfigError> {
    std::path::absolute(path)
        .map_err(|source| ConfigError::Path { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_inside_public_is_refused() {
        let error = Config::new("site", "site/state").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the state directory site/state lies inside the public directory site, where it would \
             be published: choose another --state"
        );
        assert!(Config::new("site", "site-state").is_ok());
    }
}
