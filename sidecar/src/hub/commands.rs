//! The operator's commands on the store, most of them while the sidecar may be running.

use std::{path::PathBuf, sync::Arc};

use url::Host;

use super::{
    callback::normal,
    clock::{Clock, DatabaseClock},
    opening::{key_path, location},
    retry::RetryDelays,
    secrets::KeyError,
    settings::HubConfig,
    store::{IfNew, Location, PairKey, Settled, Store, StoreError, SubscriptionInfo},
    subscription::{Effect, Event, SubscriptionRules},
};

/// Access to a hub's store for operators.
#[derive(Debug)]
pub struct StoreAdmin {
    location: Location,
    state: PathBuf,
    key: PathBuf,
    clock: Option<Arc<dyn Clock>>,
}

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreAdminError {
    /// The store is not usable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The key is not usable.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The store does not exist.
    #[error("there is no store at {0}: name the state directory with --state, or --store")]
    Missing(PathBuf),
    /// The store has no site of this name.
    #[error("the hub's store has nothing of {site}; its sites are: {known}")]
    UnknownSite {
        /// The given name.
        site: String,
        /// The existing sites.
        known: String,
    },
}

impl StoreAdmin {
    /// Makes the access to the store that a sidecar of this state directory and configuration uses.
    ///
    /// # Errors
    /// When the store's address is invalid.
    pub fn new(state: impl Into<PathBuf>, hub: &HubConfig) -> Result<Self, StoreAdminError> {
        let state = state.into();
        let (location, key) = (location(hub, &state)?, key_path(hub, &state));
        Ok(Self { location, state, key, clock: hub.clock.clone() })
    }

    async fn store(&self) -> Result<Store, StoreAdminError> {
        match &self.location {
            Location::Sqlite(path) if !path.exists() => Err(StoreAdminError::Missing(path.clone())),
            location => Ok(location.connect(IfNew::Refuse).await?),
        }
    }

    /// Makes an empty store in place of one that is lost. A sidecar that runs continues with it.
    ///
    /// # Errors
    /// When the store is not lost, cannot be made, or never had a key.
    pub async fn accept_loss(&self) -> Result<(), StoreAdminError> {
        if !self.key.exists() {
            return Err(StoreAdminError::Missing(self.state.clone()));
        }
        match self.location.connect(IfNew::Refuse).await {
            Err(StoreError::Lost { .. }) => {
                self.location.connect(IfNew::Create).await?.close().await;
                Ok(())
            }
            Err(error) => Err(error.into()),
            Ok(_) => Err(StoreError::NotLost { name: self.location.to_string() }.into()),
        }
    }

    /// Returns the time of the store's leases, in milliseconds since the epoch.
    async fn now(&self, store: &Store) -> Result<i64, StoreError> {
        if let Some(clock) = &self.clock {
            return Ok(clock.now());
        }
        Ok(store.clock().await?.unwrap_or_else(|| DatabaseClock::new().now()))
    }

    /// Returns every subscription and every request that waits, of one site or of all, by site, topic and callback.
    ///
    /// # Errors
    /// When there is no store or it does not respond.
    pub async fn subscriptions(
        &self,
        site: Option<&str>,
    ) -> Result<Vec<SubscriptionInfo>, StoreAdminError> {
        let (store, site) = (self.store().await?, site.map(host_name));
        let mut subscriptions = store.list(self.now(&store).await?).await?;
        subscriptions.retain(|listed| site.as_ref().is_none_or(|site| *site == listed.site));
        Ok(subscriptions)
    }

    /// Ends the subscriptions of a callback, of one topic or of all, of one site or of all. Returns the number of
    /// subscriptions.
    ///
    /// # Errors
    /// When there is no store or it does not respond.
    pub async fn remove(
        &self,
        callback: &str,
        topic: Option<&str>,
        site: Option<&str>,
    ) -> Result<usize, StoreAdminError> {
        let store = self.store().await?;
        let site = site.map(host_name);
        let keys = store.pairs_of(&normal(callback)).await?.into_iter();
        let wanted = keys
            .filter(|key| topic.is_none_or(|topic| is_topic(topic, &key.topic)))
            .filter(|key| site.as_ref().is_none_or(|site| *site == key.site));
        self.end(&store, wanted.collect()).await
    }

    /// Removes everything of a site: subscriptions, requests that wait, announced contents and deliveries. Returns the
    /// number of subscriptions.
    ///
    /// # Errors
    /// When there is no store, it does not respond, or it has nothing of this site.
    pub async fn remove_site(&self, site: &str) -> Result<i64, StoreAdminError> {
        let (store, site) = (self.store().await?, host_name(site));
        known_site(&store, &site).await?;
        Ok(store.remove_site(&site).await?)
    }

    /// Ends the subscriptions of callbacks at a host and below it, and refuses further requests for them. Returns the
    /// number of subscriptions.
    ///
    /// # Errors
    /// When there is no store or it does not respond.
    pub async fn block(&self, host: &str) -> Result<usize, StoreAdminError> {
        let store = self.store().await?;
        let pairs = store.block(&host_name(host)).await?;
        self.end(&store, pairs).await
    }

    /// Accepts requests for the host again. Returns whether it was blocked.
    ///
    /// # Errors
    /// When there is no store or it does not respond.
    pub async fn unblock(&self, host: &str) -> Result<bool, StoreAdminError> {
        Ok(self.store().await?.unblock(&host_name(host)).await?)
    }

    /// Returns the blocked hosts by name.
    ///
    /// # Errors
    /// When there is no store or it does not respond.
    pub async fn blocked(&self) -> Result<Vec<String>, StoreAdminError> {
        Ok(self.store().await?.blocked().await?)
    }

    /// Ends pairs, and returns the number of them.
    async fn end(&self, store: &Store, pairs: Vec<PairKey>) -> Result<usize, StoreAdminError> {
        let removed = |key| Settled::new(key, Event::RemovedByOperator);
        let events: Vec<_> = pairs.into_iter().map(removed).collect();
        let rules = SubscriptionRules {
            now: self.now(store).await?,
            delays: RetryDelays::default(),
            chance: 0.0,
        };
        let effects = store.settle(&events, &rules).await?;
        Ok(effects.iter().filter(|effect| matches!(effect, Effect::Removed(_))).count())
    }
}

async fn known_site(store: &Store, site: &str) -> Result<(), StoreAdminError> {
    let sites = store.sites().await?;
    if sites.iter().any(|known| known == site) {
        Ok(())
    } else {
        let site = site.to_owned();
        Err(StoreAdminError::UnknownSite { site, known: names(&sites) })
    }
}

/// Lists the names of sites for a message, with a dash for the site that has none.
fn names(sites: &[String]) -> String {
    let shown = |site: &String| if site.is_empty() { "-".to_owned() } else { site.clone() };
    sites.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Returns a host as callbacks have it: lower case, and international names in their ASCII form.
fn host_name(host: &str) -> String {
    let name = host.trim_end_matches('.');
    match Host::parse(name) {
        Ok(Host::Domain(name)) => name,
        _ => name.to_owned(),
    }
}

/// Whether a text is the file or the URL of a topic.
fn is_topic(given: &str, topic: &str) -> bool {
    given == topic || given.strip_suffix(topic).is_some_and(|base| base.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_named_by_its_file_or_url() {
        assert!(is_topic("feed.xml", "feed.xml"));
        assert!(is_topic("https://x.example/feed.xml", "feed.xml"));
        assert!(!is_topic("https://x.example/otherfeed.xml", "feed.xml"));
    }
}
