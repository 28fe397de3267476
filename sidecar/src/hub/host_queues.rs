//! The order of calls. Every host has a queue of its own with limits of its own, so that a host
//! that does not respond delays no calls to other hosts.

use std::collections::{HashMap, HashSet, VecDeque};

use super::store::{Delivery, VerificationClaim};

/// A call of a callback.
pub(crate) trait HostCall {
    fn host(&self) -> &str;
    /// Calls of one callback are made one at a time.
    fn callback(&self) -> &str;
}

impl HostCall for Delivery {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }
}

impl HostCall for VerificationClaim {
    fn host(&self) -> &str {
        &self.key.host
    }

    fn callback(&self) -> &str {
        &self.key.callback
    }
}

/// Calls that wait, by host, and how many are in progress.
#[derive(Debug)]
pub(crate) struct HostQueues<J> {
    in_all: usize,
    by_host: usize,
    running: usize,
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

/// Calls of a host that may wait, as a multiple of those that may be in progress.
const WAITING: usize = 8;

impl<J: HostCall> HostQueues<J> {
    pub(crate) fn new(in_all: usize, by_host: usize) -> Self {
        let (hosts, ready) = (HashMap::new(), VecDeque::new());
        Self { in_all: in_all.max(1), by_host: by_host.max(1), running: 0, hosts, ready }
    }

    /// Adds a call, or returns it when the queue of its host is full.
    pub(crate) fn enqueue(&mut self, call: J) -> Result<(), J> {
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
        while let Some(host) = self.ready.pop_front() {
            let by_host = self.by_host;
            let Some(queue) = self.hosts.get_mut(&host) else { continue };
            queue.is_ready = false;
            if let Some(call) = queue.next(by_host) {
                self.running += 1;
                self.make_ready(&host);
                return Some(call);
            }
        }
        None
    }

    /// Ends a call that [`HostQueues::next`] returned.
    pub(crate) fn done(&mut self, host: &str, callback: &str, had_response: bool) {
        self.running -= 1;
        let Some(queue) = self.hosts.get_mut(host) else { return };
        queue.running.remove(callback);
        queue.is_unresponsive = !had_response;
        match queue.waiting.is_empty() {
            true if queue.running.is_empty() && had_response => drop(self.hosts.remove(host)),
            true => {}
            false => self.make_ready(host),
        }
    }

    /// Hosts with enough calls in their queue.
    pub(crate) fn busy_hosts(&self) -> Vec<String> {
        let busy = self.hosts.iter().filter(|(_, queue)| queue.waiting.len() >= self.by_host);
        busy.map(|(host, _)| host.clone()).collect()
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
    fn next(&mut self, by_host: usize) -> Option<J> {
        let at_once = if self.is_unresponsive { 1 } else { by_host };
        if self.running.len() >= at_once {
            return None;
        }
        let free = |call: &J| !self.running.contains(call.callback());
        let at = self.waiting.iter().position(free)?;
        let call = self.waiting.remove(at)?;
        self.running.insert(call.callback().to_owned());
        Some(call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Call(&'static str, &'static str);

    impl HostCall for Call {
        fn host(&self) -> &str {
            self.0
        }
        fn callback(&self) -> &str {
            self.1
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
        queues.done("a", "a1", true);
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
        queues.done("a", "1", true);
        assert!(queues.next().is_some());
    }

    #[test]
    fn one_subscriber_is_called_once_at_a_time() {
        let mut queues = HostQueues::new(10, 10);
        queues.enqueue(Call("a", "1")).unwrap();
        queues.enqueue(Call("a", "1")).unwrap();
        assert!(queues.next().is_some());
        assert_eq!(queues.next(), None);
        queues.done("a", "1", true);
        assert!(queues.next().is_some());
    }

    #[test]
    fn an_unresponsive_host_is_called_once_at_a_time_until_it_responds() {
        let mut queues = HostQueues::new(10, 3);
        for callback in ["1", "2", "3", "4", "5"] {
            queues.enqueue(Call("a", callback)).unwrap();
        }
        queues.next();
        queues.done("a", "1", false);
        assert!(queues.next().is_some());
        assert_eq!(queues.next(), None);
        queues.done("a", "2", true);
        assert!(queues.next().is_some() && queues.next().is_some());
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
        queues.done("a", "1", true);
        assert!(queues.is_idle());
    }
}
