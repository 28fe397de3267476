//! Opens the hub's key and store. A damaged file does not stop the sidecar: the hub pauses, the file is kept under
//! another name, and opening is tried again until it succeeds.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use actix_web::rt::time::sleep;

use super::{
    clock::{Clock, DatabaseClock},
    record::SEEN_AT,
    secrets::{KeyError, Keyring},
    settings::HubConfig,
    store::{IfNew, Location, Opening, Store, StoreError},
};
use crate::runtime::{state::set_aside, stop::Stop};

/// The name of the store's file in the state directory.
const DATABASE: &str = "hub.db";

/// The name of the key's file in the state directory.
const KEY: &str = "hub.key";

/// The name of the file in the state directory that marks that a store was used.
const USED: &str = "hub.used";

/// Number of ticks between two attempts.
const RETRY_TICKS: u32 = 15;

/// The ends of the names of the files that belong to a SQLite store.
const SQLITE_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// Opens the store and the key of a configuration.
pub(super) struct Opener {
    location: Location,
    key: PathBuf,
    /// The file that marks that a store was used with a key that is not in the state directory.
    used: PathBuf,
    is_key_named: bool,
    clock: Option<Arc<dyn Clock>>,
    retry: Duration,
}

/// An open store with its key and its clock.
pub(super) struct Opened {
    pub(super) opening: Opening,
    pub(super) keys: Keyring,
    pub(super) clock: Arc<dyn Clock>,
    /// The clock, if it is the database's.
    pub(super) database_clock: Option<Arc<DatabaseClock>>,
    /// The time at which the store was last used, in milliseconds since the epoch.
    pub(super) seen: i64,
}

/// Returns the location of the store: as configured, or in the state directory.
pub(super) fn location(hub: &HubConfig, state: &Path) -> Result<Location, StoreError> {
    match &hub.store {
        Some(address) => address.parse(),
        None => Ok(Location::Sqlite(state.join(DATABASE))),
    }
}

/// Returns the path of the key: as configured, or in the state directory.
pub(super) fn key_path(hub: &HubConfig, state: &Path) -> PathBuf {
    hub.key.clone().unwrap_or_else(|| state.join(KEY))
}

impl Opener {
    /// A configured key file must exist and be readable: one that is misspelt would be created, and the
    /// store encrypted with it; and no replica is ready without the key that it was given.
    pub(super) fn new(hub: &HubConfig, state: &Path) -> Result<Self, OpenerError> {
        let (location, key) = (location(hub, state)?, key_path(hub, state));
        // What else is wrong with the file, the hub reports when it opens the store.
        match Keyring::read(&key) {
            Ok(None) if hub.key.is_some() => return Err(KeyError::Missing(key).into()),
            Err(error @ KeyError::Unusable { .. }) if hub.key.is_some() => return Err(error.into()),
            _ => {}
        }
        let (is_key_named, clock, retry) =
            (hub.key.is_some(), hub.clock.clone(), hub.tick * RETRY_TICKS);
        let used = state.join(USED);
        Ok(Self { location, key, used, is_key_named, clock, retry })
    }

    /// Makes the first attempt. A damaged file is renamed, so that a backup can be put in its place.
    pub(super) async fn open_first(&self, wait: Duration) -> Result<Opened, OpenerError> {
        let error = match self.open(wait).await {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        let kept = match (&error, &self.location) {
            (OpenerError::Store(StoreError::Damaged { .. }), Location::Sqlite(path)) => {
                set_aside(path, &SQLITE_SUFFIXES)
            }
            (OpenerError::Key(KeyError::Length(path)), _) if !self.is_key_named => {
                set_aside(path, &[])
            }
            _ => return Err(error),
        };
        match kept {
            Ok(kept) => {
                tracing::error!(%error, kept = %kept.display(), "kept a damaged file aside");
                // Without the file the reason is another, and names the remedy.
                Err(self.open(Duration::ZERO).await.err().unwrap_or(error))
            }
            Err(source) => {
                tracing::error!(%source, "cannot rename a damaged file");
                Err(error)
            }
        }
    }

    /// Tries again until it succeeds, or returns `None` when the hub stops. `report` gets each error.
    pub(super) async fn retry(
        &self,
        stop: &Stop,
        mut report: impl FnMut(OpenerError),
    ) -> Option<Opened> {
        loop {
            select! {
                () = stop.asked() => return None,
                () = sleep(self.retry) => {}
            }
            match self.open(Duration::ZERO).await {
                Ok(opened) => return Some(opened),
                Err(error) => report(error),
            }
        }
    }

    /// Opens the store, then the key: a store is created before its key, so that a key shows that there was a store.
    async fn open(&self, wait: Duration) -> Result<Opened, OpenerError> {
        let known = if self.is_key_named { &self.used } else { &self.key };
        let if_new = if known.exists() { IfNew::Refuse } else { IfNew::Create };
        let opening = self.location.open(if_new, wait).await?;
        let keys = self.keys(&opening.store).await?;
        opening.store.check_key(&keys, &self.location.to_string()).await?;
        if self.is_key_named && !self.used.exists() {
            // A store elsewhere needs no state directory that can be written.
            let _ = fs::write(&self.used, opening.store.instance());
        }
        let (clock, database_clock) = self.clock(&opening).await?;
        let seen = opening.store.fact(SEEN_AT).await?;
        let seen = seen.and_then(|seen| seen.parse().ok()).unwrap_or_else(|| clock.now());
        Ok(Opened { opening, keys, clock, database_clock, seen })
    }

    /// Reads the key. One is created only for a store without one, in the state directory.
    async fn keys(&self, store: &Store) -> Result<Keyring, OpenerError> {
        Ok(match Keyring::read(&self.key)? {
            Some(keys) => keys,
            None if self.is_key_named => return Err(KeyError::Missing(self.key.clone()).into()),
            None if self.location.is_file() && store.has_key().await? => {
                return Err(KeyError::Lost(self.key.clone()).into());
            }
            None => Keyring::open(&self.key)?,
        })
    }

    /// Returns the configured clock, the database's, or this machine's.
    async fn clock(
        &self,
        opening: &Opening,
    ) -> Result<(Arc<dyn Clock>, Option<Arc<DatabaseClock>>), StoreError> {
        if let Some(clock) = &self.clock {
            return Ok((clock.clone(), None));
        }
        let clock = Arc::new(DatabaseClock::new());
        match opening.store.clock().await? {
            None => Ok((clock, None)),
            Some(now) => {
                clock.resume_from(now);
                Ok((clock.clone(), Some(clock)))
            }
        }
    }
}

/// The reason why the hub has no store.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenerError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Key(#[from] KeyError),
}
