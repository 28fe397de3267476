//! Everything outside of the hubs, as far as they can see it: subscribers, calls in progress, and what is expected of
//! the hubs. The first expectation that is not met ends the history.

use std::{collections::BTreeMap, fmt::Display, time::Duration};

use super::{pairs::Pair, timer};
use crate::runtime::{limits::SHARES, random::seeded::below};

/// How subscribers behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mood {
    /// As each of them does by itself: late, wrong, never.
    Faulty,
    /// Every response is the right one, at once.
    Calm,
    /// As calm, but no subscriber of the first site responds to deliveries.
    FirstSiteHangs,
}

/// A call in progress.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) process: u32,
    pub(super) pair: usize,
    pub(super) is_delivery: bool,
}

/// The limits of the calls of one hub.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallLimits {
    pub(super) deliveries: usize,
    pub(super) deliveries_by_host: usize,
    pub(super) verifications: usize,
    pub(super) verifications_by_host: usize,
    pub(super) has_list: bool,
}

pub(super) struct Outside {
    pub(super) lines: Vec<String>,
    pub(super) counts: BTreeMap<&'static str, u64>,
    pub(super) violation: Option<String>,
    pub(super) mood: Mood,
    /// Whether no request and no delivery waits any more.
    pub(super) is_settled: bool,
    pub(super) limits: CallLimits,
    pub(super) pairs: Vec<Pair>,
    pub(super) calls: BTreeMap<u64, Call>,
    /// The ids of deliveries, and what each was of.
    pub(super) ids: BTreeMap<String, (usize, u32)>,
    calls_made: u64,
}

impl Outside {
    pub(super) fn new(limits: CallLimits, pairs: Vec<Pair>) -> Self {
        Self {
            lines: Vec::new(),
            counts: BTreeMap::new(),
            violation: None,
            mood: Mood::Faulty,
            is_settled: false,
            limits,
            pairs,
            calls: BTreeMap::new(),
            ids: BTreeMap::new(),
            calls_made: 0,
        }
    }

    pub(super) fn line(&mut self, line: impl Display) {
        self.lines.push(format!("{:9.3} {line}", timer::now().as_secs_f64()));
    }

    pub(super) fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub(super) fn counted(&self, what: &'static str) -> u64 {
        self.counts.get(what).copied().unwrap_or_default()
    }

    /// Requires a condition, now and in this history.
    pub(super) fn expect(&mut self, is_met: bool, what: impl FnOnce() -> String) {
        if !is_met && self.violation.is_none() {
            let what = what();
            self.line(format_args!("VIOLATION: {what}"));
            self.violation = Some(what);
        }
    }

    /// Begins a call, whose limits are checked, and returns its number.
    pub(super) fn begin_call(&mut self, process: u32, pair: usize, is_delivery: bool) -> u64 {
        self.calls_made += 1;
        self.calls.insert(self.calls_made, Call { process, pair, is_delivery });
        let limits = self.limits;
        let pairs = &self.pairs;
        let (host, site) = (&pairs[pair].host, pairs[pair].site);
        let alike = |call: &&Call| call.is_delivery == is_delivery;
        let own = |call: &&Call| call.process == process && alike(call);
        let own: Vec<_> = self.calls.values().filter(own).collect();
        let of_host = own.iter().filter(|call| pairs[call.pair].host == *host).count();
        let of_site = own.iter().filter(|call| pairs[call.pair].site == site).count();
        let of_pair = self.calls.values().filter(alike).filter(|call| call.pair == pair).count();
        // Verifications of newcomers and of renewals have limits of their own each.
        let (in_all, by_host, by_site) = if is_delivery {
            let in_all = limits.deliveries;
            (in_all, limits.deliveries_by_host, (in_all / SHARES).max(1))
        } else {
            let in_all = limits.verifications;
            (in_all * 2, limits.verifications_by_host * 2, (in_all / SHARES).max(1) * 2)
        };
        let of_all = own.len();
        let has_list = limits.has_list;
        self.expect(of_all <= in_all, || format!("{of_all} calls at once"));
        self.expect(of_host <= by_host, || format!("{of_host} calls of one host at once"));
        self.expect(!has_list || of_site <= by_site, || {
            format!("{of_site} calls of one site at once: its share is {by_site}")
        });
        self.expect(!is_delivery || of_pair <= 1, || {
            format!("two deliveries to pair {pair} at once")
        });
        self.calls_made
    }

    /// Ends a call, after its response or with the process that made it.
    pub(super) fn end_call(&mut self, number: u64, is_interrupted: bool) {
        let Some(call) = self.calls.remove(&number) else { return };
        if is_interrupted {
            self.count(if call.is_delivery {
                "deliveries interrupted"
            } else {
                "verifications interrupted"
            });
            let Call { process, pair, .. } = call;
            self.line(format_args!("hub {process}: its call of pair {pair} breaks off"));
        }
    }

    /// Whether nothing disturbed the hubs so far, so that they know every result.
    pub(super) fn is_undisturbed(&self) -> bool {
        ["crashes", "stops", "outages", "clock jumps"].iter().all(|what| self.counted(what) == 0)
    }
}

/// Whether something happens that has this chance in a hundred.
pub(super) fn happens(percent: u32) -> bool {
    below(100) < percent
}

/// Returns how long a response takes, mostly not at all.
pub(super) fn response_time(longest: u32) -> Duration {
    Duration::from_millis(match below(3) {
        0 => 0,
        1 => u64::from(below(1000)),
        _ => u64::from(below(longest * 1000)),
    })
}
