//! The sites of one thread: the times at which each is checked, loaded, watched and unloaded.

use std::{
    collections::{BTreeSet, HashMap},
    io,
    path::PathBuf,
    sync::{
        Arc, Weak,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::watch::{folder_names, watcher};
use crate::{
    config::Config,
    loading::load::{Loader, OpenError},
    publication::{published::PublicationRefusal, snapshot::Snapshot},
    runtime::{random::Random, state::StateDir, stop::Stop},
    sites::{
        Sites,
        site::{LoadingThreads, Signal, Site},
    },
    source::{LoadError, NextPoll, PollSchedule, Public, SourceOpener},
};

/// The wait after a folder was first refused; it doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(250);

/// The fraction by which a wait between two requests to a web server may be shorter or longer.
const SPREAD: f64 = 0.2;

/// A site of this thread.
struct Job {
    site: Arc<Site>,
    /// The names that the system may use for the site's folder; none for a site at an address.
    folder_names: Vec<PathBuf>,
    loader: Loader,
    schedule: Schedule,
    due: Option<Instant>,
    /// Whether it is due because of a change.
    is_settling: bool,
    /// The time before which it is not tried again, because it was refused.
    retry_at: Option<Instant>,
    /// The snapshot that was last loaded.
    loaded: Weak<Snapshot>,
}

/// The sites of a thread, and the time of the next check of each.
pub(super) struct Jobs {
    config: Config,
    sites: Arc<Sites>,
    state: Arc<StateDir>,
    opener: SourceOpener,
    by_id: HashMap<u64, Job>,
    due: BTreeSet<(Instant, u64)>,
    /// The sites that are to be loaded by this thread or another.
    loading: Arc<LoadingThreads>,
    /// The number of this thread.
    thread: usize,
    /// Whether sites that are due have the next turn.
    is_turn_of_due: bool,
    watch: Option<RecommendedWatcher>,
}

impl Jobs {
    pub(super) fn new(
        config: Config,
        sites: Arc<Sites>,
        state: Arc<StateDir>,
        stop: Stop,
        signals: Sender<Signal>,
        (loading, thread): (Arc<LoadingThreads>, usize),
    ) -> Self {
        let opener = SourceOpener::new(config.remote.clone(), stop);
        let (by_id, due, watch) = (HashMap::new(), BTreeSet::new(), watcher(signals));
        let is_turn_of_due = false;
        Self { config, sites, state, opener, by_id, due, loading, thread, is_turn_of_due, watch }
    }

    /// Loads the only site of a process; calls `started` once the process may answer.
    pub(super) fn begin(&mut self, started: impl Fn()) -> Result<(), OpenError> {
        let Some(site) = self.sites.only() else {
            started();
            return Ok(());
        };
        self.open(&site)?;
        if let Some(job) = self.by_id.get_mut(&site.id) {
            job.loader.restore();
            if job.loader.is_remote() {
                started();
            }
        }
        self.check(site.id);
        started();
        Ok(())
    }

    pub(super) fn run(&mut self, signals: &Receiver<Signal>) {
        loop {
            let next = match self.due.first() {
                _ if self.loading.has_work(self.thread) => signals.recv_timeout(Duration::ZERO),
                Some((at, _)) => signals.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => signals.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                // All signals are taken before a site is loaded or checked.
                Ok(signal) => self.take(signal),
                Err(RecvTimeoutError::Timeout) => self.work(),
            }
        }
    }

    fn take(&mut self, signal: Signal) {
        match signal {
            Signal::Changed(site) => self.changed(site.id),
            Signal::Written(folders) => {
                // Without folders it may be any.
                let is_written = |job: &&Job| {
                    if folders.is_empty() {
                        !job.folder_names.is_empty()
                    } else {
                        job.folder_names.iter().any(|name| folders.contains(name))
                    }
                };
                let written = self.by_id.values().filter(is_written).map(|job| job.site.id);
                for id in written.collect::<Vec<_>>() {
                    self.changed(id);
                }
            }
            Signal::Unload(site) => self.unload(&site),
            Signal::Remove(site) => self.remove(&site),
            Signal::Load | Signal::Stop => {}
        }
    }

    /// Delays the check after a change until no more changes can be expected, but not longer than a maximum, so that a
    /// folder that always changes is checked too.
    fn changed(&mut self, id: u64) {
        let Some(job) = self.by_id.get_mut(&id) else { return };
        let soon = Instant::now() + self.config.settle;
        job.schedule.polls.reset();
        let is_settling = std::mem::replace(&mut job.is_settling, true);
        let at = match job.schedule.hold_off() {
            Some(_) if is_settling => return,
            Some(left) => {
                let seconds = left.as_secs();
                tracing::info!(seconds, "postponed a ping: the source sent Retry-After");
                Instant::now() + left
            }
            None => job.due.filter(|_| is_settling).unwrap_or(soon),
        };
        self.set_due(id, Some(at));
    }

    fn set_due(&mut self, id: u64, at: Option<Instant>) {
        let Some(job) = self.by_id.get_mut(&id) else { return };
        if let Some(due) = job.due.take() {
            self.due.remove(&(due, id));
        }
        job.due = at;
        self.due.extend(at.map(|at| (at, id)));
    }

    /// Loads a site and checks one that is due, in turn.
    fn work(&mut self) {
        let due = self.due.first().filter(|(at, _)| *at <= Instant::now()).map(|(_, id)| *id);
        self.is_turn_of_due = !self.is_turn_of_due;
        match due {
            Some(id) if self.is_turn_of_due || !self.loading.has_work(self.thread) => {
                self.check(id)
            }
            _ => {
                if let Some(site) = self.loading.take(self.thread) {
                    let begun = Instant::now();
                    self.load(&site);
                    if site.published.current().is_some() {
                        site.rest(begun.elapsed());
                    }
                    site.was_tried();
                    self.release(&site);
                }
            }
        }
    }

    /// Lets other threads open a site that this one has not opened.
    fn release(&self, site: &Site) {
        if !self.by_id.values().any(|job| job.site.name() == site.name()) {
            self.loading.closed(site.name());
        }
    }

    /// Loads a site: first the last served publication, then the present one. A site that was refused waits for its
    /// next try, however often it is requested.
    fn load(&mut self, site: &Arc<Site>) {
        let now = Instant::now();
        let waits = |job: &Job| job.retry_at.is_some_and(|at| at > now);
        if self.by_id.get(&site.id).is_some_and(waits) || site.is_removed() {
            return;
        }
        self.restore(site);
        if site.published.current().is_none() {
            // Its source may have been read before: it is read again.
            let before = self.close(site);
            if let Err(error) = self.open(site) {
                tracing::error!(%error, site = site.name(), "cannot open the site");
                let error = LoadError::Store(io::Error::other(error.to_string()));
                let refusal = PublicationRefusal::new(&error, now);
                return site.published.set_refusal(Some(refusal));
            }
            match before.zip(self.by_id.get_mut(&site.id)) {
                Some((before, job)) => job.schedule = before.schedule,
                None => self.restore(site),
            }
        }
        self.check(site.id);
    }

    /// Serves the last served publication of a site, unless the site is served.
    fn restore(&mut self, site: &Site) {
        let job = self.by_id.get_mut(&site.id).filter(|_| site.published.current().is_none());
        if let Some(job) = job {
            let _span = span(site).entered();
            job.loader.restore();
        }
    }

    /// Ends the work on a site, until it is opened again.
    fn close(&mut self, site: &Site) -> Option<Job> {
        self.set_due(site.id, None);
        let job = self.by_id.remove(&site.id)?;
        self.watch(site, false);
        Some(job)
    }

    fn open(&mut self, site: &Arc<Site>) -> Result<(), OpenError> {
        let site_of_list = (site.clone(), self.sites.clone());
        let loader = Loader::open(&self.config, site_of_list, &self.state, &self.opener)?;
        let schedule = Schedule::new(&self.config, site);
        self.watch(site, true);
        site.may_be_unloaded();
        self.by_id.insert(
            site.id,
            Job {
                site: site.clone(),
                folder_names: folder_names(&site.public),
                loader,
                schedule,
                due: None,
                is_settling: false,
                retry_at: None,
                loaded: Weak::new(),
            },
        );
        Ok(())
    }

    fn check(&mut self, id: u64) {
        let Some(job) = self.by_id.get_mut(&id) else { return };
        let site = job.site.clone();
        let next = {
            let _span = span(&site).entered();
            job.loader.check()
        };
        let at = Instant::now() + job.schedule.after(next);
        job.is_settling = false;
        job.retry_at = matches!(next, NextPoll::Refused(_)).then_some(at);
        let current = site.published.current();
        // A site that is neither loaded nor followed is checked when it is requested.
        let is_due = site.is_only() || current.is_some() || site.is_followed();
        self.set_due(id, is_due.then_some(at));
        if let Some((snapshot, job)) = current.zip(self.by_id.get_mut(&id))
            && job.loaded.as_ptr() != Arc::as_ptr(&snapshot)
        {
            job.loaded = Arc::downgrade(&snapshot);
            self.sites.was_loaded(&site, snapshot.memory());
        }
    }

    fn unload(&mut self, site: &Arc<Site>) {
        let Some(job) = self.by_id.get_mut(&site.id).filter(|_| !site.is_only()) else { return };
        site.may_be_unloaded();
        if !job.loader.unload() {
            return;
        }
        self.sites.forget(site);
        // One with subscribers is still checked.
        if !site.is_followed() {
            self.close(site);
            self.release(site);
        }
    }

    fn remove(&mut self, site: &Arc<Site>) {
        if self.close(site).is_some() {
            self.release(site);
        }
        site.published.clear();
        self.sites.forget(site);
        site.was_tried();
    }

    /// Watches the directory, because the manifest, which is written last, is replaced by renaming.
    fn watch(&mut self, site: &Site, begins: bool) {
        let (Public::Folder(public), Some(watch)) = (&site.public, &mut self.watch) else { return };
        if begins {
            if let Err(error) = watch.watch(public, RecursiveMode::NonRecursive) {
                let public = public.display();
                tracing::warn!(
                    %error, %public, "cannot watch the public directory: polling it only"
                );
            }
        // Another site may be in the same folder.
        } else if self.by_id.values().all(|job| job.site.public != site.public) {
            // Fails where it was not watched.
            drop(watch.unwatch(public));
        }
    }
}

/// Returns the span that names the site in log lines, if there are several.
fn span(site: &Site) -> tracing::Span {
    if site.is_only() {
        tracing::Span::none()
    } else {
        tracing::info_span!("site", name = site.name())
    }
}

/// The time of the next check of a site, and the health to which it is reported.
struct Schedule {
    polls: PollSchedule,
    site: Arc<Site>,
    random: Random,
    hold_off_until: Instant,
}

impl Schedule {
    fn new(config: &Config, site: &Arc<Site>) -> Self {
        let (poll, remote) = (config.poll_interval_of(&site.public), &config.remote);
        let polls = match site.public {
            Public::Folder(_) => PollSchedule::new(poll, FIRST_RETRY, poll, 0.0),
            Public::Url(_) => {
                PollSchedule::new(poll, remote.first_retry, remote.longest_retry, SPREAD)
            }
        };
        let (site, random) = (site.clone(), Random::new());
        Self { polls, site, random, hold_off_until: Instant::now() }
    }

    /// Returns the wait after a check.
    fn after(&mut self, next: NextPoll) -> Duration {
        let wait = self.polls.after(next, self.random.chance());
        self.hold_off_until = Instant::now() + next.hold_off();
        self.site.health.next_in(wait);
        wait
    }

    /// Returns the rest of the source's `Retry-After`.
    fn hold_off(&self) -> Option<Duration> {
        let left = self.hold_off_until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}
