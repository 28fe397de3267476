//! Verification of intent (WebSub §5.3): each row that leads to or from `pending`.

use std::time::Duration;

use super::{
    setup::{HubSetup, topic},
    subscriber::{Reply, Subscriber, closes_without_notify, willing},
};
use crate::running::eventually;

/// Waits for as many verifications with this outcome.
fn outcome(setup: &HubSetup, outcome: &str, number: u64) {
    let label = format!("outcome=\"{outcome}\"");
    eventually(outcome, || setup.count("candor_hub_verifications_total", &label) == number);
}

#[test]
fn a_verification_has_mode_topic_challenge_and_lease() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/cb?hub.mode=mine&x=%2F");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("foo", "bar"), ("hub.foo", "hub.bar")]);
    let asked = &subscriber.verifications()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("GET", "/cb"));
    assert!(asked.query.starts_with("hub.mode=mine&x=%2F&hub.mode=subscribe&"), "{}", asked.query);
    assert_eq!(asked.parameter("hub.topic"), Some(topic("feed.xml")));
    assert_eq!(asked.parameter("hub.lease_seconds").as_deref(), Some("864000"), "ten days");
    assert_eq!(asked.parameter("hub.challenge").unwrap().len(), 64);
    assert_eq!(setup.listed()[0].state, "active");
}

#[test]
fn the_topic_is_echoed_as_it_was_given_and_every_challenge_is_new() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/cb");
    let odd = "https://SHOP.example:443/%66eed.xml";
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    let fields = [("hub.mode", "subscribe"), ("hub.topic", odd), ("hub.callback", &callback)];
    assert_eq!(setup.ask(&fields).status, 202);
    eventually("a second verification", || subscriber.verifications().len() == 2);
    let asked = subscriber.verifications();
    assert_eq!(asked[1].parameter("hub.topic").as_deref(), Some(odd));
    assert_ne!(asked[0].parameter("hub.challenge"), asked[1].parameter("hub.challenge"));
    outcome(&setup, "renewed", 1);
    assert_eq!(setup.listed().len(), 1, "one subscription in two spellings");
}

#[test]
fn the_lease_is_clamped_and_reported() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    for (number, (asked, given)) in
        [("1", "300"), ("99999999999", "2592000"), ("3600", "3600"), ("", "864000")]
            .into_iter()
            .enumerate()
    {
        let callback = subscriber.url("a.s.test", &format!("/{number}"));
        setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.lease_seconds", asked)]);
        let verification = subscriber.verifications().pop().unwrap();
        assert_eq!(verification.parameter("hub.lease_seconds").as_deref(), Some(given));
    }
}

#[test]
fn pending_any_2xx_with_the_challenge_is_active() {
    let setup = HubSetup::new();
    for (number, status) in [200, 201, 202, 299].into_iter().enumerate() {
        let subscriber = Subscriber::answering(move |_| Reply::Challenge(status));
        setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
        outcome(&setup, "activated", number as u64 + 1);
    }
}

