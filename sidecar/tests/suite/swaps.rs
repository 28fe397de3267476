//! Snapshots swapped every 100 ms while clients ask: every answer is wholly of one of them.

use std::{
    collections::{HashMap, HashSet},
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    Request, Running, Site, eventually, get,
    listing::{document, review},
    running::config,
};

const CLIENTS: usize = 4;
/// Answers and swaps there must be at least.
const ANSWERS: usize = 10_000;
const SWAPS: usize = 20;

/// Between two publications. Each must be the current one before the next is made.
const EVERY: Duration = Duration::from_millis(100);

const TARGETS: [(&str, &str); 5] = [
    ("/api/reviews/search?query=clean&limit=50", ""),
    ("/api/reviews/search?rating=5&min_rating=2", ""),
    ("/api/reviews/since/2025-01-05", ""),
    ("/api/reviews/since/2025-01-01", "gzip"),
    ("/reviews.json", ""),
];

/// Two contents; which reviews there are, their texts and their ratings all differ.
fn contents() -> [String; 2] {
    [40_u32, 55].map(|count| {
        let reviews: Vec<_> = (0..count)
            .map(|n| {
                let text = format!("clean work by {count}, number {n}");
                review(n, &format!("2025-01-{:02}", 1 + n % 9), 1 + (n % 5) as u8, Some(&text))
            })
            .collect();
        document(&json!({}), &reviews)
    })
}

fn site(content: &str) -> Site {
    let mut site = Site::unpublished();
    site.set("reviews.json", content);
    site.publish();
    site
}

/// What each target may answer: the tag and the body it stands for.
fn expected(contents: &[String]) -> HashMap<String, Vec<u8>> {
    let mut expected = HashMap::new();
    for content in contents {
        let site = site(content);
        let running = Running::start(&site);
        for (target, coding) in TARGETS {
            let request = Request::get(target).with("Accept-Encoding", coding);
            let answer = request.send(running.address);
            assert_eq!(answer.status, 200);
            let tag = answer.field("etag").unwrap().to_owned();
            expected.insert(format!("{target} {coding} {tag}"), answer.body);
        }
    }
    assert_eq!(expected.len(), contents.len() * TARGETS.len());
    expected
}

#[test]
fn ten_thousand_answers_during_swaps_are_each_wholly_of_one_snapshot() {
    let contents = contents();
    let expected = expected(&contents);
    let mut site = site(&contents[0]);
    let mut config = config(&site);
    // A publication here is complete when its manifest appears: there is nothing to wait for.
    config.settle = Duration::ZERO;
    let running = Running::start_with(config);
    let answers = AtomicUsize::new(0);
    let done = AtomicBool::new(false);
    let loaded = || get(running.admin, "/readyz").json()["published_at"].clone();
    let ask = &|first| client(running.address, first, &expected, &answers, &done);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|n| scope.spawn(move || ask(n))).collect();
        let (mut swaps, mut within) = (0, Duration::ZERO);
        let mut next = Instant::now();
        for content in contents.iter().cycle().skip(1) {
            thread::park_timeout(next.saturating_duration_since(Instant::now()));
            let published = Instant::now();
            next = published + EVERY;
            site.set("reviews.json", content.as_str());
            site.later_by(1);
            site.publish();
            let this = site.manifest().published_at.to_string();
            eventually("the swap", || loaded() == this.as_str());
            within = within.max(published.elapsed());
            swaps += 1;
            let enough = answers.load(Ordering::Relaxed) >= ANSWERS;
            let failed = clients.iter().any(|client| client.is_finished());
            if failed || (enough && swaps >= SWAPS) {
                break;
            }
        }
        println!("{swaps} swaps, each within {within:?} of its publication");
        done.store(true, Ordering::Relaxed);
        let seen = clients.into_iter().map(|client| client.join().unwrap());
        let fewest = seen.min().unwrap();
        assert_eq!(fewest, expected.len(), "some content was never seen");
    });
}

/// Asks on one connection; how many different answers it got.
fn client(
    address: SocketAddr,
    first: usize,
    expected: &HashMap<String, Vec<u8>>,
    answers: &AtomicUsize,
    done: &AtomicBool,
) -> usize {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut seen = HashSet::new();
    for (target, coding) in TARGETS.iter().cycle().skip(first) {
        if done.load(Ordering::Relaxed) {
            break;
        }
        let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: {coding}\r\n\r\n");
        (&stream).write_all(head.as_bytes()).unwrap();
        let (status, tag, body) = read(&mut reader);
        assert_eq!(status, "HTTP/1.1 200 OK", "{target}");
        let key = format!("{target} {coding} {tag}");
        let whole = expected.get(&key).unwrap_or_else(|| panic!("{key} is of neither content"));
        assert!(*whole == body, "{key} has other bytes");
        seen.insert(key);
        answers.fetch_add(1, Ordering::Relaxed);
    }
    seen.len()
}

fn read(reader: &mut impl BufRead) -> (String, String, Vec<u8>) {
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let status = line();
    let (mut length, mut tag) = (0, String::new());
    loop {
        let line = line();
        match line.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap(),
            Some(("etag", value)) => tag = value.to_owned(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (status, tag, body)
}
