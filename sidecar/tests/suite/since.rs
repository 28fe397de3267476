//! `GET /api/reviews/since/{date}`: every sentence of docs/api.md, "GET /api/reviews/since/{date}".

use serde_json::json;

use crate::{
    Request, Running, Site,
    agent::{Agent, Era},
    eventually, get,
    listing::{document, id, in_lists, review},
    search::decoded,
    shop,
};

fn path(date: &str) -> String {
    format!("/api/reviews/since/{date}")
}

/// More than one piece of a body, and of the memory budget of a small file.
fn site(count: u32) -> Site {
    let text = "Clean work, on time. ".repeat(12);
    let reviews: Vec<_> = (1..=count)
        .map(|n| {
            let date = format!("2025-{:02}-{:02}", 1 + n % 12, 1 + n % 28);
            review(n, &date, 5, Some(&format!("{n} {text}")))
        })
        .collect();
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&json!({}), &reviews));
    site.publish();
    site
}

#[test]
fn a_date_known_to_its_month_counts_as_it_is_written_and_says_so() {
    let mut counted = review(2, "2025-04-12", 4, Some("x"));
    counted["date_precision"] = "month".into();
    let mut site = shop::site();
    let reviews = [review(1, "2025-04-11", 5, None), counted.clone()];
    site.set("reviews.json", shop::listing(&reviews));
    site.publish();
    let running = Running::start(&site);
    let found = |path: &str| get(running.address, path).json()["reviews"].clone();
    assert_eq!(found(&path("2025-04-12")), json!([counted]));
    assert_eq!(found(&path("2025-04-13")), json!([]));
    assert_eq!(found("/api/reviews/search?since=2025-04-12&until=2025-04-12"), json!([counted]));
    assert_eq!(found("/api/reviews/search?until=2025-04-12")[0], counted);
    let agent = Agent::of(running.address, Era::Stateless);
    assert_eq!(agent.data("get_review", json!({ "id": id(2) })), counted);
    let since = agent.data("get_reviews_since", json!({ "date": "2025-04-12" }));
    assert_eq!(since["reviews"], json!([in_lists(counted)]));
}

#[test]
fn reviews_on_or_after_the_day() {
    let reviews = [
        review(1, "2024-12-31", 5, None),
        review(2, "2025-01-01", 4, Some("x")),
        review(3, "2025-01-03", 3, None),
    ];
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&json!({}), &reviews));
    site.publish();
    let running = Running::start(&site);
    for (day, expected) in [
        ("0001-01-01", &[3, 2, 1][..]),
        ("2024-12-31", &[3, 2, 1]),
        ("2025-01-01", &[3, 2]),
        ("2025-01-02", &[3]),
        ("2025-01-04", &[]),
        ("9999-12-31", &[]),
    ] {
        let answer = get(running.address, &path(day)).json();
        let ids: Vec<_> = answer["reviews"].as_array().unwrap().iter().map(|r| &r["id"]).collect();
        assert!(
            ids.iter().map(|id| id.as_str().unwrap()).eq(expected.iter().map(|n| id(*n))),
            "{day}"
        );
        let counts = (&answer["since"], &answer["matched"], &answer["returned"]);
        assert_eq!(counts, (&day.into(), &expected.len().into(), &expected.len().into()));
    }
    let none = get(running.address, &path("2030-01-01"));
    assert_eq!(
        none.text(),
        "{\"since\":\"2030-01-01\",\"matched\":0,\"returned\":0,\"reviews\":[\n]}\n"
    );
}

