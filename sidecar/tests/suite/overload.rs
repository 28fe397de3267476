//! More than the service takes: told to come back at once, and never starved by others.

use std::{
    io::Read,
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{Answer, Request, Running, Site, eventually, get, running::config};

const SEARCH: &str = "/api/reviews/search?limit=5";
const ALL: &str = "/api/reviews/since/2000-01-01";

/// A download that has begun and does not go on.
fn stalled(running: &Running) -> TcpStream {
    let mut stream = Request::get(ALL).start(running.address);
    stream.read_exact(&mut [0; 1000]).unwrap();
    stream
}

#[test]
fn too_many_large_answers_are_503_and_small_ones_go_on() {
    let site = Site::long();
    let mut config = config(&site);
    config.max_large_responses = 1;
    let running = Running::start_with(config);
    let mut download = stalled(&running);
    let busy = get(running.address, ALL);
    assert_eq!((busy.status, busy.field("retry-after")), (503, Some("1")));
    assert_eq!(
        busy.text(),
        "{\"error\":\"busy\",\"message\":\"Too many responses are in progress. Try again in a second.\"}"
    );
    assert_eq!(busy.field("cache-control"), Some("no-store"));
    for _ in 0..50 {
        assert_eq!(get(running.address, SEARCH).status, 200);
    }
    let tag = Request::new("HEAD", SEARCH).send(running.address).field("etag").unwrap().to_owned();
    let known = Request::get(SEARCH).with("If-None-Match", tag).send(running.address);
    assert_eq!(known.status, 304);
    let mut rest = Vec::new();
    download.read_to_end(&mut rest).unwrap();
    assert!(rest.len() > 20_000_000);
    eventually("a free place", || get(running.address, ALL).status == 200);
}

#[test]
fn a_client_that_goes_away_frees_its_place() {
    let site = Site::long();
    let mut config = config(&site);
    config.max_large_responses = 1;
    let running = Running::start_with(config);
    drop(stalled(&running));
    eventually("a free place", || get(running.address, ALL).status == 200);
}

#[test]
fn too_many_answers_of_any_size_are_503() {
    let site = Site::long();
    let mut config = config(&site);
    config.max_responses = 1;
    let running = Running::start_with(config);
    let download = stalled(&running);
    let busy = get(running.address, SEARCH);
    assert_eq!((busy.status, busy.json()["error"].as_str()), (503, Some("busy")));
    assert_eq!(get(running.address, "/feed.xml").status, 200);
    drop(download);
    eventually("a free place", || get(running.address, SEARCH).status == 200);
}

#[test]
fn downloads_do_not_starve_small_searches() {
    let site = Site::long();
    let running = Running::start(&site);
    let done = AtomicBool::new(false);
    let mut waits = thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert_eq!(get(running.address, ALL).status, 200);
                }
            });
        }
        let search = || {
            let started = Instant::now();
            let answer: Answer = get(running.address, SEARCH);
            assert_eq!(answer.status, 200);
            started.elapsed()
        };
        let waits: Vec<_> = (0..300).map(|_| search()).collect();
        done.store(true, Ordering::Relaxed);
        waits
    });
    waits.sort();
    let (median, p99) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    println!("searches during four downloads: median {median:?}, p99 {p99:?}");
    // One worker sends 26 MB to each of four readers: without turns a search would wait for all of
    // it. The bound is loose, as the machine may be busy with something else.
    assert!(p99 < Duration::from_secs(1), "p99 {p99:?}");
}
