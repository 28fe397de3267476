//! `--serve-public` with a site on a web server: every file is fetched, and served with our tags.

use contract::manifest::Coding;

use super::{Origin, Reply, config, serves};
use crate::{Answer, Request, Running, Site, eventually, get};

fn serving(site: &Site, origin: &Origin) -> Running {
    let mut config = config(site, origin);
    config.serve_public = true;
    let running = Running::start_with(config);
    eventually("the site", || serves(&running, site));
    running
}

fn in_brotli(running: &Running) -> Answer {
    Request::get("/reviews.json").with("Accept-Encoding", "br").send(running.address)
}

#[test]
fn every_file_is_served_with_our_tags() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let running = serving(&site, &origin);
    for (url, path) in
        [("/", "index.html"), ("/about/", "about/index.html"), ("/big.bin", "big.bin")]
    {
        let answer = get(running.address, url);
        assert_eq!((answer.status, answer.field("etag")), (200, Some(site.tag(path).as_str())));
        assert!(answer.body == site.bytes(path), "{url}");
    }
    assert_eq!(get(running.address, "/nothing").text(), "<h1>Nothing here</h1>\n");
    let brotli = in_brotli(&running);
    assert_eq!(brotli.field("content-encoding"), Some("br"));
    assert!(brotli.body == site.encoded("reviews.json", Coding::Brotli));
    for exchange in origin.exchanges().iter().filter(|exchange| exchange.path.ends_with(".gz")) {
        assert_eq!(exchange.field("accept-encoding"), Some("identity"));
    }
}

#[test]
fn a_host_that_hides_precompressed_files_costs_the_codings_alone() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let gzip = site.encoded("reviews.json", Coding::Gzip);
    // One is hidden, one is a page, and one is said to be what it is.
    origin.answers(move |path| match path {
        "reviews.json.br" => Reply::Status(403, "x-y", "z".into()),
        "reviews.json.gz" => Reply::Coded("gzip", gzip.clone()),
        _ => Reply::File,
    });
    for _ in ["first", "restarted"] {
        let running = serving(&site, &origin);
        let plain = in_brotli(&running);
        assert_eq!(plain.field("content-encoding"), None);
        assert_eq!(plain.field("vary"), Some("Accept-Encoding"));
        assert!(plain.body == site.bytes("reviews.json"));
        let gzip = Request::get("/reviews.json").with("Accept-Encoding", "br, gzip");
        assert_eq!(gzip.send(running.address).field("content-encoding"), Some("gzip"));
    }
}

#[test]
fn hosts_that_tidy_their_urls_are_followed() {
    let site = Site::new();
    let origin = Origin::of(&site);
    origin.answers(|path| match path {
        "about/index.html" => Reply::Redirect("/about/".into()),
        "about/" => Reply::FileAt("about/index.html"),
        _ => Reply::File,
    });
    let running = serving(&site, &origin);
    assert!(get(running.address, "/about/").body == site.bytes("about/index.html"));
}
