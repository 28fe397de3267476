//! Conditional requests to search and since: the rows of `conditional.rs` hold here too.

use crate::{Answer, Request, Running, Site, get, site::MODIFIED};

const PATHS: [&str; 2] = ["/api/reviews/search?query=old", "/api/reviews/since/2025-01-01"];
const LATER: &str = "Sun, 06 Nov 2033 08:49:37 GMT";
const EARLIER: &str = "Sun, 06 Nov 1994 08:49:36 GMT";

/// Asks both routes, `TAG` being each one's own.
fn on_both(check: impl Fn(&Running, &str, &str)) {
    let site = Site::new();
    let running = Running::start(&site);
    for path in PATHS {
        let whole = get(running.address, path);
        assert_eq!(whole.status, 200, "{path}");
        check(&running, path, whole.field("etag").unwrap());
    }
}

fn ask(running: &Running, path: &str, tag: &str, fields: &[(&str, &str)]) -> Answer {
    let with = |request: Request, (name, value): &(&str, &str)| {
        request.with(name, value.replace("TAG", tag))
    };
    fields.iter().fold(Request::get(path), with).send(running.address)
}

#[test]
fn if_none_match() {
    on_both(|running, path, tag| {
        for (field, status) in [
            ("TAG", 304),
            ("W/TAG", 304),
            ("TAG, \"other\"", 304),
            ("\"other\", TAG", 304),
            ("\"other\",W/TAG", 304),
            ("*", 304),
            ("\"other\"", 200),
            ("unquoted", 200),
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
    on_both(|running, path, tag| {
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
    on_both(|running, path, tag| {
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
    on_both(|running, path, tag| {
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
                assert_eq!(answer.json()["error"], "precondition_failed");
            }
        }
    });
}

#[test]
fn not_modified_has_the_headers_of_the_answer_and_no_body() {
    on_both(|running, path, tag| {
        let whole = get(running.address, path);
        for method in ["GET", "HEAD"] {
            let request = Request::new(method, path).with("If-None-Match", tag);
            let answer = request.send(running.address);
            assert_eq!((answer.status, answer.body.len()), (304, 0));
            for name in ["etag", "cache-control", "vary", "access-control-allow-origin"] {
                assert!(answer.field(name).is_some(), "{path} {name}");
                assert_eq!(answer.field(name), whole.field(name), "{path} {name}");
            }
            for absent in ["content-length", "transfer-encoding", "content-type"] {
                assert_eq!(answer.field(absent), None, "{path} {absent}");
            }
        }
    });
}

#[test]
fn head_is_get_without_a_body() {
    on_both(|running, path, _| {
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
fn a_tag_of_one_coding_is_none_of_another() {
    on_both(|running, path, tag| {
        for coding in ["gzip", "br"] {
            let fields = [("If-None-Match", "TAG"), ("Accept-Encoding", coding)];
            assert_eq!(ask(running, path, tag, &fields).status, 200, "{path} {coding}");
        }
    });
}
