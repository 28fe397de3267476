//! The validated configuration of a sidecar.

use std::{
    io::ErrorKind,
    num::NonZeroUsize,
    path::{Component, Path, PathBuf},
    thread,
    time::Duration,
};

use crate::{
    http::mcp::McpConfig,
    hub::HubConfig,
    runtime::limits::CONNECTION_MEMORY,
    sites::Publications,
    source::{Public, RemoteConfig},
};

/// The time that a start waits for another process to release the state directory.
pub const LOCK_WAIT: Duration = Duration::from_secs(30);

/// The interval at which the manifest of a folder is checked, even if the watch reports no change.
pub const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The interval at which the manifest is requested from a web server, a fifth more or less.
pub const REMOTE_POLL_INTERVAL: Duration = Duration::from_secs(30);

/// The time for which the public directory may differ from its manifest before that is an error.
pub const REFUSAL_LIMIT: Duration = Duration::from_secs(600);

/// Maximum bytes of a publication, by the lengths in its manifest: 8 GiB.
pub const MAX_PUBLICATION: u64 = 8 << 30;

/// The time within which changes of the public directory are one: the events of one rename. The manifest is the last
/// file that a build writes, so no other file has to be waited for.
pub const SETTLE: Duration = Duration::from_millis(20);

/// The time that a client may take to send the rest of a request on a connection it has used before, and
/// to read 64 KiB of a response that waits for it.
pub const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// The time that running requests may take to end after a stop was requested.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of concurrent responses of the dynamic routes; the next one is 503.
pub const MAX_RESPONSES: usize = 1024;

/// Maximum number among them that are longer than 256 KiB.
pub const MAX_LARGE_RESPONSES: usize = 128;

/// Bytes of memory for all connections.
pub const MAX_MEMORY: u64 = 512 * 1024 * 1024;

/// Bytes of memory for the sites of a list: with the rest of the process less than 1 GiB.
pub const SITES_MEMORY: u64 = 768 * 1024 * 1024;

/// Maximum number of worker threads, however many cores there are.
const MAX_WORKERS: usize = 4;

/// The configuration of a sidecar. [`Config::new`] checks the directories and sets everything else to its
/// default.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The publication of the site, or the list of the sites.
    pub publications: Publications,
    /// Bytes of memory for the sites of a list, by an estimate; those that were used least recently
    /// are unloaded.
    pub memory: u64,
    /// The settings for sites that are published at a URL.
    pub remote: RemoteConfig,
    /// The folder of the files that must survive a restart; made when first needed.
    pub state: PathBuf,
    /// Whether the published files are served too, not only the dynamic routes.
    pub serve_public: bool,
    /// Maximum bytes of a publication; by default [`MAX_PUBLICATION`].
    pub max_publication: u64,
    /// The number of threads that answer requests.
    pub workers: usize,
    /// Maximum number of concurrent responses of the dynamic routes; by default [`MAX_RESPONSES`].
    pub max_responses: usize,
    /// Maximum number of large ones among them; by default [`MAX_LARGE_RESPONSES`].
    pub max_large_responses: usize,
    /// Bytes of memory for all connections; by default [`MAX_MEMORY`].
    pub max_memory: u64,
    /// The wait for the state directory at the start; by default [`LOCK_WAIT`].
    pub lock_wait: Duration,
    /// The interval of checks; by default [`POLL_INTERVAL`] or [`REMOTE_POLL_INTERVAL`].
    pub poll_interval: Duration,
    /// The time within which changes are one; by default [`SETTLE`].
    pub settle: Duration,
    /// The time of a client without progress; by default [`STALL_TIMEOUT`].
    pub stall_timeout: Duration,
    /// The time of a refusal before it is an error; by default [`REFUSAL_LIMIT`].
    pub refusal_limit: Duration,
    /// Whether refusals before the first publication are logged.
    pub(crate) logs_first_refusals: bool,
    /// The time for running requests at a stop, in whole seconds; by default [`SHUTDOWN_TIMEOUT`].
    pub shutdown_timeout: Duration,
    /// The settings of the Model Context Protocol server.
    pub mcp: McpConfig,
    /// The settings of the WebSub hub.
    pub hub: HubConfig,
}

