//! What counts as a change, when it is announced, and when the earlier bytes are removed.

use super::{
    deliveries::{MINUTE, bodies},
    setup::{HubSetup, topic},
    subscriber::{Reply, Subscriber, willing},
};
use crate::{get, listing::saying, running::eventually};

#[test]
fn only_changed_topics_are_delivered_and_a_rebuild_without_change_delivers_nothing() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/feed"), &[]);
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/reviews"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    setup.publish("insights.json", "{\"other\": 1}\n");
    setup.publish("reviews.json", &saying("new"));
    setup.recorded("delivered", 2);
    let paths: Vec<_> = subscriber.deliveries().into_iter().map(|received| received.path).collect();
    assert_eq!(paths, ["/feed", "/reviews"]);
    assert_eq!(
        setup.count("candor_hub_announcements_total", ""),
        4,
        "two first looks, two changes"
    );
}

#[test]
fn content_that_goes_back_to_earlier_bytes_is_a_change() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    for (round, bytes) in ["<a/>", "<b/>", "<a/>"].into_iter().enumerate() {
        setup.publish("feed.xml", bytes);
        setup.recorded("delivered", round as u64 + 1);
    }
    let delivered = subscriber.deliveries();
    assert_eq!(bodies(&delivered), ["<a/>", "<b/>", "<a/>"]);
    assert_ne!(delivered[0].field("x-hub-delivery"), delivered[2].field("x-hub-delivery"));
}

#[test]
fn a_change_while_a_retry_waits_joins_it_with_the_same_time_and_count() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(500, String::new()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>0</feed>");
    setup.recorded("failed", 1);
    let due = setup.listed()[0].due_at;
    for change in 1..4 {
        setup.publish("feed.xml", &format!("<feed>{change}</feed>"));
        eventually("it is announced", || {
            setup.count("candor_hub_announcements_total", "feed.xml") == 2 + change
        });
    }
    setup.quiet();
    assert_eq!((setup.listed()[0].due_at, setup.listed()[0].failures), (due, 1));
    subscriber.now_answers(willing);
    setup.clock.advance(MINUTE);
    setup.recorded("delivered", 1);
    let delivered = subscriber.deliveries();
    assert_eq!(bodies(&delivered), ["<feed>0</feed>", "<feed>3</feed>"]);
    assert_ne!(
        delivered[0].field("x-hub-delivery"),
        delivered[1].field("x-hub-delivery"),
        "newer content has another id"
    );
}

#[test]
fn a_change_during_a_delivery_is_delivered_after_it() {
    let mut setup = HubSetup::new();
    let (open, wait) = std::sync::mpsc::sync_channel::<()>(0);
    let wait = std::sync::Mutex::new(wait);
    let subscriber = Subscriber::answering(move |received| {
        if received.method == "POST" && received.text() == "<feed>1</feed>" {
            wait.lock().unwrap().recv().unwrap();
        }
        willing(received)
    });
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    eventually("the first is under way", || setup.count("candor_hub_announcements", "feed") == 2);
    setup.publish("feed.xml", "<feed>2</feed>");
    eventually("the second is announced", || setup.count("candor_hub_announcements", "feed") == 3);
    open.send(()).unwrap();
    setup.recorded("delivered", 2);
    assert_eq!(bodies(&subscriber.deliveries()), ["<feed>1</feed>", "<feed>2</feed>"]);
}

#[test]
fn a_change_made_while_the_sidecar_was_down_is_delivered_when_it_is_back() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.stop();
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.start();
    setup.recorded("delivered", 1);
    setup.restart();
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 1, "and once");
}

#[test]
fn an_older_publication_announces_nothing() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    setup.stop();
    // As a replica that lags would see it: nothing kept, and an old directory.
    std::fs::remove_file(setup.site.state().join("manifest.json")).unwrap();
    setup.site.set("feed.xml", "<feed/>\n");
    setup.site.later_by(-1);
    setup.site.publish();
    setup.start();
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 1);
}

