//! Conditional requests (RFC 9110 section 13.2.2), to a document, search and since alike. A subscriber
//! polls with the tag it has; an answer of 200 where 304 was due costs it the whole document, the other
//! way round the news.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use crate::{Answer, Request, Running, Site, get, site::MODIFIED};

const PATHS: [&str; 3] =
    ["/reviews.json?utm=x", "/api/reviews/search?query=old", "/api/reviews/since/2025-01-01"];
const LATER: &str = "Sun, 06 Nov 2033 08:49:37 GMT";
const EARLIER: &str = "Sun, 06 Nov 1994 08:49:36 GMT";

/// Checks each path with its ETag.
fn on_each(check: impl Fn(&Running, &str, &str)) {
    let site = Site::new();
    let running = Running::start(&site);
    for path in PATHS {
        let whole = get(running.address, path);
        assert_eq!(whole.status, 200, "{path}");
        check(&running, path, whole.field("etag").unwrap());
    }
}

/// Asks with these fields, `TAG` being the ETag.
fn ask(running: &Running, path: &str, tag: &str, fields: &[(&str, &str)]) -> Answer {
    let with = |request: Request, (name, value): &(&str, &str)| {
        request.with(name, value.replace("TAG", tag))
    };
    fields.iter().fold(Request::get(path), with).send(running.address)
}

#[test]
fn if_none_match() {
    on_each(|running, path, tag| {
        for (field, status) in [
            ("TAG", 304),
            ("W/TAG", 304),
            ("TAG, \"other\"", 304),
            ("\"other\", TAG", 304),
            ("\"other\",W/TAG", 304),
            ("*", 304),
            ("\"other\"", 200),
            (tag.trim_matches('"'), 200),
            ("", 200),
        ] {
            let answer = ask(running, path, tag, &[("If-None-Match", field)]);
            assert_eq!(answer.status, status, "{path} {field}");
        }
        let lines = [("If-None-Match", "\"other\""), ("If-None-Match", "TAG")];
        assert_eq!(ask(running, path, tag, &lines).status, 304, "{path}");
    });
}

#[test]
fn if_none_match_decides_and_if_modified_since_is_then_ignored() {
    on_each(|running, path, tag| {
        for (field, date, status) in
            [("\"other\"", LATER, 200), ("unquoted", LATER, 200), ("TAG", EARLIER, 304)]
        {
            let fields = [("If-None-Match", field), ("If-Modified-Since", date)];
            assert_eq!(ask(running, path, tag, &fields).status, status, "{path} {field}");
        }
    });
}

#[test]
fn otherwise_if_modified_since() {
    on_each(|running, path, tag| {
        for (date, status) in [
            (MODIFIED, 304),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 304),
            ("Sun Nov  6 08:49:37 1994", 304),
            (LATER, 304),
            (EARLIER, 200),
            ("yesterday", 200),
        ] {
            let answer = ask(running, path, tag, &[("If-Modified-Since", date)]);
            assert_eq!(answer.status, status, "{path} {date}");
        }
    });
}

#[test]
fn if_match_and_if_unmodified_since_are_412() {
    on_each(|running, path, tag| {
        for (name, value, status) in [
            ("If-Match", "TAG", 200),
            ("If-Match", "*", 200),
            ("If-Match", "W/TAG", 412),
            ("If-Match", "\"other\"", 412),
            ("If-Unmodified-Since", MODIFIED, 200),
            ("If-Unmodified-Since", EARLIER, 412),
        ] {
            let answer = ask(running, path, tag, &[(name, value)]);
            assert_eq!(answer.status, status, "{path} {name}: {value}");
            if status == 412 {
                assert_eq!(
                    answer.text(),
                    "{\"error\":\"precondition_failed\",\"message\":\"The document is not the one \
                     If-Match or If-Unmodified-Since asks for.\"}"
                );
            }
        }
    });
}

#[test]
fn not_modified_has_the_headers_of_the_200_and_no_body() {
    on_each(|running, path, tag| {
        let whole = get(running.address, path);
        assert_eq!(whole.field("link").is_some(), path.starts_with("/reviews.json"));
        for method in ["GET", "HEAD"] {
            let request = Request::new(method, path).with("If-None-Match", tag);
            let answer = request.send(running.address);
            assert_eq!((answer.status, answer.body.len()), (304, 0));
            for name in [
                "etag",
                "cache-control",
                "vary",
                "access-control-allow-origin",
                "access-control-expose-headers",
            ] {
                assert!(answer.field(name).is_some(), "{path} {name}");
                assert_eq!(answer.field(name), whole.field(name), "{path} {name}");
            }
            assert_eq!(answer.field("link"), whole.field("link"), "{path}");
            assert!(answer.field("date").is_some(), "{path}");
            for absent in ["content-length", "transfer-encoding", "content-type"] {
                assert_eq!(answer.field(absent), None, "{path} {absent}");
            }
        }
    });
}

#[test]
fn head_is_get_without_a_body() {
    on_each(|running, path, _| {
        let whole = get(running.address, path);
        let head = Request::new("HEAD", path).send(running.address);
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        for name in ["etag", "content-length", "content-type", "cache-control", "vary"] {
            assert!(head.field(name).is_some(), "{path} {name}");
            assert_eq!(head.field(name), whole.field(name), "{path} {name}");
        }
        assert_eq!(whole.field("cache-control"), Some("public, max-age=0, must-revalidate"));
        assert_eq!(whole.field("last-modified"), Some(MODIFIED));
    });
}

#[test]
fn each_coding_revalidates_with_its_own_tag() {
    on_each(|running, path, _| {
        let tags = ["identity", "br", "gzip"].map(|coding| {
            let answer = ask(running, path, "", &[("Accept-Encoding", coding)]);
            (coding, answer.field("etag").unwrap().to_owned())
        });
        for (coding, _) in &tags {
            for (other, tag) in &tags {
                let fields = [("Accept-Encoding", *coding), ("If-None-Match", "TAG")];
                let answer = ask(running, path, tag, &fields);
                let status = if coding == other { 304 } else { 200 };
                assert_eq!(answer.status, status, "{path}: {coding} with the tag of {other}");
                assert_eq!(answer.field("vary"), Some("Accept-Encoding"));
            }
        }
    });
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