#[test]
fn a_challenge_that_ends_with_the_connection_is_whole_and_one_that_breaks_off_is_not() {
    let setup = HubSetup::new();
    // FreshRSS on PHP's own server sends the second of these.
    for (head, what) in [
        ("HTTP/1.0 200 OK", "activated"),
        ("HTTP/1.1 200 OK\r\nConnection: close", "activated"),
        ("HTTP/1.1 200 OK", "activated"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1000", "rejected"),
    ] {
        let (port, thread) = closes_without_notify(head);
        let before = setup.count("candor_hub_verifications_total", what);
        setup.subscribe("feed.xml", &format!("https://a.s.test:{port}/"), &[]);
        eventually(head, || setup.count("candor_hub_verifications_total", what) == before + 1);
        thread.join().unwrap();
    }
}

#[test]
fn pending_anything_else_is_rejected_and_nothing_stored() {
    let setup = HubSetup::new();
    let wrong = [
        Reply::Text(200, "no".into()),
        Reply::Text(200, String::new()),
        Reply::Text(204, String::new()),
        Reply::Challenge(404),
        Reply::Challenge(500),
        Reply::Challenge(302),
        Reply::Field(302, "location", "https://b.s.test/".into()),
        Reply::Endless,
        Reply::Stalls,
    ];
    for (number, reply) in wrong.into_iter().enumerate() {
        let answer = reply.clone();
        let subscriber = Subscriber::answering(move |_| answer.clone());
        setup.subscribe("feed.xml", &subscriber.url("a.s.test", "/"), &[]);
        outcome(&setup, "rejected", number as u64 + 1);
        assert_eq!(subscriber.verifications().len(), 1, "{reply:?}: a wrong answer is final");
        assert_eq!(setup.listed(), []);
    }
    let newline = Subscriber::answering(|received| {
        Reply::Text(200, format!("{}\n", received.parameter("hub.challenge").unwrap()))
    });
    setup.subscribed(&newline, "feed.xml", &newline.url("a.s.test", "/"), &[]);
    assert_eq!(setup.listed(), [], "a challenge and a newline are not the challenge");
}

#[test]
fn pending_no_answer_is_asked_again_and_then_rejected() {
    let setup = HubSetup::with(|hub| hub.timeouts.answer = Duration::from_millis(100));
    let subscriber = Subscriber::answering(|_| Reply::Never);
    setup.subscribe("feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    outcome(&setup, "verify_again", 1);
    setup.clock.advance(Duration::from_secs(10));
    outcome(&setup, "verify_again", 2);
    setup.clock.advance(Duration::from_secs(59));
    setup.quiet();
    assert_eq!(setup.listed().len(), 1, "not yet");
    setup.clock.advance(Duration::from_secs(1));
    outcome(&setup, "rejected", 1);
    assert_eq!(setup.listed(), []);

    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    setup.subscribe("feed.xml", &format!("https://a.s.test:{closed}/"), &[]);
    outcome(&setup, "verify_again", 3);
    let late = Subscriber::willing();
    setup.subscribe("feed.xml", &late.url("b.s.test", "/"), &[]);
    outcome(&setup, "activated", 1);
}

#[test]
fn what_changes_while_a_request_waits_is_delivered_once_it_is_verified() {
    for (publishes, restarts) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut setup = HubSetup::with(|hub| hub.timeouts.answer = Duration::from_millis(100));
        setup.quiet();
        let subscriber = Subscriber::answering(|_| Reply::Never);
        setup.subscribe("feed.xml", &subscriber.url("a.s.test", "/"), &[]);
        outcome(&setup, "verify_again", 1);
        let changed = if publishes { "feed.xml" } else { "reviews.json" };
        let bytes = setup.site.bytes("reviews.json").to_vec();
        let bytes = String::from_utf8(bytes).unwrap() + "\n";
        setup.publish(changed, &bytes);
        setup.quiet();
        let other_state = tempfile::tempdir().unwrap();
        if restarts && setup.config.hub.store.is_some() {
            // Another replica of the store.
            setup.config.hub.key = Some(setup.site.state().join("hub.key"));
            setup.config.state = other_state.path().to_path_buf();
        }
        if restarts {
            setup.restart();
        }
        subscriber.now_answers(willing);
        setup.clock.advance(Duration::from_secs(10));
        outcome(&setup, "activated", 1);
        if publishes {
            setup.recorded("delivered", 1);
        }
        setup.quiet();
        let delivered = subscriber.deliveries();
        let delivered: Vec<_> = delivered.iter().map(|received| received.text()).collect();
        assert_eq!(delivered, if publishes { vec![&*bytes] } else { vec![] });
        setup.stop();
    }
}

#[test]
fn a_name_that_does_not_exist_is_rejected_at_once() {
    let setup = HubSetup::new();
    setup.subscribe("feed.xml", "https://nobody.example/", &[]);
    outcome(&setup, "rejected", 1);
    assert_eq!((setup.listed(), setup.names.asked("nobody.example")), (vec![], 1));
}

#[test]
fn a_renewal_that_fails_leaves_the_active_subscription_as_it_was() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.secret", "old")]);
    let before = setup.listed();
    subscriber.now_answers(|received| match received.method.as_str() {
        "GET" => Reply::Text(404, String::new()),
        _ => Reply::Text(200, String::new()),
    });
    let more = [("hub.secret", "new"), ("hub.lease_seconds", "300")];
    setup.subscribe("feed.xml", &callback, &more);
    outcome(&setup, "rejected", 1);
    assert_eq!(setup.listed(), before);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    let delivered = &subscriber.deliveries()[0];
    assert_eq!(
        delivered.field("x-hub-signature"),
        Some(super::deliveries::signature("old", &delivered.body).as_str())
    );
}

