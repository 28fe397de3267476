//! Claims of deliveries and verifications, and the places of requests.

use super::*;

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
