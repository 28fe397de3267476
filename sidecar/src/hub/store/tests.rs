//! One suite for both databases: SQLite always, PostgreSQL where `CANDOR_TEST_POSTGRES` names a
//! server and the feature is on.

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

mod opening;
mod sites;

const NOW: i64 = 1_800_000_000_000;
const ROOM: Capacity =
    Capacity { by_host: 1000, by_domain: 1000, by_site: 1000, in_all: 1000, pending: 1000 };
const SHARE: Share = Share { by_network: 2, by_domain: 100 };

/// A store of its own, which is removed when this is dropped.
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
            let mode = match subscribe {
                true => SubscriptionMode::Subscribe,
                false => SubscriptionMode::Unsubscribe,
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

#[test]
fn an_announcement_and_its_deliveries_are_one_and_equal_bytes_are_none() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        assert_eq!(store.announce(&announcement("1", 1), NOW).await.unwrap(), Some((1, 0)));
        assert!(store.content("", "feed.xml").await.unwrap().unwrap().bytes.is_none());
        for host in ["a.example", "b.example"] {
            subscribe(store, &key(host), i64::from(host.as_bytes()[0])).await;
        }
        assert_eq!(store.announce(&announcement("1", 2), NOW).await.unwrap(), None, "the same");
        assert_eq!(store.announce(&announcement("0", 1), NOW).await.unwrap(), None, "older");
        assert_eq!(store.announce(&announcement("2", 2), NOW).await.unwrap(), Some((2, 2)));
        let elsewhere = Announcement { origin: "https://y.example".into(), ..announcement("3", 1) };
        assert_eq!(store.announce(&elsewhere, NOW).await.unwrap(), Some((3, 2)), "another site");
        assert_eq!(store.announce(&announcement("2", 3), NOW).await.unwrap(), Some((4, 2)), "back");
        let content = store.content("", "feed.xml").await.unwrap().unwrap();
        assert_eq!((content.seq, content.bytes.as_deref()), (4, Some(&b"2"[..])));
        assert_eq!(claim(store, NOW).await.len(), 2, "one delivery each");
        let ahead = announcement("of the future", NOW + 86_400_001);
        assert_eq!(store.announce(&ahead, NOW).await.unwrap(), Some((5, 2)));
        assert_eq!(store.announce(&announcement("2", 4), NOW).await.unwrap(), Some((6, 2)), "now");
    });
}

#[test]
fn what_is_announced_while_a_request_waits_is_due_once_it_is_verified() {
    let verified = |ticket| Event::Verified {
        ticket,
        result: VerificationResult::Confirmed { requested_at: NOW },
    };
    let again = Event::Verified { ticket: 4, result: VerificationResult::NoResponse };
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        // Another process of the store, where it can have one.
        let other = match test_store.is_file() {
            true => opening.store.clone(),
            false => test_store.open().await.store,
        };
        let store = &opening.store;
        let ask = async |ticket: i64| {
            let pending = pending(ticket, SubscriptionMode::Subscribe);
            let key = key(&format!("h{ticket}.example"));
            store.request(&key, pending, ROOM, &rules(NOW)).await.unwrap();
            key
        };
        let settle = async |key: &PairKey, event: Event| {
            other.settle(&[settled(key, event)], &rules(NOW)).await.unwrap();
        };
        let first = ask(1).await;
        other.announce(&announcement("1", 1), NOW).await.unwrap();
        settle(&first, verified(1)).await;
        assert!(claim(store, NOW).await.is_empty(), "the first announcement is no change");
        let [second, fourth] = [ask(2).await, ask(4).await];
        settle(&fourth, again).await;
        other.announce(&announcement("2", 2), NOW).await.unwrap();
        let due = async || {
            let claimed = claim(store, NOW).await;
            claimed.into_iter().map(|it| (it.key.host, it.seq)).collect::<Vec<_>>()
        };
        assert_eq!(due().await, [("h1.example".to_owned(), 2)]);
        settle(&second, verified(2)).await;
        assert_eq!(due().await, [("h2.example".to_owned(), 2)]);
        let third = ask(3).await;
        settle(&third, verified(3)).await;
        assert!(due().await.is_empty(), "nothing has changed since it was asked for");
        // A second attempt, and a second request, are about the same.
        ask(4).await;
        settle(&fourth, verified(4)).await;
        assert_eq!(due().await, [("h4.example".to_owned(), 2)]);
    });
}

/// On SQLite one waits for the other in any case.
#[test]
fn a_verification_and_an_announcement_at_the_same_time_see_each_other() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let other = match test_store.is_file() {
            true => opening.store.clone(),
            false => test_store.open().await.store,
        };
        let store = &opening.store;
        store.announce(&announcement("0", 1), NOW).await.unwrap();
        for round in 1..=100 {
            let key = key(&format!("h{round}.example"));
            let asked = pending(round, SubscriptionMode::Subscribe);
            store.request(&key, asked, ROOM, &rules(NOW)).await.unwrap();
            let result = VerificationResult::Confirmed { requested_at: NOW };
            let events = [settled(&key, Event::Verified { ticket: round, result })];
            let change = announcement(&round.to_string(), round + 1);
            let (verified, announced) = futures_util::future::join(
                store.settle(&events, &rules(NOW)),
                other.announce(&change, NOW),
            )
            .await;
            verified.unwrap();
            announced.unwrap().unwrap();
            let due = claim(store, NOW).await;
            assert!(due.iter().any(|due| due.key == key), "round {round}");
            let done: Vec<_> = due
                .iter()
                .map(|due| Delivered { seq: due.seq, subscription: due.subscription })
                .collect();
            store.delivered(&done, NOW).await.unwrap();
        }
    });
}

