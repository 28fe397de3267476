//! The threads that keep snapshots current. The file system or a publisher's ping wakes them, and they
//! poll, because a watch may miss a change (network file systems, replaced folders) and a web server
//! reports none. A site belongs to one thread while it is open.

mod jobs;
mod watch;

use std::{
    io,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::JoinHandle,
    time::Duration,
};

use self::jobs::Jobs;
use crate::{
    config::Config,
    loading::load::OpenError,
    runtime::{
        background,
        limits::{LOADING_ADDRESSES, LOADING_FOLDERS},
        state::StateDir,
        stop::Stop,
    },
    sites::{
        Publications, Sites,
        site::{LoadingThreads, Signal},
    },
};

/// The threads that keep snapshots current. Dropping this ends them and releases the state directory.
#[derive(Debug)]
pub(crate) struct Reloader {
    stop: Stop,
    threads: Vec<(Sender<Signal>, JoinHandle<()>)>,
    list: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Reloader {
    /// Opens the sites. The only site of a process is loaded: it serves the publication of the last process, and a
    /// folder is checked before this returns; a remote site is not waited for. The sites of a list are loaded when they
    /// are requested.
    ///
    /// # Errors
    /// When the list or a site cannot be opened, or the system refuses a thread.
    pub(crate) fn start(config: &Config, state: StateDir) -> Result<(Self, Arc<Sites>), OpenError> {
        let (folders, addresses) = match config.publications {
            Publications::One(_) => (1, 0),
            Publications::Many(_) => (LOADING_FOLDERS, LOADING_ADDRESSES),
        };
        let channels = (0..folders + addresses).map(|_| mpsc::channel());
        let (senders, receivers): (Vec<_>, Vec<_>) = channels.unzip();
        let [of_folders, of_addresses] = match senders.split_at(folders) {
            (only, []) => [only, only],
            (folders, addresses) => [folders, addresses],
        }
        .map(|senders| LoadingThreads::new(senders.to_vec()));
        let sites = Arc::new(Sites::new(
            &config.publications,
            config.memory,
            config.refusal_limit,
            [of_folders.clone(), of_addresses.clone()],
        )?);
        sites.remove_states(state.path());
        let (stop, state) = (Stop::default(), Arc::new(state));
        let mut this = Self { stop: stop.clone(), threads: Vec::new(), list: None };
        for (number, (sender, received)) in senders.into_iter().zip(receivers).enumerate() {
            let (report, started) = mpsc::channel();
            let (config, sites) = (config.clone(), sites.clone());
            let (state, stop, signals) = (state.clone(), stop.clone(), sender.clone());
            let loading = if number < folders { &of_folders } else { &of_addresses }.clone();
            let thread = background::spawn("reload", move || {
                let mut jobs = Jobs::new(config, sites, state, stop, signals, (loading, number));
                // `start` waits for this.
                match jobs.begin(|| drop(report.send(Ok(())))) {
                    Ok(()) => jobs.run(&received),
                    Err(error) => drop(report.send(Err(error))),
                }
            })?;
            this.threads.push((sender, thread));
            started.recv().map_err(|error| OpenError::Thread(io::Error::other(error)))??;
        }
        if sites.list().is_some() {
            this.list = Some(follow_list(sites.clone(), config.poll_interval)?);
        }
        Ok((this, sites))
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        self.stop.ask();
        if let Some((stop, thread)) = self.list.take() {
            drop(stop);
            let _ = thread.join();
        }
        // Each fails only when the thread is gone already.
        for (signals, _) in &self.threads {
            let _ = signals.send(Signal::Stop);
        }
        for (_, thread) in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Reads the list of sites at this interval, until the sender is dropped.
fn follow_list(sites: Arc<Sites>, interval: Duration) -> io::Result<(Sender<()>, JoinHandle<()>)> {
    let (stop, stopped) = mpsc::channel();
    let thread = background::spawn("sites", move || {
        while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
            sites.read_list();
            // A response may have kept one that was to make room.
            sites.make_room(None);
        }
    })?;
    Ok((stop, thread))
}
