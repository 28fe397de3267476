//! The recorder: writes the results of calls to the store, and does the work that is due by the clock. It ends after
//! the other stages, so that their last results are recorded.

use std::{collections::HashMap, mem, sync::Arc, time::Duration};

use tokio::sync::mpsc;

use super::{
    client::HubClient,
    clock::{ClockGuard, DatabaseClock, Observation, millis},
    context::Context,
    denial::Denials,
    store::{Delivered, PairKey, Settled, StoreError, site_name},
    subscription::{Effect, Event, Reason},
    timer::{Instant, sleep_until},
};
use crate::runtime::{
    log_budget::{LogBudget, LogLine},
    random::Random,
};

/// The time within which results are recorded together.
const GATHER: Duration = Duration::from_millis(3);

/// The interval at which expired rows are removed and the store is measured.
const UPKEEP: Duration = Duration::from_secs(15);

/// The key of the time at which a store was last used.
pub(super) const SEEN_AT: &str = "seen_at";

/// The messages of the other stages to the recorder.
#[derive(Debug)]
pub(super) enum Record {
    /// A delivery got a 2xx.
    Delivered(PairKey, Delivered),
    /// Any other result of a delivery, and the result of a verification.
    Settled(Settled),
    /// The store has new content in place of earlier bytes.
    ContentReplaced,
}

/// The stage that records; see the module.
pub(super) struct Recorder {
    context: Context,
    records: mpsc::UnboundedReceiver<Record>,
    results: Results,
    random: Random,
    log: LogBudget,
    denials: Denials,
    /// The clock that follows the database's, if the database has one.
    database_clock: Option<Arc<DatabaseClock>>,
    clock_guard: ClockGuard,
    /// Whether bytes were removed from the store that may remain in its files.
    must_scrub: bool,
    next_upkeep: Instant,
}

/// Results that are not yet recorded.
#[derive(Debug, Default)]
struct Results {
    delivered: Vec<(PairKey, Delivered)>,
    settled: Vec<Settled>,
    since: Option<Instant>,
}

impl Results {
    fn len(&self) -> usize {
        self.delivered.len() + self.settled.len()
    }
}

impl Recorder {
    pub(super) fn new(
        context: Context,
        records: mpsc::UnboundedReceiver<Record>,
        client: HubClient,
        clock_guard: ClockGuard,
        database_clock: Option<Arc<DatabaseClock>>,
    ) -> Self {
        Self {
            context,
            records,
            results: Results::default(),
            random: Random::new(),
            log: LogBudget::default(),
            denials: Denials::new(client),
            database_clock,
            clock_guard,
            must_scrub: true,
            next_upkeep: Instant::now(),
        }
    }

    /// Records until every other stage has ended.
    pub(super) async fn run(mut self) {
        let mut tick = self.context.tick();
        loop {
            let gathered = self.gathered_at();
            select! {
                record = self.records.recv() => match record {
                    Some(record) => self.gather(record),
                    None => break,
                },
                () = sleep_until(gathered.unwrap_or_else(Instant::now)), if gathered.is_some() => {
                    let recorded = self.record().await;
                    self.context.check(recorded);
                }
                _ = tick.tick() => {
                    let ticked = self.tick().await;
                    self.context.check(ticked);
                }
            }
        }
        let recorded = self.record().await;
        self.context.check(recorded);
    }

    /// Returns the time at which to record the gathered results; at once if there are many. `None` if there are none,
    /// or the store cannot be written: then [`Self::tick`] tries again.
    fn gathered_at(&self) -> Option<Instant> {
        let since = self.results.since.filter(|_| self.context.is_writable())?;
        let is_much = self.results.len() >= self.context.shared.config.limits.deliveries / 2;
        Some(if is_much { since } else { since + GATHER })
    }

    /// Gathers a record, and all others that have arrived.
    fn gather(&mut self, record: Record) {
        self.results.since.get_or_insert_with(Instant::now);
        let mut next = Some(record);
        while let Some(record) = next {
            match record {
                Record::Delivered(key, delivered) => self.results.delivered.push((key, delivered)),
                Record::Settled(settled) => self.results.settled.push(settled),
                Record::ContentReplaced => self.must_scrub = true,
            }
            next = self.records.try_recv().ok();
        }
    }

    /// Records the gathered results. They are kept until they are recorded.
    async fn record(&mut self) -> Result<(), StoreError> {
        self.record_delivered().await?;
        let settled = mem::take(&mut self.results.settled);
        if let Err(error) = self.settle(&settled).await {
            self.results.settled = settled;
            return Err(error);
        }
        self.results.since = None;
        self.prune().await
    }

