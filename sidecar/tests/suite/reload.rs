//! Following what is published: whole old or whole new, never a mix.

use std::{
    io::Read,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use contract::etag::ETag;

use crate::{Answer, Request, Running, Site, eventually, get, listing::saying, running::config};

fn reviews(running: &Running) -> Answer {
    get(running.address, "/reviews.json")
}

#[test]
fn a_publication_is_followed() {
    let mut site = Site::new();
    let running = Running::start(&site);
    let old = site.tag("reviews.json");
    site.set("reviews.json", saying("new"));
    site.set("new.html", "<h1>New</h1>\n");
    site.later_by(1);
    site.publish();
    eventually("the new reviews", || reviews(&running).body == site.bytes("reviews.json"));
    assert_eq!(get(running.address, "/new.html").status, 200);
    let stale = Request::get("/reviews.json").with("If-None-Match", old);
    assert_eq!(stale.send(running.address).status, 200);
}

#[test]
fn a_publication_is_followed_by_the_watch_alone() {
    let mut site = Site::new();
    let mut config = config(&site);
    config.poll_interval = Duration::from_secs(3600);
    let running = Running::start_with(config);
    site.set("reviews.json", saying("watched"));
    site.later_by(1);
    site.publish();
    eventually("the new reviews", || reviews(&running).body == site.bytes("reviews.json"));
}

/// The watch stays with the folder that the link pointed to at the start; the poll follows the link.
#[test]
#[cfg(unix)]
fn a_switched_link_is_followed_by_the_poll() {
    use std::{fs, os::unix::fs::symlink};
    let site = Site::new();
    let beside = |name: &str| site.public().with_file_name(name);
    fs::rename(site.public(), beside("first")).unwrap();
    symlink("first", site.public()).unwrap();
    let running = Running::start(&site);
    assert_eq!(reviews(&running).body, site.bytes("reviews.json"));
    let mut next = Site::unpublished();
    next.set("reviews.json", saying("new"));
    next.later_by(1);
    next.publish();
    fs::rename(next.public(), beside("second")).unwrap();
    symlink("second", beside("link")).unwrap();
    fs::rename(beside("link"), site.public()).unwrap();
    eventually("the new reviews", || reviews(&running).body == next.bytes("reviews.json"));
    fs::remove_dir_all(beside("first")).unwrap();
    assert_eq!(reviews(&running).status, 200);
}

#[test]
fn a_rebuild_without_a_change_keeps_the_tag() {
    let mut site = Site::new();
    let running = Running::start(&site);
    site.later_by(1);
    site.publish();
    let published = site.manifest().published_at.to_string();
    eventually("the new manifest", || {
        get(running.admin, "/readyz").json()["published_at"] == published.as_str()
    });
    assert_eq!(reviews(&running).field("etag"), Some(site.tag("reviews.json").as_str()));
}

#[test]
fn a_torn_publication_is_refused_as_a_whole() {
    let mut site = Site::new();
    let running = Running::start(&site);
    let old = reviews(&running).body;
    let old_manifest = get(running.address, "/candor-manifest.json").body;
    site.set("feed.xml", "<feed>new</feed>\n");
    site.set("reviews.json", saying("new"));
    site.later_by(1);
    site.publish_files();
    site.write("reviews.json", b"{\"reviews\": [\"ne");
    site.publish_manifest();
    eventually("the refusal", || !get(running.admin, "/readyz").json()["refused"].is_null());
    assert_eq!(reviews(&running).body, old);
    assert_eq!(get(running.address, "/feed.xml").text(), "<feed/>\n");
    assert_eq!(get(running.address, "/candor-manifest.json").body, old_manifest);
    let ready = get(running.admin, "/readyz");
    assert_eq!((ready.status, &ready.json()["status"]), (200, &"ready".into()));
    site.publish_files();
    eventually("the new reviews", || reviews(&running).body == site.bytes("reviews.json"));
    assert!(get(running.admin, "/readyz").json()["refused"].is_null());
}

#[test]
fn a_missing_file_is_refused_too() {
    let mut site = Site::new();
    let running = Running::start(&site);
    site.set("new.html", "<h1>New</h1>\n");
    site.later_by(1);
    site.publish_files();
    site.remove("new.html");
    site.publish_manifest();
    let path = site.public().join("new.html");
    eventually("the refusal", || {
        get(running.admin, "/readyz").json()["refused"]["file"] == path.to_str().unwrap()
    });
    assert_eq!(get(running.address, "/new.html").status, 404);
    assert_eq!(reviews(&running).status, 200);
}

#[test]
fn a_manifest_of_nonsense_leaves_the_site_alone() {
    let site = Site::new();
    let running = Running::start(&site);
    for (manifest, reason) in [
        (&b"{"[..], "it is not a Candor manifest"),
        (br#"{"format": 2}"#, "its format is 2, this program reads up to 1: update candor"),
    ] {
        site.write("candor-manifest.json", manifest);
        eventually(reason, || {
            let refused = get(running.admin, "/readyz").json()["refused"]["reason"].clone();
            refused.as_str().is_some_and(|said| said.contains(reason))
        });
        assert_eq!(reviews(&running).status, 200);
    }
}

#[test]
fn an_answer_that_began_before_ends_with_the_bytes_it_began_with() {
    let mut site = Site::huge();
    let running = Running::start(&site);
    let old = site.bytes("big.bin").to_vec();
    let old_object = site.tag("big.bin")[4..36].to_owned();
    let mut stream = Request::get("/big.bin").start(running.address);
    let mut received = vec![0; 1000];
    stream.read_exact(&mut received).unwrap();
    site.set("big.bin", "small now");
    site.later_by(1);
    site.publish();
    eventually("the new file", || get(running.address, "/big.bin").body == b"small now");
    eventually("the old object goes", || !site.objects().contains(&old_object));
    stream.read_to_end(&mut received).unwrap();
    assert!(Answer::parse(&received).body == old);
}

#[test]
fn every_answer_during_publications_is_whole() {
    let mut site = Site::new();
    let running = Running::start(&site);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for path in ["/reviews.json", "/big.bin", "/candor-manifest.json"] {
                    let answer = get(running.address, path);
                    assert_eq!(answer.status, 200, "{path}");
                    assert_eq!(answer.field("etag"), Some(ETag::of(&answer.body).as_str()));
                }
            }
        });
        for round in 0..10 {
            site.set("reviews.json", saying(&round.to_string()));
            site.set("big.bin", vec![round; 300_000 + usize::from(round)]);
            site.later_by(1);
            site.publish();
            eventually("the round", || reviews(&running).body == site.bytes("reviews.json"));
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
}