#[test]
fn a_claim_is_exclusive_ends_by_itself_and_leaves_busy_hosts_alone() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        for (ticket, host) in (1..).zip(["a.example", "b.example", "c.example"]) {
            subscribe(store, &key(host), ticket).await;
        }
        store.announce(&announcement("1", 1), NOW).await.unwrap();
        let busy = ["a.example".to_owned()];
        let first = store.claim_deliveries(limits(1, &busy, NOW)).await.unwrap();
        assert_eq!(first.len(), 1);
        assert_ne!(first[0].key.host, "a.example");
        let second = claim(store, NOW).await;
        assert_eq!(second.len(), 2);
        assert!(claim(store, NOW).await.is_empty(), "all are claimed");
        assert_eq!(claim(store, NOW + 60_000).await.len(), 3, "every claim has ended");
        let given_back = vec![first[0].subscription];
        store.release_deliveries(given_back).await.unwrap();
        assert_eq!(claim(store, NOW + 60_001).await.len(), 1);
    });
}

#[test]
fn newer_content_during_a_delivery_stays_due_and_a_lost_claim_decides_nothing() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        subscribe(store, &key("a.example"), 1).await;
        store.announce(&announcement("1", 1), NOW).await.unwrap();
        let first = claim(store, NOW).await.remove(0);
        store.announce(&announcement("2", 2), NOW).await.unwrap();
        let done = Delivered { seq: first.seq, subscription: first.subscription };
        store.delivered(std::slice::from_ref(&done), NOW + 5).await.unwrap();
        let second = claim(store, NOW + 5).await.remove(0);
        assert_eq!((first.seq, second.seq), (1, 2));
        let mut other = store.clone();
        other.claimant = "somebody else".into();
        let done = Delivered { seq: 2, ..done };
        other.delivered(std::slice::from_ref(&done), NOW + 6).await.unwrap();
        assert!(claim(store, NOW + 6).await.is_empty(), "it is still ours");
        store.delivered(&[done], NOW + 7).await.unwrap();
        assert!(claim(store, NOW + 999_999).await.is_empty());
    });
}

#[test]
fn of_a_verification_that_is_under_way_nobody_else_takes_hold() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let key = key("a.example");
        store
            .request(&key, pending(7, SubscriptionMode::Subscribe), ROOM, &rules(NOW))
            .await
            .unwrap();
        let early = store.claim_newcomers(limits(9, &[], NOW - 1), SHARE).await.unwrap();
        assert!(early.is_empty(), "not due");
        let claimed = store.claim_newcomers(limits(9, &[], NOW), SHARE).await.unwrap();
        assert_eq!(claimed[0].pending, pending(7, SubscriptionMode::Subscribe));
        assert!(store.claim_newcomers(limits(9, &[], NOW), SHARE).await.unwrap().is_empty());
        store.release_verifications(vec![7]).await.unwrap();
        assert_eq!(store.claim_newcomers(limits(9, &[], NOW), SHARE).await.unwrap().len(), 1);
    });
}

async fn ask(store: &Store, ticket: i64, host: &str, network: &str, capacity: Capacity) -> bool {
    let asked = Pending { network: network.into(), ..pending(ticket, SubscriptionMode::Subscribe) };
    let outcome = store.request(&key(host), asked, capacity, &rules(NOW)).await.unwrap();
    matches!(outcome, RequestOutcome::Recorded(_))
}

#[test]
fn places_are_taken_from_the_network_or_domain_that_has_the_most() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let capacity = Capacity { pending: 4, ..ROOM };
        for ticket in 1..=4 {
            assert!(
                ask(store, ticket, &format!("a{ticket}.example"), "1.1.1.0/24", capacity).await
            );
        }
        assert!(!ask(store, 5, "a5.example", "1.1.1.0/24", capacity).await, "its own are the most");
        assert!(ask(store, 6, "b.example", "2.2.2.0/24", capacity).await);
        assert!(ask(store, 7, "c.example", "2.2.2.0/24", capacity).await);
        assert!(!ask(store, 8, "d.example", "2.2.2.0/24", capacity).await, "two and two");
        assert!(ask(store, 9, "e.example", "3.3.3.0/24", capacity).await);
        assert_eq!(store.backlog().await.unwrap().verifications, 4);
    });
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let capacity = Capacity { pending: 3, ..ROOM };
        for ticket in 1..=3 {
            let network = format!("{ticket}.1.1.0/24");
            assert!(
                ask(store, ticket, &format!("x{ticket}.wild.example"), &network, capacity).await
            );
        }
        assert!(ask(store, 4, "other.example", "4.1.1.0/24", capacity).await);
        assert!(!ask(store, 5, "x5.wild.example", "5.1.1.0/24", capacity).await);
    });
}

