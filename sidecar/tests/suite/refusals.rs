//! What the dynamic routes refuse, with every problem at once (docs/api.md, "Errors").

use serde_json::{Value, json};

use crate::{Request, Running, Site, eventually, get, running::config};

const SEARCH: &str = "/api/reviews/search";
const SINCE: &str = "/api/reviews/since/2025-01-01";

fn issue(name: &str, code: &str, rule: &str, received: &str) -> Value {
    json!({
        "path": [name], "code": code, "message": format!("{name} {rule}"), "received": received,
    })
}

fn assert_refused(running: &Running, query: &str, issues: &[Value]) {
    let answer = get(running.address, &format!("{SEARCH}?{query}"));
    let messages: Vec<_> = issues.iter().map(|issue| issue["message"].as_str().unwrap()).collect();
    assert_eq!((answer.status, answer.field("content-type")), (400, Some("application/json")));
    assert_eq!(
        answer.json(),
        json!({ "error": "validation_error", "message": messages.join("; "), "issues": issues }),
        "{query}"
    );
    assert_eq!((answer.field("etag"), answer.field("cache-control")), (None, Some("no-store")));
}

#[test]
fn a_value_out_of_range_or_malformed() {
    let site = Site::new();
    let running = Running::start(&site);
    let stars = "must be a whole number from 1 to 5";
    let least = "must be a number from 1 to 5";
    let day = "must be a day of the calendar, written YYYY-MM-DD";
    let limit = "must be a whole number from 1 to 100";
    let cursor = "must be the next_cursor of an answer, unchanged";
    for (name, value, code, rule) in [
        ("rating", "9", "out_of_range", stars),
        ("rating", "0", "out_of_range", stars),
        ("rating", "-1", "out_of_range", stars),
        ("rating", "99999999999999999999", "out_of_range", stars),
        ("rating", "4.5", "malformed", stars),
        ("rating", "five", "malformed", stars),
        ("rating", " 5", "malformed", stars),
        ("rating", "٥", "malformed", stars),
        ("min_rating", "0.99", "out_of_range", least),
        ("min_rating", "5.01", "out_of_range", least),
        ("min_rating", "1e400", "out_of_range", least),
        ("min_rating", "nan", "malformed", least),
        ("min_rating", "inf", "malformed", least),
        ("min_rating", "4.", "malformed", least),
        ("min_rating", "4,5", "malformed", least),
        ("since", "2025-02-29", "malformed", day),
        ("until", "01.02.2025", "malformed", day),
        ("limit", "0", "out_of_range", limit),
        ("limit", "101", "out_of_range", limit),
        ("limit", "ten", "malformed", limit),
        ("cursor", "x", "malformed", cursor),
        ("cursor", &"0".repeat(60), "malformed", cursor),
    ] {
        let query = format!("{name}={}", contract::query::encoded(value));
        assert_refused(&running, &query, &[issue(name, code, rule, value)]);
    }
}

#[test]
fn what_is_no_text() {
    let site = Site::new();
    let running = Running::start(&site);
    let no_utf8 = "must be UTF-8 text, percent-encoded";
    let escape = "must write a percent sign as %25 unless two hexadecimal digits follow it";
    for (query, name, code, rule, received) in [
        ("query=%ff", "query", "not_utf8", no_utf8, "\u{fffd}"),
        ("rating=%ff", "rating", "not_utf8", no_utf8, "\u{fffd}"),
        ("mentions_service=%e9a", "mentions_service", "not_utf8", no_utf8, "\u{fffd}a"),
        ("query=100%", "query", "malformed", escape, "100%"),
        ("query=%zz", "query", "malformed", escape, "%zz"),
    ] {
        assert_refused(&running, query, &[issue(name, code, rule, received)]);
    }
}

