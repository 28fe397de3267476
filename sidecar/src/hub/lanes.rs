//! Who is called next. Every host has a lane of its own, bounded by itself, so that one that does
//! not answer holds nobody up but its own subscribers.

use std::collections::{HashMap, HashSet, VecDeque};

use super::store::{Delivery, Verification};

/// Something to be done at a subscriber's.
pub(crate) trait Job {
    fn host(&self) -> &str;
    /// Of the jobs of one subscriber, one at a time is done.
    fn callback(&self) -> &str;
}

impl Job for Delivery {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }
}

impl Job for Verification {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }
}

/// Jobs that wait, by host, and how many are under way.
#[derive(Debug)]
pub(crate) struct Lanes<J> {
    in_all: usize,
    by_host: usize,
    running: usize,
    hosts: HashMap<String, Lane<J>>,
    /// Hosts with a job that may begin, in turn.
    ready: VecDeque<String>,
}

#[derive(Debug)]
struct Lane<J> {
    waiting: VecDeque<J>,
    /// Callbacks that are being called.
    running: HashSet<String>,
    is_ready: bool,
    /// The last call was not answered at all.
    is_silent: bool,
}

impl<J> Default for Lane<J> {
    fn default() -> Self {
        let (waiting, running) = (VecDeque::new(), HashSet::new());
        Self { waiting, running, is_ready: false, is_silent: false }
    }
}

/// Jobs of a host that may wait, as a multiple of those that may be under way.
const WAITING: usize = 8;

impl<J: Job> Lanes<J> {
    pub(crate) fn new(in_all: usize, by_host: usize) -> Self {
        let (hosts, ready) = (HashMap::new(), VecDeque::new());
        Self { in_all: in_all.max(1), by_host: by_host.max(1), running: 0, hosts, ready }
    }

    /// Takes a job, or hands it back when its host has enough.
    pub(crate) fn offer(&mut self, job: J) -> Result<(), J> {
        let host = job.host().to_owned();
        let lane = self.hosts.entry(host.clone()).or_default();
        if lane.waiting.len() >= self.by_host * WAITING {
            return Err(job);
        }
        lane.waiting.push_back(job);
        self.make_ready(&host);
        Ok(())
    }

    /// Takes jobs, and hands back those whose host has enough.
    pub(crate) fn offer_all(&mut self, jobs: Vec<J>) -> Vec<J> {
        jobs.into_iter().filter_map(|job| self.offer(job).err()).collect()
    }

    fn make_ready(&mut self, host: &str) {
        if let Some(lane) = self.hosts.get_mut(host).filter(|lane| !lane.is_ready) {
            lane.is_ready = true;
            self.ready.push_back(host.to_owned());
        }
    }

    /// The next job to begin, within the bounds; [`Lanes::done`] ends it.
    pub(crate) fn next(&mut self) -> Option<J> {
        if self.running >= self.in_all {
            return None;
        }
        while let Some(host) = self.ready.pop_front() {
            let by_host = self.by_host;
            let Some(lane) = self.hosts.get_mut(&host) else { continue };
            lane.is_ready = false;
            if let Some(job) = lane.next(by_host) {
                self.running += 1;
                self.make_ready(&host);
                return Some(job);
            }
        }
        None
    }

    /// A job that was handed out has ended.
    pub(crate) fn done(&mut self, host: &str, callback: &str, was_answered: bool) {
        self.running -= 1;
        let Some(lane) = self.hosts.get_mut(host) else { return };
        lane.running.remove(callback);
        lane.is_silent = !was_answered;
        match lane.waiting.is_empty() {
            true if lane.running.is_empty() && was_answered => drop(self.hosts.remove(host)),
            true => {}
            false => self.make_ready(host),
        }
    }

    /// Hosts that need no further jobs.
    pub(crate) fn busy_hosts(&self) -> Vec<String> {
        let busy = self.hosts.iter().filter(|(_, lane)| lane.waiting.len() >= self.by_host);
        busy.map(|(host, _)| host.clone()).collect()
    }

    /// How many further jobs may begin soon.
    pub(crate) fn room(&self) -> usize {
        let ready = self.ready.iter().filter_map(|host| self.hosts.get(host));
        let ready: usize = ready.map(|lane| lane.waiting.len()).sum();
        (self.in_all * 2).saturating_sub(self.running + ready)
    }

