//! A site with a hub, its names and its clock, and the actions of tests.

use std::{sync::Arc, time::Duration};

use sidecar::{Config, HubConfig};

use super::subscriber::{Authority, Names, Subscriber, TestClock};
use crate::{
    Answer, Request, Running, Site, get,
    running::{config, eventually},
    site::ORIGIN,
};

pub(crate) const DAY: Duration = Duration::from_secs(24 * 3600);

/// A running sidecar with everything around it.
pub(crate) struct HubSetup {
    pub(crate) site: Site,
    pub(crate) names: Arc<Names>,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) config: Config,
    pub(crate) running: Option<Running>,
}

/// A topic's URL.
pub(crate) fn topic(path: &str) -> String {
    format!("{ORIGIN}/{path}")
}

impl HubSetup {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// A setup whose hub is configured otherwise.
    pub(crate) fn with(change: impl FnOnce(&mut HubConfig)) -> Self {
        let mut setup = Self::stopped();
        change(&mut setup.config.hub);
        setup.start();
        setup
    }

    /// A setup whose sidecar is not running.
    pub(crate) fn stopped() -> Self {
        let site = Site::new();
        let (names, clock) = (Arc::new(Names::default()), TestClock::new());
        let mut config = config(&site);
        configure(&mut config.hub);
        config.hub.clock = Some(clock.clone());
        config.hub.lookup = Some(names.clone());
        if let Some(store) = store_for_tests() {
            config.hub.store = Some(store);
        }
        Self { site, names, clock, config, running: None }
    }

    pub(crate) fn start(&mut self) {
        self.running = Some(Running::start_with(self.config.clone()));
    }

    pub(crate) fn stop(&mut self) {
        self.running = None;
    }

    pub(crate) fn restart(&mut self) {
        self.stop();
        self.start();
    }

    pub(crate) fn running(&self) -> &Running {
        self.running.as_ref().unwrap()
    }

    /// Sends a form to the hub.
    pub(crate) fn ask(&self, fields: &[(&str, &str)]) -> Answer {
        post_form(self.running().address, fields)
    }

    /// Requests a subscription and expects that it is accepted.
    pub(crate) fn subscribe(&self, path: &str, callback: &str, more: &[(&str, &str)]) {
        let topic = topic(path);
        let fields = [("hub.mode", "subscribe"), ("hub.topic", &topic), ("hub.callback", callback)];
        let answer = self.ask(&[&fields, more].concat());
        assert_eq!((answer.status, answer.text()), (202, "accepted\n"));
    }

    /// A subscription that is verified.
    pub(crate) fn subscribed(
        &self,
        subscriber: &Subscriber,
        path: &str,
        callback: &str,
        more: &[(&str, &str)],
    ) {
        let verified = self.count("candor_hub_verifications_total", "");
        let asked = subscriber.verifications().len();
        self.subscribe(path, callback, more);
        eventually("a verification", || {
            self.count("candor_hub_verifications_total", "") > verified
        });
        assert_eq!(subscriber.verifications().len(), asked + 1);
    }

    pub(crate) fn unsubscribe(&self, path: &str, callback: &str) {
        let topic = topic(path);
        let answer = self.ask(&[
            ("hub.mode", "unsubscribe"),
            ("hub.topic", &topic),
            ("hub.callback", callback),
        ]);
        assert_eq!(answer.status, 202);
    }

    /// Publishes other bytes of a topic.
    pub(crate) fn publish(&mut self, path: &str, bytes: &str) {
        self.site.set(path, bytes);
        self.site.later_by(1);
        self.site.publish();
    }

    /// The sum of a metric's lines that have this in them.
    pub(crate) fn count(&self, metric: &str, has: &str) -> u64 {
        let text = get(self.running().admin, "/metrics");
        let lines = text.text().lines().filter(|line| line.starts_with(metric));
        let lines = lines.filter(|line| line.contains(has));
        lines.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap() as u64).sum()
    }

    /// Waits until this many posts with this outcome were recorded.
    pub(crate) fn recorded(&self, outcome: &str, number: u64) {
        let outcome = format!("outcome=\"{outcome}\"");
        eventually(&format!("{number} of {outcome}"), || {
            let found = self.count("candor_hub_deliveries_total", &outcome);
            assert!(found <= number, "{found} of {outcome}, expected {number}");
            found == number
        });
    }

    /// Waits until the hub has seen everything that was published so far, and had the time to do
    /// something about it.
    pub(crate) fn quiet(&self) {
        let build = self.site.manifest().build_id;
        eventually("the newest publication", || {
            get(self.running().admin, "/readyz").json()["build_id"] == build.as_str()
        });
        // All stages of the hub tick equally often on one thread: after a few ticks each of them
        // has begun what was due.
        let ticks = self.clock.ticks();
        eventually("a few ticks", || self.clock.ticks() >= ticks + 4);
        // They take turns at the store: once it has taken requests, it has recorded earlier results.
        for _ in 0..3 {
            let callback = "https://nobody.s.test/";
            self.unsubscribe("reviews.json", callback);
        }
    }

    pub(crate) fn listed(&self) -> Vec<sidecar::SubscriptionInfo> {
        let admin = sidecar::StoreAdmin::new(self.site.state(), &self.config.hub).unwrap();
        actix_web::rt::System::new().block_on(admin.subscriptions(None)).unwrap()
    }
}

/// For subscribers on this machine.
pub(crate) fn configure(hub: &mut HubConfig) {
    hub.allow_cidrs = vec!["127.0.0.0/8".parse().unwrap()];
    hub.extra_ca = vec![Authority::get().file()];
    hub.tick = Duration::from_millis(20);
    hub.timeouts.answer = Duration::from_millis(1500);
    hub.timeouts.body = Duration::from_millis(500);
    hub.limits.requests_by_host = 10_000;
    // The tests' names are below one domain.
    hub.limits.verifications_by_domain = 10_000;
}

/// Where the tests are run against PostgreSQL, a database of its own for each.
fn store_for_tests() -> Option<String> {
    super::postgres::fresh_database()
}

pub(crate) fn post_form(address: std::net::SocketAddr, fields: &[(&str, &str)]) -> Answer {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    Request::new("POST", "/api/websub/hub")
        .with("Content-Type", "application/x-www-form-urlencoded")
        .body(form.finish())
        .send(address)
}