#[test]
fn a_parameter_given_twice() {
    let site = Site::new();
    let running = Running::start(&site);
    let once = "must be given once";
    for (query, name, last) in [
        ("rating=4&rating=5", "rating", "5"),
        ("rating=5&rating=5", "rating", "5"),
        ("query=a&query=", "query", ""),
        ("query=a&x=1&%71uery=b", "query", "b"),
    ] {
        assert_refused(&running, query, &[issue(name, "repeated", once, last)]);
    }
    let unknown = get(running.address, &format!("{SEARCH}?x=1&x=2"));
    assert_eq!((unknown.status, &unknown.json()["ignored"]), (200, &json!(["x"])));
}

/// This many parameters that no route has, each of another name.
fn unknown(count: usize) -> String {
    (0..count).map(|n| format!("k{n}")).collect::<Vec<_>>().join("&")
}

#[test]
fn more_than_64_parameters_are_refused_by_their_count() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in [SEARCH, SINCE] {
        let fits = get(running.address, &format!("{path}?&&{}&", unknown(64)));
        assert_eq!(fits.status, 200, "{}", fits.text());
        // What else is wrong is not looked at.
        for (query, count) in [
            (unknown(65), 65),
            (format!("{}&rating=9&rating=9&q=%ff", unknown(5_000)), 5_003),
            ("rating=5&".repeat(65), 65),
        ] {
            let refused = get(running.address, &format!("{path}?{query}"));
            let message = "at most 64 parameters are allowed";
            assert_eq!((refused.status, refused.field("cache-control")), (400, Some("no-store")));
            assert_eq!(
                refused.json(),
                json!({
                    "error": "validation_error", "message": message,
                    "issues": [
                        { "path": [], "code": "too_many", "message": message, "received": count },
                    ],
                })
            );
        }
    }
}

#[test]
fn a_response_names_ten_unknown_parameters_and_cuts_their_names() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in [SEARCH, SINCE] {
        let long = "\u{1}".repeat(300);
        let query = format!("{}&k0&{}", contract::query::encoded(&long), unknown(60));
        let answer = get(running.address, &format!("{path}?{query}")).json();
        let ignored = answer["ignored"].as_array().unwrap();
        assert_eq!(ignored.len(), 10, "{path}");
        assert_eq!(ignored[0], format!("{}…", "\u{1}".repeat(200)));
        assert_eq!(
            ignored[1..],
            json!(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"]).as_array().unwrap()[..]
        );
    }
}

#[test]
fn a_refusal_is_shorter_than_the_text_of_a_tool_whatever_it_repeats() {
    let site = Site::new();
    let running = Running::start(&site);
    // Each byte is six in JSON; the target has 32 KiB.
    let value = "%01".repeat(400);
    let names = contract::query::SEARCH.iter().map(|parameter| parameter.name);
    let query: Vec<_> = names.map(|name| format!("{name}={value}")).collect();
    let query = query.join("&");
    let refused = get(running.address, &format!("{SEARCH}?{query}"));
    assert_eq!((refused.status, refused.json()["issues"].as_array().unwrap().len()), (400, 21));
    assert!(refused.body.len() < sidecar::limits::MAX_TOOL_TEXT, "{}", refused.body.len());
    for query in ["%01".repeat(10_000), format!("query={}", "%01".repeat(1_000))] {
        let answer = get(running.address, &format!("{SEARCH}?{query}"));
        assert_eq!(answer.status, 200);
        assert!(answer.body.len() < sidecar::limits::MAX_TOOL_TEXT, "{}", answer.body.len());
    }
}

#[test]
fn longer_than_allowed() {
    let site = Site::new();
    let running = Running::start(&site);
    for (name, most) in [
        ("query", 1_000),
        ("mentions_technician", 200),
        ("mentions_service", 200),
        ("source", 200),
        ("language", 200),
        ("aspect", 200),
    ] {
        let fits = contract::query::encoded(&"ß".repeat(most));
        let fits = get(running.address, &format!("{SEARCH}?{name}={fits}"));
        assert_eq!(fits.status, 200, "{name}: {}", fits.text());
        let query = format!("{name}={}", "a".repeat(most + 1));
        let received = format!("{}…", "a".repeat(200));
        let rule = format!("must be text of at most {most} characters");
        assert_refused(&running, &query, &[issue(name, "too_long", &rule, &received)]);
    }
}

