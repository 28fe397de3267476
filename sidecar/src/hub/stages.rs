//! The stages of the hub: how they are connected, and what all of them use. They run on one thread,
//! because the HTTP client cannot leave its thread, and take turns at the store's connection.

use std::{rc::Rc, sync::Arc};

use actix_web::rt::time::{Interval, interval};
use tokio::{
    join,
    sync::{mpsc, watch},
    time::MissedTickBehavior,
};

use super::{
    announce::Announcer,
    client::HubClient,
    clock::{Clock, ClockGuard, millis},
    deliver::Deliverer,
    health::HubHealth,
    limits::Limits,
    metrics::Metrics,
    opening::Opened,
    policy::AddressPolicy,
    record::Recorder,
    resolver::{PolicedResolver, SystemLookup},
    settings::HubConfig,
    store::{ClaimLimits, ClaimSites, Opening, Store, StoreError},
    subscription::SubscriptionRules,
    topics::TopicsBySite,
    verify::{Submission, Verifier},
};
use crate::{
    runtime::{outgoing::CaError, random::Random, stop::Stop},
    sites::Sites,
};

/// What the stages share with the threads that respond to requests.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: HubConfig,
    pub(super) limits: Limits,
    pub(super) health: HubHealth,
    pub(super) metrics: Metrics,
    pub(super) sites: Arc<Sites>,
}

/// What every stage uses.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) shared: Arc<Shared>,
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) stop: Stop,
}

/// The stages, ready to run.
pub(super) struct Stages {
    opening: Opening,
    announcer: Announcer,
    verifier: Verifier,
    deliverer: Deliverer,
    recorder: Recorder,
}

impl Context {
    /// Milliseconds since the epoch.
    pub(super) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// How often a stage checks what is due, whether or not it received a message.
    pub(super) fn tick(&self) -> Interval {
        let mut tick = interval(self.shared.config.tick);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tick
    }

    /// Whether the store can be written. Otherwise no stage begins anything.
    pub(super) fn is_writable(&self) -> bool {
        self.shared.health.is_writable()
    }

    /// The value, or a report that the store cannot be written.
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

    /// What a stage may claim now.
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

impl Stages {
    /// Connects the stages.
    pub(super) fn new(
        shared: Arc<Shared>,
        opened: Opened,
        client: HubClient,
        submissions: mpsc::Receiver<Submission>,
        stop: Stop,
    ) -> Self {
        let Opened { opening, keys, clock, database_clock, seen } = opened;
        let keys = Rc::new(keys);
        let (topics, offered) = watch::channel(TopicsBySite::new());
        let (to_deliverer, announced) = mpsc::unbounded_channel();
        let (to_recorder, records) = mpsc::unbounded_channel();
        let clock_guard = ClockGuard::new(seen, &*clock);
        let context = Context { shared, store: opening.store.clone(), clock, stop };
        let announcer = Announcer::new(context.clone(), topics, to_deliverer, to_recorder.clone());
        let verifier = Verifier::new(
            context.clone(),
            submissions,
            keys.clone(),
            client.clone(),
            to_recorder.clone(),
        );
        let deliverer =
            Deliverer::new(context.clone(), offered, announced, keys, client.clone(), to_recorder);
        let recorder = Recorder::new(context, records, client, clock_guard, database_clock);
        Self { opening, announcer, verifier, deliverer, recorder }
    }

    /// Runs until the hub stops and everything in progress is recorded.
    pub(super) async fn run(self) {
        let Self { opening, announcer, verifier, deliverer, recorder } = self;
        join!(announcer.run(), verifier.run(), deliverer.run(), recorder.run());
        opening.store.close().await;
    }
}

/// The client of the configured certificates, names and addresses.
pub(super) fn client(hub: &HubConfig) -> Result<HubClient, CaError> {
    let lookup = hub.lookup.clone().unwrap_or_else(|| Arc::new(SystemLookup));
    let resolver = PolicedResolver::new(lookup, AddressPolicy::new(hub.allow_cidrs.clone()));
    HubClient::new(hub, resolver)
}
