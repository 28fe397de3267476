//! Conditional requests (RFC 9110 section 13.2.2). A subscriber polls with the tag it has; an
//! answer of 200 where 304 was due costs it the whole document, the other way round the news.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use crate::{Answer, Request, Running, Site, get, site::MODIFIED};

const LATER: &str = "Sun, 06 Nov 2033 08:49:37 GMT";
const EARLIER: &str = "Sun, 06 Nov 1994 08:49:36 GMT";

fn ask(running: &Running, fields: &[(&str, &str)]) -> Answer {
    let request = Request::get("/reviews.json");
    let with = |request: Request, (name, value): &(&str, &str)| request.with(name, *value);
    fields.iter().fold(request, with).send(running.address)
}

#[test]
fn if_none_match() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = site.tag("reviews.json");
    for (field, expected) in [
        (tag.clone(), 304),
        (format!("W/{tag}"), 304),
        (format!("{tag}, \"other\""), 304),
        (format!("\"other\", {tag}"), 304),
        (format!("\"other\",W/{tag}"), 304),
        ("*".to_owned(), 304),
        ("\"other\"".to_owned(), 200),
        (tag.trim_matches('"').to_owned(), 200),
        (String::new(), 200),
    ] {
        assert_eq!(ask(&running, &[("If-None-Match", &field)]).status, expected, "{field}");
    }
    let two_lines = [("If-None-Match", "\"other\""), ("If-None-Match", tag.as_str())];
    assert_eq!(ask(&running, &two_lines).status, 304);
}

#[test]
fn if_none_match_decides_alone() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = site.tag("reviews.json");
    for (tag, date, expected) in
        [("\"other\"", LATER, 200), ("unquoted", LATER, 200), (&tag, EARLIER, 304)]
    {
        let fields = [("If-None-Match", tag), ("If-Modified-Since", date)];
        assert_eq!(ask(&running, &fields).status, expected, "{tag} {date}");
    }
}

#[test]
fn if_modified_since() {
    let site = Site::new();
    let running = Running::start(&site);
    for (date, expected) in [
        (MODIFIED, 304),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 304),
        ("Sun Nov  6 08:49:37 1994", 304),
        (LATER, 304),
        (EARLIER, 200),
        ("yesterday", 200),
    ] {
        assert_eq!(ask(&running, &[("If-Modified-Since", date)]).status, expected, "{date}");
    }
}

#[test]
fn not_modified_has_the_headers_of_the_document_and_no_body() {
    let site = Site::new();
    let running = Running::start(&site);
    let whole = get(running.address, "/reviews.json");
    let tag = site.tag("reviews.json");
    for method in ["GET", "HEAD"] {
        let request = Request::new(method, "/reviews.json?utm=x").with("If-None-Match", &tag);
        let answer = request.send(running.address);
        assert_eq!((answer.status, answer.body.len()), (304, 0));
        for name in [
            "etag",
            "cache-control",
            "vary",
            "link",
            "access-control-allow-origin",
            "access-control-expose-headers",
        ] {
            assert!(answer.field(name).is_some(), "{name}");
            assert_eq!(answer.field(name), whole.field(name), "{name}");
        }
        assert!(answer.field("date").is_some());
        for absent in ["content-length", "transfer-encoding", "content-type"] {
            assert_eq!(answer.field(absent), None, "{absent}");
        }
    }
}

#[test]
fn failed_preconditions_say_so() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = site.tag("reviews.json");
    let weak = format!("W/{tag}");
    for (name, value, expected) in [
        ("If-Match", tag.as_str(), 200),
        ("If-Match", "*", 200),
        ("If-Match", &weak, 412),
        ("If-Match", "\"other\"", 412),
        ("If-Unmodified-Since", MODIFIED, 200),
        ("If-Unmodified-Since", EARLIER, 412),
    ] {
        assert_eq!(ask(&running, &[(name, value)]).status, expected, "{name}: {value}");
    }
    assert_eq!(
        ask(&running, &[("If-Match", "\"other\"")]).text(),
        "{\"error\":\"precondition_failed\",\"message\":\"The document is not the one If-Match or \
         If-Unmodified-Since asks for.\"}"
    );
}

#[test]
fn a_wrong_method_or_path_is_no_matter_of_preconditions() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = site.tag("reviews.json");
    let post = Request::new("POST", "/reviews.json").with("If-None-Match", tag);
    let answer = post.send(running.address);
    assert_eq!((answer.status, answer.field("allow")), (405, Some("GET, HEAD, OPTIONS")));
    let missing = Request::get("/missing").with("If-None-Match", "*");
    assert_eq!(missing.send(running.address).status, 404);
}

#[test]
fn answers_without_a_body_leave_the_connection_in_step() {
    let site = Site::new();
    let running = Running::start(&site);
    let mut stream = TcpStream::connect(running.address).unwrap();
    let head = "HEAD /big.bin HTTP/1.1\r\nHost: test\r\n\r\n";
    let hit = "GET /big.bin HTTP/1.1\r\nHost: test\r\nIf-None-Match: *\r\n\r\n";
    let last = "GET /feed.xml HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
    stream.write_all([head, hit, last].concat().as_bytes()).unwrap();
    let mut received = String::new();
    stream.read_to_string(&mut received).unwrap();
    let answers: Vec<_> = received.split("\r\n\r\n").collect();
    assert_eq!(answers.len(), 4, "{received}");
    for (answer, status) in answers.iter().zip(["200 OK", "304 Not Modified", "200 OK"]) {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{received}");
    }
    assert_eq!(answers[3], "<feed/>\n");
}
