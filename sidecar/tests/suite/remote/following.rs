//! Following a site on a web server: what is asked for, and when.

use std::time::Duration;

use actix_web::http::Version;
use review_log::Event;
use serde_json::json;

use super::{Origin, Reply, config, readyz, says, serves};
use crate::{
    Running, Site,
    agent::Agent,
    eventually, get,
    listing::{id, saying},
    log::{Log, hash, review_id},
};

const MANIFEST: &str = "candor-manifest.json";

#[test]
fn what_the_dynamic_routes_need_is_fetched_and_nothing_else() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    assert!(says(&running, "old"));
    let mut fetched: Vec<_> = origin.paths().into_iter().filter(|path| path != MANIFEST).collect();
    fetched.sort();
    assert_eq!(fetched, ["feed.xml", "insights.json", "reviews.json"]);
    let first = &origin.exchanges()[0];
    assert_eq!(first.path, MANIFEST);
    assert_eq!(first.field("accept-encoding"), Some("gzip"));
    assert_eq!(first.field("cache-control"), Some("no-cache"));
    assert_eq!(first.field("if-none-match"), None);
    assert!(first.field("user-agent").unwrap().starts_with("candor-sidecar/"));
}

/// The HTTP/2 of the client has an advisory, which deny.toml ignores for this reason.
#[test]
fn a_server_that_offers_http_2_is_asked_by_http_1_1() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    assert!(origin.exchanges().iter().all(|exchange| exchange.version == Version::HTTP_11));
}

#[test]
fn polls_of_what_did_not_change_transfer_nothing() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    origin.forget();
    eventually("polls", || origin.exchanges().len() >= 4);
    for exchange in origin.exchanges() {
        assert_eq!((exchange.path.as_str(), exchange.status, exchange.sent), (MANIFEST, 304, 0));
    }
}

#[test]
fn a_host_without_tags_sends_the_manifest_again_and_no_file() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let manifest = site.manifest().to_json();
    origin.answers_for(MANIFEST, Reply::Bytes(manifest));
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    origin.forget();
    eventually("polls", || origin.exchanges().len() >= 3);
    assert!(origin.paths().iter().all(|path| path == MANIFEST));
}

#[test]
fn of_a_new_publication_only_what_changed_is_fetched() {
    let mut site = Site::new();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    origin.forget();
    site.set("reviews.json", saying("new"));
    site.later_by(1);
    site.publish();
    eventually("the new site", || serves(&running, &site));
    assert!(says(&running, "new"));
    let fetched: Vec<_> = origin.paths().into_iter().filter(|path| path != MANIFEST).collect();
    assert_eq!(fetched, ["reviews.json"]);
}

/// Of the tiles only the entries: the hashes are computed.
#[test]
fn of_a_log_the_entries_and_what_signs_them_are_fetched_and_again_only_what_changed() {
    let mut log = Log::of_the_shop();
    let mut site = log.site();
    site.publish();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    let of_the_log = || {
        let paths = origin.paths().into_iter().filter(|path| path.contains("log"));
        let mut paths: Vec<_> = paths.collect();
        paths.sort();
        paths
    };
    let keys = ".well-known/candor-log.json";
    let bundle = log.last_bundle();
    assert_eq!(of_the_log(), [keys, "log/checkpoint", "log/salts.json", bundle.as_str()]);
    let proof = || Agent::new(&running).data("get_proof", json!({ "id": id(8) }));
    assert_eq!(proof()["status"], "removed");
    origin.forget();
    site.unset(&bundle);
    log.add(Event::Restored { review: review_id(8), record: hash(8), reply: None });
    for (path, bytes) in log.files() {
        site.set(&path, bytes);
    }
    site.later_by(1);
    site.publish();
    eventually("the new site", || serves(&running, &site));
    assert_eq!(of_the_log(), ["log/checkpoint", log.last_bundle().as_str()]);
    assert_eq!(proof()["status"], "published");
}

#[test]
fn a_host_that_hides_a_file_of_the_log_costs_the_tool_alone() {
    let site = Log::of_the_shop().site();
    site.publish();
    let origin = Origin::of(&site);
    origin.answers_for(".well-known/candor-log.json", Reply::Status(403, "x-y", "z".into()));
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    let tools = Agent::new(&running).ask("tools/list", json!({}));
    assert!(!tools.to_string().contains("get_proof"));
}

#[test]
fn a_restart_answers_without_the_network() {
    let site = Site::new();
    let origin = Origin::of(&site);
    let config = config(&site, &origin);
    let running = Running::start_with(config.clone());
    eventually("the site", || serves(&running, &site));
    drop(running);
    drop(origin);
    let running = Running::start_with(config);
    assert!(says(&running, "old"), "the very first request is answered");
    eventually("the outage", || !readyz(&running)["source"]["last_error"].is_null());
    let ready = get(running.admin, "/readyz");
    assert_eq!((ready.status, &ready.json()["status"]), (200, &"ready".into()));
}

#[test]
fn a_start_does_not_wait_for_the_network_and_neither_does_a_stop() {
    let site = Site::new();
    let origin = Origin::of(&site);
    origin.answers(|_| Reply::Never);
    let mut config = config(&site, &origin);
    config.remote.answer = Duration::from_secs(3600);
    let running = Running::start_with(config);
    assert_eq!(get(running.address, "/api/reviews/search").status, 503);
    let report = readyz(&running);
    assert_eq!(report["reason"], "no data is loaded");
    assert_eq!(report["source"]["public"], origin.url(""));
}

#[test]
fn an_older_manifest_is_refused() {
    let mut site = Site::new();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    let current = site.manifest().build_id;
    site.set("reviews.json", saying("of yesterday"));
    site.later_by(-1);
    site.publish();
    eventually("the refusal", || !readyz(&running)["refused"].is_null());
    let none = "candor_source_looks_total{outcome=\"older\"} 0";
    assert!(!get(running.admin, "/metrics").text().contains(none));
    assert_eq!(readyz(&running)["build_id"], current.as_str());
    assert!(says(&running, "old"));
}

#[test]
fn two_sidecars_follow_one_origin() {
    let mut site = Site::new();
    let origin = Origin::of(&site);
    let other = tempfile::tempdir().unwrap();
    let first = Running::start_with(config(&site, &origin));
    let mut second = config(&site, &origin);
    second.state = other.path().join("state");
    let second = Running::start_with(second);
    for text in ["old", "new"] {
        site.set("reviews.json", saying(text));
        site.later_by(1);
        site.publish();
        eventually("both", || [&first, &second].iter().all(|running| serves(running, &site)));
        assert!(says(&first, text) && says(&second, text));
    }
}

#[test]
fn a_host_may_compress() {
    use std::io::Write;

    let site = Site::new();
    let origin = Origin::of(&site);
    let public = site.public();
    origin.answers(move |path| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&std::fs::read(public.join(path)).unwrap()).unwrap();
        Reply::Coded("gzip", encoder.finish().unwrap())
    });
    let running = Running::start_with(config(&site, &origin));
    eventually("the site", || serves(&running, &site));
    assert!(says(&running, "old"));
}