    /// How many are under way.
    pub(crate) fn running(&self) -> usize {
        self.running
    }

    /// Whether nothing waits and nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.running == 0 && self.hosts.values().all(|lane| lane.waiting.is_empty())
    }

    /// Everything that waits.
    pub(crate) fn drain(&mut self) -> Vec<J> {
        self.ready.clear();
        let lanes = self.hosts.values_mut();
        lanes
            .flat_map(|lane| {
                lane.is_ready = false;
                std::mem::take(&mut lane.waiting)
            })
            .collect()
    }
}

impl<J: Job> Lane<J> {
    fn next(&mut self, by_host: usize) -> Option<J> {
        let at_once = if self.is_silent { 1 } else { by_host };
        if self.running.len() >= at_once {
            return None;
        }
        let free = |job: &J| !self.running.contains(job.callback());
        let at = self.waiting.iter().position(free)?;
        let job = self.waiting.remove(at)?;
        self.running.insert(job.callback().to_owned());
        Some(job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Call(&'static str, &'static str);

    impl Job for Call {
        fn host(&self) -> &str {
            self.0
        }
        fn callback(&self) -> &str {
            self.1
        }
    }

    #[test]
    fn hosts_take_turns_within_their_bounds() {
        let mut lanes = Lanes::new(10, 2);
        for callback in ["a1", "a2", "a3"] {
            lanes.offer(Call("a", callback)).unwrap();
        }
        lanes.offer(Call("b", "b1")).unwrap();
        let begun: Vec<_> = std::iter::from_fn(|| lanes.next()).map(|call| call.1).collect();
        assert_eq!(begun, ["a1", "b1", "a2"], "two of one host at once, and the other between");
        lanes.done("a", "a1", true);
        assert_eq!(lanes.next(), Some(Call("a", "a3")));
        assert_eq!(lanes.next(), None);
    }

    #[test]
    fn no_more_than_the_total_are_under_way() {
        let mut lanes = Lanes::new(2, 5);
        for call in [Call("a", "1"), Call("b", "2"), Call("c", "3")] {
            lanes.offer(call).unwrap();
        }
        assert!(lanes.next().is_some() && lanes.next().is_some());
        assert_eq!((lanes.next(), lanes.running()), (None, 2));
        lanes.done("a", "1", true);
        assert!(lanes.next().is_some());
    }

    #[test]
    fn one_subscriber_is_called_once_at_a_time() {
        let mut lanes = Lanes::new(10, 10);
        lanes.offer(Call("a", "1")).unwrap();
        lanes.offer(Call("a", "1")).unwrap();
        assert!(lanes.next().is_some());
        assert_eq!(lanes.next(), None);
        lanes.done("a", "1", true);
        assert!(lanes.next().is_some());
    }

    #[test]
    fn a_silent_host_is_called_once_at_a_time_until_it_answers() {
        let mut lanes = Lanes::new(10, 3);
        for callback in ["1", "2", "3", "4", "5"] {
            lanes.offer(Call("a", callback)).unwrap();
        }
        lanes.next();
        lanes.done("a", "1", false);
        assert!(lanes.next().is_some());
        assert_eq!(lanes.next(), None);
        lanes.done("a", "2", true);
        assert!(lanes.next().is_some() && lanes.next().is_some());
    }

    #[test]
    fn a_host_with_enough_to_do_takes_no_more_and_takes_no_room() {
        let mut lanes = Lanes::new(4, 1);
        for _ in 0..WAITING {
            lanes.offer(Call("a", "1")).unwrap();
        }
        assert_eq!(lanes.offer(Call("a", "1")), Err(Call("a", "1")));
        assert_eq!(lanes.busy_hosts(), ["a"]);
        lanes.next();
        assert_eq!(lanes.next(), None);
        assert_eq!(lanes.room(), 7, "only what is under way counts");
        assert_eq!(lanes.drain().len(), WAITING - 1);
        assert!(!lanes.is_idle());
        lanes.done("a", "1", true);
        assert!(lanes.is_idle());
    }
}