#[test]
fn what_changes_a_subscription_needs_no_place() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        subscribe(store, &key("s.example"), 1).await;
        let capacity = Capacity { pending: 1, ..ROOM };
        assert!(ask(store, 2, "a.example", "1.1.1.0/24", capacity).await);
        assert!(!ask(store, 3, "b.example", "1.1.1.0/24", capacity).await);
        assert!(ask(store, 4, "s.example", "1.1.1.0/24", capacity).await, "a renewal");
        let renewals = store.claim_renewals(limits(9, &[], NOW)).await.unwrap();
        assert_eq!(renewals.iter().map(|it| it.pending.ticket).collect::<Vec<_>>(), [4]);
        let newcomers = store.claim_newcomers(limits(9, &[], NOW), SHARE).await.unwrap();
        assert_eq!(newcomers.iter().map(|it| it.pending.ticket).collect::<Vec<_>>(), [2]);
    });
}

#[test]
fn networks_take_turns_and_each_has_its_share() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        for ticket in 1..=5 {
            assert!(ask(store, ticket, &format!("a{ticket}.example"), "1.1.1.0/24", ROOM).await);
        }
        assert!(ask(store, 6, "b.example", "2.2.2.0/24", ROOM).await);
        for ticket in 7..=8 {
            assert!(ask(store, ticket, &format!("c{ticket}.example"), "", ROOM).await);
        }
        let claim = async |count| {
            let claimed = store.claim_newcomers(limits(count, &[], NOW), SHARE).await.unwrap();
            claimed.iter().map(|it| it.pending.network.clone()).collect::<Vec<_>>()
        };
        let mut first = claim(3).await;
        first.sort();
        assert_eq!(first, ["", "1.1.1.0/24", "2.2.2.0/24"], "one of each");
        let mut second = claim(9).await;
        second.sort();
        assert_eq!(second, ["", "1.1.1.0/24"], "two of a network, and any of unknown clients");
        assert!(claim(9).await.is_empty());
    });
}

#[test]
fn bytes_are_kept_while_a_delivery_needs_them_and_then_gone_from_every_file() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        subscribe(store, &key("a.example"), 1).await;
        let text = "a review that its author will withdraw";
        store.announce(&announcement(text, 1), NOW).await.unwrap();
        assert!(!store.prune().await.unwrap(), "it is needed");
        let found = || {
            let files = std::fs::read_dir(test_store.directory.path()).unwrap();
            files
                .map(|file| std::fs::read(file.unwrap().path()).unwrap())
                .any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        };
        assert!(found() || !test_store.is_file());
        let delivery = claim(store, NOW).await.remove(0);
        let done = Delivered { seq: 1, subscription: delivery.subscription };
        store.delivered(&[done], NOW).await.unwrap();
        assert!(store.prune().await.unwrap());
        assert!(store.scrub().await.unwrap());
        assert!(!found());
        assert!(store.content("", "feed.xml").await.unwrap().unwrap().bytes.is_none());
    });
}

/// Two processes share a database. On SQLite, which has one process, the first takes both parts.
#[test]
fn two_processes_announce_once_and_share_the_deliveries() {
    run(async {
        let test_store = TestStore::new();
        let first = test_store.open().await;
        // On SQLite the second is the same process once more.
        let second = match test_store.is_file() {
            true => first.store.clone(),
            false => test_store.open().await.store,
        };
        for number in 0..60 {
            subscribe(&first.store, &key(&format!("h{number}.example")), number).await;
        }
        for round in 1..=5 {
            let change = announcement(&round.to_string(), round);
            let (one, two) = futures_util::future::join(
                first.store.announce(&change, NOW),
                second.announce(&change, NOW),
            )
            .await;
            let announced = [one.unwrap(), two.unwrap()];
            let announced: Vec<_> = announced.into_iter().flatten().collect();
            assert_eq!(announced, [(round, 60)], "one of them announces");
            let mut taken = Vec::new();
            while taken.len() < 60 {
                let (one, two) = futures_util::future::join(
                    first.store.claim_deliveries(limits(7, &[], NOW)),
                    second.claim_deliveries(limits(7, &[], NOW)),
                )
                .await;
                let (one, two) = (one.unwrap(), two.unwrap());
                assert!(!(one.is_empty() && two.is_empty()), "locked rows are skipped, not lost");
                for (store, claimed) in [(&first.store, one), (&second, two)] {
                    let done: Vec<_> = claimed
                        .iter()
                        .map(|d| Delivered { seq: d.seq, subscription: d.subscription })
                        .collect();
                    store.delivered(&done, NOW).await.unwrap();
                    taken.extend(done);
                }
            }
            taken.sort();
            taken.dedup();
            assert_eq!(taken.len(), 60, "each is taken once");
        }
    });
}
