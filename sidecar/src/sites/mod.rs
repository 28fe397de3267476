//! The sites of this process: one that answers to every host name, or a list from which the host name of a request
//! selects one. `site` is one of them, `list` reads the list.

mod list;
pub(crate) mod site;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
    fmt, fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::Ordering::Relaxed,
    },
    time::{Duration, Instant},
};

pub use list::ListError;

use tokio::sync::Notify;
use tracing::field::display;

use crate::{
    sites::site::{LoadingThreads, SITES, Site},
    source::Public,
};

/// The publications that a sidecar serves.
#[derive(Clone, Debug)]
pub enum Publications {
    /// One site, which answers to every host name.
    One(Public),
    /// The sites of a list, selected by host name: a folder with one publication each, or a file with the folder or
    /// address of each.
    Many(PathBuf),
}

impl fmt::Display for Publications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(public) => public.fmt(f),
            Self::Many(list) => list.display().fmt(f),
        }
    }
}

/// The sites, shared by the threads that load them and the routes.
#[derive(Debug)]
pub(crate) struct Sites {
    by_host: RwLock<HashMap<String, Arc<Site>>>,
    /// The path of the list; `None` for a process with one site.
    list: Option<PathBuf>,
    /// Locked while the list is read and applied.
    reading: Mutex<()>,
    /// The reason why the list could not be read last.
    list_fault: Mutex<Option<String>>,
    loaded: Mutex<Loaded>,
    /// The sites of the list by what only one of them can have: the key of the manifest, and its value.
    owners: Mutex<HashMap<(&'static str, String), Arc<Site>>>,
    memory: u64,
    threads: [Arc<LoadingThreads>; 2],
    refusal_limit: Duration,
    started: Instant,
    next_id: Mutex<u64>,
    changed: Notify,
}

/// The sites that are in memory, and the bytes of each.
#[derive(Debug, Default)]
struct Loaded {
    sites: BTreeMap<u64, (Arc<Site>, u64)>,
    loads: u64,
    unloads: u64,
}

/// The numbers of sites and bytes in memory, for operators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadedCounts {
    pub(crate) sites: usize,
    pub(crate) bytes: u64,
    pub(crate) loads: u64,
    pub(crate) unloads: u64,
}

