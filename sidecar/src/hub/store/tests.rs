//! One suite for both databases: SQLite always, PostgreSQL if `CANDOR_TEST_POSTGRES` names a server and the feature is
//! on.

use std::time::Duration;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config as Runs, TestRunner},
};
use tempfile::TempDir;

use super::*;
use crate::hub::{
    callback::Callback,
    request::SubscriptionMode,
    retry::RetryDelays,
    secrets::{Keyring, Sealed},
    subscription::{
        self, Effect, Event, Pair, Pending, PostResult, SubscriptionRules, VerificationResult,
    },
};

mod claims;
mod contents;
mod opening;
mod sites;

const NOW: i64 = 1_800_000_000_000;
const ROOM: Capacity =
    Capacity { by_host: 1000, by_domain: 1000, by_site: 1000, in_all: 1000, pending: 1000 };
const SHARE: Share = Share { by_network: 2, by_domain: 100 };

/// A store for one test, which is removed when this is dropped.
struct TestStore {
    directory: TempDir,
    location: Location,
    keys: Keyring,
}

impl TestStore {
    fn new() -> Self {
        let memory = std::path::Path::new("/dev/shm");
        let directory = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let directory = directory.unwrap();
        let location = match postgres() {
            Some(url) => url.parse().unwrap(),
            None => Location::Sqlite(directory.path().join("hub.db")),
        };
        let keys = Keyring::open(&directory.path().join("hub.key")).unwrap();
        Self { directory, location, keys }
    }

    async fn open(&self) -> Opening {
        let opening = self.location.open(IfNew::Create, Duration::ZERO).await.unwrap();
        opening.store.check_key(&self.keys, &self.location.to_string()).await.unwrap();
        opening
    }

    fn is_file(&self) -> bool {
        matches!(self.location, Location::Sqlite(_))
    }
}

fn postgres() -> Option<String> {
    use std::{
        process::{self, Command},
        sync::atomic::{AtomicU32, Ordering},
    };
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("CANDOR_TEST_POSTGRES").ok()?;
    let name = format!("store_{}_{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let made = Command::new("psql")
        .args(["--quiet", "--no-psqlrc", "-c", &format!("CREATE DATABASE {name}")])
        .arg(format!("{server}/postgres"))
        .status();
    assert!(made.unwrap().success());
    Some(format!("{server}/{name}"))
}

fn run(test: impl Future<Output = ()>) {
    actix_web::rt::System::new().block_on(test);
}

fn rules(now: i64) -> SubscriptionRules {
    SubscriptionRules { now, delays: RetryDelays::default(), chance: 0.0 }
}

fn key(host: &str) -> PairKey {
    PairKey::new("", "feed.xml", &Callback::parse(&format!("https://{host}/cb"), &[]).unwrap())
}

fn pending(ticket: i64, mode: SubscriptionMode) -> Pending {
    Pending {
        ticket,
        mode,
        topic_url: "https://x.example/feed.xml".into(),
        callback: "https://s.example/cb".into(),
        secret: Some(Sealed(vec![1, 2, 3])),
        lease: 864_000,
        attempts: 0,
        due_at: NOW,
        network: String::new(),
        seen: 0,
    }
}

fn settled(key: &PairKey, event: Event) -> Settled {
    Settled { error: Some("why".into()), ..Settled::new(key.clone(), event) }
}

async fn subscribe(store: &Store, key: &PairKey, ticket: i64) {
    let asked = store
        .request(key, pending(ticket, SubscriptionMode::Subscribe), ROOM, &rules(NOW))
        .await
        .unwrap();
    assert_eq!(asked, RequestOutcome::Recorded(Effect::Verify));
    let event =
        Event::Verified { ticket, result: VerificationResult::Confirmed { requested_at: NOW } };
    let effects = store.settle(&[settled(key, event)], &rules(NOW)).await.unwrap();
    assert!(matches!(effects[..], [Effect::Activated | Effect::Renewed]));
}

fn announcement(bytes: &str, published_at: i64) -> Announcement {
    Announcement {
        site: String::new(),
        topic: "feed.xml".into(),
        hash: blake3::hash(bytes.as_bytes()).to_hex().to_string(),
        media_type: "application/atom+xml".into(),
        origin: "https://x.example".into(),
        published_at,
        bytes: bytes.as_bytes().to_vec().into(),
    }
}

fn limits(count: usize, busy_hosts: &[String], now: i64) -> ClaimLimits<'_> {
    ClaimLimits { count, busy_hosts, sites: ClaimSites::AllBut(&[]), now, until: now + 60_000 }
}

