//! Content distribution (WebSub §7): each row that leads from `active`.

use std::time::{Duration, Instant};

use ring::hmac;

use super::{
    setup::{DAY, HubSetup, topic},
    subscriber::{Received, Reply, Subscriber, closes_at_the_second_delivery, willing},
};
use crate::{get, listing::saying, running::eventually};

/// As a subscriber computes it (WebSub §7.1).
pub(crate) fn signature(secret: &str, body: &[u8]) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body);
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

pub(crate) const MINUTE: Duration = Duration::from_secs(67);
const HOURS: Duration = Duration::from_secs(7 * 3600);

pub(crate) fn bodies(received: &[Received]) -> Vec<&str> {
    received.iter().map(Received::text).collect()
}

#[test]
fn active_topic_changes_the_full_bytes_are_posted_with_type_and_links() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/cb?k=v&k=w"), &[]);
    setup.publish("reviews.json", &saying("new"));
    setup.recorded("delivered", 1);
    let delivered = &subscriber.deliveries()[0];
    let published = get(setup.running().address, "/reviews.json");
    assert_eq!((delivered.path.as_str(), delivered.query.as_str()), ("/cb", "k=v&k=w"));
    assert_eq!(delivered.body, published.body);
    assert_eq!(delivered.field("content-type"), published.field("content-type"));
    assert_eq!(delivered.field("link"), published.field("link"));
    assert_eq!(
        delivered.field("link"),
        Some(
            "<https://shop.example/api/websub/hub>; rel=\"hub\", \
             <https://shop.example/reviews.json>; rel=\"self\""
        )
    );
    let length = delivered.body.len().to_string();
    assert_eq!(delivered.field("content-length"), Some(length.as_str()));
    assert_eq!(delivered.field("x-hub-delivery").unwrap().len(), 32);
    assert_eq!(delivered.field("accept-encoding"), Some("identity"));
    for absent in ["x-hub-signature", "etag", "content-encoding", "transfer-encoding"] {
        assert_eq!(delivered.field(absent), None, "{absent}");
    }
}

#[test]
fn a_kept_connection_that_breaks_before_the_answer_costs_no_attempt() {
    let mut setup = HubSetup::new();
    // One for the verification, and one for each delivery.
    let (port, thread) = closes_at_the_second_delivery(3);
    setup.subscribe("reviews.json", &format!("https://a.s.test:{port}/"), &[]);
    eventually("a subscription", || setup.listed().iter().any(|it| it.state == "active"));
    for number in 1..=2 {
        setup.publish("reviews.json", &saying(&number.to_string()));
        setup.recorded("delivered", number);
    }
    setup.recorded("failed", 0);
    setup.stop();
    thread.join().unwrap();
}

#[test]
fn with_a_secret_every_delivery_is_signed() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let secrets = ["x".repeat(20), "é".repeat(99), "x".repeat(199), "same".into(), "same".into()];
    for (number, secret) in secrets.iter().enumerate() {
        let callback = subscriber.url("a.s.test", &format!("/{number}"));
        setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.secret", secret)]);
    }
    setup.publish("feed.xml", "<feed>ü</feed>");
    setup.recorded("delivered", 5);
    for delivered in subscriber.deliveries() {
        let secret = &secrets[delivered.path[1..].parse::<usize>().unwrap()];
        let expected = signature(secret, &delivered.body);
        assert_eq!(delivered.field("x-hub-signature"), Some(expected.as_str()));
    }
}

#[test]
fn every_2xx_is_a_success_whatever_its_body() {
    let mut setup = HubSetup::new();
    let replies = [
        Reply::Text(200, "<html>".repeat(10_000)),
        Reply::Text(204, String::new()),
        Reply::Text(299, String::new()),
        Reply::Endless,
        Reply::Stalls,
    ];
    let subscribers: Vec<_> = replies.into_iter().map(Subscriber::replying).collect();
    for subscriber in &subscribers {
        setup.subscribed(subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    }
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 5);
    setup.publish("feed.xml", "<feed>2</feed>");
    setup.recorded("delivered", 10);
    assert!(setup.listed().iter().all(|listed| listed.failures == 0));
}

#[test]
fn everything_else_is_a_failure_with_its_reason() {
    let mut setup = HubSetup::new();
    let other = Subscriber::willing();
    let elsewhere = other.url("b.s.test", "/");
    let replies = [
        (Reply::Field(301, "location", elsewhere.clone()), "answered 301"),
        (Reply::Field(307, "location", elsewhere), "answered 307"),
        (Reply::Text(400, String::new()), "answered 400"),
        (Reply::Text(500, String::new()), "answered 500"),
        (Reply::Never, "did not answer in time"),
    ];
    let subscribers: Vec<_> =
        replies.iter().map(|(reply, _)| Subscriber::replying(reply.clone())).collect();
    for (number, subscriber) in subscribers.iter().enumerate() {
        let callback = subscriber.url("a.s.test", &format!("/{number}"));
        setup.subscribed(subscriber, "feed.xml", &callback, &[]);
    }
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 5);
    assert_eq!(other.received().len(), 0, "no redirect is followed");
    for listed in setup.listed() {
        let number: usize = listed.callback.rsplit('/').next().unwrap().parse().unwrap();
        assert_eq!(listed.last_error.as_deref(), Some(replies[number].1));
        assert_eq!(listed.failures, 1);
        let due = listed.due_at.unwrap() - 1_800_000_000_000;
        assert!((60_000..=66_000).contains(&due), "{due}");
    }
}