#[test]
fn no_value_of_a_closed_list() {
    let site = Site::new();
    let running = Running::start(&site);
    for (name, rule, values) in [
        ("sort", "must be one of newest, oldest, highest, lowest", ["Newest", "rating"]),
        ("sentiment", "must be one of positive, neutral, negative, mixed", ["bad", "POSITIVE"]),
        ("has_reply", "must be true or false", ["1", "True"]),
        (
            "facets",
            "must be names of rating, year, mentions_technician, mentions_service, mentions_area, \
             source, language, has_reply, has_text, aspect, topic, sentiment, with commas between them",
            ["rating,,", "rating;source"],
        ),
    ] {
        for value in values {
            let query = format!("{name}={value}");
            assert_refused(&running, &query, &[issue(name, "malformed", rule, value)]);
        }
    }
}

#[test]
fn more_words_than_allowed() {
    let site = Site::new();
    let running = Running::start(&site);
    let words: Vec<String> = (0..17).map(|n| format!("w{n}")).collect();
    let fits = get(running.address, &format!("{SEARCH}?q={}", words[..16].join("+")));
    assert_eq!(fits.status, 200, "{}", fits.text());
    let rule = "must be text of at most 1000 characters and 16 words";
    let received = words.join(" ");
    let query = format!("q={}", words.join("+"));
    assert_refused(&running, &query, &[issue("q", "too_long", rule, &received)]);
}

#[test]
fn every_problem_at_once_in_the_order_of_the_table() {
    let site = Site::new();
    let running = Running::start(&site);
    assert_refused(
        &running,
        "cursor=1&limit=1&limit=2&query=%ff&until=x&since=2025-13-01&min_rating=9&rating=9&x=%ff",
        &[
            issue("rating", "out_of_range", "must be a whole number from 1 to 5", "9"),
            issue("min_rating", "out_of_range", "must be a number from 1 to 5", "9"),
            issue(
                "since",
                "malformed",
                "must be a day of the calendar, written YYYY-MM-DD",
                "2025-13-01",
            ),
            issue("until", "malformed", "must be a day of the calendar, written YYYY-MM-DD", "x"),
            issue("query", "not_utf8", "must be UTF-8 text, percent-encoded", "\u{fffd}"),
            issue("limit", "repeated", "must be given once", "2"),
            issue("cursor", "malformed", "must be the next_cursor of an answer, unchanged", "1"),
        ],
    );
}

#[test]
fn a_cursor_used_with_other_filters() {
    let mut site = Site::unpublished();
    let reviews: Vec<_> =
        (1..4).map(|n| crate::listing::review(n, "2025-01-01", 5, Some("a b"))).collect();
    site.set("reviews.json", crate::listing::document(&json!({}), &reviews));
    site.publish();
    let running = Running::start(&site);
    let first = get(running.address, &format!("{SEARCH}?query=A&limit=1")).json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let others =
        "belongs to other filters or another order: send those it came with, or leave it out";
    for filters in
        ["", "query=b", "query=a&rating=5", "mentions_service=a", "query=a&sort=oldest", "q=a"]
    {
        let query = format!("{filters}&cursor={cursor}");
        assert_refused(&running, &query, &[issue("cursor", "other_filters", others, cursor)]);
    }
    for filters in ["query=a", "query=A&limit=2", "query=a&rating=&x=1", "query=a&sort=newest"] {
        let answer = get(running.address, &format!("{SEARCH}?{filters}&cursor={cursor}"));
        assert_eq!(answer.status, 200, "{filters}");
    }
}

