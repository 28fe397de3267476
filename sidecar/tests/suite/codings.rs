//! Precompressed siblings: each coding has its own bytes, its own tag, and its own "not modified".

use contract::{
    etag::ETag,
    manifest::Coding::{self, Brotli, Gzip},
};

use crate::{Answer, Request, Running, Site};

fn ask(running: &Running, accept: &str) -> Answer {
    Request::get("/reviews.json").with("Accept-Encoding", accept).send(running.address)
}

#[test]
fn the_best_acceptable_coding_is_sent() {
    let site = Site::new();
    let running = Running::start(&site);
    for (accept, expected) in [
        ("gzip, deflate, br, zstd", Some(Brotli)),
        ("zstd", None),
        ("x-gzip", Some(Gzip)),
        ("br;q=0, gzip", Some(Gzip)),
        ("gzip;q=0", None),
        ("identity", None),
        ("identity;q=0", None),
        ("*;q=0", None),
        ("", None),
        ("*", Some(Brotli)),
    ] {
        let answer = ask(&running, accept);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.field("content-encoding"), expected.map(Coding::token), "{accept}");
        assert_eq!(answer.field("vary"), Some("Accept-Encoding"));
        let bytes = expected.map_or(site.bytes("reviews.json").to_vec(), |coding| {
            site.encoded("reviews.json", coding)
        });
        assert_eq!(answer.field("etag"), Some(ETag::of(&bytes).as_str()));
        assert_eq!(answer.field("content-type"), Some("application/json"));
        assert_eq!(answer.body, bytes);
    }
}

#[test]
fn two_lines_are_one_list() {
    let site = Site::new();
    let running = Running::start(&site);
    let request = Request::get("/reviews.json").with("Accept-Encoding", "gzip;q=0.5");
    let answer = request.with("accept-encoding", "BR").send(running.address);
    assert_eq!(answer.field("content-encoding"), Some("br"));
}

#[test]
fn a_document_without_siblings_does_not_vary() {
    let site = Site::new();
    let running = Running::start(&site);
    let request = Request::get("/insights.json").with("Accept-Encoding", "br");
    let answer = request.send(running.address);
    assert_eq!((answer.field("vary"), answer.field("content-encoding")), (None, None));
}

#[test]
fn siblings_have_no_address() {
    let site = Site::new();
    let running = Running::start(&site);
    for path in ["/reviews.json.br", "/reviews.json.gz"] {
        assert!(site.public().join(&path[1..]).exists());
        assert_eq!(crate::get(running.address, path).status, 404, "{path}");
    }
}
