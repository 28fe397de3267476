//! One history: processes with hubs, their clock and their store. The seed decides who goes on next.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::SeqCst},
    },
    time::Duration,
};

use super::{
    outside::{CallLimits, Mood, Outside, happens},
    pairs::Pair,
    process::Process,
    publications::{SITES, Shelf, load, site_name},
    requests::Request,
    script::{Deed, Script},
    timer::{self, advance_to, next_due, now},
};
use crate::{
    hub::{
        client::HubClient,
        clock::{Clock, millis},
        request::SubscriptionMode,
        settings::HubConfig,
        store::Store,
    },
    runtime::random::seeded::below,
};

/// The time at which a history begins: half a year after the publications.
const EPOCH: i64 = 1_782_864_000_000;

/// The most that other parts do while one part does not go on.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// The clock of all processes, in whole seconds, so that moments coincide.
#[derive(Debug, Default)]
pub(super) struct SimulatedClock {
    /// Milliseconds by which it is wrong.
    pub(super) wrong_by: AtomicI64,
}

/// Returns the passed time at which a clock that is right has this time.
pub(super) fn steady_of(clock: i64) -> Duration {
    Duration::from_millis(u64::try_from(clock - EPOCH).unwrap_or_default())
}

impl Clock for SimulatedClock {
    fn now(&self) -> i64 {
        let passed = millis(Duration::from_secs(timer::now().as_secs()));
        EPOCH + passed + self.wrong_by.load(SeqCst)
    }

    fn steady(&self) -> Duration {
        timer::now()
    }
}

pub(super) struct World<'a> {
    pub(super) outside: Rc<RefCell<Outside>>,
    pub(super) processes: Vec<Option<Process>>,
    pub(super) clock: Arc<SimulatedClock>,
    pub(super) store: Store,
    pub(super) has_list: bool,
    /// The newest version of each site.
    pub(super) newest: [u32; SITES],
    config: HubConfig,
    client: &'a HubClient,
    shelf: &'a Shelf,
    started: u32,
    pub(super) requests: Vec<Request>,
    /// The process to kill after this many more turns.
    to_kill: Option<(usize, u32)>,
}

impl<'a> World<'a> {
    pub(super) fn new(store: Store, client: &'a HubClient, shelf: &'a Shelf) -> Self {
        let has_list = happens(40);
        let processes = if happens(30) { 2 + below(2) as usize } else { 1 };
        let clock = Arc::new(SimulatedClock::default());
        let mut config = HubConfig { clock: Some(clock.clone()), ..HubConfig::default() };
        config.tick = Duration::from_secs([30, 60][below(2) as usize]);
        config.retry_delays = "20s,90s".parse().unwrap();
        let limits = &mut config.limits;
        (limits.deliveries, limits.deliveries_by_host) = (4 + below(5) as usize, 2);
        (limits.verifications, limits.verifications_by_host) = (4, 1);
        let calls = CallLimits {
            deliveries: limits.deliveries,
            deliveries_by_host: 2,
            verifications: 4,
            verifications_by_host: 1,
            has_list,
        };
        let pairs = (0..3 + below(6) as usize).map(|number| {
            let site = if has_list { usize::from(happens(40)) } else { 0 };
            Pair::new(number, site, usize::from(happens(30)))
        });
        let outside = Outside::new(calls, pairs.collect());
        Self {
            outside: Rc::new(RefCell::new(outside)),
            processes: (0..processes).map(|_| None).collect(),
            clock,
            store,
            has_list,
            newest: [1; SITES],
            config,
            client,
            shelf,
            started: 0,
            requests: Vec::new(),
            to_kill: None,
        }
    }

    pub(super) fn line(&self, line: impl std::fmt::Display) {
        self.outside.borrow_mut().line(line);
    }

    pub(super) fn count(&self, what: &'static str) {
        self.outside.borrow_mut().count(what);
    }

    pub(super) fn expect(&self, is_met: bool, what: impl FnOnce() -> String) {
        self.outside.borrow_mut().expect(is_met, what);
    }

