//! The order of calls. Every host has a queue of its own with limits of its own, so that a host
//! that does not respond delays no calls to other hosts. Where the hub serves many sites, each has a
//! share of the calls in progress, so that the subscribers of one delay no calls of other sites.

use std::collections::{HashMap, HashSet, VecDeque};

use super::store::{Delivery, VerificationClaim, site_name};
use crate::limits::SHARES;

/// A call of a callback.
pub(crate) trait HostCall {
    fn host(&self) -> &str;
    /// Calls of one callback are made one at a time.
    fn callback(&self) -> &str;
    /// The site's name in the store; empty for the only site of a sidecar, which may use all places.
    fn site(&self) -> &str;
}

impl HostCall for Delivery {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }

    fn site(&self) -> &str {
        &self.key.site
    }
}

impl HostCall for VerificationClaim {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }

    fn site(&self) -> &str {
        &self.key.site
    }
}

/// Calls that wait, by host, and how many are in progress.
#[derive(Debug)]
pub(crate) struct HostQueues<J> {
    in_all: usize,
    by_host: usize,
    by_site: usize,
    running: usize,
    /// Calls in progress of sites that have names.
    sites: HashMap<String, usize>,
    /// The newest call was of a site that has a name: there are many sites.
    has_sites: bool,
    hosts: HashMap<String, HostQueue<J>>,
    /// Hosts with a call that may begin, in turn.
    ready: VecDeque<String>,
}

#[derive(Debug)]
struct HostQueue<J> {
    waiting: VecDeque<J>,
    /// Callbacks with a call in progress.
    running: HashSet<String>,
    is_ready: bool,
    /// The last call got no response.
    is_unresponsive: bool,
}

impl<J> Default for HostQueue<J> {
    fn default() -> Self {
        let (waiting, running) = (VecDeque::new(), HashSet::new());
        Self { waiting, running, is_ready: false, is_unresponsive: false }
    }
}

/// What a host can begin.
enum Next<J> {
    Call(J),
    /// Nothing until another call of the same site ends.
    SiteIsFull,
    Nothing,
}

/// Hosts in memory, as a multiple of the calls that may be in progress; beyond that those without a
/// call are forgotten.
const REMEMBERED: usize = 16;

/// Calls of a host that may wait, as a multiple of those that may be in progress.
const WAITING: usize = 8;

impl<J: HostCall> HostQueues<J> {
    pub(crate) fn new(in_all: usize, by_host: usize) -> Self {
        Self {
            in_all: in_all.max(1),
            by_host: by_host.max(1),
            by_site: (in_all / SHARES).max(1),
            running: 0,
            sites: HashMap::new(),
            // The first claim is a small one.
            has_sites: true,
            hosts: HashMap::new(),
            ready: VecDeque::new(),
        }
    }

    /// Adds a call, or returns it when the queue of its host is full.
    pub(crate) fn enqueue(&mut self, call: J) -> Result<(), J> {
        self.has_sites = site_name(call.site()).is_some();
        let host = call.host().to_owned();
        let queue = self.hosts.entry(host.clone()).or_default();
        if queue.waiting.len() >= self.by_host * WAITING {
            return Err(call);
        }
        queue.waiting.push_back(call);
        self.make_ready(&host);
        Ok(())
    }

    /// Adds calls, and returns those for which the queue of their host is full.
    pub(crate) fn enqueue_all(&mut self, calls: Vec<J>) -> Vec<J> {
        calls.into_iter().filter_map(|call| self.enqueue(call).err()).collect()
    }

    fn make_ready(&mut self, host: &str) {
        if let Some(queue) = self.hosts.get_mut(host).filter(|queue| !queue.is_ready) {
            queue.is_ready = true;
            self.ready.push_back(host.to_owned());
        }
    }

    /// The next call to begin, within the limits; [`HostQueues::done`] ends it.
    pub(crate) fn next(&mut self) -> Option<J> {
        if self.running >= self.in_all {
            return None;
        }
        let is_full = |site: &str| self.sites.get(site).is_some_and(|held| *held >= self.by_site);
        for _ in 0..self.ready.len() {
            let host = self.ready.pop_front()?;
            let Some(queue) = self.hosts.get_mut(&host) else { continue };
            queue.is_ready = false;
            match queue.next(self.by_host, is_full) {
                Next::Call(call) => {
                    self.running += 1;
                    if let Some(site) = site_name(call.site()) {
                        *self.sites.entry(site.to_owned()).or_default() += 1;
                    }
                    self.make_ready(&host);
                    return Some(call);
                }
                Next::SiteIsFull => {
                    queue.is_ready = true;
                    self.ready.push_back(host);
                }
                Next::Nothing => {}
            }
        }
        None
    }