#[test]
fn a_topic_that_is_no_longer_offered_is_not_delivered() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(500, String::new()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>private</feed>");
    setup.recorded("failed", 1);
    setup.site.topics = vec!["reviews.json"];
    setup.publish("feed.xml", "<feed>2</feed>");
    eventually("the delivery is dropped", || setup.listed()[0].due_at.is_none());
    setup.clock.advance(MINUTE);
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 1);
    let answer = setup.ask(&[
        ("hub.mode", "subscribe"),
        ("hub.topic", &topic("feed.xml")),
        ("hub.callback", "https://a.s.test/"),
    ]);
    assert_eq!(
        answer.text(),
        "hub.topic is published but not offered for subscription (it may be too large): fetch it \
         from time to time. This hub's topics: https://shop.example/reviews.json\n"
    );
}

#[test]
fn withdrawn_bytes_are_gone_from_the_store_although_a_retry_waits() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(500, String::new()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    let withdrawn = "<feed>what its author took back</feed>";
    let is_stored = |setup: &HubSetup| {
        let files = std::fs::read_dir(setup.site.state()).unwrap().map(|file| file.unwrap().path());
        let mut files = files.filter(|file| file.to_str().unwrap().contains("hub.db"));
        files.any(|file| {
            let bytes = std::fs::read(file).unwrap();
            bytes.windows(withdrawn.len()).any(|part| part == withdrawn.as_bytes())
        })
    };
    setup.publish("feed.xml", withdrawn);
    setup.recorded("failed", 1);
    // SQLite moves pages from one file to the other while they are read here.
    eventually("the retry needs it", || is_stored(&setup) || setup.config.hub.store.is_some());
    setup.publish("feed.xml", "<feed>2</feed>");
    eventually("it is gone", || {
        setup.count("candor_hub_announcements_total", "feed.xml") == 3 && !is_stored(&setup)
    });
    subscriber.now_answers(willing);
    setup.clock.advance(MINUTE);
    setup.recorded("delivered", 1);
    assert_eq!(subscriber.deliveries().pop().unwrap().text(), "<feed>2</feed>");
}

#[test]
fn after_a_change_of_domain_the_old_topic_is_an_alias_with_the_new_self() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/old"), &[]);
    setup.site.previous =
        vec![std::mem::replace(&mut setup.site.origin, "https://new.example".to_owned())];
    setup.publish("reviews.json", &saying("moved"));
    setup.recorded("delivered", 1);
    let delivered = subscriber.deliveries().remove(0);
    assert!(
        delivered
            .field("link")
            .unwrap()
            .ends_with("<https://new.example/reviews.json>; rel=\"self\"")
    );
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/new"), &[]);
    let asked = subscriber.verifications().pop().unwrap();
    assert_eq!(asked.parameter("hub.topic"), Some(topic("reviews.json")), "as it was given");
    setup.publish("reviews.json", &saying("settled"));
    setup.recorded("delivered", 3);
}

#[test]
fn a_clock_that_jumps_by_more_than_a_week_deletes_nobody_and_is_named() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    let year = 365 * 86_400_000;
    setup.clock.jump(year);
    let health = |setup: &HubSetup| get(setup.running().admin, "/readyz").json()["hub"].clone();
    eventually("the clock is in doubt", || health(&setup)["clock"].is_string());
    assert_eq!(
        health(&setup)["clock"],
        "the clock jumped by 365 days: nothing expires until the clock is back or has run for a week. Correct the clock"
    );
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.restart();
    eventually("still in doubt", || health(&setup)["clock"].is_string());
    setup.quiet();
    assert_eq!((setup.listed().len(), subscriber.deliveries().len()), (1, 0));
    setup.clock.jump(-year);
    eventually("the clock is believed", || health(&setup)["clock"].is_null());
    setup.recorded("delivered", 1);
    setup.clock.jump(-year);
    eventually("back by a year", || health(&setup)["clock"].is_string());
}
