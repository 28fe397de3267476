//! Parts of documents (RFC 9110 section 14), so that a broken download continues where it broke.

use contract::manifest::Coding;

use crate::{Answer, Request, Running, Site, site::BIG, site::MODIFIED};

fn part(running: &Running, path: &str, range: &str) -> Answer {
    Request::get(path).with("Range", range).send(running.address)
}

#[test]
fn one_range_is_a_part() {
    let site = Site::new();
    let running = Running::start(&site);
    let bytes = site.bytes("big.bin");
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=65535-65536", 65_535, 65_537),
        ("bytes=100000-400000", 100_000, 400_001),
        ("bytes=600000-", 600_000, BIG),
        ("bytes=-10", BIG - 10, BIG),
    ] {
        let answer = part(&running, "/big.bin", range);
        assert_eq!(answer.status, 206, "{range}");
        let expected = format!("bytes {from}-{}/{BIG}", to - 1);
        assert_eq!(answer.field("content-range"), Some(expected.as_str()));
        assert_eq!(answer.field("content-length"), Some((to - from).to_string().as_str()));
        assert_eq!(answer.field("etag"), Some(site.tag("big.bin").as_str()));
        assert!(answer.body == bytes[from..to], "{range}");
    }
}

#[test]
fn ranges_that_may_be_ignored_give_the_whole() {
    let site = Site::new();
    let running = Running::start(&site);
    for range in ["bytes=0-1,3-4", "bytes=4-2", "lines=1-2", "bytes=x"] {
        let answer = part(&running, "/insights.json", range);
        assert_eq!((answer.status, answer.text()), (200, "{}\n"), "{range}");
        assert_eq!(answer.field("accept-ranges"), Some("bytes"));
    }
    let head = Request::new("HEAD", "/insights.json").with("Range", "bytes=0-0");
    assert_eq!(head.send(running.address).status, 200);
}

#[test]
fn a_range_beyond_the_end_is_416() {
    let site = Site::new();
    let running = Running::start(&site);
    let answer = part(&running, "/insights.json", "bytes=3-");
    assert_eq!((answer.status, answer.field("content-range")), (416, Some("bytes */3")));
    assert_eq!(
        answer.text(),
        "{\"error\":\"range_not_satisfiable\",\"message\":\"The range lies outside the document.\"}"
    );
}

#[test]
fn a_range_counts_the_bytes_of_the_coding() {
    let site = Site::new();
    let running = Running::start(&site);
    let gzip = site.encoded("reviews.json", Coding::Gzip);
    let request = Request::get("/reviews.json").with("Accept-Encoding", "gzip");
    let answer = request.with("Range", "bytes=2-9").send(running.address);
    assert_eq!((answer.status, answer.field("content-encoding")), (206, Some("gzip")));
    assert_eq!(answer.body, gzip[2..10]);
}

#[test]
fn if_range_gives_the_whole_of_what_changed() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = site.tag("insights.json");
    for (field, expected) in [
        (tag.clone(), 206),
        (format!("W/{tag}"), 200),
        ("\"other\"".to_owned(), 200),
        (MODIFIED.to_owned(), 206),
        ("Sun, 06 Nov 1994 08:49:38 GMT".to_owned(), 200),
    ] {
        let request = Request::get("/insights.json").with("Range", "bytes=0-0");
        let answer = request.with("If-Range", &field).send(running.address);
        assert_eq!(answer.status, expected, "{field}");
    }
}

#[test]
fn preconditions_come_before_ranges() {
    let site = Site::new();
    let running = Running::start(&site);
    let request = Request::get("/insights.json").with("Range", "bytes=99-");
    let answer = request.with("If-None-Match", "*").send(running.address);
    assert_eq!(answer.status, 304);
}
