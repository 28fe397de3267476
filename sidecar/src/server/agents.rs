//! The tools for one client over lines: any published site, fetched and checked by this process.

use std::{fs, io, pin::pin, sync::Arc, time::Duration};

use contract::manifest::MANIFEST_PATH;
use futures_util::{Stream, StreamExt};
use tempfile::TempDir;

use crate::{
    config::{Config, ConfigError},
    http::mcp::{LineSession, Served, ServedSite},
    loading::reload::Reloader,
    publication::published::PublicationRefusal,
    runtime::state::StateDir,
    server::start::StartError,
    sites::{Sites, site::Site},
    source::SiteUrl,
};

/// The reason why there are no tools.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// The site does not respond.
    #[error(
        "{url} cannot be reached: {reason}. Check the address and the network, and start again"
    )]
    Unreachable {
        /// The address as configured.
        url: SiteUrl,
        /// The file, and the reason.
        reason: String,
    },
    /// The address is not one of a Candor site.
    #[error(
        "{url} is not the address of a Candor site: {reason}. Name the address below which \
         {MANIFEST_PATH} is published"
    )]
    NoSite {
        /// The address as configured.
        url: SiteUrl,
        /// The file, and the reason.
        reason: String,
    },
    /// The files differ from the manifest.
    #[error(
        "what is published at {url} cannot be trusted: {reason}. Try again in a few minutes, in case \
         it is being published now; otherwise its owner has to publish it again"
    )]
    Untrusted {
        /// The address as configured.
        url: SiteUrl,
        /// The file, and the reason.
        reason: String,
    },
    /// An address is configured twice: the two sites could not be distinguished.
    #[error("{0} is named twice: name each site once")]
    Twice(SiteUrl),
    /// The system refuses a folder, a thread or random numbers.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The output to the client cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(#[source] io::Error),
}

/// The settings with which sites are followed.
#[derive(Clone, Debug)]
pub struct AgentsConfig {
    /// The addresses of the sites.
    pub urls: Vec<SiteUrl>,
    /// Certificates (PEM) of authorities to trust beside the public ones.
    pub extra_ca: Vec<std::path::PathBuf>,
    /// The time between two checks for something newer.
    pub refresh: Duration,
    /// Maximum bytes of the files of a site.
    pub max_publication: u64,
}

/// A site that is followed until this is dropped.
struct Followed {
    url: SiteUrl,
    sites: Arc<Sites>,
    _reloader: Reloader,
}

/// Answers each line until there are no more. Sites are fetched anew at each start.
///
/// # Errors
/// When a site cannot be used at the start, or the output to the client cannot be written.
pub async fn answer_agents(
    config: &AgentsConfig,
    lines: impl Stream<Item = Vec<u8>>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), AgentsError> {
    let mut urls = config.urls.iter();
    if let Some(url) = urls.find(|url| config.urls.iter().filter(|it| it == url).count() > 1) {
        return Err(AgentsError::Twice(url.clone()));
    }
    let folder =
        tempfile::Builder::new().prefix("candor-mcp-").tempdir().map_err(StartError::from)?;
    let followed = follow(config, &folder)?;
    for site in &followed {
        site.loaded().await?;
    }
    let mut session = LineSession::default();
    let mut lines = pin!(lines);
    while let Some(line) = lines.next().await {
        // Each line is answered from the newest publications.
        let served = Served::of(followed.iter().filter_map(Followed::served));
        if let Some(response) = session.answer(&line, &served).await {
            write(&response).map_err(AgentsError::Output)?;
        }
    }
    Ok(())
}

/// Fetches all sites at the same time.
fn follow(config: &AgentsConfig, folder: &TempDir) -> Result<Vec<Followed>, StartError> {
    let follow = |(number, url): (usize, &SiteUrl)| {
        let state = folder.path().join(number.to_string());
        fs::create_dir(&state)?;
        let mut site = Config::new(url.clone(), &state).map_err(unusable)?;
        site.remote.extra_ca.clone_from(&config.extra_ca);
        site.poll_interval = config.refresh;
        site.max_publication = config.max_publication;
        let state = StateDir::open(&state, site.lock_wait)?;
        let (reloader, sites) = Reloader::start(&site, state)?;
        Ok(Followed { url: url.clone(), sites, _reloader: reloader })
    };
    config.urls.iter().enumerate().map(follow).collect()
}

fn unusable(error: ConfigError) -> StartError {
    StartError::Server(io::Error::other(error))
}

impl Followed {
    fn site(&self) -> Option<Arc<Site>> {
        self.sites.only()
    }

    /// Returns the site to answer from: its last good publication, however long the site is unreachable.
    fn served(&self) -> Option<ServedSite> {
        let snapshot = self.site()?.published.current()?;
        let url = self.url.to_string();
        let name = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        Some(ServedSite { name: name.trim_end_matches('/').to_owned(), snapshot })
    }

    /// Waits until the first publication is loaded, or refused.
    async fn loaded(&self) -> Result<(), AgentsError> {
        let Some(site) = self.site() else { return Ok(()) };
        let mut changes = site.published.changes();
        while site.published.current().is_none() {
            if let Some(refusal) = site.published.refusal() {
                return Err(self.refused(&refusal));
            }
            // The sender lives as long as the site.
            let _ = changes.changed().await;
        }
        Ok(())
    }

    fn refused(&self, refusal: &PublicationRefusal) -> AgentsError {
        let (url, reason) = (self.url.clone(), refusal.reason.clone());
        let is_of_manifest = refusal.file.as_ref().is_some_and(|it| it.ends_with(MANIFEST_PATH));
        if refusal.is_outage {
            AgentsError::Unreachable { url, reason }
        } else if is_of_manifest {
            AgentsError::NoSite { url, reason }
        } else {
            AgentsError::Untrusted { url, reason }
        }
    }
}
