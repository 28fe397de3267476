//! The threads that load sites of one kind, and the sites that wait for one of them. Any thread loads any site, so that
//! one that takes long delays no other; as many load side by side as there are threads.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
};

use super::{Signal, Site};

/// The threads of one kind; see the module.
#[derive(Debug)]
pub(crate) struct LoadingThreads {
    threads: Vec<Sender<Signal>>,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    sites: VecDeque<Arc<Site>>,
    /// The thread that has opened a site, by the site's name: sites that have a name one after the other have one state
    /// folder.
    opened: HashMap<String, usize>,
}

impl Waiting {
    fn next(&self, thread: usize) -> Option<usize> {
        let may_open =
            |site: &Arc<Site>| self.opened.get(site.name()).is_none_or(|opened| *opened == thread);
        self.sites.iter().position(may_open)
    }
}

impl LoadingThreads {
    pub(crate) fn new(threads: Vec<Sender<Signal>>) -> Arc<Self> {
        Arc::new(Self { threads, waiting: Mutex::default() })
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a signal to every thread; those that have not opened the site ignore it.
    pub(super) fn send(&self, signal: &Signal) {
        for thread in &self.threads {
            // Fails only while stopping.
            let _ = thread.send(signal.clone());
        }
    }

    /// Adds a site that waits to be loaded.
    pub(super) fn load(&self, site: Arc<Site>) {
        self.waiting().sites.push_back(site);
        self.send(&Signal::Load);
    }

    /// Whether there is a waiting site that this thread may load.
    pub(crate) fn has_work(&self, thread: usize) -> bool {
        self.waiting().next(thread).is_some()
    }

    /// Returns the first waiting site, unless another thread has opened it. This thread has opened it then.
    pub(crate) fn take(&self, thread: usize) -> Option<Arc<Site>> {
        let mut waiting = self.waiting();
        let site = waiting.next(thread).and_then(|at| waiting.sites.remove(at))?;
        waiting.opened.insert(site.name().to_owned(), thread);
        Some(site)
    }

    /// Records that any thread may open the site of this name.
    pub(crate) fn closed(&self, name: &str) {
        self.waiting().opened.remove(name);
        self.send(&Signal::Load);
    }
}
