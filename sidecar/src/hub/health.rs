//! The faults of the hub, for `/readyz` and for new requests.

use std::{
    net::IpAddr,
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
    /// The reason why the store cannot be written, and the time since when.
    store: Option<(String, Instant)>,
    clock: Option<String>,
    /// A proxy that forwards requests and is not named: limits per client are off.
    unnamed_proxy: Option<IpAddr>,
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

    /// Returns the reason why the store cannot be written.
    pub(crate) fn store_fault(&self) -> Option<String> {
        self.faults().store.as_ref().map(|(reason, _)| reason.clone())
    }

    pub(crate) fn set_clock(&self, fault: Option<String>) {
        self.faults().clock = fault;
    }

    /// Reports a proxy that is not named. Returns whether it is the first.
    pub(crate) fn found_proxy(&self, peer: IpAddr) -> bool {
        self.faults().unnamed_proxy.replace(peer).is_none()
    }

    /// Whether this is the proxy that was last found.
    pub(crate) fn is_unnamed_proxy(&self, peer: IpAddr) -> bool {
        self.faults().unnamed_proxy == Some(peer)
    }

    /// Describes the faults for `/readyz`. An unnamed proxy is a weakness, not a fault.
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
            "unnamed_proxy": faults.unnamed_proxy,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_reported_until_they_are_over() {
        let health = HubHealth::default();
        let mut ready =
            json!({ "status": "ready", "store": null, "clock": null, "unnamed_proxy": null });
        assert_eq!(health.describe(), ready);
        let proxy = "10.0.0.1".parse().unwrap();
        assert!(health.found_proxy(proxy) && !health.found_proxy(proxy));
        ready["unnamed_proxy"] = "10.0.0.1".into();
        assert_eq!(health.describe(), ready);
        assert!(health.store_failed("full".into()));
        assert!(!health.store_failed("still full".into()));
        assert!(!health.is_writable());
        health.set_clock(Some("it jumped".into()));
        assert_eq!(
            health.describe(),
            json!({
                "status": "trouble", "clock": "it jumped",
                "store": { "reason": "still full", "seconds": 0 }, "unnamed_proxy": "10.0.0.1"
            })
        );
        assert!(health.store_works() && !health.store_works());
        assert!(health.is_writable());
        assert_eq!(health.describe()["status"], "trouble", "the clock is still wrong");
    }
}
