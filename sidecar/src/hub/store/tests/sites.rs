//! Several sites in one store.

use super::*;
use crate::hub::host_queues::HostQueues;

#[test]
fn what_a_pair_is_called_has_its_site() {
    let unnamed = key("a.example");
    let named = PairKey { site: "one.example".into(), ..unnamed.clone() };
    assert_eq!(unnamed.owner(), " feed.xml https://a.example/cb");
    assert_eq!(named.owner(), "one.example feed.xml https://a.example/cb");
    let delivery = |key| Delivery {
        subscription: 1,
        key,
        seq: 3,
        callback: String::new(),
        topic_url: String::new(),
        secret: None,
        claimed_until: 0,
    };
    assert_eq!(delivery(unnamed).id("instance"), "901002c2b56b2c966df5894aaef69924");
    assert_eq!(delivery(named).id("instance"), "7ab9c704e3612d62465714fb13f8294d");
}

#[test]
fn sites_with_the_same_topic_and_callback_have_nothing_in_common() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let of = |site: &str| PairKey { site: site.into(), ..key("a.example") };
        subscribe(store, &of("one.example"), 1).await;
        subscribe(store, &of("two.example"), 2).await;
        let announce =
            |site: &str, bytes| Announcement { site: site.into(), ..announcement(bytes, 1) };
        let one = announce("one.example", "1");
        assert_eq!(store.announce(&one, NOW).await.unwrap(), Some((1, 1)));
        let two = announce("two.example", "2");
        assert_eq!(store.announce(&two, NOW).await.unwrap(), Some((1, 1)), "numbered by site");
        assert!(store.content("", "feed.xml").await.unwrap().is_none());
        let content = store.content("two.example", "feed.xml").await.unwrap().unwrap();
        assert_eq!(content.bytes.as_deref(), Some(&b"2"[..]));
        let hash = store.content_hash("one.example", "feed.xml").await.unwrap();
        assert_eq!(hash, Some(one.hash));

        assert_eq!(store.withdraw_all_but("one.example", &[]).await.unwrap(), 1, "of this site");
        assert!(store.prune().await.unwrap());
        assert!(store.content("two.example", "feed.xml").await.unwrap().unwrap().bytes.is_some());
        let claimed = claim(store, NOW).await;
        assert_eq!(claimed.iter().map(|it| &it.key).collect::<Vec<_>>(), [&of("two.example")]);
        let again = claim(store, NOW + 60_000).await;
        assert_eq!(again[0].id(store.instance()), claimed[0].id(store.instance()));

        let both = [("feed.xml".to_owned(), 2)];
        assert_eq!(store.backlog().await.unwrap().subscriptions, both, "as many as there are");
        let left = pending(3, SubscriptionMode::Unsubscribe);
        store.request(&of("two.example"), left, ROOM, &rules(NOW)).await.unwrap();
        let result = VerificationResult::Confirmed { requested_at: NOW };
        let left = settled(&of("two.example"), Event::Verified { ticket: 3, result });
        store.settle(&[left], &rules(NOW)).await.unwrap();
        let listed = store.list(NOW).await.unwrap();
        assert_eq!(listed.iter().map(|it| &*it.site).collect::<Vec<_>>(), ["one.example"]);
        assert_eq!(store.backlog().await.unwrap().subscriptions, [("feed.xml".to_owned(), 1)]);
    });
}

#[test]
fn deliveries_of_a_site_that_is_not_offered_are_left_due() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        for (ticket, site) in (1..).zip(["one.example", "two.example"]) {
            subscribe(store, &PairKey { site: site.into(), ..key("a.example") }, ticket).await;
            let change = Announcement { site: site.into(), ..announcement("1", 1) };
            store.announce(&change, NOW).await.unwrap();
        }
        let claim = async |offered: &[String]| {
            let sites = ClaimSites::Only(offered);
            let limits = ClaimLimits { sites, ..limits(9, &[], NOW) };
            let claimed = store.claim_deliveries(limits).await.unwrap();
            claimed.into_iter().map(|it| it.key.site).collect::<Vec<_>>()
        };
        assert_eq!(claim(&[]).await, [""; 0]);
        let two = ["two.example".to_owned()];
        assert_eq!(claim(&two).await, two);
        assert_eq!(claim(&two).await, [""; 0], "the other is due all the same");
        assert_eq!(store.backlog().await.unwrap().oldest_due, Some(NOW));
        let both = ["one.example".to_owned(), "two.example".to_owned()];
        assert_eq!(claim(&both).await, ["one.example"]);
    });
}

