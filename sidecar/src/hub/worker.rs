//! The thread that owns the hub. Whatever happens, it does three things in turn: record what came
//! of earlier calls, announce what was published, and begin what is due.

use std::{
    collections::HashMap,
    rc::Rc,
    sync::{Arc, Weak},
    time::Duration,
};

use actix_web::rt::time::{Instant, sleep_until};
use tokio::{
    select,
    sync::{Semaphore, mpsc, oneshot},
};

use super::{
    announce::Current,
    client::{Caller, Outcome},
    clock::{CarriedClock, Clock, Course, Observation, millis},
    health::Health,
    lanes::Lanes,
    limits::Limits,
    metrics::Metrics,
    request::SubscriptionRequest,
    secrets::Keyring,
    settings::HubConfig,
    store::{Delivered, Delivery, Key, Settled, Store, StoreError, Verification},
    subscription::{Answer, Effect, Posted, Rules},
    topics::Topics,
};
use crate::{published::Published, random::Random, snapshot::Snapshot};

/// Results that come closer together than this are recorded together.
const GATHER: Duration = Duration::from_millis(3);

/// How often the store is tidied and measured.
const UPKEEP: Duration = Duration::from_secs(15);

/// The fact in which a store remembers when it was last used.
pub(super) const SEEN_AT: &str = "seen_at";

/// What other threads want of the worker.
#[derive(Debug)]
pub(super) enum Command {
    /// Take a request. The answer: whether there was room, or nothing when it cannot be written.
    Ask { subscription_request: SubscriptionRequest, reply: oneshot::Sender<Option<bool>> },
    /// End.
    Stop,
}

/// What a call came to.
#[derive(Debug)]
pub(super) enum Done {
    Asked(Verification, Outcome<Answer>),
    Posted(Delivery, i64, Outcome<Posted>),
}

/// What calls came to and is not yet recorded.
#[derive(Debug, Default)]
pub(super) struct Results {
    pub(super) delivered: Vec<(Key, Delivered)>,
    pub(super) settled: Vec<Settled>,
    since: Option<Instant>,
}

/// What the worker shares with the threads that answer requests.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: HubConfig,
    pub(super) limits: Limits,
    pub(super) health: Health,
    pub(super) metrics: Metrics,
    pub(super) published: Arc<Published>,
}

/// See the module.
pub(super) struct Worker {
    pub(super) shared: Arc<Shared>,
    pub(super) store: Store,
    pub(super) keys: Keyring,
    pub(super) random: Random,
    pub(super) caller: Caller,
    pub(super) clock: Arc<dyn Clock>,
    /// The clock that follows the database's, where that is the one to follow.
    pub(super) carried: Option<Arc<CarriedClock>>,
    pub(super) course: Course,
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) done: (mpsc::UnboundedSender<Done>, mpsc::UnboundedReceiver<Done>),
    pub(super) results: Results,
    pub(super) verifications: Lanes<Verification>,
    pub(super) deliveries: Lanes<Delivery>,
    pub(super) contents: HashMap<String, Rc<Current>>,
    pub(super) topics: Topics,
    /// The publication that was compared with the store.
    pub(super) announced: Weak<Snapshot>,
    /// Bounds the denials under way.
    pub(super) denials: Rc<Semaphore>,
    /// The store may have more that is due than was claimed: deliveries …
    pub(super) more_deliveries_due: bool,
    /// … and verifications.
    pub(super) more_verifications_due: bool,
    /// Bytes may be stored that no delivery needs.
    pub(super) may_prune: bool,
    /// Bytes were removed from the store, and may be left in its files.
    pub(super) must_scrub: bool,
    pub(super) next_tick: Instant,
    pub(super) next_upkeep: Instant,
}

