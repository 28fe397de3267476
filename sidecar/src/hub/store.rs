//! The hub's store: subscriptions, pending requests, announced contents and due deliveries.
//!
//! ```text
//! pairs (request, settle) ──▶ subscription::step ──▶ subscriptions, pending
//! contents (announce) ──▶ contents + deliveries, in one transaction
//! blocked ──▶ hosts that no request may name
//! places ──▶ whether a newcomer gets a place
//! claims (claim, delivered, release) ──▶ which process works on which row, and until when
//! survey, sites ──▶ listings, metrics, the rows of one site
//! ```
//!
//! One set of statements is for SQLite and PostgreSQL; the differences are in [`Dialect`]. Every change is one
//! transaction, none is open during a call, and a claim expires.

mod blocked;
mod claims;
mod contents;
mod dialect;
mod migrate;
mod open;
mod pairs;
mod places;
mod sites;
mod survey;

use std::{fmt, path::PathBuf, sync::Arc};

use sqlx::{Any, AnyPool, Transaction};

pub(crate) use claims::{ClaimLimits, ClaimSites, Delivered, Delivery, Share, VerificationClaim};
pub(crate) use contents::Announcement;
pub(crate) use dialect::{Dialect, Safety};
pub(crate) use open::{IfNew, Location, Opening};
pub(crate) use pairs::{PairKey, Settled, site_name};
pub(crate) use places::Capacity;
pub(crate) use survey::Backlog;
pub use survey::SubscriptionInfo;

use super::{secrets::KeyError, subscription::Effect};

/// An open store.
#[derive(Clone)]
pub(crate) struct Store {
    pool: AnyPool,
    dialect: Arc<dyn Dialect>,
    /// The id of this process in claims.
    claimant: String,
    /// The id of the store, so that delivery ids of two stores differ.
    instance: String,
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestOutcome {
    /// The request is in the store.
    Recorded(Effect),
    /// A limit is reached.
    Full,
    /// The operator has blocked the callback's host.
    Blocked,
}

/// The remedy of an operator for a lost store.
const ACCEPT_LOSS: &str = "begin without subscriptions by candor-sidecar state accept-loss with the \
                           --state, --store and --hub-key of the sidecar";

/// The reason why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address is not one of a store.
    #[error("--store {0:?} is not a store: give sqlite:PATH, or postgres://…")]
    Address(String),
    /// The store can be neither created nor opened.
    #[error("cannot open the hub's store {name}: {source}")]
    Unusable {
        /// The file, or the address without its password.
        name: String,
        /// The reason.
        source: Box<sqlx::Error>,
    },
    /// The file is not a whole database any more.
    #[error("the hub's store {name} is damaged: {reason}")]
    Damaged {
        /// The path of the file.
        name: String,
        /// The finding of SQLite.
        reason: String,
    },
    /// The file was damaged, and has not been replaced.
    #[error(
        "the hub's store {path} was damaged and is kept as {kept}: put a backup in its place, or \
         {ACCEPT_LOSS}"
    )]
    SetAside {
        /// The file that is missing.
        path: PathBuf,
        /// The damaged file.
        kept: PathBuf,
    },
    /// The store existed before.
    #[error(
        "the hub's store {name} is lost or empty, and it was used before: restore it from a backup, \
         or {ACCEPT_LOSS}"
    )]
    Lost {
        /// The file, or the address without its password.
        name: String,
    },
    /// The store exists, and nothing is lost.
    #[error("the hub's store {name} is not lost: nothing was changed")]
    NotLost {
        /// The file, or the address without its password.
        name: String,
    },
    /// A newer program wrote the store.
    #[error(
        "the hub's store {name} is of version {found}, this program reads up to {known}: update \
         candor-sidecar"
    )]
    Newer {
        /// The file, or the address without its password.
        name: String,
        /// The version of the store.
        found: i64,
        /// The newest version that this program supports.
        known: i64,
    },
    /// Another process uses the file.
    #[error("the hub's store {path} is held by another process: stop that one first")]
    Held {
        /// The path of the file.
        path: PathBuf,
    },
    /// The secrets are encrypted with another key.
    #[error(
        "the secrets in the hub's store {name} were encrypted with another key: copy hub.key from \
         the state directory of the sidecar that made the store, or name it with --hub-key"
    )]
    OtherKey {
        /// The file, or the address without its password.
        name: String,
    },
    /// The key file is not usable.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A statement failed.
    #[error("the hub's store does not answer: {0}")]
    Failed(#[from] sqlx::Error),
    /// A file next to the store cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The system provides no random numbers.
    #[error("the system gives no random numbers")]
    NoRandomness,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("claimant", &self.claimant).finish_non_exhaustive()
    }
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Begins a transaction that may write.
    async fn begin(&self, safety: Safety) -> Result<Transaction<'static, Any>> {
        Ok(self.pool.begin_with(self.dialect.begin(safety)).await?)
    }

    /// Returns the database's own clock, if it has one, in milliseconds since the epoch.
    pub(crate) async fn clock(&self) -> Result<Option<i64>> {
        let Some(query) = self.dialect.clock() else { return Ok(None) };
        Ok(Some(sqlx::query_scalar(query).fetch_one(&self.pool).await?))
    }

    /// Closes every connection. SQLite then writes its log into the file.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// Returns the store as another process has it, with these connections.
    #[cfg(test)]
    pub(crate) fn of_process(&self, claimant: String, pool: AnyPool) -> Self {
        Self { claimant, pool, ..self.clone() }
    }

    #[cfg(test)]
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Returns the id of the store.
    pub(crate) fn instance(&self) -> &str {
        &self.instance
    }
}

/// Returns a list of numbers as one parameter.
fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    serde_json::Value::from_iter(numbers).to_string()
}

#[cfg(test)]
mod tests;