#[test]
fn preconditions_do_not_matter_to_a_refusal() {
    let site = Site::new();
    let running = Running::start(&site);
    for (name, value) in [("If-None-Match", "*"), ("If-Match", "\"x\"")] {
        let request = Request::get(&format!("{SEARCH}?rating=9")).with(name, value);
        assert_eq!(request.send(running.address).status, 400, "{name}");
    }
}

#[test]
fn other_methods_are_405_and_say_which_are_allowed() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in [SEARCH, SINCE, "/api/reviews/since/nonsense"] {
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let request = Request::new(method, path).with("If-None-Match", "*");
            let answer = request.send(running.address);
            assert_eq!((answer.status, answer.field("allow")), (405, Some("GET, HEAD, OPTIONS")));
            assert_eq!(answer.json()["error"], "method_not_allowed");
        }
        let preflight = Request::new("OPTIONS", path).send(running.address);
        assert_eq!((preflight.status, preflight.body.len()), (204, 0));
        assert_eq!(preflight.field("access-control-allow-origin"), Some("*"));
    }
}

#[test]
fn paths_beside_the_routes_are_404() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in ["/api/reviews", "/api/reviews/", "/api/reviews/search/", "/api/reviews/since"] {
        let answer = get(running.address, path);
        assert_eq!((answer.status, &answer.json()["error"]), (404, &"not_found".into()), "{path}");
    }
}

#[test]
fn a_target_longer_than_any_right_one_is_414() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in [SEARCH, SINCE] {
        let answer = get(running.address, &format!("{path}?x={}", "a".repeat(32 * 1024)));
        assert_eq!(
            (answer.status, answer.json()),
            (
                414,
                json!({
                    "error": "uri_too_long",
                    "message": "The path and query are too long.",
                })
            )
        );
    }
}

#[test]
fn authorization_and_accept_are_not_looked_at() {
    let site = Site::new();
    let running = Running::start(&site);
    for (name, value) in [("Authorization", "Bearer x"), ("Accept", "text/html")] {
        let request = Request::get(SEARCH).with(name, value);
        assert_eq!(request.send(running.address).status, 200, "{name}");
    }
}

#[test]
fn while_nothing_is_loaded_it_is_503() {
    let site = Site::unpublished();
    let running = Running::start(&site);
    for path in [SEARCH, SINCE] {
        let answer = get(running.address, path);
        assert_eq!((answer.status, answer.field("retry-after")), (503, Some("5")), "{path}");
        assert_eq!(answer.json()["error"], "unavailable");
    }
    assert_eq!(get(running.address, &format!("{SEARCH}?rating=9")).status, 400);
    site.publish();
    eventually("data", || get(running.address, SEARCH).status == 200);
}

#[test]
fn a_site_whose_reviews_cannot_be_answered_from_is_refused() {
    let mut site = Site::new();
    let running = Running::start(&site);
    let reason = || get(running.admin, "/readyz").json()["refused"]["reason"].clone();
    site.set("reviews.json", "{\"reviews\":3}\n");
    site.later_by(1);
    site.publish();
    let expected = "reviews.json cannot be answered from: it is not a document of reviews: \
                    invalid type: integer `3`, expected a sequence at line 1 column 12";
    eventually("the refusal", || reason() == expected);
    site.unset("reviews.json");
    site.later_by(1);
    site.publish();
    eventually("the other", || {
        reason() == "the manifest lists no reviews.json: build the site again"
    });
    assert_eq!(get(running.address, SEARCH).json()["matched"], 1);
}

#[test]
fn the_routes_answer_without_serve_public() {
    let site = Site::new();
    let mut config = config(&site);
    config.serve_public = false;
    let running = Running::start_with(config);
    assert_eq!(get(running.address, SEARCH).json()["matched"], 1);
    assert_eq!(get(running.address, SINCE).json()["matched"], 1);
}