/// The reason why a configuration is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The state directory is inside the public one, whose files any web server may publish.
    #[error(
        "the state directory {state} is inside the public directory {public}, where it would be \
         published: choose another --state"
    )]
    StateIsPublic {
        /// The state directory as configured.
        state: PathBuf,
        /// The public directory as configured.
        public: PathBuf,
    },
    /// A path that cannot be made absolute.
    #[error("{path} is not usable as a directory: {source}")]
    Path {
        /// The path as configured.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl Config {
    /// Makes the configuration of a sidecar for this publication that keeps its state in this directory.
    ///
    /// # Errors
    /// When the state directory is inside the public one.
    pub fn new(public: impl Into<Public>, state: impl Into<PathBuf>) -> Result<Self, ConfigError> {
        Self::of(Publications::One(public.into()), state.into())
    }

    /// Makes the configuration of a sidecar for the sites of this list, a folder or a file.
    ///
    /// # Errors
    /// When the state directory is inside the folder.
    pub fn of_sites(
        list: impl Into<PathBuf>,
        state: impl Into<PathBuf>,
    ) -> Result<Self, ConfigError> {
        Self::of(Publications::Many(list.into()), state.into())
    }

    fn of(publications: Publications, state: PathBuf) -> Result<Self, ConfigError> {
        let folder = match &publications {
            Publications::One(Public::Folder(public)) => Some(public),
            Publications::One(Public::Url(_)) => None,
            Publications::Many(list) => Some(list),
        };
        if let Some(public) = folder
            && canonical(&state)?.starts_with(canonical(public)?)
        {
            return Err(ConfigError::StateIsPublic { state, public: public.clone() });
        }
        let poll_interval = match &publications {
            Publications::One(Public::Url(_)) => REMOTE_POLL_INTERVAL,
            _ => POLL_INTERVAL,
        };
        Ok(Self {
            publications,
            memory: SITES_MEMORY,
            remote: RemoteConfig::default(),
            state,
            serve_public: false,
            max_publication: MAX_PUBLICATION,
            workers: thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_WORKERS),
            max_responses: MAX_RESPONSES,
            max_large_responses: MAX_LARGE_RESPONSES,
            max_memory: MAX_MEMORY,
            lock_wait: LOCK_WAIT,
            poll_interval,
            settle: SETTLE,
            stall_timeout: STALL_TIMEOUT,
            refusal_limit: REFUSAL_LIMIT,
            logs_first_refusals: true,
            shutdown_timeout: SHUTDOWN_TIMEOUT,
            mcp: McpConfig::default(),
            hub: HubConfig::default(),
        })
    }

    /// Returns the interval at which this publication is checked.
    pub(crate) fn poll_interval_of(&self, public: &Public) -> Duration {
        match (&self.publications, public) {
            (Publications::Many(_), Public::Url(_)) => REMOTE_POLL_INTERVAL,
            _ => self.poll_interval,
        }
    }

    /// Returns the number of connections that [`Config::max_memory`] is enough for.
    #[must_use]
    pub fn connections(&self) -> usize {
        usize::try_from(self.max_memory / CONNECTION_MEMORY).unwrap_or(usize::MAX).max(1)
    }
}

/// Returns the path without symbolic links and `..`. Missing parts are added to the existing ones.
fn canonical(path: &Path) -> Result<PathBuf, ConfigError> {
    let unusable = |source| ConfigError::Path { path: path.to_path_buf(), source };
    let mut canonical = PathBuf::new();
    for part in std::path::absolute(path).map_err(unusable)?.components() {
        match part {
            Component::ParentDir => drop(canonical.pop()),
            part => canonical.push(part),
        }
        match canonical.canonicalize() {
            Ok(real) => canonical = real,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // A link whose target does not exist is where a folder would be created.
                if let Ok(target) = canonical.read_link() {
                    canonical.pop();
                    canonical = self::canonical(&canonical.join(target))?;
                }
            }
            Err(_) => {}
        }
    }
    Ok(canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_inside_public_is_refused() {
        let error = Config::new("site", "site/state").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the state directory site/state is inside the public directory site, where it would \
             be published: choose another --state"
        );
        assert!(Config::new("site", "site-state").is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn state_inside_public_is_refused_behind_links_and_dots() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("public/inner")).unwrap();
        symlink(at("public"), at("link")).unwrap();
        symlink(at("public/inner"), at("deep")).unwrap();
        symlink("public/not-yet", at("dangling")).unwrap();
        symlink(at("elsewhere"), at("public/out")).unwrap();
        let is_refused = |public: &str, state: &str| {
            let config = Config::new(at(public), at(state));
            matches!(config, Err(ConfigError::StateIsPublic { .. }))
        };
        for state in [
            "public",
            "public/state",
            "link/state",
            "deep",
            "deep/../state",
            "other/../public/state",
            "new/../link/a/b",
            "dangling",
            "dangling/state",
        ] {
            assert!(is_refused("public", state), "{state}");
            assert!(is_refused("link", state), "{state} by the link");
            assert!(is_refused("public/../link/.", state), "{state} by both");
        }
        for state in ["state", "public/../state", "deep/../../state", "public/out/state"] {
            assert!(!is_refused("public", state), "{state}");
        }
    }
}
