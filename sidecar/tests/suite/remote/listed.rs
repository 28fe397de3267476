//! Sites of a list whose publications are on web servers.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::Duration,
};

use serde_json::Value;
use sidecar::Config;
use tempfile::TempDir;

use super::{Authority, Origin, Reply};
use crate::{
    Answer, Request, Running, Site, eventually,
    listing::saying,
    sites::{ask, listed, of},
};

/// A sidecar of a list with the site "folder.example" in a folder, and these at origins.
fn config(directory: &TempDir, folder: &Site, fetched: &[(&str, &Origin)]) -> Config {
    let mut lines = format!("\"folder.example\" = {:?}\n", folder.public());
    for (host, origin) in fetched {
        lines += &format!("\"{host}\" = {:?}\n", origin.url(""));
    }
    let list = directory.path().join("sites.toml");
    fs::write(&list, lines).unwrap();
    let mut config = Config::of_sites(list, directory.path().join("state")).unwrap();
    config.workers = 1;
    config.poll_interval = Duration::from_millis(100);
    config.lock_wait = Duration::from_secs(20);
    config.remote.extra_ca = vec![Authority::get().file()];
    config.remote.first_retry = Duration::from_millis(20);
    config.remote.longest_retry = Duration::from_millis(100);
    config
}

fn reviews(running: &Running, host: &str) -> Answer {
    ask(running, host, "/api/reviews/since/2000-01-01")
}

#[test]
fn they_are_fetched_when_they_are_requested_and_kept() {
    let folder = of("folder.example");
    let (mut a, b) = (of("a.example"), of("b.example"));
    let (at_a, at_b) = (Origin::of(&a), Origin::of(&b));
    let directory = tempfile::tempdir().unwrap();
    let fetched = [("a.example", &at_a), ("b.example", &at_b)];
    let running = Running::start_with(config(&directory, &folder, &fetched));
    for host in ["folder.example", "a.example"] {
        let answer = reviews(&running, host);
        assert!(answer.text().contains(host), "{answer:?}");
    }
    assert_eq!(at_b.paths(), [""; 0], "nobody requested it");

    a.set("reviews.json", saying("newer"));
    a.later_by(1);
    a.publish();
    let ping = "hub.mode=publish&hub.url=https%3A%2F%2Fa.example%2Freviews.json";
    let ping = Request::new("POST", "/api/websub/hub").host("a.example").body(ping);
    let form = ping.with("content-type", "application/x-www-form-urlencoded");
    assert_eq!(form.send(running.address).status, 202);
    eventually("the change", || reviews(&running, "a.example").text().contains("newer"));

    // The next process serves it, although its web server is out of order.
    drop(running);
    at_a.answers(|_| Reply::Status(500, "x-out-of", "order".into()));
    let running = Running::start_with(config(&directory, &folder, &fetched));
    assert!(reviews(&running, "a.example").text().contains("newer"));
    eventually("the reason", || listed(&running, "a.example")["refused"] != Value::Null);
    assert!(reviews(&running, "b.example").text().contains("b.example"));
}

#[test]
fn one_whose_web_server_does_not_answer_keeps_nobody_else_waiting() {
    let (folder, b) = (of("folder.example"), of("b.example"));
    let at_b = Origin::of(&b);
    at_b.answers(|_| Reply::Never);
    let directory = tempfile::tempdir().unwrap();
    let mut config = config(&directory, &folder, &[("b.example", &at_b)]);
    // A request that waits for its site holds no place.
    config.max_responses = 1;
    let running = Running::start_with(config);
    thread::scope(|scope| {
        let waits = scope.spawn(|| reviews(&running, "b.example").status);
        eventually("the request to b", || !listed(&running, "b.example")["requests"].eq(&0));
        assert_eq!(reviews(&running, "folder.example").status, 200);
        assert!(!waits.is_finished());
        assert_eq!(waits.join().unwrap(), 503);
    });
}

/// Reads a request, and answers that there is no such file; the connection may be used again.
fn refuse(connection: &TcpStream) {
    let lines = BufReader::new(connection).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.is_empty()));
    let mut connection = connection;
    connection.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").unwrap();
}

#[test]
fn a_check_keeps_no_connection_of_the_check_before() {
    let web_server = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let list = directory.path().join("sites.toml");
    let address = web_server.local_addr().unwrap();
    fs::write(&list, format!("\"a.example\" = \"http://{address}\"\n")).unwrap();
    let mut config = Config::of_sites(list, directory.path().join("state")).unwrap();
    config.workers = 1;
    config.remote.first_retry = Duration::from_millis(20);
    let running = Running::start_with(config);
    web_server.set_nonblocking(true).unwrap();
    let accept = || {
        let mut accepted = None;
        eventually("a connection", || {
            accepted = web_server.accept().ok();
            accepted.is_some()
        });
        accepted.unwrap().0
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // Some of the requests come before the site may be tried again.
        scope.spawn(|| {
            eventually("the end", || {
                reviews(&running, "a.example");
                is_over.load(SeqCst)
            });
        });
        let first = accept();
        refuse(&first);
        let second = accept();
        is_over.store(true, SeqCst);
        first.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        assert_eq!((&first).read(&mut [0]).unwrap(), 0, "it is closed");
        refuse(&second);
    });
}