#[test]
fn a_renewal_replaces_secret_and_lease_and_a_change_is_delivered_once() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.secret", "old")]);
    for (round, secret) in [Some("new"), None].into_iter().enumerate() {
        let more: Vec<_> = secret.map(|secret| ("hub.secret", secret)).into_iter().collect();
        setup.subscribed(&subscriber, "feed.xml", &callback, &more);
        setup.publish("feed.xml", &format!("<feed>{round}</feed>"));
        setup.recorded("delivered", round as u64 + 1);
        let delivered = subscriber.deliveries();
        assert_eq!(delivered.len(), round + 1);
        let expected = secret.map(|s| super::deliveries::signature(s, &delivered[round].body));
        assert_eq!(delivered[round].field("x-hub-signature"), expected.as_deref());
    }
}

#[test]
fn of_two_requests_in_flight_the_newest_wins() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::answering(|received| {
        match received.parameter("hub.lease_seconds").as_deref() {
            Some("301") => Reply::Never,
            _ => Reply::Challenge(200),
        }
    });
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribe("feed.xml", &callback, &[("hub.lease_seconds", "301")]);
    eventually("the first verification", || subscriber.verifications().len() == 1);
    setup.subscribe("feed.xml", &callback, &[("hub.lease_seconds", "3000")]);
    outcome(&setup, "activated", 1);
    outcome(&setup, "nothing", 1);
    assert_eq!(setup.listed()[0].lease_end, Some(1_800_003_000_000));
}

#[test]
fn unsubscribing_is_verified_and_ends_deliveries() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("a.s.test", "/?a=b");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
    subscriber.now_answers(|_| Reply::Text(404, String::new()));
    setup.unsubscribe("feed.xml", &callback);
    outcome(&setup, "rejected", 1);
    assert_eq!(setup.listed().len(), 1, "somebody else asked for it");
    subscriber.now_answers(super::subscriber::willing);
    setup.unsubscribe("feed.xml", &callback);
    outcome(&setup, "unsubscribed", 1);
    let asked = subscriber.verifications().pop().unwrap();
    assert_eq!(asked.parameter("hub.mode").as_deref(), Some("unsubscribe"));
    assert_eq!(asked.parameter("hub.topic"), Some(topic("feed.xml")));
    assert_eq!(asked.parameter("hub.lease_seconds"), None);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 0);
}

#[test]
fn unsubscribing_what_is_not_subscribed_is_202_and_nothing_happens() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.unsubscribe("feed.xml", &subscriber.url("a.s.test", "/"));
    setup.quiet();
    assert_eq!((subscriber.received().len(), setup.listed().len()), (0, 0));
}

#[test]
fn the_lease_counts_from_the_verification_request_and_not_from_its_response() {
    let setup = HubSetup::new();
    let clock = setup.clock.clone();
    let subscriber = Subscriber::answering(move |_| {
        clock.advance(Duration::from_secs(60));
        Reply::Challenge(200)
    });
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    assert_eq!(setup.listed()[0].lease_end, Some(1_800_000_000_000 + 864_000_000));
}
