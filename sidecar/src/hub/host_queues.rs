//! The order of calls. Every host has a queue of its own with limits of its own, so that a host
//! that does not respond delays no calls to other hosts. Where the hub serves many sites, each has a
//! share of the calls in progress, so that the subscribers of one delay no calls of other sites.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};

use super::store::{Delivery, VerificationClaim, site_name};
use crate::runtime::limits::SHARES;

/// A call of a callback.
pub(crate) trait HostCall {
    fn host(&self) -> &str;
    /// Returns the callback; calls of one callback are made one at a time.
    fn callback(&self) -> &str;
    /// Returns the site's name in the store; empty for the only site of a sidecar, which may use all places.
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
    /// Whether the newest call was of a site that has a name: there are many sites.
    has_sites: bool,
    hosts: HashMap<String, HostQueue<J>>,
    /// The hosts with a call that may begin, in turn.
    ready: VecDeque<String>,
}

#[derive(Debug)]
struct HostQueue<J> {
    waiting: VecDeque<J>,
    /// Callbacks with a call in progress.
    running: HashSet<String>,
    is_ready: bool,
    /// Whether the last call got no response.
    is_unresponsive: bool,
}

impl<J> Default for HostQueue<J> {
    fn default() -> Self {
        let (waiting, running) = (VecDeque::new(), HashSet::new());
        Self { waiting, running, is_ready: false, is_unresponsive: false }
    }
}

/// The next call that a host can begin.
enum Next<J> {
    Call(J),
    /// The host can begin none until another call of the same site ends.
    SiteIsFull,
    Nothing,
}

/// Maximum number of hosts in memory, as a multiple of the calls that may be in progress; above it those without a call
/// are dropped.
const REMEMBERED: usize = 16;

/// Maximum number of waiting calls of a host, as a multiple of those that may be in progress.
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

    /// Returns the next call to begin, within the limits; [`HostQueues::done`] ends it.
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
        if !queue.waiting.is_empty() {
            self.make_ready(host);
        } else if queue.running.is_empty() && had_response {
            self.hosts.remove(host);
        }
        // Those that do not respond are remembered, but not without end.
        if self.hosts.len() > REMEMBERED * self.in_all {
            self.hosts.retain(|_, queue| !queue.waiting.is_empty() || !queue.running.is_empty());
        }
    }

    /// Returns the hosts with enough calls in their queue.
    pub(crate) fn busy_hosts(&self) -> Vec<String> {
        let busy = self.hosts.iter().filter(|(_, queue)| queue.waiting.len() >= self.by_host);
        busy.map(|(host, _)| host.clone()).collect()
    }

    /// Returns the sites with as many calls as their share, in progress or delayed only by limits on them.
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

    /// Returns the number of calls to claim at once: where there are many sites not more than the share of one, because
    /// all of them may be of one.
    pub(crate) fn claim_size(&self) -> usize {
        let room = self.room();
        if self.has_sites { room.min(self.by_site) } else { room }
    }

    /// Returns the number of further calls that may begin soon.
    pub(crate) fn room(&self) -> usize {
        let ready = self.ready.iter().filter_map(|host| self.hosts.get(host));
        let ready: usize = ready.map(|queue| queue.waiting.len()).sum();
        (self.in_all * 2).saturating_sub(self.running + ready)
    }

    /// Returns the number of calls in progress.
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
