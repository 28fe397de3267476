//! The hub in simulated histories. A seed decides everything: when subscribers respond and what, which stage goes on
//! next, when a process is killed, when the clock jumps. So a seed that fails is repeated as it was. The stages, the
//! store with its SQL and the sites are those of the program; the network, the timers and the threads that load sites
//! are not. At the end of each history nothing disturbs the hubs any more, and all that they owe must happen.
//!
//! `CANDOR_SEEDS` is the number of histories, `CANDOR_SEED` the only one, which is printed.

mod judge;
pub(super) mod network;
mod outside;
mod pairs;
mod process;
mod publications;
mod requests;
mod script;
pub(super) mod timer;
mod world;

use std::{
    collections::BTreeMap,
    env, mem,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tokio::task::coop::unconstrained;

use self::{
    publications::Shelf,
    script::{EVENTFUL, Script},
    world::World,
};
use super::{
    client::HubClient,
    settings::HubConfig,
    stages,
    store::{IfNew, Location, Store},
};
use crate::runtime::random::seeded;

/// The number of histories without `CANDOR_SEEDS`.
const SEEDS: u64 = 100;

/// One history.
struct Told {
    lines: Vec<String>,
    violation: Option<String>,
    counts: BTreeMap<&'static str, u64>,
}

/// What histories of one thread share: a store, which is emptied before each of them, and publications.
struct Stage {
    runtime: actix_web::rt::Runtime,
    store: Store,
    client: HubClient,
    shelf: Shelf,
    _folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let folder = folder.unwrap();
        let location = Location::Sqlite(folder.path().join("hub.db"));
        let runtime = actix_web::rt::Runtime::new().unwrap();
        let opened = location.connect(IfNew::Create);
        let store = runtime.block_on(opened).unwrap();
        // A machine that stalls must not change a history.
        let options = store.pool().options().clone().acquire_timeout(Duration::from_secs(3600));
        let connected = options.connect_with(store.pool().connect_options().as_ref().clone());
        let pool = runtime.block_on(connected).unwrap();
        runtime.block_on(store.close());
        let store = store.of_process("simulation".to_owned(), pool);
        let client = stages::client(&HubConfig::default()).unwrap();
        let shelf = Shelf::new(folder.path());
        Self { runtime, store, client, shelf, _folder: folder }
    }

    /// Tells the history of a seed.
    fn tell(&self, seed: u64) -> Told {
        seeded::begin(Some(seed));
        timer::begin();
        let mut world = World::new(self.store.clone(), &self.client, &self.shelf);
        self.runtime.block_on(unconstrained(async {
            world.begin().await;
            let mut script = Script::write(timer::now(), world.processes.len(), world.sites());
            world.follow(&mut script, EVENTFUL).await;
            world.judge().await;
            world.end().await;
        }));
        seeded::begin(None);
        let mut outside = world.outside.borrow_mut();
        Told {
            lines: mem::take(&mut outside.lines),
            violation: outside.violation.take(),
            counts: mem::take(&mut outside.counts),
        }
    }
}

/// Tells the histories of these seeds on all processors, and returns the counts of what happened in them. Panics with
/// the history of the first seed that fails.
fn tell_all(first: u64, seeds: u64) -> BTreeMap<&'static str, u64> {
    let (next, has_failed) = (AtomicU64::new(first), AtomicBool::new(false));
    let (counts, failure) = (Mutex::new(BTreeMap::new()), Mutex::new(None));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let stage = Stage::new();
                while !has_failed.load(SeqCst) {
                    let seed = next.fetch_add(1, SeqCst);
                    if seed >= first + seeds {
                        break;
                    }
                    let told = stage.tell(seed);
                    for (what, number) in told.counts {
                        *counts.lock().unwrap().entry(what).or_insert(0) += number;
                    }
                    if let Some(violation) = told.violation {
                        has_failed.store(true, SeqCst);
                        failure.lock().unwrap().get_or_insert((seed, violation, told.lines));
                    }
                }
            });
        }
    });
    if let Some((seed, violation, lines)) = failure.into_inner().unwrap() {
        let lines = lines.join("\n");
        panic!("{lines}\n\nseed {seed}: {violation}\nrepeat it by: make seeds SEED={seed}");
    }
    counts.into_inner().unwrap()
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().filter(|text| !text.is_empty()).map(|text| text.parse().unwrap())
}

#[test]
fn nothing_is_lost_in_any_history() {
    if let Some(seed) = number("CANDOR_SEED") {
        let told = Stage::new().tell(seed);
        println!("{}\n{:#?}", told.lines.join("\n"), told.counts);
        assert_eq!(told.violation, None);
        return;
    }
    let (first, seeds) = (number("CANDOR_FIRST_SEED"), number("CANDOR_SEEDS"));
    let (seeds, began) = (seeds.unwrap_or(SEEDS), Instant::now());
    let counts = tell_all(first.unwrap_or(0), seeds);
    println!("{seeds} histories in {:.1?}: {counts:#?}", began.elapsed());
    // A simulation in which nothing happens finds nothing.
    for what in [
        "publications",
        "deliveries",
        "failed deliveries",
        "deliveries interrupted",
        "verifications interrupted",
        "crashes",
        "stops",
        "outages",
        "clock jumps",
        "requests without a response",
    ] {
        assert!(seeds < SEEDS || counts.get(what).is_some_and(|count| *count > 0), "no {what}");
    }
}

/// Neither the time that the store takes nor an earlier history on the same thread changes one.
#[test]
fn a_seed_has_one_history() {
    let (stage, other) = (Stage::new(), Stage::new());
    for seed in 0..number("CANDOR_SEEDS").map_or(10, |seeds| seeds.min(50)) {
        let (told, again) = (stage.tell(seed).lines, other.tell(seed).lines);
        let differs = told.iter().zip(&again).position(|(line, other)| line != other);
        assert_eq!(differs.map(|at| (&told[at], &again[at])), None, "seed {seed}");
        assert_eq!(told.len(), again.len(), "seed {seed}");
    }
}