#[test]
fn three_deliveries_in_a_row_without_2xx_remove_and_a_denial_is_sent() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(503, String::new()));
    let callback = subscriber.url("a.s.test", "/cb?k=v");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 1);
    setup.clock.advance(Duration::from_secs(59));
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 1, "not before a minute");
    setup.clock.advance(Duration::from_secs(8));
    setup.recorded("failed", 2);
    setup.clock.advance(Duration::from_secs(6 * 3600 - 1));
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 2, "not before six hours");
    setup.clock.advance(Duration::from_secs(3600));
    setup.recorded("removed_failures", 1);
    assert_eq!(setup.listed(), []);
    eventually("a denial", || subscriber.verifications().len() == 2);
    let denied = subscriber.verifications().pop().unwrap();
    assert_eq!(denied.parameter("k").as_deref(), Some("v"));
    assert_eq!(denied.parameter("hub.mode").as_deref(), Some("denied"));
    assert_eq!(denied.parameter("hub.topic"), Some(topic("feed.xml")));
    assert_eq!(
        denied.parameter("hub.reason").as_deref(),
        Some("three deliveries in a row were not answered with 2xx")
    );
    let delivered = subscriber.deliveries();
    assert_eq!(bodies(&delivered), ["<feed>1</feed>"; 3]);
    let ids: Vec<_> = delivered.iter().map(|received| received.field("x-hub-delivery")).collect();
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "retries carry the same id");
}

#[test]
fn failures_count_across_changes_and_a_success_forgives_them() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(500, String::new()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 1);
    setup.clock.advance(MINUTE);
    setup.recorded("failed", 2);
    assert_eq!(setup.listed()[0].failures, 2);
    subscriber.now_answers(willing);
    setup.clock.advance(HOURS);
    setup.recorded("delivered", 1);
    let listed = setup.listed().remove(0);
    assert_eq!((listed.failures, listed.last_error), (0, None));
    subscriber.now_answers(|_| Reply::Text(500, String::new()));
    setup.publish("feed.xml", "<feed>2</feed>");
    setup.recorded("failed", 3);
    assert_eq!(setup.listed()[0].failures, 1);
}

#[test]
fn a_renewal_starts_the_count_anew() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(500, String::new()));
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 1);
    setup.clock.advance(MINUTE);
    setup.recorded("failed", 2);
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    assert_eq!(setup.listed()[0].failures, 0);
    setup.clock.advance(HOURS);
    setup.recorded("failed", 3);
    assert_eq!(setup.listed()[0].failures, 1);
}

#[test]
fn retry_after_is_respected_within_an_hour() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Field(429, "retry-after", "600".into()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("failed", 1);
    assert_eq!(setup.listed()[0].due_at, Some(1_800_000_000_000 + 600_000));
}

#[test]
fn active_callback_answers_410_is_removed_at_once() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::replying(Reply::Text(410, String::new()));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("removed_gone", 1);
    assert_eq!(setup.listed(), []);
    assert_eq!(subscriber.verifications().len(), 1, "who is gone is not told");
}

#[test]
fn active_lease_ends_no_delivery_and_deleted_a_week_later() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let lease = [("hub.lease_seconds", "3600")];
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &lease);
    let witness = Subscriber::willing();
    setup.subscribed(&witness, "feed.xml", &witness.url("b.s.test", "/"), &[]);
    setup.clock.advance(Duration::from_secs(3600));
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    setup.quiet();
    assert_eq!((witness.deliveries().len(), subscriber.deliveries().len()), (1, 0));
    let states: Vec<_> = setup.listed().into_iter().map(|listed| listed.state).collect();
    assert_eq!(states, ["expired", "active"]);
    setup.clock.advance(6 * DAY);
    setup.restart();
    assert_eq!(setup.listed().len(), 2, "kept for a week");
    setup.clock.advance(DAY);
    setup.restart();
    eventually("it is deleted", || setup.listed().len() == 1);
}

#[test]
fn a_subscription_begins_anew_after_its_lease_ended() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.lease_seconds", "3600")]);
    setup.clock.advance(Duration::from_secs(3600));
    setup.publish("feed.xml", "<feed>1</feed>");
    eventually("announced", || setup.count("candor_hub_announcements_total", "feed.xml") == 2);
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 0, "what changed before is not its concern");
    setup.publish("feed.xml", "<feed>2</feed>");
    setup.recorded("delivered", 1);
}

#[test]
fn a_dead_host_delays_nobody_else() {
    const ANSWER: Duration = Duration::from_secs(15);
    let mut setup = HubSetup::with(|hub| {
        hub.limits.deliveries = 20;
        hub.timeouts.answer = ANSWER;
    });
    let dead = Subscriber::replying(Reply::Never);
    for number in 0..40 {
        let callback = dead.url("dead.s.test", &format!("/{number}"));
        setup.subscribed(&dead, "feed.xml", &callback, &[]);
    }
    let alive = Subscriber::willing();
    for number in 0..40 {
        let callback = alive.url(&format!("h{number}.s.test"), "/");
        setup.subscribed(&alive, "feed.xml", &callback, &[]);
    }
    setup.publish("feed.xml", "<feed>1</feed>");
    let started = Instant::now();
    setup.recorded("delivered", 40);
    let took = started.elapsed();
    println!("40 deliveries beside a dead host with 40 took {took:?}");
    assert!(took < ANSWER, "no delivery waits for the dead host's timeout: {took:?}");
    assert!(dead.deliveries().len() <= 8, "and the dead host is not called more than it may be");
}
