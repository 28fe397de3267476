//! The end of each history: nothing disturbs the hubs any more, and all that they owe must happen.

use std::{collections::BTreeMap, time::Duration};

use super::{
    outside::Mood,
    pairs::{Expected, Pair},
    publications::content_version,
    timer::{advance_to, now},
    world::{World, steady_of},
};
use crate::{
    hub::{
        clock::{Clock, GRACE},
        request::SubscriptionMode,
        store::SubscriptionInfo,
    },
    runtime::random::seeded::below,
};

/// The time within which everything that was disturbed is made up for: claims, retries and responses that are awaited.
const RECOVERY: Duration = Duration::from_secs(600);

/// The time within which a change reaches everybody, when nothing disturbs it: much shorter than a tick.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The lease of the last subscription, in seconds.
const SHORT_LEASE: u64 = 300;

impl World<'_> {
    /// Ends the disturbances, and judges the history.
    pub(super) async fn judge(&mut self) {
        self.calm_down().await;
        self.recover().await;
        self.expect_all("once nothing disturbs the hubs").await;
        self.outside.borrow_mut().is_settled = true;
        self.expect_next_change().await;
        if self.has_list {
            self.expect_share().await;
        }
        self.expect_lease().await;
    }

    async fn calm_down(&mut self) {
        self.line("everything is calm from now on");
        self.end_faults().await;
        self.outside.borrow_mut().mood = Mood::Calm;
        self.run(Duration::from_secs(10)).await;
        for place in 0..self.processes.len() {
            self.start(place).await;
            (0..self.sites()).for_each(|site| self.load(place, site));
        }
    }

    /// Returns the rows of the store by callback.
    async fn rows(&mut self) -> BTreeMap<String, SubscriptionInfo> {
        self.settle().await;
        let rows = self.store.list(self.clock.now()).await.unwrap();
        self.rest().await;
        rows.into_iter().map(|row| (row.callback.clone(), row)).collect()
    }

    /// Waits until nothing is due any more.
    async fn recover(&mut self) {
        let until = now() + RECOVERY + 3 * self.tick();
        // Every hub learns which sites have subscribers.
        self.run(2 * self.tick() + Duration::from_secs(16)).await;
        while !self.is_violated() {
            let rows = self.rows().await;
            let late = rows.values().find(|row| row.due_at.is_some() || row.pending.is_some());
            let Some(late) = late else { break };
            self.expect(now() < until, || format!("this is never done: {late:?}"));
            self.run(self.tick()).await;
        }
    }

    /// Requires that the pairs are subscribed that should be, and have the newest content.
    async fn expect_all(&mut self, when: &str) {
        let rows = self.rows().await;
        let outside = &mut *self.outside.borrow_mut();
        let mut faults = Vec::new();
        for (number, pair) in outside.pairs.iter().enumerate() {
            let row = rows.get(&pair.callback);
            let newest = content_version(pair.topic, self.newest[pair.site]);
            match pair.expected {
                Expected::Gone if row.is_some() => {
                    faults.push(format!("pair {number} is subscribed, {when}"));
                }
                Expected::Subscribed { seen } => {
                    if row.is_none() {
                        faults.push(format!("pair {number} lost its subscription, {when}"));
                    }
                    if newest > content_version(pair.topic, seen) && pair.accepted < newest {
                        let accepted = pair.accepted;
                        faults.push(format!(
                            "pair {number} has version {accepted} and not {newest}, {when}"
                        ));
                    }
                }
                _ => {}
            }
        }
        let fault = faults.into_iter().next();
        outside.expect(fault.is_none(), || fault.unwrap_or_default());
    }

    /// Publishes a change of every topic of a site, which one process loads.
    fn change(&mut self, place: usize, site: usize) {
        self.publish(site);
        if self.newest[site] % 2 == 1 {
            self.publish(site);
        }
        self.load(place, site);
    }

    /// Requires that every subscription of a site has the newest content.
    async fn expect_newest(&mut self, site: usize, when: &str, is_exempt: impl Fn(&Pair) -> bool) {
        let rows = self.rows().await;
        let outside = &mut *self.outside.borrow_mut();
        let newest = self.newest[site];
        let late = outside.pairs.iter().position(|pair| {
            let is_active = rows.get(&pair.callback).is_some_and(|row| row.state == "active");
            is_active && pair.site == site && pair.accepted < newest && !is_exempt(pair)
        });
        outside.expect(late.is_none(), || {
            format!("pair {late:?} has not got version {newest}, {when}")
        });
    }

    /// Requires that the next change reaches everybody without the help of a tick.
    async fn expect_next_change(&mut self) {
        let place = below(self.processes.len() as u32) as usize;
        for site in 0..self.sites() {
            self.change(place, site);
            self.run(AT_ONCE).await;
            self.expect_newest(site, "at once", |_| false).await;
        }
        self.expect_all("after the next change").await;
    }

    /// Requires that the subscribers of a site that do not respond delay nothing of the other site.
    async fn expect_share(&mut self) {
        let place = below(self.processes.len() as u32) as usize;
        self.outside.borrow_mut().mood = Mood::FirstSiteHangs;
        for site in 0..2 {
            self.change(place, site);
            self.run(AT_ONCE).await;
        }
        let slow: Vec<_> = {
            let outside = self.outside.borrow();
            let slow = outside.pairs.iter().filter(|pair| pair.site == 0);
            slow.map(|pair| pair.host.clone()).collect()
        };
        self.expect_newest(1, "beside a site whose subscribers hang", |pair| {
            slow.contains(&pair.host)
        })
        .await;
        self.outside.borrow_mut().mood = Mood::Calm;
        self.run(Duration::from_secs(16)).await;
        self.recover().await;
        self.expect_all("after subscribers that hung").await;
    }

    /// Requires that a subscription begins at once, and ends with its lease to the second.
    async fn expect_lease(&mut self) {
        let place = below(self.processes.len() as u32) as usize;
        let number = self.outside.borrow().pairs.len();
        let pair = Pair::well_behaved(number);
        let callback = pair.callback.clone();
        self.outside.borrow_mut().pairs.push(pair);
        let asked_at = self.clock.now();
        self.ask(place, number, SubscriptionMode::Subscribe, Some(SHORT_LEASE));
        self.run(AT_ONCE).await;
        let lease_end = self.rows().await.get(&callback).and_then(|row| row.lease_end);
        let Some(end) = lease_end else {
            return self.expect(false, || "a request is not verified at once".to_owned());
        };
        let granted = end - asked_at;
        let expected = SHORT_LEASE as i64 * 1000;
        self.expect((0..=1000).contains(&(granted - expected)), || {
            format!("a lease of {granted} ms")
        });

        self.skip_to(end - 1000).await;
        self.change(place, 0);
        self.run(AT_ONCE).await;
        self.expect_newest(0, "a second before the end of a lease", |_| false).await;
        let before = self.newest[0];
        self.skip_to(end).await;
        self.change(place, 0);
        self.run(AT_ONCE).await;
        self.skip_to(end + 2 * self.tick().as_millis() as i64).await;
        let begun = self.outside.borrow().pairs[number].begun;
        self.expect(begun <= before, || "a delivery after the end of the lease".to_owned());

        let grace = GRACE.as_millis() as i64;
        self.skip_to(end + grace - 1000).await;
        let is_kept = self.rows().await.contains_key(&callback);
        self.expect(is_kept, || "an ended subscription is removed too early".to_owned());
        self.skip_to(end + grace + 2 * self.tick().as_millis() as i64 + 16_000).await;
        let is_kept = self.rows().await.contains_key(&callback);
        self.expect(!is_kept, || "an ended subscription is never removed".to_owned());
        self.outside.borrow_mut().pairs[number].expected = Expected::Gone;
        self.expect_all("after a week").await;
    }

    /// Lets time pass until this moment in one step, as if the machine had slept.
    async fn skip_to(&mut self, clock: i64) {
        advance_to(steady_of(clock));
        self.run(AT_ONCE).await;
    }
}