impl Results {
    fn len(&self) -> usize {
        self.delivered.len() + self.settled.len()
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Worker {
    /// Works until it is told to stop.
    pub(super) async fn run(mut self) {
        loop {
            self.work().await;
            let wake = match self.results.since.filter(|_| self.shared.health.is_writable()) {
                Some(since) => self.next_tick.min(since + GATHER),
                None => self.next_tick,
            };
            select! {
                command = self.commands.recv() => match command {
                    Some(Command::Ask { subscription_request, reply }) => {
                        // Whoever asked may have gone.
                        let _ = reply.send(self.ask(subscription_request).await);
                    }
                    Some(Command::Stop) | None => break,
                },
                Some(done) = self.done.1.recv() => self.gather(done),
                () = self.shared.published.changed() => {}
                () = sleep_until(wake) => {}
            }
        }
        self.stop().await;
    }

    async fn work(&mut self) {
        let now = Instant::now();
        if now >= self.next_tick {
            self.next_tick = now + self.shared.config.tick;
            (self.more_deliveries_due, self.more_verifications_due) = (true, true);
            let ticked = self.tick().await;
            self.judge(ticked);
        }
        let gathered = self.results.since.is_some_and(|since| now >= since + GATHER);
        if gathered || self.results.len() >= self.shared.config.limits.deliveries / 2 {
            let recorded = self.record().await;
            self.judge(recorded);
        }
        if !self.shared.health.is_writable() {
            return;
        }
        let worked = async {
            self.announce().await?;
            self.verify().await?;
            self.deliver().await
        };
        let worked = worked.await;
        self.judge(worked);
        self.shared.metrics.running(self.deliveries.running());
    }

    /// A store that cannot be written stops everything that must be recorded.
    pub(super) fn judge<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        let (health, metrics) = (&self.shared.health, &self.shared.metrics);
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if health.store_failed(error.to_string()) {
                    metrics.writable(false);
                    tracing::error!(
                        %error,
                        "the hub stops: what it does could not be recorded. Reads go on; new \
                         requests to the hub get 503"
                    );
                }
                None
            }
        }
    }

    /// By the clock: is the store usable again, is the clock to be believed, is tidying due?
    async fn tick(&mut self) -> Result<(), StoreError> {
        if let Some(carried) = &self.carried
            && let Some(now) = self.store.clock().await?
        {
            carried.carry_on_from(now);
        }
        self.watch_clock();
        let writable = self.shared.health.is_writable();
        let due = Instant::now() >= self.next_upkeep;
        if writable && !due {
            return Ok(());
        }
        self.next_upkeep = Instant::now() + UPKEEP;
        if self.course.is_believed() {
            self.store.set_fact(SEEN_AT, &self.clock.now().to_string()).await?;
        } else if !writable {
            let kept = self.store.fact(SEEN_AT).await?.unwrap_or_default();
            self.store.set_fact(SEEN_AT, &kept).await?;
        }
        if !writable {
            self.record().await?;
        }
        if self.shared.health.store_works() {
            tracing::info!("the hub's store can be written again: the hub goes on");
        }
        self.shared.metrics.writable(true);
        self.upkeep().await
    }

    fn watch_clock(&mut self) {
        match self.course.observe(&*self.clock) {
            Observation::Steady => {}
            Observation::Jumped(by) => {
                let days = by / 86_400_000;
                let reason = format!(
                    "the clock jumped by {days} days: nothing is deleted for its age until it is \
                     back, or has gone on for a week. Set the clock right"
                );
                tracing::error!(days, "{reason}");
                self.shared.health.set_clock(Some(reason));
            }
            Observation::Settled => {
                tracing::info!("the clock is believed again");
                self.next_upkeep = Instant::now();
                self.shared.health.set_clock(None);
            }
        }
    }

    async fn upkeep(&mut self) -> Result<(), StoreError> {
        self.shared.limits.tidy();
        let now = self.clock.now();
        if self.course.is_believed() {
            let aged = self.store.aged(now).await?.into_iter();
            let aged: Vec<_> = aged.map(Settled::aged).collect();
            self.settle(&aged).await?;
            let claim = millis(self.shared.config.claim);
            let longest = self.shared.config.retry_delays.longest().max(claim);
            self.store.pull_in(now, longest).await?;
        }
        self.may_prune = true;
        self.prune().await?;
        let backlog = self.store.backlog().await?;
        self.shared.metrics.observe(&backlog, now);
        Ok(())
    }

    /// Takes what a call came to, and whatever else has ended.
    fn gather(&mut self, done: Done) {
        let mut next = Some(done);
        while let Some(done) = next.take() {
            self.results.since.get_or_insert_with(Instant::now);
            match done {
                Done::Asked(verification, outcome) => self.asked(verification, outcome),
                Done::Posted(delivery, seq, outcome) => self.posted(delivery, seq, outcome),
            }
            next = self.done.1.try_recv().ok();
        }
    }

    /// Records what was gathered. It is kept until that is possible.
    async fn record(&mut self) -> Result<(), StoreError> {
        if self.results.is_empty() {
            self.results.since = None;
            return Ok(());
        }
        if !self.results.delivered.is_empty() {
            let now = self.clock.now();
            let done: Vec<_> =
                self.results.delivered.iter().map(|(_, delivered)| delivered.clone()).collect();
            self.store.delivered(&done, now).await?;
            let mut by_topic: HashMap<String, u64> = HashMap::new();
            for (key, _) in self.results.delivered.drain(..) {
                tracing::debug!(topic = key.topic, host = key.host, "delivered");
                *by_topic.entry(key.topic).or_default() += 1;
            }
            for (topic, number) in by_topic {
                self.shared.metrics.deliveries(&topic, Effect::Delivered.as_str(), number);
            }
        }
        let settled = std::mem::take(&mut self.results.settled);
        if let Err(error) = self.settle(&settled).await {
            self.results.settled = settled;
            return Err(error);
        }
        self.results.since = None;
        self.may_prune = true;
        Ok(())
    }

    pub(super) fn rules(&self) -> Rules {
        Rules {
            now: self.clock.now(),
            delays: self.shared.config.retry_delays,
            chance: self.random.chance(),
        }
    }

    /// Until when something that is claimed now is ours.
    pub(super) fn claim_until(&self) -> i64 {
        self.clock.now().saturating_add(millis(self.shared.config.claim))
    }

    /// Lets what is under way end, records it, and gives back what was not begun.
    async fn stop(mut self) {
        let deadline = Instant::now() + self.shared.config.timeouts.stop;
        let deliveries = self.deliveries.drain();
        let verifications = self.verifications.drain();
        while self.deliveries.running() + self.verifications.running() > 0 {
            select! {
                Some(done) = self.done.1.recv() => self.gather(done),
                () = sleep_until(deadline) => break,
            }
        }
        let given_back = async {
            self.record().await?;
            let rows = deliveries.iter().map(|delivery| delivery.subscription).collect();
            self.store.release_deliveries(rows).await?;
            let tickets = verifications.iter().map(|asked| asked.pending.ticket).collect();
            self.store.release_verifications(tickets).await?;
            self.prune().await
        };
        let given_back = given_back.await;
        self.judge(given_back);
        self.store.close().await;
    }
}