    /// Ends a call that [`HostQueues::next`] returned.
    pub(crate) fn done(&mut self, call: &J, had_response: bool) {
        self.running -= 1;
        if let Some(running) = self.sites.get_mut(call.site()) {
            *running -= 1;
            if *running == 0 {
                self.sites.remove(call.site());
            }
        }
        let host = call.host();
        let Some(queue) = self.hosts.get_mut(host) else { return };
        queue.running.remove(call.callback());
        queue.is_unresponsive = !had_response;
        match queue.waiting.is_empty() {
            true if queue.running.is_empty() && had_response => drop(self.hosts.remove(host)),
            true => {}
            false => self.make_ready(host),
        }
        // Those that do not respond are remembered, but not without end.
        if self.hosts.len() > REMEMBERED * self.in_all {
            self.hosts.retain(|_, queue| !queue.waiting.is_empty() || !queue.running.is_empty());
        }
    }

    /// Hosts with enough calls in their queue.
    pub(crate) fn busy_hosts(&self) -> Vec<String> {
        let busy = self.hosts.iter().filter(|(_, queue)| queue.waiting.len() >= self.by_host);
        busy.map(|(host, _)| host.clone()).collect()
    }

    /// Sites with as many calls as their share, in progress or held up by nothing but limits on them.
    pub(crate) fn busy_sites(&self) -> Vec<String> {
        let mut held: HashMap<&str, usize> =
            self.sites.iter().map(|(site, running)| (site.as_str(), *running)).collect();
        let ready = self.ready.iter().filter_map(|host| self.hosts.get(host));
        let waiting = ready.flat_map(|queue| &queue.waiting);
        for site in waiting.filter_map(|call| site_name(call.site())) {
            *held.entry(site).or_default() += 1;
        }
        let busy = held.into_iter().filter(|(_, held)| *held >= self.by_site);
        busy.map(|(site, _)| site.to_owned()).collect()
    }

    /// How many calls to claim at once: where there are many sites not more than the share of one,
    /// because all of them may be of one.
    pub(crate) fn claim_size(&self) -> usize {
        let room = self.room();
        if self.has_sites { room.min(self.by_site) } else { room }
    }

    /// How many further calls may begin soon.
    pub(crate) fn room(&self) -> usize {
        let ready = self.ready.iter().filter_map(|host| self.hosts.get(host));
        let ready: usize = ready.map(|queue| queue.waiting.len()).sum();
        (self.in_all * 2).saturating_sub(self.running + ready)
    }

    /// How many calls are in progress.
    pub(crate) fn running(&self) -> usize {
        self.running
    }

    /// Whether no call waits and none is in progress.
    pub(crate) fn is_idle(&self) -> bool {
        self.running == 0 && self.hosts.values().all(|queue| queue.waiting.is_empty())
    }

    /// Removes and returns all calls that wait.
    pub(crate) fn drain(&mut self) -> Vec<J> {
        self.ready.clear();
        let queues = self.hosts.values_mut();
        queues
            .flat_map(|queue| {
                queue.is_ready = false;
                std::mem::take(&mut queue.waiting)
            })
            .collect()
    }
}