    pub(super) fn is_violated(&self) -> bool {
        self.outside.borrow().violation.is_some()
    }

    pub(super) fn tick(&self) -> Duration {
        self.config.tick
    }

    /// Empties the store, and starts every process with the first publications.
    pub(super) async fn begin(&mut self) {
        self.write(
            "PRAGMA query_only = OFF; DELETE FROM deliveries; DELETE FROM subscriptions;
             DELETE FROM pending; DELETE FROM contents; DELETE FROM sqlite_sequence;
             DELETE FROM facts WHERE name = 'seen_at'",
        )
        .await;
        for place in 0..self.processes.len() {
            self.start(place).await;
            (0..self.sites()).for_each(|site| self.load(place, site));
        }
        self.run(Duration::from_millis(1500)).await;
    }

    /// Ends every process at once.
    pub(super) async fn end(&mut self) {
        self.processes.clear();
        self.rest().await;
    }

    pub(super) async fn end_faults(&mut self) {
        self.to_kill = None;
        self.set_away(false).await;
        self.set_clock(0);
    }

    pub(super) fn sites(&self) -> usize {
        if self.has_list { SITES } else { 1 }
    }

    /// Starts a process in a place without one. Alone it ends the claims of whoever was there before.
    pub(super) async fn start(&mut self, place: usize) {
        if self.processes[place].is_some() {
            return;
        }
        self.settle().await;
        self.started += 1;
        let number = self.started;
        let store = self.store.of_process(format!("process {number}"), self.store.pool().clone());
        if self.processes.len() == 1 {
            // Fails while the store is away, like the process, which tries again.
            let _ = store.release_all().await;
            self.rest().await;
        }
        let Self { config, client, shelf, outside, has_list, .. } = self;
        let process = Process::start(number, config, client, store, shelf, outside, *has_list);
        self.processes[place] = Some(process.await);
        self.rest().await;
        self.line(format_args!("hub {number} starts"));
        let loads_at_once = !self.has_list || happens(50);
        for site in (0..self.sites()).filter(|_| loads_at_once) {
            self.load(place, site);
        }
    }

    /// Makes the newest version of a site current in a process.
    pub(super) fn load(&mut self, place: usize, site: usize) {
        let Some(process) = &self.processes[place] else { return };
        let version = self.newest[site];
        let name = site_name(self.has_list, site);
        let Some(found) = process.sites.by_name(&name) else { return };
        load(&process.sites, &found, self.shelf.snapshot(site, version));
        self.line(format_args!("hub {} loads version {version} of site {site}", process.number));
    }

    pub(super) fn publish(&mut self, site: usize) {
        self.newest[site] += 1;
        self.count("publications");
        self.line(format_args!("version {} of site {site} is published", self.newest[site]));
    }

    /// Kills a process: what it had not written is lost, and its calls break off.
    pub(super) fn kill(&mut self, place: usize) {
        let Some(process) = self.processes[place].take() else { return };
        self.count("crashes");
        self.line(format_args!("hub {} is killed", process.number));
        self.lose_requests(process.number);
        drop(process);
    }

    /// Loads the sites that wait for it, as the threads that load sites do.
    fn load_waiting(&mut self) {
        for place in 0..self.processes.len() {
            while let Some(process) = &self.processes[place] {
                let Some(site) = process.loading.take(0) else { break };
                process.loading.closed(site.name());
                let number = (0..SITES).find(|it| site_name(self.has_list, *it) == site.name());
                self.load(place, number.unwrap_or_default());
            }
        }
    }

