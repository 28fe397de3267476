//! The publisher's ping, and subscribers of a site that is fetched.

use std::time::Duration;

use super::{Origin, follow};
use crate::{
    Request, eventually,
    hub::{
        setup::{HubSetup, topic},
        subscriber::Subscriber,
    },
    listing::saying,
};

/// A setup whose site is on a web server that is never asked by itself.
fn setup() -> (HubSetup, Origin) {
    let mut setup = HubSetup::stopped();
    let origin = Origin::of(&setup.site);
    follow(&mut setup.config, &origin);
    setup.config.serve_public = false;
    setup.config.poll_interval = Duration::from_secs(3600);
    setup.start();
    eventually("the site", || super::serves(setup.running(), &setup.site));
    (setup, origin)
}

fn ping(setup: &HubSetup) {
    let answer = setup.ask(&[("hub.mode", "publish"), ("hub.url", &topic("feed.xml"))]);
    assert_eq!((answer.status, answer.text()), (202, "accepted\n"));
}

#[test]
fn a_ping_makes_the_sidecar_look_at_once_and_subscribers_hear_of_it() {
    let (mut setup, origin) = setup();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/"), &[]);
    setup.publish("reviews.json", &saying("new"));
    origin.forget();
    ping(&setup);
    setup.recorded("delivered", 1);
    assert_eq!(subscriber.deliveries()[0].text(), saying("new"));
    assert!(super::says(setup.running(), "new"));
    assert_eq!(origin.paths(), ["candor-manifest.json", "reviews.json"]);
}

#[test]
fn a_ping_announces_nothing_that_did_not_change() {
    let (setup, _origin) = setup();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/"), &[]);
    let announced = setup.count("candor_hub_announcements_total", "");
    for looks in 1..=2 {
        ping(&setup);
        eventually("a look", || setup.count("candor_source_looks_total", "unchanged") == looks);
    }
    setup.quiet();
    assert_eq!(setup.count("candor_hub_announcements_total", ""), announced);
    assert_eq!(subscriber.deliveries().len(), 0);
}

#[test]
fn pings_are_limited() {
    let mut setup = HubSetup::stopped();
    let origin = Origin::of(&setup.site);
    follow(&mut setup.config, &origin);
    setup.config.hub.limits.pings = 2;
    setup.start();
    eventually("the site", || super::serves(setup.running(), &setup.site));
    let ping = || {
        Request::new("POST", "/api/websub/hub")
            .with("Content-Type", "application/x-www-form-urlencoded")
            .with("X-Forwarded-For", "9.9.9.9")
            .body(format!("hub.mode=publish&hub.url={}", topic("feed.xml")))
            .send(setup.running().address)
    };
    assert_eq!([ping().status, ping().status], [202, 202]);
    let answer = ping();
    assert_eq!(answer.status, 429);
    assert!(answer.field("retry-after").is_some());
}