impl<J: HostCall> HostQueue<J> {
    fn next(&mut self, by_host: usize, is_full: impl Fn(&str) -> bool) -> Next<J> {
        let at_once = if self.is_unresponsive { 1 } else { by_host };
        if self.running.len() >= at_once {
            return Next::Nothing;
        }
        let free = |call: &&J| !self.running.contains(call.callback());
        let may_begin = |call: &J| free(&call) && !is_full(call.site());
        match self.waiting.iter().position(may_begin).and_then(|at| self.waiting.remove(at)) {
            Some(call) => {
                self.running.insert(call.callback().to_owned());
                Next::Call(call)
            }
            None if self.waiting.iter().any(|call| free(&call)) => Next::SiteIsFull,
            None => Next::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Call(&'static str, &'static str);

    /// A call with its site, its host and its callback.
    #[derive(Debug, PartialEq, Eq)]
    struct SiteCall(&'static str, &'static str, &'static str);

    impl HostCall for SiteCall {
        fn host(&self) -> &str {
            self.1
        }
        fn callback(&self) -> &str {
            self.2
        }
        fn site(&self) -> &str {
            self.0
        }
    }

    impl HostCall for Call {
        fn host(&self) -> &str {
            self.0
        }
        fn callback(&self) -> &str {
            self.1
        }
        fn site(&self) -> &str {
            ""
        }
    }

    #[test]
    fn hosts_take_turns_within_their_bounds() {
        let mut queues = HostQueues::new(10, 2);
        for callback in ["a1", "a2", "a3"] {
            queues.enqueue(Call("a", callback)).unwrap();
        }
        queues.enqueue(Call("b", "b1")).unwrap();
        let begun: Vec<_> = std::iter::from_fn(|| queues.next()).map(|call| call.1).collect();
        assert_eq!(begun, ["a1", "b1", "a2"], "two of one host at once, and the other between");
        queues.done(&Call("a", "a1"), true);
        assert_eq!(queues.next(), Some(Call("a", "a3")));
        assert_eq!(queues.next(), None);
    }

    #[test]
    fn no_more_than_the_total_are_under_way() {
        let mut queues = HostQueues::new(2, 5);
        for call in [Call("a", "1"), Call("b", "2"), Call("c", "3")] {
            queues.enqueue(call).unwrap();
        }
        assert!(queues.next().is_some() && queues.next().is_some());
        assert_eq!((queues.next(), queues.running()), (None, 2));
        queues.done(&Call("a", "1"), true);
        assert!(queues.next().is_some());
    }

    #[test]
    fn one_subscriber_is_called_once_at_a_time() {
        let mut queues = HostQueues::new(10, 10);
        queues.enqueue(Call("a", "1")).unwrap();
        queues.enqueue(Call("a", "1")).unwrap();
        assert!(queues.next().is_some());
        assert_eq!(queues.next(), None);
        queues.done(&Call("a", "1"), true);
        assert!(queues.next().is_some());
    }

    #[test]
    fn an_unresponsive_host_is_called_once_at_a_time_until_it_responds() {
        let mut queues = HostQueues::new(10, 3);
        for callback in ["1", "2", "3", "4", "5"] {
            queues.enqueue(Call("a", callback)).unwrap();
        }
        queues.next();
        queues.done(&Call("a", "1"), false);
        assert!(queues.next().is_some());
        assert_eq!(queues.next(), None);
        queues.done(&Call("a", "2"), true);
        assert!(queues.next().is_some() && queues.next().is_some());
    }

    #[test]
    fn hosts_that_do_not_respond_are_not_remembered_without_end() {
        let mut queues = HostQueues::new(2, 8);
        for number in 0..1_000 {
            let host: &'static str = format!("{number}.example").leak();
            queues.enqueue(Call(host, "/")).unwrap();
            let call = queues.next().unwrap();
            queues.done(&call, false);
        }
        assert!(queues.hosts.len() <= REMEMBERED * 2, "{}", queues.hosts.len());
    }

    #[test]
    fn a_host_with_enough_to_do_takes_no_more_and_takes_no_room() {
        let mut queues = HostQueues::new(4, 1);
        for _ in 0..WAITING {
            queues.enqueue(Call("a", "1")).unwrap();
        }
        assert_eq!(queues.enqueue(Call("a", "1")), Err(Call("a", "1")));
        assert_eq!(queues.busy_hosts(), ["a"]);
        queues.next();
        assert_eq!(queues.next(), None);
        assert_eq!(queues.room(), 7, "only what is under way counts");
        assert_eq!(queues.drain().len(), WAITING - 1);
        assert!(!queues.is_idle());
        queues.done(&Call("a", "1"), true);
        assert!(queues.is_idle());
    }

    #[test]
    fn a_site_has_a_fourth_of_the_calls_and_holds_up_no_other() {
        let mut queues = HostQueues::new(8, 8);
        for callback in ["1", "2", "3", "4"] {
            queues.enqueue(SiteCall("a.example", "h", callback)).unwrap();
        }
        assert_eq!(queues.busy_sites(), ["a.example"]);
        assert_eq!(queues.claim_size(), 2, "all that is claimed may be of one site");
        queues.enqueue(SiteCall("b.example", "h", "5")).unwrap();
        queues.enqueue(SiteCall("a.example", "i", "6")).unwrap();
        queues.enqueue(SiteCall("b.example", "j", "7")).unwrap();
        let begun: Vec<_> = std::iter::from_fn(|| queues.next()).map(|call| call.2).collect();
        assert_eq!(begun, ["1", "6", "7", "5"]);
        queues.done(&SiteCall("a.example", "h", "1"), true);
        assert_eq!(queues.next(), Some(SiteCall("a.example", "h", "2")));
        assert_eq!(queues.next(), None);
        for call in [SiteCall("a.example", "h", "2"), SiteCall("a.example", "i", "6")] {
            queues.done(&call, true);
        }
        assert!(queues.next().is_some() && queues.next().is_some());
        queues.done(&SiteCall("a.example", "h", "3"), true);
        queues.done(&SiteCall("b.example", "h", "5"), true);
        assert!(queues.busy_sites().is_empty());
    }

    #[test]
    fn the_only_site_of_a_sidecar_may_use_all_places() {
        let mut queues = HostQueues::new(4, 4);
        assert_eq!(queues.claim_size(), 1, "nothing is known of the sites");
        for callback in ["1", "2", "3", "4"] {
            queues.enqueue(Call("a", callback)).unwrap();
        }
        assert_eq!(std::iter::from_fn(|| queues.next()).count(), 4);
        assert!(queues.busy_sites().is_empty());
        assert_eq!(queues.claim_size(), queues.room());
    }
}
