//! The stages of the hub and their connections. They run on one thread and use the store's connection in turn.

use std::{rc::Rc, sync::Arc};

use futures_util::future::{FutureExt, LocalBoxFuture, join_all};
use tokio::sync::{mpsc, watch};

use super::{
    announce::Announcer,
    client::HubClient,
    clock::ClockGuard,
    context::{Context, Shared},
    deliver::Deliverer,
    opening::Opened,
    policy::AddressPolicy,
    record::Recorder,
    resolver::{PolicedResolver, SystemLookup},
    settings::HubConfig,
    store::Opening,
    topics::TopicsBySite,
    verify::{Submission, Verifier},
};
use crate::runtime::{outgoing::CaError, stop::Stop};

/// The stages, ready to run.
pub(super) struct Stages {
    opening: Opening,
    announcer: Announcer,
    verifier: Verifier,
    deliverer: Deliverer,
    recorder: Recorder,
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

    /// Runs until the hub stops and all results are recorded.
    pub(super) async fn run(self) {
        let (opening, stages) = self.begin();
        join_all(stages).await;
        opening.store.close().await;
    }

    /// Returns the run of each stage, which may be polled in any order.
    pub(super) fn begin(self) -> (Opening, [LocalBoxFuture<'static, ()>; 4]) {
        let Self { opening, announcer, verifier, deliverer, recorder } = self;
        let (announcer, verifier) = (announcer.run().boxed_local(), verifier.run().boxed_local());
        let (deliverer, recorder) = (deliverer.run().boxed_local(), recorder.run().boxed_local());
        (opening, [announcer, verifier, deliverer, recorder])
    }
}

/// Makes the client of the configured certificates, names and addresses.
pub(super) fn client(hub: &HubConfig) -> Result<HubClient, CaError> {
    let lookup = hub.lookup.clone().unwrap_or_else(|| Arc::new(SystemLookup));
    let resolver = PolicedResolver::new(lookup, AddressPolicy::new(hub.allow_cidrs.clone()));
    HubClient::new(hub, resolver)
}