async fn claim(store: &Store, now: i64) -> Vec<Delivery> {
    store.claim_deliveries(limits(100, &[], now)).await.unwrap()
}

#[test]
fn what_the_store_says_is_what_the_state_machine_says() {
    let result = prop_oneof![
        3 => Just(VerificationResult::Confirmed { requested_at: NOW }),
        1 => Just(VerificationResult::Refused),
        1 => Just(VerificationResult::NoResponse)
    ];
    let event = prop_oneof![
            3 => (0..3_i64, any::<bool>()).prop_map(|(ticket, subscribe)| {
                let mode = if subscribe {
    SubscriptionMode::Subscribe
    } else {
    SubscriptionMode::Unsubscribe
    };
                Event::Requested(pending(ticket, mode))
            }),
            4 => (0..3_i64, result).prop_map(|(ticket, result)| Event::Verified { ticket, result }),
            2 => subscription::tests::posted().prop_map(Event::Posted),
            1 => Just(Event::Expired),
            1 => Just(Event::RemovedByOperator),
        ];
    let step = (event, 0..5 * 86_400_000_i64);
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let mut runner = TestRunner::new(Runs { cases: 40, ..Runs::default() });
        let steps = prop::collection::vec(step, 1..25);
        for case in 0..40 {
            let steps = steps.new_tree(&mut runner).unwrap().current();
            let key = key(&format!("h{case}.example"));
            let (mut model, mut now) = (Pair::default(), NOW);
            for (event, passes) in steps {
                now += passes;
                let expected = subscription::step(&mut model, event.clone(), &rules(now));
                let found = match event.clone() {
                    Event::Requested(asked) => {
                        store.request(&key, asked, ROOM, &rules(now)).await.unwrap()
                    }
                    event => {
                        let events = [settled(&key, event)];
                        let effects = store.settle(&events, &rules(now)).await.unwrap();
                        RequestOutcome::Recorded(effects[0])
                    }
                };
                assert_eq!(found, RequestOutcome::Recorded(expected), "{event:?}");
                assert_eq!(store.pair(&key).await.unwrap(), model, "{event:?}");
            }
            store.settle(&[settled(&key, Event::RemovedByOperator)], &rules(now)).await.unwrap();
        }
    });
}

#[test]
fn a_bulk_success_is_what_the_state_machine_calls_delivered() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let (store, key) = (&opening.store, key("a.example"));
        subscribe(store, &key, 1).await;
        store.announce(&announcement("1", 1), NOW).await.unwrap();
        let claimed = claim(store, NOW).await;
        let failure = Event::Posted(PostResult::Failed { retry_after: None });
        store.settle(&[settled(&key, failure)], &rules(NOW)).await.unwrap();
        let mut model = store.pair(&key).await.unwrap();
        let again = claim(store, NOW + 60_000).await;
        assert_eq!(again[0].id(store.instance()), claimed[0].id(store.instance()));
        let done = Delivered { seq: again[0].seq, subscription: again[0].subscription };
        store.delivered(&[done], NOW + 60_000).await.unwrap();
        subscription::step(&mut model, Event::Posted(PostResult::Delivered), &rules(NOW));
        assert_eq!(store.pair(&key).await.unwrap(), model);
        assert!(claim(store, NOW + 999_999_999).await.is_empty());
    });
}