#[test]
fn every_coding_says_the_same_whatever_the_length() {
    let site = site(3_000);
    let running = Running::start(&site);
    for day in ["2025-01-01", "2025-06-15", "2025-12-25", "2030-01-01"] {
        let plain = get(running.address, &path(day));
        assert_eq!(plain.field("content-length"), Some(plain.body.len().to_string().as_str()));
        let mut tags = vec![plain.field("etag").unwrap().to_owned()];
        for coding in ["gzip", "br"] {
            let ask = |method| Request::new(method, &path(day)).with("Accept-Encoding", coding);
            let answer = ask("GET").send(running.address);
            assert_eq!(answer.field("content-encoding"), Some(coding));
            assert!(decoded(coding, &answer.body) == plain.body, "{day} {coding}");
            let head = ask("HEAD").send(running.address);
            for name in ["content-length", "etag", "content-encoding", "vary", "last-modified"] {
                assert_eq!(head.field(name), answer.field(name), "{day} {coding} {name}");
            }
            assert_eq!(head.body.len(), 0);
            tags.push(answer.field("etag").unwrap().to_owned());
        }
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 3, "{day}");
    }
    assert!(get(running.address, &path("2025-01-01")).body.len() > 3 * 256 * 1024);
}

#[test]
fn a_client_that_takes_everything_gets_the_quickest_coding() {
    let site = site(10);
    let running = Running::start(&site);
    let request =
        Request::get(&path("2025-01-01")).with("Accept-Encoding", "gzip, deflate, br, zstd");
    assert_eq!(request.send(running.address).field("content-encoding"), Some("gzip"));
}

#[test]
fn the_tag_changes_with_the_answer_and_only_then() {
    let reviews = |text: &str| {
        [review(1, "2024-01-01", 5, Some(text)), review(2, "2025-01-01", 4, Some("stays"))]
    };
    let mut site = Site::unpublished();
    site.set("reviews.json", document(&json!({}), &reviews("old")));
    site.publish();
    let running = Running::start(&site);
    let tag = |day: &str| get(running.address, &path(day)).field("etag").unwrap().to_owned();
    let (all, newest, other_day) = (tag("2024-01-01"), tag("2025-01-01"), tag("2024-06-01"));
    assert_ne!(newest, other_day, "the body says which day was asked for");
    site.set("reviews.json", document(&json!({}), &reviews("edited")));
    site.later_by(1);
    site.publish();
    eventually("the edit", || tag("2024-01-01") != all);
    assert_eq!((tag("2025-01-01"), tag("2024-06-01")), (newest, other_day));
}

#[test]
fn a_malformed_day_is_400_whatever_the_preconditions_say() {
    let site = site(3);
    let running = Running::start(&site);
    for (day, received) in [
        ("2025-02-29", "2025-02-29"),
        ("2025-1-1", "2025-1-1"),
        ("yesterday", "yesterday"),
        ("2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
        ("%202025-01-01", " 2025-01-01"),
        ("0000-01-01", "0000-01-01"),
    ] {
        for (name, value) in [("X", "y"), ("If-None-Match", "*"), ("If-Match", "\"x\"")] {
            let answer = Request::get(&path(day)).with(name, value).send(running.address);
            assert_eq!(answer.status, 400, "{day} {name}");
            let message = "date must be a day of the calendar, written YYYY-MM-DD";
            assert_eq!(
                answer.json(),
                json!({
                    "error": "validation_error", "message": message,
                    "issues": [{
                        "path": ["date"], "code": "malformed", "message": message,
                        "received": received,
                    }],
                })
            );
        }
    }
    for (day, status) in [("%ff", 400), ("2025%2D01%2D01", 200), ("", 404), ("2025-01-01/", 404)] {
        assert_eq!(get(running.address, &path(day)).status, status, "{day}");
    }
}

#[test]
fn parameters_are_ignored_and_named() {
    let site = site(3);
    let running = Running::start(&site);
    let plain = get(running.address, &path("2025-01-01"));
    let named = get(running.address, &format!("{}?limit=1&b=2&limit=3", path("2025-01-01")));
    let mut expected = plain.json();
    expected["ignored"] = json!(["limit", "b"]);
    assert_eq!(named.json(), expected);
    assert_ne!(named.field("etag"), plain.field("etag"));
    let gzip = Request::get(&format!("{}?b", path("2025-01-01"))).with("Accept-Encoding", "gzip");
    let gzip = gzip.send(running.address);
    assert_eq!(gzip.field("content-encoding"), Some("gzip"));
    let text = String::from_utf8(decoded("gzip", &gzip.body)).unwrap();
    assert!(text.ends_with("],\"ignored\":[\"b\"]}\n"), "{text}");
}
