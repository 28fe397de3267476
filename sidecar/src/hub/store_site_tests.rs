//! Several sites in one store.

use super::*;

/// Secrets and delivery ids of stores from before there were sites depend on them.
#[test]
fn what_a_pair_is_called_has_the_site_where_that_has_a_name() {
    let unnamed = key("a.example");
    let named = PairKey { site: "one.example".into(), ..unnamed.clone() };
    assert_eq!(unnamed.owner(), "feed.xml https://a.example/cb");
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
    assert_eq!(delivery(unnamed).id("instance"), "a72e92c4fc18d3f4aa0f0e852425a4a9");
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
