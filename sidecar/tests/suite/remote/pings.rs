//! The publisher's ping, and subscribers of a site that is fetched.

use std::time::Duration;

use super::{Origin, follow};
use crate::{
    eventually,
    hub::{
        subscriber::Subscriber,
        town::{Town, topic},
    },
    listing::saying,
};

/// A town whose site is on a web server that is never asked by itself.
fn town() -> (Town, Origin) {
    let mut town = Town::asleep();
    let origin = Origin::of(&town.site);
    follow(&mut town.config, &origin);
    town.config.serve_public = false;
    town.config.poll_interval = Duration::from_secs(3600);
    town.wake();
    eventually("the site", || super::serves(town.running(), &town.site));
    (town, origin)
}

fn ping(town: &Town) {
    let answer = town.ask(&[("hub.mode", "publish"), ("hub.url", &topic("feed.xml"))]);
    assert_eq!((answer.status, answer.text()), (202, "accepted\n"));
}

#[test]
fn a_ping_makes_the_sidecar_look_at_once_and_subscribers_hear_of_it() {
    let (mut town, origin) = town();
    let subscriber = Subscriber::willing();
    town.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/"), &[]);
    town.publish("reviews.json", &saying("new"));
    origin.forget();
    ping(&town);
    town.recorded("delivered", 1);
    assert_eq!(subscriber.deliveries()[0].text(), saying("new"));
    assert!(super::says(town.running(), "new"));
    assert_eq!(origin.paths(), ["candor-manifest.json", "reviews.json"]);
}

#[test]
fn a_ping_announces_nothing_that_did_not_change() {
    let (town, _origin) = town();
    let subscriber = Subscriber::willing();
    town.subscribed(&subscriber, "reviews.json", &subscriber.url("a.s.test", "/"), &[]);
    let announced = town.count("candor_hub_announcements_total", "");
    for looks in 1..=2 {
        ping(&town);
        eventually("a look", || town.count("candor_source_looks_total", "unchanged") == looks);
    }
    town.quiet();
    assert_eq!(town.count("candor_hub_announcements_total", ""), announced);
    assert_eq!(subscriber.deliveries().len(), 0);
}

#[test]
fn pings_are_limited() {
    let mut town = Town::asleep();
    let origin = Origin::of(&town.site);
    follow(&mut town.config, &origin);
    town.config.hub.limits.pings = 2;
    town.wake();
    eventually("the site", || super::serves(town.running(), &town.site));
    ping(&town);
    ping(&town);
    let answer = town.ask(&[("hub.mode", "publish"), ("hub.url", &topic("feed.xml"))]);
    assert_eq!(answer.status, 429);
    assert!(answer.field("retry-after").is_some());
}
