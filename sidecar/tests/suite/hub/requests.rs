//! The hub's responses to requests (WebSub §5.1.2, contract section 7).

use super::{
    setup::{HubSetup, post_form, topic},
    subscriber::Subscriber,
};
use crate::{Answer, Request, Running, Site};

const CALLBACK: &str = "https://a.s.test/cb";

fn subscription_request(callback: &str) -> Vec<(&str, &str)> {
    vec![
        ("hub.mode", "subscribe"),
        ("hub.topic", "https://shop.example/feed.xml"),
        ("hub.callback", callback),
    ]
}

fn said(answer: &Answer) -> (u16, Option<&str>, &str) {
    (answer.status, answer.field("content-type"), answer.text())
}

const PLAIN: Option<&str> = Some("text/plain; charset=utf-8");

#[test]
fn none_subscribe_https_is_202_at_once_whatever_the_subscriber_does() {
    let setup = HubSetup::new();
    let answer = setup.ask(&subscription_request("https://does-not-exist.invalid/"));
    assert_eq!(said(&answer), (202, PLAIN, "accepted\n"));
    assert_eq!(answer.field("cache-control"), Some("no-store"));
}

#[test]
fn none_subscribe_plain_http_is_400_with_a_reason() {
    let setup = HubSetup::new();
    let answer = setup.ask(&subscription_request("http://a.s.test/cb"));
    let reason = "hub.callback must be an https URL: deliveries are not sent in the clear\n";
    assert_eq!(said(&answer), (400, PLAIN, reason));
}

#[test]
fn ip_literals_userinfo_and_unknown_topics_are_400() {
    let setup = HubSetup::new();
    for callback in ["https://127.0.0.1/", "https://[::1]/", "https://0x7f.1/", "https://8.8.8.8/"]
    {
        let reason = "hub.callback must name its host: IP addresses are not called\n";
        assert_eq!(
            said(&setup.ask(&subscription_request(callback))),
            (400, PLAIN, reason),
            "{callback}"
        );
    }
    let answer = setup.ask(&subscription_request("https://u:p@a.s.test/"));
    let reason = "hub.callback must not hold a user name or password\n";
    assert_eq!(said(&answer), (400, PLAIN, reason));
    let answer = setup.ask(&[
        ("hub.mode", "subscribe"),
        ("hub.topic", "https://shop.example/insights.json"),
        ("hub.callback", CALLBACK),
    ]);
    let reason = "hub.topic is none of this hub's topics: https://shop.example/feed.xml \
                  https://shop.example/reviews.json\n";
    assert_eq!(said(&answer), (400, PLAIN, reason));
}

#[test]
fn only_forms_of_a_reasonable_size_are_read() {
    let setup = HubSetup::new();
    let address = setup.running().address;
    let post = |media_type: &str, body: String| {
        let request = Request::new("POST", "/api/websub/hub").with("Content-Type", media_type);
        request.body(body).send(address)
    };
    let reason = "the form must be application/x-www-form-urlencoded in UTF-8\n";
    assert_eq!(said(&post("application/json", "{}".into())), (415, PLAIN, reason));
    let form = "application/x-www-form-urlencoded";
    let long = format!("x={}", "y".repeat(16 * 1024));
    let reason = "the form is longer than 16384 bytes\n";
    assert_eq!(said(&post(form, long)), (413, PLAIN, reason));
    assert_eq!(said(&post(form, String::new())), (400, PLAIN, "hub.mode is missing\n"));
}

#[test]
fn other_methods_are_405_and_preflights_are_answered() {
    let setup = HubSetup::new();
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        let answer = Request::new(method, "/api/websub/hub").send(setup.running().address);
        assert_eq!(
            (answer.status, answer.field("allow")),
            (405, Some("POST, OPTIONS")),
            "{method}"
        );
    }
    let preflight = Request::new("OPTIONS", "/api/websub/hub").send(setup.running().address);
    assert_eq!(preflight.status, 204);
}

