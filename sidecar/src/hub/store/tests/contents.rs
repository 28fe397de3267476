//! Announced contents, their bytes, and the deliveries of them.

use super::*;

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
        let other = if test_store.is_file() {
            opening.store.clone()
        } else {
            test_store.open().await.store
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
        assert!(claim(store, NOW).await.is_empty(), "the first announcement is not a change");
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
        let other = if test_store.is_file() {
            opening.store.clone()
        } else {
            test_store.open().await.store
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

/// Two processes share a database. On SQLite, which has one process, the first does both parts.
#[test]
fn two_processes_announce_once_and_share_the_deliveries() {
    run(async {
        let test_store = TestStore::new();
        let first = test_store.open().await;
        // On SQLite the second is the same process once more.
        let second =
            if test_store.is_file() { first.store.clone() } else { test_store.open().await.store };
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
