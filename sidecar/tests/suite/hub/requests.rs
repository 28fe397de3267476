//! The hub's responses to requests (WebSub §5.1.2; docs/hub.md, "For subscribers").

use super::{
    setup::{HubSetup, post_form, topic},
    subscriber::{Reply, Subscriber},
};
use crate::{Answer, Request, Running, Site, running::eventually};

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

/// A subscription request or ping of this client.
fn ask_from(setup: &HubSetup, client: &str, fields: &[(&str, &str)]) -> Answer {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    Request::new("POST", "/api/websub/hub")
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("X-Forwarded-For", client)
        .body(form.finish())
        .send(setup.running().address)
}

#[test]
fn a_clients_requests_with_one_callback_host_are_limited_and_no_other_clients() {
    let setup = HubSetup::with(|hub| {
        hub.limits.requests_by_host = 2;
        hub.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    let ask = |client: &str, callback: &str| {
        ask_from(&setup, client, &subscription_request(callback)).status
    };
    let stranger = "9.9.9.9";
    assert_eq!(ask(stranger, "https://a.s.test/1"), 202);
    assert_eq!(ask(stranger, "https://A.s.test:9000/2"), 202);
    let answer = ask_from(&setup, stranger, &subscription_request("https://a.s.test/3"));
    assert_eq!(said(&answer), (429, PLAIN, "too many requests: come back later\n"));
    assert_eq!(ask(stranger, "https://b.s.test/"), 202);
    assert_eq!(ask("8.8.8.8", "https://a.s.test/3"), 202, "the host's own subscriber");
}

#[test]
fn refusals_are_counted_by_their_reason() {
    let setup = HubSetup::with(|hub| {
        hub.limits.requests_by_client = 2;
        hub.limits.requests_by_host = 1;
        hub.limits.pings = 1;
        hub.limits.subscriptions = 0;
        hub.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    let admin = sidecar::StoreAdmin::new(setup.site.state(), &setup.config.hub).unwrap();
    let blocking = admin.block("blocked.test");
    assert_eq!(actix_web::rt::System::new().block_on(blocking).unwrap(), 0);
    let ping = [("hub.mode", "publish"), ("hub.url", &topic("feed.xml"))];
    let ask = |client: &str, callback: &str| {
        ask_from(&setup, client, &subscription_request(callback)).status
    };
    // No place is free, the host's limit, and the client's.
    for _ in 0..3 {
        assert_eq!(ask("9.9.9.1", "https://s.test/"), 429);
    }
    assert_eq!(ask("9.9.9.3", "https://x.blocked.test/"), 403);
    assert_eq!(ask("9.9.9.4", "http://plain.test/"), 400);
    let pings: Vec<_> = (0..2).map(|_| ask_from(&setup, "9.9.9.5", &ping).status).collect();
    assert_eq!(pings, [202, 429]);
    for (reason, number) in [
        ("client_limit", 1),
        ("host_limit", 1),
        ("ping_limit", 1),
        ("full", 1),
        ("blocked", 1),
        ("malformed", 1),
        ("unavailable", 0),
    ] {
        let label = format!("reason=\"{reason}\"");
        assert_eq!(setup.count("candor_hub_refusals_total", &label), number, "{reason}");
    }
}

#[test]
fn a_callback_at_the_port_of_another_service_is_400_unless_the_operator_lists_it() {
    let reason = "hub.callback must name no port, 443, or one from 1024 to 65535\n";
    let setup = HubSetup::with(|hub| hub.allow_ports = vec![22]);
    let answer = setup.ask(&subscription_request("https://a.s.test:25/"));
    assert_eq!(said(&answer), (400, PLAIN, reason));
    assert_eq!(setup.ask(&subscription_request("https://a.s.test:22/")).status, 202);
}

#[test]
fn a_proxy_that_nobody_named_is_shown() {
    let setup = HubSetup::new();
    let shown =
        || crate::get(setup.running().admin, "/readyz").json()["hub"]["unnamed_proxy"].clone();
    assert!(shown().is_null());
    ask_from(&setup, "9.9.9.9", &[]);
    assert_eq!(shown(), "127.0.0.1");
}

#[test]
fn a_flood_leaves_a_place_and_a_turn_to_others() {
    let setup = HubSetup::with(|hub| {
        hub.limits.pending = 40;
        hub.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    });
    let silent = Subscriber::answering(|_| Reply::Never);
    let subscriber = Subscriber::willing();
    let own = subscriber.url("own.s.test", "/");
    setup.subscribed(&subscriber, "feed.xml", &own, &[]);
    for number in 0..60 {
        let client = format!("9.9.{}.1", number % 3);
        let callback = silent.url(&format!("flood{number}.s.test"), "/");
        let status = ask_from(&setup, &client, &subscription_request(&callback)).status;
        assert_eq!(status, if number < 40 { 202 } else { 429 }, "{number}");
    }
    setup.subscribe("feed.xml", &own, &[]);
    eventually("the renewal's turn", || subscriber.verifications().len() == 2);
    let new = subscriber.url("new.s.test", "/");
    let status = ask_from(&setup, "8.8.8.8", &subscription_request(&new)).status;
    assert_eq!(status, 202, "a place was taken from the flood");
    eventually("the newcomer's turn", || subscriber.verifications().len() == 3);
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

    let setup = HubSetup::with(|hub| hub.limits.pending = 1);
    let silent = Subscriber::answering(|_| Reply::Never);
    assert_eq!(setup.ask(&subscription_request(&silent.url("a.s.test", "/"))).status, 202);
    let answer = setup.ask(&subscription_request(&silent.url("b.s.test", "/")));
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
    let ping = |field: &str, url: &str| {
        ask_from(&setup, "9.9.9.9", &[("hub.mode", "publish"), (field, url)]).status
    };
    assert_eq!(ping("hub.url", &topic("feed.xml")), 202);
    assert_eq!(ping("hub.topic", &topic("reviews.json")), 202);
    assert_eq!(ping("hub.topic", &topic("feed.xml")), 429, "rate-limited");
    assert_eq!(ping("hub.topic", &topic("nothing")), 400);
    let own = [("hub.mode", "publish"), ("hub.topic", &*topic("feed.xml"))];
    assert!((0..9).all(|_| setup.ask(&own).status == 202), "the operator's own are not limited");
    setup.quiet();
    assert_eq!(subscriber.deliveries().len(), 0);
}
