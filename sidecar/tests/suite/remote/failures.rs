//! Whatever goes wrong at the origin, the last good publication answers, the reason can be read,
//! and a source that is well again is followed again.

use std::{fs, time::Duration};

use contract::etag::ETag;
use serde_json::Value;
use sidecar::Config;

use super::{Origin, Reply, config, readyz, says, serves};
use crate::{Running, Site, eventually, get, listing::saying};

const MANIFEST: &str = "candor-manifest.json";

/// A sidecar that has loaded a site, which is then published anew; the origin answers wrongly for
/// one file.
struct Trouble {
    site: Site,
    origin: Origin,
    running: Running,
}

impl Trouble {
    fn new(change: impl FnOnce(&mut Config)) -> Self {
        let site = Site::new();
        let origin = Origin::of(&site);
        let mut config = config(&site, &origin);
        change(&mut config);
        let running = Running::start_with(config);
        eventually("the site", || serves(&running, &site));
        Self { site, origin, running }
    }

    /// A publication with new reviews, while the origin answers so for a file.
    fn publish_behind(&mut self, path: &'static str, reply: Reply) {
        self.origin.answers_for(path, reply);
        self.site.set("reviews.json", saying("new"));
        self.site.later_by(1);
        self.site.publish();
    }

    fn last_error(&self) -> String {
        let reason = readyz(&self.running)["source"]["last_error"]["reason"].clone();
        reason.as_str().unwrap_or_default().to_owned()
    }

    /// Waits for an error, and sees that nothing else changed; then the origin heals.
    fn fails_with(self, reason: &str) {
        eventually(reason, || self.last_error() == reason);
        assert!(says(&self.running, "old"));
        assert_eq!(get(self.running.admin, "/readyz").status, 200);
        self.origin.heals();
        eventually("the new site", || serves(&self.running, &self.site));
        assert!(says(&self.running, "new"));
        assert!(readyz(&self.running)["refused"].is_null());
    }
}

#[test]
fn an_edge_that_lags_keeps_the_last_good_site_until_it_follows() {
    let mut trouble = Trouble::new(|_| {});
    let old = trouble.site.bytes("reviews.json").to_vec();
    trouble.publish_behind("reviews.json", Reply::Bytes(old.clone()));
    eventually("the refusal", || !readyz(&trouble.running)["refused"].is_null());
    let refused = readyz(&trouble.running)["refused"].clone();
    let new = trouble.site.tag("reviews.json");
    assert_eq!(refused["file"], trouble.origin.url("reviews.json"));
    assert_eq!((&refused["expected"], &refused["actual"]), (&tag(&new), &tag_of(&old)));
    let reason = format!(
        "{} is not the file the manifest lists: expected {new} ({} bytes), found {} ({} bytes)",
        trouble.origin.url("reviews.json"),
        trouble.site.bytes("reviews.json").len(),
        ETag::of(&old),
        old.len()
    );
    trouble.fails_with(&reason);
}

fn tag(tag: &str) -> Value {
    tag.into()
}

fn tag_of(bytes: &[u8]) -> Value {
    ETag::of(bytes).to_string().into()
}

#[test]
fn a_file_that_does_not_come_as_it_should_is_not_taken() {
    let new = saying("new");
    let length = new.len();
    let half = format!("broke off after {} bytes: ", length / 2);
    for (reply, reason) in [
        (Reply::Endless, format!("is longer than {length} bytes")),
        (Reply::Bytes(format!("{new} ").into_bytes()), format!("is longer than {length} bytes")),
        (Reply::Half, half),
        (Reply::Status(500, "x-y", "z".into()), "answered 500".into()),
        (Reply::Status(404, "x-y", "z".into()), "answered 404".into()),
        (Reply::Status(204, "x-y", "z".into()), "answered 204".into()),
        (Reply::Status(304, "x-y", "z".into()), "answered 304".into()),
        (
            Reply::Coded("br", b"x".to_vec()),
            "comes in the coding br, which was not asked for".into(),
        ),
        (
            Reply::Coded("gzip", b"not gzip at all".to_vec()),
            "comes in a broken gzip coding: ".into(),
        ),
        (Reply::Redirect("/reviews.json".into()), "is redirected more than 3 times".into()),
        (Reply::Redirect("https://".into()), "is redirected nowhere".into()),
        (
            Reply::Redirect("https://other.example/reviews.json".into()),
            "is redirected to another origin, https://other.example/: if the site is there, name that \
             address"
                .into(),
        ),
    ] {
        let mut trouble = Trouble::new(|_| {});
        let reason = format!("{} {reason}", trouble.origin.url("reviews.json"));
        trouble.publish_behind("reviews.json", reply.clone());
        eventually(&reason, || trouble.last_error().starts_with(&reason));
        let whole = trouble.last_error();
        assert!(whole == reason || reason.ends_with(": "), "{whole}");
        trouble.fails_with(&whole);
    }
}