    /// Lets one of the parts that can go on do so. Returns whether there is one.
    async fn turn(&mut self) -> bool {
        let mut runnable = Vec::new();
        for (place, process) in self.processes.iter().enumerate() {
            let parts = process.iter().flat_map(Process::runnable);
            runnable.extend(parts.map(|part| (place, part)));
        }
        if runnable.is_empty() {
            return false;
        }
        let (place, part) = runnable[below(runnable.len() as u32) as usize];
        if let Some((place, turns)) = &mut self.to_kill {
            if *turns == 0 {
                let place = *place;
                self.to_kill = None;
                self.kill(place);
                return true;
            }
            *turns -= 1;
        }
        if let Some(process) = &mut self.processes[place] {
            process.poll(part).await;
            let (number, name) = (process.number, Process::name(part));
            if process.has_ended() {
                self.processes[place] = None;
                self.line(format_args!("hub {number} has stopped"));
                self.lose_requests(number);
            }
            self.count(name);
        }
        self.receive_answers();
        self.load_waiting();
        true
    }

    /// Lets this much time pass.
    pub(super) async fn run(&mut self, wait: Duration) {
        self.follow(&mut Script::empty(), wait).await;
    }

    /// Lets this much time pass, with the deeds of a script.
    pub(super) async fn follow(&mut self, script: &mut Script, wait: Duration) {
        let end = now() + wait;
        while !self.is_violated() {
            let next = [next_due(), script.next()].into_iter().flatten().fold(end, Duration::min);
            let is_slow = self.outside.borrow().mood == Mood::Faulty
                && next <= now() + LONGEST_DELAY
                && below(40) == 0;
            if !is_slow && self.turn().await {
                continue;
            }
            let has_passed = next >= end && now() >= end;
            advance_to(next);
            self.receive_answers();
            if let Some(deed) = script.due(now()) {
                self.perform(deed).await;
            } else if has_passed {
                break;
            }
        }
    }

    async fn perform(&mut self, deed: Deed) {
        let alone = self.processes.len() == 1;
        let place = below(self.processes.len() as u32) as usize;
        let pair = below(self.outside.borrow().pairs.len() as u32) as usize;
        match deed {
            Deed::Publish(site) => self.publish(site),
            Deed::Load(site) => self.load(place, site),
            Deed::Subscribe => self.ask(place, pair, SubscriptionMode::Subscribe, None),
            Deed::Unsubscribe => self.ask(place, pair, SubscriptionMode::Unsubscribe, None),
            Deed::Kill => self.to_kill = Some((place, below(12))),
            Deed::Stop => {
                if let Some(process) = &self.processes[place] {
                    process.stop.ask();
                    let number = process.number;
                    self.count("stops");
                    self.line(format_args!("hub {number} is asked to stop"));
                }
            }
            Deed::Start(place) => self.start(place).await,
            Deed::Away => self.set_away(true).await,
            Deed::Back => self.set_away(false).await,
            Deed::Clock(wrong_by) if alone => self.set_clock(wrong_by),
            Deed::Clock(_) => {}
        }
    }

    pub(super) fn set_clock(&mut self, wrong_by: i64) {
        if self.clock.wrong_by.swap(wrong_by, SeqCst) != wrong_by {
            self.count("clock jumps");
            self.line(format_args!("the clock is wrong by {} s", wrong_by / 1000));
        }
    }

    /// Makes the store refuse to be written, or no longer.
    pub(super) async fn set_away(&mut self, is_away: bool) {
        let sql = if is_away { "PRAGMA query_only = ON" } else { "PRAGMA query_only = OFF" };
        self.write(sql).await;
        if is_away {
            self.count("outages");
        }
        self.line(if is_away { "the store cannot be written" } else { "the store can be written" });
    }

    /// Runs statements of the history itself.
    async fn write(&mut self, sql: &'static str) {
        self.settle().await;
        sqlx::raw_sql(sql).execute(self.store.pool()).await.unwrap();
        self.rest().await;
    }

    /// Lets every part go on as far as it can, so that none of them waits for the store.
    pub(super) async fn settle(&mut self) {
        while Box::pin(self.turn()).await {}
    }

    /// Waits until the connection of the store is returned.
    pub(super) async fn rest(&self) {
        while self.store.pool().num_idle() == 0 {
            tokio::task::yield_now().await;
        }
    }
}