    async fn record_delivered(&mut self) -> Result<(), StoreError> {
        if self.results.delivered.is_empty() {
            return Ok(());
        }
        let delivered: Vec<_> =
            self.results.delivered.iter().map(|(_, delivered)| delivered.clone()).collect();
        self.context.store.delivered(&delivered, self.context.now()).await?;
        let mut by_topic: HashMap<String, u64> = HashMap::new();
        for (key, _) in self.results.delivered.drain(..) {
            tracing::debug!(
                site = site_name(&key.site),
                topic = key.topic,
                host = key.host,
                "delivered"
            );
            *by_topic.entry(key.topic).or_default() += 1;
        }
        for (topic, number) in by_topic {
            self.context.shared.metrics.deliveries(&topic, Effect::Delivered.as_str(), number);
        }
        Ok(())
    }

    /// Records events, logs and counts their effects, and sends the denials that follow.
    async fn settle(&self, events: &[Settled]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let rules = self.context.rules(&self.random);
        let effects = self.context.store.settle(events, &rules).await?;
        let metrics = &self.context.shared.metrics;
        for (Settled { key, event, error, denial }, effect) in events.iter().zip(effects) {
            let (site, topic, host) = (site_name(&key.site), &key.topic, &key.host);
            let reason = error.as_deref();
            let what = effect.as_str();
            match event {
                Event::Posted(_) => metrics.deliveries(topic, what, 1),
                Event::Verified { .. } => metrics.verification(topic, what),
                _ => {}
            }
            if effect == Effect::Activated
                && let Some(site) = self.context.shared.sites.by_name(&key.site)
            {
                site.set_followed(true);
            }
            if effect == Effect::Nothing {
                tracing::debug!(site, topic, host, reason, "nothing changed");
                continue;
            }
            match self.log.line() {
                Some(LogLine { left_out }) => {
                    tracing::info!(site, topic, host, reason, what, left_out, "subscription");
                }
                None => tracing::debug!(site, topic, host, reason, what, "subscription"),
            }
            if effect == Effect::Removed(Reason::Failures)
                && let Some(url) = denial
            {
                self.denials.send(url.clone());
            }
        }
        Ok(())
    }

    /// Removes bytes that no delivery needs, from the store and from its files.
    async fn prune(&mut self) -> Result<(), StoreError> {
        self.must_scrub |= self.context.store.prune().await?;
        if self.must_scrub {
            self.must_scrub = !self.context.store.scrub().await?;
        }
        Ok(())
    }

    /// Checks whether the store can be written, the clock can be trusted, and upkeep is due.
    async fn tick(&mut self) -> Result<(), StoreError> {
        if Instant::now() >= self.next_upkeep {
            self.context.shared.limits.prune();
        }
        let store = &self.context.store;
        if let Some(database_clock) = &self.database_clock
            && let Some(now) = store.clock().await?
        {
            database_clock.resume_from(now);
        }
        self.watch_clock();
        let writable = self.context.is_writable();
        if writable && Instant::now() < self.next_upkeep {
            return Ok(());
        }
        self.next_upkeep = Instant::now() + UPKEEP;
        let store = &self.context.store;
        if self.clock_guard.is_trusted() {
            store.set_fact(SEEN_AT, &self.context.now().to_string()).await?;
        } else if !writable {
            let kept = store.fact(SEEN_AT).await?.unwrap_or_default();
            store.set_fact(SEEN_AT, &kept).await?;
        }
        if !writable {
            self.record().await?;
        }
        if self.context.shared.health.store_works() {
            tracing::info!("the hub's store can be written again: the hub resumes");
        }
        self.context.shared.metrics.writable(true);
        self.upkeep().await
    }

    fn watch_clock(&mut self) {
        match self.clock_guard.observe(&*self.context.clock) {
            Observation::Steady => {}
            Observation::Jumped(by) => {
                let days = by / 86_400_000;
                let reason = format!(
                    "the clock jumped by {days} days: nothing expires until the clock is back or has run for a week. Correct the clock"
                );
                tracing::error!(days, "{reason}");
                self.context.shared.health.set_clock(Some(reason));
            }
            Observation::Settled => {
                tracing::info!("the clock is trusted again");
                self.next_upkeep = Instant::now();
                self.context.shared.health.set_clock(None);
            }
        }
    }

    async fn upkeep(&mut self) -> Result<(), StoreError> {
        let Context { shared, store, .. } = &self.context;
        let now = self.context.now();
        if self.clock_guard.is_trusted() {
            let expired = store.expired(now).await?.into_iter();
            let expired: Vec<_> = expired.map(|key| Settled::new(key, Event::Expired)).collect();
            self.settle(&expired).await?;
            let claim = millis(shared.config.claim);
            let longest = shared.config.retry_delays.longest().max(claim);
            store.reschedule(now, longest).await?;
        }
        // What changed while the hub was down is announced, whether or not a site is requested.
        shared.sites.follow(&store.subscribed_sites().await?);
        shared.metrics.observe(&store.backlog().await?, now);
        self.prune().await
    }
}
