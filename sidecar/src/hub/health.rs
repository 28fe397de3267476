//! The faults of the hub, for `/readyz` and for new requests.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::{Value, json};

/// The hub's faults. Reads do not depend on any of them.
#[derive(Debug, Default)]
pub(crate) struct HubHealth {
    faults: Mutex<HubFaults>,
}

#[derive(Debug, Default)]
struct HubFaults {
    /// Why the store cannot be written, and since when.
    store: Option<(String, Instant)>,
    clock: Option<String>,
}

impl HubHealth {
    fn faults(&self) -> MutexGuard<'_, HubFaults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports that the store cannot be written. Returns whether that is new.
    pub(crate) fn store_failed(&self, reason: String) -> bool {
        let mut faults = self.faults();
        let since = faults.store.as_ref().map(|(_, since)| *since);
        faults.store = Some((reason, since.unwrap_or_else(Instant::now)));
        since.is_none()
    }

    /// Reports that the store can be written. Returns whether that is new.
    pub(crate) fn store_works(&self) -> bool {
        self.faults().store.take().is_some()
    }

    /// Whether the store can be written.
    pub(crate) fn is_writable(&self) -> bool {
        self.faults().store.is_none()
    }

    /// Why the store cannot be written.
    pub(crate) fn store_fault(&self) -> Option<String> {
        self.faults().store.as_ref().map(|(reason, _)| reason.clone())
    }

    pub(crate) fn set_clock(&self, fault: Option<String>) {
        self.faults().clock = fault;
    }

    /// For `/readyz`.
    pub(crate) fn describe(&self) -> Value {
        let faults = self.faults();
        let store = faults.store.as_ref().map(
            |(reason, since)| json!({ "reason": reason, "seconds": since.elapsed().as_secs() }),
        );
        let is_ready = store.is_none() && faults.clock.is_none();
        json!({
            "status": if is_ready { "ready" } else { "trouble" },
            "store": store,
            "clock": faults.clock,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_reported_until_they_are_over() {
        let health = HubHealth::default();
        assert_eq!(health.describe(), json!({ "status": "ready", "store": null, "clock": null }));
        assert!(health.store_failed("full".into()));
        assert!(!health.store_failed("still full".into()));
        assert!(!health.is_writable());
        health.set_clock(Some("it jumped".into()));
        assert_eq!(
            health.describe(),
            json!({
                "status": "trouble", "clock": "it jumped",
                "store": { "reason": "still full", "seconds": 0 }
            })
        );
        assert!(health.store_works() && !health.store_works());
        assert!(health.is_writable());
        assert_eq!(health.describe()["status"], "trouble", "the clock is still wrong");
    }
}
