//! The open connections by client network. If there are too many, one is closed so that a newcomer has a place: that of
//! the network with the most which has been idle for longest.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    task::Context,
    time::Instant,
};

use futures_util::task::AtomicWaker;
use ipnet::IpNet;

use crate::transport::shares::largest;

/// One of this many places is for connections that are being closed.
const CLOSING: usize = 16;

/// The number added to the time of a connection whose request is being answered, so that idle ones sort before it.
const BUSY: u64 = 1 << 63;

/// The open connections of all workers.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    most_of_network: usize,
    started: Instant,
    open: Mutex<Vec<Arc<State>>>,
}

/// A connection's place, until this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    connections: Arc<Connections>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    /// The network; `None` for a proxy: its connections are those of many clients, and are not closed.
    network: Option<IpNet>,
    /// The time since which it is idle, or its request is answered: in microseconds, with [`BUSY`].
    since: AtomicU64,
    is_closed: AtomicBool,
    task: AtomicWaker,
}

impl State {
    fn since(&self) -> u64 {
        self.since.load(SeqCst)
    }
}

impl Connections {
    /// Makes this many places, with a share for each network.
    pub(crate) fn new(total: usize) -> Arc<Self> {
        let (most, most_of_network) = (total - total.div_ceil(CLOSING), largest(total));
        let (started, open) = (Instant::now(), Mutex::default());
        Arc::new(Self { most: most.max(1), most_of_network, started, open })
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<State>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(BUSY - 1)
    }

    /// Returns a place for a connection of this network, and whether another connection is closed for it.
    pub(crate) fn place(self: &Arc<Self>, network: Option<IpNet>) -> (Place, bool) {
        let mut open = self.open();
        let in_the_way = self.in_the_way(&open, network);
        if let Some(connection) = in_the_way {
            connection.is_closed.store(true, SeqCst);
            connection.task.wake();
        }
        let closes = in_the_way.is_some();
        let (since, is_closed, task) =
            (self.now().into(), AtomicBool::default(), AtomicWaker::new());
        let state = Arc::new(State { network, since, is_closed, task });
        open.push(state.clone());
        (Place { connections: self.clone(), state }, closes)
    }

    /// Returns the connection that a newcomer replaces, if there are too many of its network or of all.
    fn in_the_way<'a>(
        &self,
        open: &'a [Arc<State>],
        newcomer: Option<IpNet>,
    ) -> Option<&'a Arc<State>> {
        let open = || open.iter().filter(|connection| !connection.is_closed.load(SeqCst));
        let own = || open().filter(|open| newcomer.is_some() && open.network == newcomer);
        if own().count() >= self.most_of_network {
            return own().min_by_key(|open| open.since());
        }
        if open().count() < self.most {
            return None;
        }
        let mut idlest: HashMap<IpNet, (usize, &Arc<State>)> = HashMap::new();
        for (network, connection) in open().filter_map(|open| Some((open.network?, open))) {
            let (count, first) = idlest.entry(network).or_insert((0, connection));
            *count += 1;
            if connection.since() < first.since() {
                *first = connection;
            }
        }
        let largest = idlest.into_values();
        largest
            .max_by_key(|(count, first)| (*count, Reverse(first.since())))
            .map(|(_, first)| first)
    }
}

impl Place {
    /// Records that a request has arrived.
    pub(crate) fn begins_answer(&self) {
        self.state.since.store(BUSY | self.connections.now(), SeqCst);
    }

    /// Records that the response has been sent.
    pub(crate) fn ends_answer(&self) {
        if self.is_busy() {
            self.state.since.store(self.connections.now(), SeqCst);
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.state.since() & BUSY != 0
    }

    /// Whether the connection is to be closed. The task is woken when it is.
    pub(crate) fn poll_closed(&self, cx: &Context<'_>) -> bool {
        self.state.task.register(cx.waker());
        self.state.is_closed.load(SeqCst)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        if let Some(at) = open.iter().position(|open| Arc::ptr_eq(open, &self.state)) {
            open.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Option<IpNet> {
        Some(text.parse().unwrap())
    }

    fn closed(places: &[Place]) -> Vec<usize> {
        let is_closed = |at: &usize| places[*at].state.is_closed.load(SeqCst);
        (0..places.len()).filter(is_closed).collect()
    }

    /// Makes places of these networks, the first at the earliest time.
    fn places(connections: &Arc<Connections>, networks: &[&str]) -> Vec<Place> {
        let place = |(at, text): (u64, &&str)| {
            let place = connections.place(network(text)).0;
            place.state.since.store(at, SeqCst);
            place
        };
        (0..).zip(networks).map(place).collect()
    }

    #[test]
    fn the_idlest_of_the_largest_network_makes_room() {
        // 15 places, of which a network has 4.
        let connections = Connections::new(16);
        let (a, b, c, d) = ("1.0.0.0/24", "2.0.0.0/24", "3.0.0.0/24", "2001:db8:1::/48");
        let mut places = places(&connections, &[a, b, b, b, c, c, c, d, d, d, b, a, c, d]);
        let (proxy, closes) = connections.place(None);
        assert!(!closes && closed(&places).is_empty(), "room for all");
        places[1].begins_answer();
        places.push(proxy);
        let (_other, closes) = connections.place(network("9.9.9.0/24"));
        assert!(closes);
        assert_eq!(closed(&places), [2], "the idle one that is first of the four of b");
        let (_another, closes) = connections.place(network(a));
        assert!(closes);
        assert_eq!(closed(&places), [2, 4], "then of c, which has the most");
        // A place that is free again is taken.
        places.drain(..5);
        assert!(!connections.place(network("9.9.9.0/24")).1);
    }

    #[test]
    fn a_network_beyond_its_share_replaces_its_own() {
        let connections = Connections::new(16);
        let (a, b) = ("1.0.0.0/24", "2.0.0.0/24");
        let places = places(&connections, &[b, a, a, a, a]);
        let (newcomer, closes) = connections.place(network(a));
        assert!(closes);
        assert_eq!(closed(&places), [1]);
        places[2..].iter().chain([&newcomer]).for_each(Place::begins_answer);
        let (last, closes) = connections.place(network(a));
        assert!(closes);
        assert_eq!(closed(&places), [1, 2], "the longest response where none is idle");
        places[3].ends_answer();
        assert!(!places[3].is_busy() && places[4].is_busy());
        drop((places, newcomer, last));
        assert_eq!(connections.open().len(), 0);
    }
}
