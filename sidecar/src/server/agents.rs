//! The tools for one client over lines: any published site, fetched and checked by this process.

use std::{fs, io, pin::pin, sync::Arc, time::Duration};

use futures_util::{
    Stream, StreamExt,
    future::{join_all, select_ok},
};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::{
    config::{Config, ConfigError},
    http::mcp::{LineSession, Served, ServedSite},
    loading::reload::Reloader,
    publication::published::PublicationRefusal,
    runtime::state::StateDir,
    server::start::StartError,
    sites::{Sites, site::Site},
    source::{Fault, SiteUrl},
};

/// The time in which several sites are waited for, if one of them can be used, and in which files may still differ from
/// their manifest.
const START_WAIT: Duration = Duration::from_secs(10);

/// The reason why there are no tools.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// No site can be used: the address of each with the reason and the remedy.
    #[error("{}", .0.join("\n"))]
    Unusable(Vec<String>),
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
/// When no site can be used at the start, or the output to the client cannot be written.
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
    begin(&followed).await?;
    let mut session = LineSession::default();
    let mut lines = pin!(lines);
    while let Some(line) = lines.next().await {
        // Each line is answered from the newest publications.
        let served = Served::of(followed.iter().map(Followed::served));
        if let Some(response) = session.answer(&line, &served).await {
            write(&response).map_err(AgentsError::Output)?;
        }
    }
    Ok(())
}

/// Waits for the sites, for no more than [`START_WAIT`] if one of them is loaded. Those that are not are tried again.
async fn begin(followed: &[Followed]) -> Result<(), AgentsError> {
    let tried = followed.iter().map(|site| site.settled(|refusal| refusal.fault != Fault::Torn));
    let _ = timeout(START_WAIT, join_all(tried)).await;
    let one = select_ok(followed.iter().map(|site| Box::pin(site.settled(|_| true)))).await;
    let faults = followed.iter().filter_map(Followed::fault);
    if one.is_err() {
        let with_remedy = |(what, remedy): (String, &str)| format!("{what}{remedy}");
        return Err(AgentsError::Unusable(faults.map(with_remedy).collect()));
    }
    faults.for_each(|(what, _)| tracing::warn!("{what}. It is tried again"));
    Ok(())
}

/// Fetches all sites at the same time.
fn follow(config: &AgentsConfig, folder: &TempDir) -> Result<Vec<Followed>, StartError> {
    let follow = |(number, url): (usize, &SiteUrl)| {
        let state = folder.path().join(number.to_string());
        fs::create_dir(&state)?;
        let mut site = Config::new(url.clone(), &state).map_err(unusable)?;
        site.remote.extra_ca.clone_from(&config.extra_ca);
        site.remote.answer = START_WAIT;
        site.logs_first_refusals = false;
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
    fn served(&self) -> ServedSite {
        let url = self.url.to_string();
        let name = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let current = self.site().and_then(|site| site.published.current());
        let snapshot = current.ok_or_else(|| match self.fault() {
            Some((what, _)) => format!("{what}. It is tried again: call again in a minute"),
            None => format!("{url} is still being fetched: call again in a minute"),
        });
        ServedSite { name: name.trim_end_matches('/').to_owned(), snapshot }
    }

    /// Waits until the site is loaded, or refused for good.
    async fn settled(&self, is_final: fn(&PublicationRefusal) -> bool) -> Result<(), ()> {
        let Some(site) = self.site() else { return Err(()) };
        let mut changes = site.published.changes();
        while site.published.current().is_none() {
            if site.published.refusal().is_some_and(|refusal| is_final(&refusal)) {
                return Err(());
            }
            // The sender lives as long as the site.
            let _ = changes.changed().await;
        }
        Ok(())
    }

    /// Returns the reason why there is no publication, and the remedy at the start. `None` if there is one, or none has
    /// been fetched yet.
    fn fault(&self) -> Option<(String, &'static str)> {
        let site = self.site().filter(|site| site.published.current().is_none())?;
        let refusal = site.published.refusal()?;
        let (url, reason) = (&self.url, &refusal.reason);
        Some(match refusal.fault {
            Fault::Outage => (
                format!("{url} cannot be reached: {reason}"),
                ". Check the address and the network, and start again",
            ),
            Fault::NoSite => (
                format!("{url} is not the address of a Candor site: {reason}"),
                ". Name the address below which candor-manifest.json is published",
            ),
            Fault::Torn => (
                format!("what is published at {url} cannot be trusted: {reason}"),
                ". Try again in a few minutes, in case it is being published now; otherwise its owner \
                 has to publish it again",
            ),
            Fault::Other => (format!("{url} cannot be used: {reason}"), ""),
        })
    }
}
