//! Untrusted clients choose the callbacks: what limits the requests that the hub makes.

use std::time::Duration;

use super::{
    setup::HubSetup,
    subscriber::{Subscriber, willing},
};
use crate::{get, running::eventually};

/// Waits for as many verifications with this outcome.
fn outcome(setup: &HubSetup, outcome: &str, number: u64) {
    let label = format!("outcome=\"{outcome}\"");
    eventually(outcome, || setup.count("candor_hub_verifications_total", &label) == number);
}

#[test]
fn names_of_private_addresses_are_not_called_and_nobody_outside_can_tell() {
    let setup = HubSetup::with(|hub| hub.allow_cidrs.clear());
    let subscriber = Subscriber::willing();
    for (number, address) in [
        "127.0.0.1",
        "::1",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "::ffff:127.0.0.1",
        "fe80::1",
    ]
    .into_iter()
    .enumerate()
    {
        let host = format!("n{number}.s.test");
        setup.names.set(&host, &[&[address]]);
        setup.subscribe("feed.xml", &subscriber.url(&host, "/"), &[]);
        outcome(&setup, "rejected", number as u64 + 1);
        assert_eq!(setup.names.asked(&host), 1, "{address}: a wrong answer is final");
    }
    assert_eq!((subscriber.received().len(), setup.listed().len()), (0, 0));
}

#[test]
fn localhost_is_judged_by_its_addresses_alone() {
    let subscriber = Subscriber::willing();
    let callback = subscriber.url("localhost", "/");
    let public = HubSetup::with(|hub| (hub.lookup, hub.allow_cidrs) = (None, Vec::new()));
    public.subscribe("feed.xml", &callback, &[]);
    outcome(&public, "rejected", 1);
    let allowed = HubSetup::with(|hub| hub.lookup = None);
    allowed.subscribed(&subscriber, "feed.xml", &callback, &[]);
    assert_eq!(allowed.listed()[0].state, "active");
}

#[test]
fn a_name_that_changes_its_answer_gains_nothing() {
    // One look-up decides and connects; the next connection is decided anew.
    let mut setup = HubSetup::with(|hub| hub.allow_cidrs = vec!["127.0.0.1/32".parse().unwrap()]);
    let inside = Subscriber::willing();
    let host = "rebinds.s.test";
    setup.names.set(host, &[&["127.0.0.1"], &["127.0.0.2"]]);
    setup.subscribed(&inside, "feed.xml", &inside.url(host, "/"), &[]);
    assert_eq!(setup.names.asked(host), 1, "no second look-up between check and connection");
    // A connection that is kept would need no look-up: end it.
    setup.restart();
    setup.publish("feed.xml", "<feed>secret</feed>");
    setup.recorded("failed", 1);
    assert_eq!(setup.names.asked(host), 2);
    assert_eq!(inside.deliveries().len(), 0);
    let error = setup.listed()[0].last_error.clone().unwrap();
    assert_eq!(error, "the name has no address that may be connected to");
}

#[test]
fn of_several_addresses_only_the_permitted_are_tried() {
    let setup = HubSetup::with(|hub| hub.allow_cidrs = vec!["127.0.0.1/32".parse().unwrap()]);
    let subscriber = Subscriber::willing();
    setup.names.set("both.s.test", &[&["10.0.0.1", "127.0.0.1", "::1"]]);
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("both.s.test", "/"), &[]);
    assert_eq!(setup.listed().len(), 1);
}

#[test]
fn a_certificate_that_does_not_fit_is_final_and_named() {
    let setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    setup.names.set("other.test", &[&["127.0.0.1"]]);
    setup.subscribe("feed.xml", &subscriber.url("other.test", "/"), &[]);
    outcome(&setup, "rejected", 1);
    let setup = HubSetup::with(|hub| hub.extra_ca.clear());
    setup.subscribe("feed.xml", &subscriber.url("a.s.test", "/"), &[]);
    outcome(&setup, "rejected", 1);
    assert_eq!(subscriber.received().len(), 0);
}

#[test]
fn the_total_and_the_hosts_share_of_what_is_under_way_are_bounded() {
    let mut setup = HubSetup::with(|hub| {
        (hub.limits.deliveries, hub.limits.deliveries_by_host) = (6, 2);
        hub.timeouts.answer = Duration::from_secs(30);
    });
    let (send, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    let open = std::sync::atomic::AtomicBool::new(false);
    let subscriber = Subscriber::answering(move |received| {
        use std::sync::atomic::Ordering;
        if received.method == "POST" && !open.load(Ordering::Relaxed) {
            // Holds the only worker: everything under way waits behind this.
            wait.lock().unwrap().recv().unwrap();
            open.store(true, Ordering::Relaxed);
        }
        willing(received)
    });
    for host in ["a", "b", "c", "d"] {
        for path in ["/1", "/2", "/3"] {
            let callback = subscriber.url(&format!("{host}.s.test"), path);
            setup.subscribed(&subscriber, "feed.xml", &callback, &[]);
        }
    }
    setup.publish("feed.xml", "<feed>1</feed>");
    let running = || setup.count("candor_hub_deliveries_running", "");
    eventually("six are under way", || running() == 6);
    send.send(()).unwrap();
    setup.recorded("delivered", 12);
}

#[test]
fn secrets_show_nowhere() {
    let mut setup = HubSetup::new();
    let subscriber = Subscriber::willing();
    let secret = "correct-horse-battery-staple";
    let callback = subscriber.url("a.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &callback, &[("hub.secret", secret)]);
    setup.publish("feed.xml", "<feed>1</feed>");
    setup.recorded("delivered", 1);
    let shown = format!(
        "{:?} {} {}",
        setup.listed(),
        serde_json::to_string(&setup.listed()).unwrap(),
        get(setup.running().admin, "/metrics").text()
    );
    assert!(!shown.contains(secret));
    setup.stop();
    for file in std::fs::read_dir(setup.site.state()).unwrap() {
        let path = file.unwrap().path();
        let bytes = if path.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "{}", path.display());
    }
}
