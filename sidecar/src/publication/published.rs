//! The current snapshot, and the reason why a newer publication is refused.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use contract::etag::ETag;
use tokio::sync::watch;

use crate::{
    publication::snapshot::Snapshot,
    source::{Fault, LoadError},
};

/// The current snapshot, shared by the thread that replaces it and the routes.
#[derive(Debug)]
pub(crate) struct Published {
    current: RwLock<Option<Arc<Snapshot>>>,
    refusal: RwLock<Option<Arc<PublicationRefusal>>>,
    refusal_limit: Duration,
    /// Receives a message after each change of the two above.
    changed: watch::Sender<()>,
}

/// The reason why the present publication is not served: it is invalid, or the source does not respond.
#[derive(Clone, Debug)]
pub(crate) struct PublicationRefusal {
    pub(crate) since: Instant,
    /// Whether the source is unreachable, so that the present publication is unknown.
    pub(crate) is_outage: bool,
    /// Whether only the time of the present publication is wrong.
    pub(crate) is_about_time: bool,
    /// What it says of the address.
    pub(crate) fault: Fault,
    pub(crate) reason: String,
    pub(crate) file: Option<String>,
    pub(crate) expected: Option<ETag>,
    pub(crate) actual: Option<ETag>,
}

impl Published {
    pub(crate) fn new(refusal_limit: Duration) -> Self {
        let (current, refusal) = (RwLock::default(), RwLock::default());
        Self { current, refusal, refusal_limit, changed: watch::Sender::new(()) }
    }

    /// Returns the snapshot to serve. A request calls this once, so that its response is consistent.
    pub(crate) fn current(&self) -> Option<Arc<Snapshot>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the snapshot and returns the previous one.
    pub(crate) fn replace(&self, snapshot: Arc<Snapshot>) -> Option<Arc<Snapshot>> {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let before = current.replace(snapshot);
        drop(current);
        self.changed.send_replace(());
        before
    }

    /// Drops the snapshot, unless it is in use. No request can get it meanwhile.
    pub(crate) fn clear_if_unused(&self) -> bool {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let is_unused = current.as_ref().is_none_or(|snapshot| Arc::strong_count(snapshot) == 1);
        if is_unused {
            *current = None;
        }
        is_unused
    }

    /// Drops the snapshot. A response that is being sent keeps it until it ends.
    pub(crate) fn clear(&self) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Sends a message to all receivers of changes.
    pub(crate) fn wake(&self) {
        self.changed.send_replace(());
    }

    /// Returns a receiver of a message after each change of the snapshot and of the refusal.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Returns the reason why the present publication was last refused, if it was.
    pub(crate) fn refusal(&self) -> Option<Arc<PublicationRefusal>> {
        self.refusal.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the refusal, once it has lasted too long.
    pub(crate) fn overdue_refusal(&self) -> Option<Arc<PublicationRefusal>> {
        self.refusal().filter(|refusal| refusal.since.elapsed() >= self.refusal_limit)
    }

    pub(crate) fn set_refusal(&self, refusal: Option<PublicationRefusal>) {
        *self.refusal.write().unwrap_or_else(PoisonError::into_inner) = refusal.map(Arc::new);
        self.changed.send_replace(());
    }
}

impl PublicationRefusal {
    pub(crate) fn new(error: &LoadError, since: Instant) -> Self {
        let (file, expected, actual) = match error {
            LoadError::Mismatch { file, expected, actual, .. } => {
                (Some(file), Some(expected.clone()), Some(actual.clone()))
            }
            LoadError::Unreadable { file, .. }
            | LoadError::Manifest { file, .. }
            | LoadError::Fetch { url: file, .. }
            | LoadError::Ahead { file, .. }
            | LoadError::Older { file, .. }
            | LoadError::TooLarge { file, .. }
            | LoadError::NoSpace { file, .. }
            | LoadError::OtherHost { file, .. }
            | LoadError::Copy { file, .. }
            | LoadError::Header { file, .. } => (Some(file), None, None),
            LoadError::Collection { .. }
            | LoadError::Missing(_)
            | LoadError::Defect(_)
            | LoadError::Store(_)
            | LoadError::Stopped => (None, None, None),
        };
        let (reason, is_outage) = (error.to_string(), error.is_outage());
        let (is_about_time, fault) = (error.is_about_time(), error.fault());
        let file = file.cloned();
        Self { since, is_outage, is_about_time, fault, reason, file, expected, actual }
    }
}