/// Writes subscriptions of a site, at as many hosts, with deliveries due at this time.
async fn due(store: &Store, site: &str, count: i64, due_at: i64) {
    for insert in [
        format!(
            "INSERT INTO subscriptions (site, topic, callback_key, callback, topic_url, host,
                 lease_end, failures, created_at, network)
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
             SELECT '{site}', 'feed.xml', i || '.{site}', 'c', 't', i || '.{site}', {NOW} + 99999999,
                 0, 0, '' FROM n"
        ),
        format!(
            "INSERT INTO deliveries (subscription, site, topic, host, seq, due_at)
             SELECT id, site, topic, host, 1, {due_at} FROM subscriptions WHERE site = '{site}'"
        ),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(insert)).execute(&store.pool).await.unwrap();
    }
}

#[test]
fn a_site_with_many_deliveries_holds_up_no_other() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        due(store, "many.example", 2_000, NOW - 60_000).await;
        due(store, "one.example", 1, NOW).await;
        let mut queues = HostQueues::new(256, 8);
        let mut rounds = Vec::new();
        for _ in 0..3 {
            let busy = queues.busy_sites();
            let sites = ClaimSites::AllBut(&busy);
            let limits = ClaimLimits { sites, ..limits(queues.claim_size(), &[], NOW) };
            let claimed = store.claim_deliveries(limits).await.unwrap();
            rounds.push((claimed.len(), claimed.iter().any(|it| it.key.site == "one.example")));
            assert!(queues.enqueue_all(claimed).is_empty());
            while queues.next().is_some() {}
        }
        assert_eq!(rounds, [(64, false), (1, true), (0, false)]);
        assert_eq!(queues.running(), 65, "a fourth of 256, and the other site's");
    });
}

#[test]
fn a_site_that_many_ask_for_holds_up_no_verification_of_another() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let ask = async |ticket: i64, site: &str, renews: bool| {
            let key = PairKey { site: site.into(), ..key(&format!("h{ticket}.example")) };
            if renews {
                subscribe(store, &key, ticket + 1000).await;
            }
            let due_at = NOW - 100 + ticket;
            let asked = Pending { due_at, ..pending(ticket, SubscriptionMode::Subscribe) };
            store.request(&key, asked, ROOM, &rules(NOW)).await.unwrap();
        };
        for ticket in 0..20 {
            ask(ticket, "many.example", ticket % 2 == 1).await;
        }
        ask(20, "one.example", false).await;
        ask(21, "one.example", true).await;
        for renews in [false, true] {
            let mut queues = HostQueues::new(16, 8);
            let mut rounds = Vec::new();
            for _ in 0..2 {
                let busy = queues.busy_sites();
                let sites = ClaimSites::AllBut(&busy);
                let limits = ClaimLimits { sites, ..limits(queues.claim_size(), &[], NOW) };
                let claimed = if renews {
                    store.claim_renewals(limits).await.unwrap()
                } else {
                    store.claim_newcomers(limits, SHARE).await.unwrap()
                };
                rounds.push(claimed.len());
                assert!(queues.enqueue_all(claimed).is_empty());
            }
            let waiting = queues.drain();
            let of_one = waiting.iter().filter(|it| it.key.site == "one.example").count();
            assert_eq!((&rounds[..], of_one), (&[4, 1][..], 1), "renews: {renews}");
        }
    });
}

#[test]
fn places_are_taken_from_the_site_that_has_the_most() {
    run(async {
        let test_store = TestStore::new();
        let opening = test_store.open().await;
        let store = &opening.store;
        let ask = async |ticket: i64, site: &str, capacity| {
            let key = PairKey { site: site.into(), ..key(&format!("h{ticket}.com")) };
            let asked = Pending {
                network: format!("{ticket}.1.1.0/24"),
                ..pending(ticket, SubscriptionMode::Subscribe)
            };
            let outcome = store.request(&key, asked, capacity, &rules(NOW)).await.unwrap();
            matches!(outcome, RequestOutcome::Recorded(_))
        };
        let few = Capacity { pending: 3, ..ROOM };
        for ticket in 1..=3 {
            assert!(ask(ticket, "one.example", few).await);
        }
        assert!(!ask(4, "one.example", few).await, "its own are the most");
        assert!(ask(5, "two.example", few).await);
        assert!(!ask(6, "two.example", few).await, "two and one");
        assert_eq!(store.backlog().await.unwrap().verifications, 3);

        let share = Capacity { by_site: 2, ..ROOM };
        assert!(!ask(7, "one.example", share).await, "it has its share");
        assert!(ask(8, "two.example", share).await);
        for ticket in 9..=12 {
            assert!(ask(ticket, "", share).await, "the only site of a sidecar has no share");
        }
    });
}
