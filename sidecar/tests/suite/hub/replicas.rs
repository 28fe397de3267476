//! The processes of one store are killed in turn: two that share a PostgreSQL store, or the only one that an
//! SQLite store can have.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    crashes::{repeats_have_one_id, try_subscribe},
    operator::{arguments, run},
    postgres::fresh_database,
    subscriber::Subscriber,
};
use crate::{
    Site,
    process::{Program, command},
};

/// How many subscribers there are in the end.
const SUBSCRIBERS: u64 = 20;

/// What a process claimed is free for the other one after two minutes, and its retries follow.
const RECOVERY: Duration = Duration::from_secs(300);

/// The processes' arguments, all but what they publish and where.
struct Replicas {
    /// The address of the PostgreSQL store.
    store: Option<String>,
    states: [PathBuf; 2],
}

impl Replicas {
    fn launch(&self, site: &Site, replica: usize) -> Program {
        let [first, state] =
            [&self.states[0], &self.states[replica]].map(|path| path.to_str().unwrap());
        let mut arguments = arguments(site);
        let at = arguments.iter().position(|argument| argument == "--state").unwrap();
        arguments[at + 1] = state.to_owned();
        arguments.extend(self.at_store().map(str::to_owned));
        if replica > 0 {
            arguments.extend(["--hub-key".to_owned(), format!("{first}/hub.key")]);
        }
        Program::launch(command().args(arguments))
    }

    fn at_store(&self) -> impl Iterator<Item = &str> {
        self.store.iter().flat_map(|store| ["--store", store])
    }

    fn listed(&self) -> Vec<Value> {
        let list: Vec<_> = ["subscriptions", "--json"].into_iter().chain(self.at_store()).collect();
        let (code, out, error) = run(&self.states[0], &list);
        assert_eq!(code, Some(0), "{error}");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn within(time: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + time;
    while !holds() {
        assert!(Instant::now() < until, "never: {what}");
        thread::sleep(Duration::from_millis(250));
    }
}

/// 30 kills, or as many as `CANDOR_TEST_KILLS` says.
fn kills() -> u64 {
    std::env::var("CANDOR_TEST_KILLS").map_or(30, |number| number.parse().unwrap())
}

#[test]
fn kills_of_the_processes_of_one_store_lose_no_subscription_and_no_change() {
    let store = fresh_database();
    let count = if store.is_some() { 2 } else { 1 };
    let mut site = Site::new();
    let other_state = tempfile::tempdir().unwrap();
    let replicas = Replicas { store, states: [site.state(), other_state.path().to_owned()] };
    let subscriber = Subscriber::willing();
    let mut running: Vec<_> = (0..count)
        .map(|replica| {
            let mut program = replicas.launch(&site, replica);
            let address = program.address();
            (program, address)
        })
        .collect();
    let (mut accepted, kills) = (BTreeSet::new(), kills());
    for round in 0..kills {
        site.set("feed.xml", format!("<feed>{round}</feed>"));
        site.later_by(1);
        let turn = usize::try_from(round).unwrap();
        let victim = turn % count;
        // Every other pair of rounds asks the process that is killed.
        let asked = running[turn / 2 % count].1;
        let callback = subscriber.url("localhost", &format!("/{}", round % SUBSCRIBERS));
        let asking = thread::spawn(move || try_subscribe(asked, &callback).then_some(callback));
        site.publish();
        let until = Instant::now() + Duration::from_millis(round * 7919 % 400);
        while Instant::now() < until {
            thread::yield_now();
        }
        running[victim].0.signal("KILL");
        running[victim].0.ended();
        accepted.extend(asking.join().unwrap());
        let mut program = replicas.launch(&site, victim);
        let address = program.address();
        running[victim] = (program, address);
    }
    assert!(accepted.len() > 10, "the test exercises requests: {}", accepted.len());

    within(RECOVERY, "every accepted request is verified", || {
        let active = replicas.listed().into_iter().filter(|line| line["state"] == "active");
        let active: BTreeSet<_> =
            active.map(|line| line["callback"].as_str().unwrap().to_owned()).collect();
        active.is_superset(&accepted)
    });
    site.set("feed.xml", "<feed>end</feed>");
    site.later_by(1);
    site.publish();
    within(RECOVERY, "all receive the last change", || {
        let received = subscriber.deliveries();
        let end = received.iter().filter(|received| received.text() == "<feed>end</feed>");
        let told: BTreeSet<_> = end.map(|at| subscriber.url("localhost", &at.path)).collect();
        told.is_superset(&accepted)
    });
    let deliveries = subscriber.deliveries();
    assert!(deliveries.len() > SUBSCRIBERS as usize, "the test exercises deliveries");
    let repeats = repeats_have_one_id(&deliveries);
    println!("{} deliveries, {repeats} of them repeats, {kills} kills", deliveries.len());
}
