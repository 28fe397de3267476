//! The hub of a sidecar with several sites.

use std::sync::Arc;

use sidecar::Config;

use super::{
    setup::configure,
    subscriber::{Names, Subscriber, TestClock},
};
use crate::{
    Request, Running, Site, get,
    running::eventually,
    sites::{Folder, listed},
};

/// A running sidecar for two sites, one of which fits into its memory.
struct TwoSites {
    folder: Folder,
    a: Site,
    b: Site,
    config: Config,
    running: Option<Running>,
}

impl TwoSites {
    fn new() -> Self {
        let folder = Folder::new();
        let (a, b) = (folder.add("a.example"), folder.add("b.example"));
        let mut config = folder.config();
        config.memory = 1;
        configure(&mut config.hub);
        config.hub.clock = Some(TestClock::new());
        config.hub.lookup = Some(Arc::new(Names::default()));
        let running = Some(Running::start_with(config.clone()));
        Self { folder, a, b, config, running }
    }

    fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }

    fn subscribe(&self, host: &str, subscriber: &Subscriber, callback: &str) {
        let asked = subscriber.verifications().len();
        let fields = [
            ("hub.mode", "subscribe"),
            ("hub.topic", &format!("https://{host}/feed.xml")),
            ("hub.callback", &subscriber.url("a.s.test", callback)),
        ];
        let answer = post_form_to(host, self.running(), &fields);
        assert_eq!((answer.status, answer.text()), (202, "accepted\n"));
        eventually("a verification", || subscriber.verifications().len() > asked);
        eventually("a subscription", || {
            let metrics = get(self.running().admin, "/metrics");
            let all = metrics.text().lines().filter(|line| line.contains("outcome=\"activated\""));
            let all = all.filter_map(|line| line.rsplit_once(' ')?.1.parse::<usize>().ok());
            all.sum::<usize>() > asked
        });
    }
}

fn post_form_to(host: &str, running: &Running, fields: &[(&str, &str)]) -> crate::Answer {
    let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    Request::new("POST", "/api/websub/hub")
        .host(host)
        .with("Content-Type", "application/x-www-form-urlencoded")
        .body(form)
        .send(running.address)
}

fn change(site: &mut Site, feed: &str) {
    site.set("feed.xml", feed);
    site.later_by(1);
    site.publish();
}

fn paths_and_bodies(subscriber: &Subscriber) -> Vec<(String, String)> {
    let received = subscriber.deliveries();
    received.iter().map(|got| (got.path.clone(), got.text().to_owned())).collect()
}

#[test]
fn a_change_reaches_the_subscribers_of_its_site_alone() {
    let mut two = TwoSites::new();
    let subscriber = Subscriber::willing();
    two.subscribe("a.example", &subscriber, "/a");
    two.subscribe("b.example", &subscriber, "/b");
    change(&mut two.b, "<b/>");
    eventually("its change", || subscriber.deliveries().len() == 1);
    change(&mut two.a, "<a/>");
    eventually("the other change", || subscriber.deliveries().len() == 2);
    let pairs = [("/b", "<b/>"), ("/a", "<a/>")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(paths_and_bodies(&subscriber), pairs);
    // One of them was not loaded when it changed.
    let loaded =
        ["a.example", "b.example"].map(|host| listed(two.running(), host)["loaded"].is_null());
    assert!(loaded.contains(&true), "{loaded:?}");
    let link = subscriber.deliveries()[0].field("link").unwrap().to_owned();
    assert!(link.contains("https://b.example/feed.xml"), "{link}");
}

#[test]
fn a_topic_of_another_site_is_unknown() {
    let two = TwoSites::new();
    let fields = [
        ("hub.mode", "subscribe"),
        ("hub.topic", "https://b.example/feed.xml"),
        ("hub.callback", "https://a.s.test/"),
    ];
    let answer = post_form_to("a.example", two.running(), &fields);
    assert_eq!(answer.status, 400);
    assert!(
        answer.text().starts_with("hub.topic is none of this hub's topics: "),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains("https://a.example/feed.xml"));
}

#[test]
fn what_changed_while_the_sidecar_was_down_is_announced_although_nobody_asks_for_the_site() {
    let mut two = TwoSites::new();
    let subscriber = Subscriber::willing();
    two.subscribe("a.example", &subscriber, "/a");
    two.running = None;
    change(&mut two.a, "<while-down/>");
    two.running = Some(Running::start_with(two.config.clone()));
    eventually("the change", || subscriber.deliveries().len() == 1);
    assert_eq!(subscriber.deliveries()[0].text(), "<while-down/>");
    drop(two.folder);
}

#[test]
fn a_site_with_subscribers_that_cannot_be_loaded_is_tried_again_although_nobody_asks_for_it() {
    let mut two = TwoSites::new();
    let subscriber = Subscriber::willing();
    two.subscribe("a.example", &subscriber, "/a");
    two.running = None;
    two.a.set("feed.xml", "<whole/>");
    two.a.later_by(1);
    two.a.publish();
    two.a.write("feed.xml", b"<torn");
    std::fs::remove_dir_all(two.config.state.join("sites")).unwrap();
    two.running = Some(Running::start_with(two.config.clone()));
    eventually("it is refused", || !listed(two.running(), "a.example")["refused"].is_null());
    two.a.publish();
    eventually("the change", || subscriber.deliveries().len() == 1);
    assert_eq!(subscriber.deliveries()[0].text(), "<whole/>");
}