#[test]
fn without_a_publication_the_hub_is_unavailable() {
    let site = Site::unpublished();
    let running = Running::start(&site);
    let answer = post_form(running.address, &subscription_request(CALLBACK));
    let reason = "the hub cannot take requests at the moment: come back later\n";
    assert_eq!(said(&answer), (503, PLAIN, reason));
    assert_eq!(answer.field("retry-after"), Some("30"));
}

#[test]
fn a_client_over_its_limit_gets_429_with_retry_after() {
    let setup = HubSetup::with(|hub| {
        hub.limits.requests_by_client = 2;
        hub.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    let ask = |client: &str| {
        let request = Request::new("POST", "/api/websub/hub").with("X-Forwarded-For", client);
        request.body("").send(setup.running().address)
    };
    assert_eq!([ask("9.9.9.9").status, ask("1.1.1.1, 9.9.9.9").status], [415, 415]);
    let answer = ask("9.9.9.9");
    assert_eq!(said(&answer), (429, PLAIN, "too many requests: come back later\n"));
    let seconds: u32 = answer.field("retry-after").unwrap().parse().unwrap();
    assert!((1..=31).contains(&seconds), "{seconds}");
    assert_eq!(ask("8.8.8.8").status, 415, "another client is not concerned");
}

#[test]
fn requests_with_one_callback_host_are_limited_for_all_clients_together() {
    let setup = HubSetup::with(|hub| hub.limits.requests_by_host = 2);
    let ask = |callback: &str| setup.ask(&subscription_request(callback)).status;
    assert_eq!([ask("https://a.s.test/1"), ask("https://A.s.test:9/2")], [202, 202]);
    let answer = setup.ask(&subscription_request("https://a.s.test/3"));
    assert_eq!(said(&answer), (429, PLAIN, "too many requests: come back later\n"));
    assert_eq!(ask("https://b.s.test/"), 202);
}

#[test]
fn subscriptions_by_host_and_requests_that_wait_are_bounded() {
    let full = "there are too many subscriptions, or too many that wait: come back later\n";
    let setup = HubSetup::with(|hub| hub.limits.subscriptions_by_host = 2);
    let subscriber = Subscriber::willing();
    for path in ["/1", "/2"] {
        setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", path), &[]);
    }
    let answer = setup.ask(&subscription_request(&subscriber.url("a.s.test", "/3")));
    assert_eq!(said(&answer), (429, PLAIN, full));
    assert_eq!(answer.field("retry-after"), Some("30"));
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/1"), &[]);
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("b.s.test", "/3"), &[]);

    let setup = HubSetup::with(|hub| {
        hub.limits.pending = 1;
        hub.lookup = None;
    });
    assert_eq!(setup.ask(&subscription_request("https://a.invalid/")).status, 202);
    let answer = setup.ask(&subscription_request("https://b.invalid/"));
    assert_eq!(said(&answer), (429, PLAIN, full));
}

#[test]
fn a_ping_makes_the_sidecar_check_at_once_and_can_announce_nothing_that_did_not_change() {
    let mut setup = HubSetup::stopped();
    setup.config.poll_interval = std::time::Duration::from_secs(3600);
    setup.config.hub.limits.pings = 2;
    setup.start();
    let subscriber = Subscriber::willing();
    setup.subscribed(&subscriber, "feed.xml", &subscriber.url("a.s.test", "/cb"), &[]);
    let ping = |field: &str, url: &str| setup.ask(&[("hub.mode", "publish"), (field, url)]).status;
    assert_eq!(ping("hub.url", &topic("feed.xml")), 202);
    assert_eq!(ping("hub.topic", &topic("reviews.json")), 202);
    assert_eq!(ping("hub.topic", &topic("feed.xml")), 429, "rate-limited");
    assert_eq!(ping("hub.topic", &topic("nothing")), 400);
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 0);
}
