//! The state that every stage of the hub uses.

use std::sync::Arc;

use super::{
    clock::{Clock, millis},
    health::HubHealth,
    limits::Limits,
    metrics::Metrics,
    settings::HubConfig,
    store::{ClaimLimits, ClaimSites, Store, StoreError},
    subscription::SubscriptionRules,
    timer::{Interval, MissedTickBehavior, interval},
};
use crate::{
    runtime::{random::Random, stop::Stop},
    sites::Sites,
};

/// The state that the stages share with the threads that respond to requests.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: HubConfig,
    pub(super) limits: Limits,
    pub(super) health: HubHealth,
    pub(super) metrics: Metrics,
    pub(super) sites: Arc<Sites>,
}

/// The state that every stage uses.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) shared: Arc<Shared>,
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) stop: Stop,
}

impl Context {
    /// Returns milliseconds since the epoch.
    pub(super) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// Returns the interval at which a stage checks for due work, whether or not it received a message.
    pub(super) fn tick(&self) -> Interval {
        let mut tick = interval(self.shared.config.tick);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tick
    }

    /// Whether the store can be written. If not, the stages begin no work.
    pub(super) fn is_writable(&self) -> bool {
        self.shared.health.is_writable()
    }

    /// Returns the value, or reports that the store cannot be written.
    pub(super) fn check<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        let Err(error) = result else { return result.ok() };
        if self.shared.health.store_failed(error.to_string()) {
            self.shared.metrics.writable(false);
            tracing::error!(
                %error,
                "the hub pauses: its store cannot be written. Reads continue; the response to new hub requests is 503"
            );
        }
        None
    }

    pub(super) fn rules(&self, random: &Random) -> SubscriptionRules {
        let delays = self.shared.config.retry_delays;
        SubscriptionRules { now: self.now(), delays, chance: random.chance() }
    }

    /// Returns the limits of what a stage may claim now.
    pub(super) fn claim_limits<'a>(
        &self,
        count: usize,
        busy_hosts: &'a [String],
        sites: ClaimSites<'a>,
    ) -> ClaimLimits<'a> {
        let now = self.now();
        let until = now.saturating_add(millis(self.shared.config.claim));
        ClaimLimits { count, busy_hosts, sites, now, until }
    }
}