impl Sites {
    /// Makes the sites, which these threads load: those in folders the first, those at addresses the others. `memory`
    /// is the maximum bytes of those of a list.
    ///
    /// # Errors
    /// When there is a list and it cannot be read.
    pub(crate) fn new(
        publications: &Publications,
        memory: u64,
        refusal_limit: Duration,
        threads: [Arc<LoadingThreads>; 2],
    ) -> Result<Self, ListError> {
        let list = match publications {
            Publications::One(_) => None,
            Publications::Many(list) => Some(list.clone()),
        };
        let sites = Self {
            by_host: RwLock::default(),
            list,
            reading: Mutex::default(),
            list_fault: Mutex::default(),
            loaded: Mutex::default(),
            owners: Mutex::default(),
            memory,
            threads,
            refusal_limit,
            started: Instant::now(),
            next_id: Mutex::default(),
            changed: Notify::new(),
        };
        match publications {
            Publications::Many(path) => sites.apply(list::read(path)?),
            Publications::One(public) => {
                let only = sites.make(Vec::new(), public.clone());
                sites.write().insert(String::new(), only);
            }
        }
        Ok(sites)
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<String, Arc<Site>>> {
        self.by_host.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<String, Arc<Site>>> {
        self.by_host.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_loaded(&self) -> MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, hosts: Vec<String>, public: Public) -> Arc<Site> {
        let id = {
            let mut next = self.next_id.lock().unwrap_or_else(PoisonError::into_inner);
            *next += 1;
            *next
        };
        let [folders, addresses] = &self.threads;
        let threads = if matches!(public, Public::Url(_)) { addresses } else { folders };
        Site::new(id, hosts, public, self.refusal_limit, threads.clone(), self.started)
    }

    /// Returns the only site of this process.
    pub(crate) fn only(&self) -> Option<Arc<Site>> {
        self.list.is_none().then(|| self.by_name("")).flatten()
    }

    /// Returns the site of this host name, as it is in a request, with or without a port.
    pub(crate) fn of_host(&self, host: &str) -> Option<Arc<Site>> {
        let by_host = self.read();
        match self.list {
            None => by_host.get("").cloned(),
            Some(_) => by_host.get(&*normal(host)).cloned(),
        }
    }

    /// Returns the site of this name, as the hub's store has it. Other host names of a site do not count.
    pub(crate) fn by_name(&self, name: &str) -> Option<Arc<Site>> {
        self.read().get(name).filter(|site| site.name() == name).cloned()
    }

    /// Returns every site once, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Site>> {
        let by_host = self.read();
        let named = by_host.iter().filter(|(host, site)| site.name() == *host);
        let mut sites: Vec<_> = named.map(|(_, site)| site.clone()).collect();
        sites.sort_by(|a, b| a.name().cmp(b.name()));
        sites
    }

    /// Returns the reason why the list of sites could not be read last; the one before is used.
    pub(crate) fn list_fault(&self) -> Option<String> {
        self.list_fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the path of the list.
    pub(crate) fn list(&self) -> Option<&Path> {
        self.list.as_deref()
    }

    /// Reads the list again: sites that it no longer has are removed, new ones are served.
    pub(crate) fn read_list(&self) {
        let Some(path) = &self.list else { return };
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let is_serving = !self.read().is_empty();
        let fault = match list::read(path) {
            // A folder that is not mounted, or a file that is being written.
            Ok(listed) if listed.is_empty() && is_serving => {
                Some(ListError::Empty { path: path.clone() }.to_string())
            }
            Ok(listed) => {
                self.apply(listed);
                None
            }
            Err(error) => Some(error.to_string()),
        };
        let mut last = self.list_fault.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = fault.as_ref().filter(|reason| last.as_ref() != Some(reason)) {
            tracing::error!(%reason, "the sites stay as they are");
        }
        *last = fault;
    }

    fn apply(&self, listed: Vec<list::ListedSite>) {
        let before = self.all();
        let known: HashMap<&[String], &Arc<Site>> =
            before.iter().map(|site| (&*site.hosts, site)).collect();
        let mut by_host = HashMap::new();
        let mut added = Vec::new();
        for list::ListedSite { hosts, public } in listed {
            let same = known.get(&*hosts).filter(|site| site.public == public);
            let site = match same {
                Some(same) => Arc::clone(same),
                None => {
                    let site = self.make(hosts, public);
                    let last = before.iter().find(|last| last.name() == site.name());
                    added.push((site.clone(), last.is_some_and(|last| last.is_followed())));
                    site
                }
            };
            by_host.extend(site.hosts.iter().map(|host| (host.clone(), site.clone())));
        }
        let removed: Vec<_> = before
            .into_iter()
            .filter(|site| by_host.get(site.name()).is_none_or(|now| now.id != site.id))
            .collect();
        if !added.is_empty() || !removed.is_empty() {
            tracing::info!(added = added.len(), removed = removed.len(), "read the list of sites");
        }
        for (site, _) in &added {
            if let Public::Folder(folder) = &site.public
                && !folder.exists()
            {
                let list = self.list.as_ref().map(|list| display(list.display()));
                let (site, folder) = (site.name(), display(folder.display()));
                tracing::warn!(list, site, folder, "no such folder: correct the list, or publish");
            }
        }
        for site in &removed {
            // Before anybody can ask for a site of the same name, which has the same state folder.
            site.remove();
        }
        *self.write() = by_host;
        added.iter().for_each(|(site, is_followed)| site.set_followed(*is_followed));
    }

    /// Removes the states of sites that the list no longer has, once at the start: a list that is
    /// incomplete for a moment removes nothing.
    pub(crate) fn remove_states(&self, state: &Path) {
        if self.read().is_empty() {
            return;
        }
        let is_listed = |name: &str| self.by_name(name).is_some();
        for folder in fs::read_dir(state.join(SITES)).into_iter().flatten().flatten() {
            if folder.file_name().to_str().is_some_and(is_listed) {
                continue;
            }
            if let Err(error) = fs::remove_dir_all(folder.path()) {
                let folder = folder.path();
                tracing::warn!(%error, folder = %folder.display(), "cannot remove the state of a site");
            }
        }
    }

    /// Sets the sites that have subscribers.
    pub(crate) fn follow(&self, names: &[String]) {
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        for site in self.all() {
            site.set_followed(names.contains(site.name()));
        }
    }

    /// Gives a site a value that only one site can have, such as its base_url. Returns the other site of the list that
    /// has it. What a manifest does not say is empty.
    pub(crate) fn claim(
        &self,
        site: &Arc<Site>,
        key: &'static str,
        value: &str,
    ) -> Option<Arc<Site>> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.retain(|_, owner| !owner.is_removed());
        let claimed = (key, value.to_owned());
        let other = owners.get(&claimed).filter(|owner| owner.id != site.id);
        if let Some(other) = other.filter(|_| !value.is_empty()) {
            return Some(other.clone());
        }
        owners.retain(|(of, _), owner| *of != key || owner.id != site.id);
        owners.insert(claimed, site.clone());
        None
    }

    /// Records that a publication of a site has been loaded.
    pub(crate) fn was_loaded(&self, site: &Arc<Site>, bytes: u64) {
        let mut loaded = self.lock_loaded();
        loaded.loads += 1;
        loaded.sites.insert(site.id, (site.clone(), bytes));
        drop(loaded);
        self.changed.notify_one();
        self.make_room(Some(site.id));
    }

    /// Unloads the sites of the list that were used least recently while all of them need more memory than there is for
    /// them. The one that was just loaded remains, or else the one used last.
    pub(crate) fn make_room(&self, just_loaded: Option<u64>) {
        let loaded = self.lock_loaded();
        let mut sum: u64 = loaded.sites.values().map(|(_, bytes)| bytes).sum();
        if sum <= self.memory || self.list.is_none() {
            return;
        }
        let mut sites: Vec<_> = loaded.sites.values().cloned().collect();
        drop(loaded);
        // Cached, because requests change the key meanwhile.
        sites.sort_by_cached_key(|(site, _)| {
            (Some(site.id) == just_loaded, site.last_used.load(Relaxed))
        });
        sites.pop();
        for (site, bytes) in sites {
            if sum <= self.memory {
                return;
            }
            sum = sum.saturating_sub(bytes);
            site.ask_to_unload();
        }
    }

    /// Is ready once a publication was loaded since this was last ready. One task waits at a time.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Returns the sites that are in memory.
    pub(crate) fn loaded(&self) -> Vec<Arc<Site>> {
        self.lock_loaded().sites.values().map(|(site, _)| site.clone()).collect()
    }

    /// Records that a site is no longer in memory.
    pub(crate) fn forget(&self, site: &Site) {
        let mut loaded = self.lock_loaded();
        if loaded.sites.remove(&site.id).is_some() {
            loaded.unloads += 1;
        }
    }

    pub(crate) fn counts(&self) -> LoadedCounts {
        let Loaded { sites, loads, unloads } = &*self.lock_loaded();
        let bytes = sites.values().map(|(_, bytes)| bytes).sum();
        LoadedCounts { sites: sites.len(), bytes, loads: *loads, unloads: *unloads }
    }

    /// Returns the bytes of this site that are in memory.
    pub(crate) fn bytes_of(&self, site: &Site) -> Option<u64> {
        self.lock_loaded().sites.get(&site.id).map(|(_, bytes)| *bytes)
    }
}

/// Returns a host name without its port and final dot, in lower case.
fn normal(host: &str) -> Cow<'_, str> {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        name.to_ascii_lowercase().into()
    } else {
        name.into()
    }
}