#[test]
fn other_bytes_of_the_same_length_are_not_taken() {
    let mut trouble = Trouble::new(|_| {});
    let mut bytes = saying("new").into_bytes();
    bytes[0] = b' ';
    let (actual, length) = (ETag::of(&bytes), bytes.len());
    trouble.publish_behind("reviews.json", Reply::Bytes(bytes));
    let reason = format!(
        "{} is not the file the manifest lists: expected {} ({length} bytes), found {actual} \
         ({length} bytes)",
        trouble.origin.url("reviews.json"),
        trouble.site.tag("reviews.json"),
    );
    trouble.fails_with(&reason);
}

#[test]
fn slow_servers_are_cut_off() {
    for (reply, reason) in [
        (Reply::Trickle, "came too slowly: less than 64 KiB in 300ms"),
        (Reply::Never, "did not answer within 400ms"),
    ] {
        let mut trouble = Trouble::new(|config| {
            config.remote.stall_timeout = Duration::from_millis(300);
            config.remote.answer = Duration::from_millis(400);
        });
        let reason = format!("{} {reason}", trouble.origin.url(MANIFEST));
        trouble.publish_behind(MANIFEST, reply);
        trouble.fails_with(&reason);
    }
}

#[test]
fn a_manifest_without_end_is_cut_off() {
    let mut trouble = Trouble::new(|config| config.remote.max_manifest = 100_000);
    let reason = format!("{} is longer than 100000 bytes", trouble.origin.url(MANIFEST));
    trouble.publish_behind(MANIFEST, Reply::Endless);
    trouble.fails_with(&reason);
}

#[test]
fn a_publication_above_the_limit_is_refused_before_its_first_byte() {
    let mut trouble = Trouble::new(|config| {
        config.max_publication = 200_000;
        config.refusal_limit = Duration::ZERO;
    });
    trouble.origin.forget();
    trouble.site.set("reviews.json", saying(&"new".repeat(5_000)));
    trouble.site.later_by(1);
    trouble.site.publish();
    let file = trouble.origin.url(MANIFEST);
    eventually("the refusal", || get(trouble.running.admin, "/readyz").status == 503);
    let refused = readyz(&trouble.running)["refused"].clone();
    let reason = refused["reason"].as_str().unwrap();
    let length = reason.strip_prefix(&format!("{file} lists files of ")).unwrap();
    let (length, rest) = length.split_once(' ').unwrap();
    assert!(length.parse::<u64>().unwrap() > 600_000, "{reason}");
    assert_eq!(rest, "bytes together, and --max-publication is 200000: publish less, or raise it");
    assert_eq!(refused["file"], *file);
    assert!(says(&trouble.running, "old"));
    assert_eq!(trouble.origin.paths().iter().filter(|path| !path.ends_with(MANIFEST)).count(), 0);
    let metrics = get(trouble.running.admin, "/metrics").text().to_owned();
    assert!(!metrics.contains("candor_source_looks_total{outcome=\"refused\"} 0"), "{metrics}");
    trouble.site.set("reviews.json", saying("new"));
    trouble.site.later_by(2);
    trouble.site.publish();
    eventually("the new site", || serves(&trouble.running, &trouble.site));
}

#[test]
fn a_page_in_place_of_the_manifest_is_refused() {
    let mut trouble = Trouble::new(|_| {});
    let page = b"<!DOCTYPE html>".to_vec();
    let reason = format!(
        "{} cannot be used: it is not a Candor manifest: expected value at line 1 column 1",
        trouble.origin.url(MANIFEST)
    );
    trouble.publish_behind(MANIFEST, Reply::Bytes(page));
    trouble.fails_with(&reason);
}

#[test]
fn a_source_out_of_reach_makes_nobody_unready_and_a_wrong_one_does() {
    let trouble = Trouble::new(|config| config.refusal_limit = Duration::ZERO);
    let unavailable = || Reply::Status(503, "x-y", "z".into());
    trouble.origin.answers(move |_| unavailable());
    let reason = format!("{} answered 503", trouble.origin.url(MANIFEST));
    eventually("the outage", || trouble.last_error() == reason);
    let ready = get(trouble.running.admin, "/readyz");
    assert_eq!((ready.status, &ready.json()["refused"]), (200, &Value::Null));
    fs::write(trouble.site.public().join(MANIFEST), "{").unwrap();
    trouble.origin.heals();
    eventually("unready", || get(trouble.running.admin, "/readyz").status == 503);
    assert!(says(&trouble.running, "old"));
}

#[test]
fn nothing_to_load_says_why() {
    let site = Site::unpublished();
    let origin = Origin::of(&site);
    let running = Running::start_with(config(&site, &origin));
    let reason = format!("no data is loaded: {} answered 404", origin.url(MANIFEST));
    eventually(&reason, || readyz(&running)["reason"] == reason.as_str());
    assert_eq!(get(running.address, "/api/reviews/search").status, 503);
    site.publish();
    eventually("the site", || serves(&running, &site));
}
