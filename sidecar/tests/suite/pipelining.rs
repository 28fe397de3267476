//! Requests that are sent before the response to the one before: each is answered, in order.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use crate::{
    Answer, Running, Site, eventually, get,
    listing::{document, review},
    running::config,
};

/// Sends all of this at once, closes its side, and reads everything.
fn exchange(running: &Running, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(running.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (mut sender, mut answers) = (stream.try_clone().unwrap(), Vec::new());
    thread::scope(|scope| {
        scope.spawn(move || sender.write_all(bytes).unwrap());
        stream.read_to_end(&mut answers).unwrap();
    });
    answers
}

/// The answers, one after the other, by their lengths.
fn parse(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while !bytes.is_empty() {
        let mut answer = Answer::parse(bytes);
        let length: usize = answer.field("content-length").unwrap().parse().unwrap();
        bytes = &bytes[bytes.len() - answer.body.len() + length..];
        answer.body.truncate(length);
        answers.push(answer);
    }
    answers
}

#[test]
fn many_requests_at_once_are_answered_in_order() {
    let site = Site::new();
    let running = Running::start(&site);
    let mut requests: String = (0..2_000)
        .map(|n| format!("GET /{n} HTTP/1.1\r\nHost: x\r\nAccept: {}\r\n\r\n", "x".repeat(n % 97)))
        .collect();
    // Read from a file and not from memory.
    requests.insert_str(0, "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n");
    requests.push_str("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let answers = parse(&exchange(&running, requests.as_bytes()));
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.len(), 2_002);
    assert_eq!((statuses[0], statuses[2_001]), (200, 200));
    assert_eq!(answers[0].body, site.bytes("big.bin"));
    assert_eq!(answers[2_001].body, site.bytes("index.html"));
    assert!(statuses[1..2_001].iter().all(|status| *status == 404));
}

#[test]
fn a_request_after_a_long_body_is_answered() {
    let site = Site::new();
    let running = Running::start(&site);
    let body = "x\n\n".repeat(300_000);
    let post =
        format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
    let get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answers = parse(&exchange(&running, [&post, &body, get].concat().as_bytes()));
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [406, 200]);
}

#[test]
fn requests_that_arrive_in_pieces_are_answered() {
    let site = Site::new();
    let mut config = config(&site);
    config.stall_timeout = Duration::from_secs(20);
    let running = Running::start_with(config);
    let mut stream = TcpStream::connect(running.address).unwrap();
    stream.set_nodelay(true).unwrap();
    let get = b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3);
    for byte in &get {
        stream.write_all(&[*byte]).unwrap();
    }
    let mut answers = Vec::new();
    eventually("three answers", || {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).unwrap();
        answers.extend_from_slice(&piece[..length]);
        answers.windows(6).filter(|part| *part == b"Home</").count() == 3
    });
}

#[test]
fn bytes_beyond_ascii_in_a_request_line_count_as_if_percent_encoded() {
    let mut site = Site::unpublished();
    site.set("search/index.html", "the search page");
    let review = review(1, "2025-03-02", 5, Some("Sofía was on time."));
    site.set("reviews.json", document(&serde_json::json!({}), &[review]));
    site.publish();
    let running = Running::start(&site);
    let request = |target: &[u8]| [b"GET ", target, b" HTTP/1.1\r\nHost: x\r\n\r\n"].concat();
    let (raw, encoded, not_utf8) = (
        request("/api/reviews/search?query=Sofía".as_bytes()),
        request(b"/api/reviews/search?query=Sof%C3%ADa"),
        request(b"/api/reviews/search?query=Sof\xeda"),
    );
    let page = request("/search/?q=Sofía".as_bytes());
    let close = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let bytes = [&raw[..], &encoded, &raw, &not_utf8, &page, close].concat();
    let answers = parse(&exchange(&running, &bytes));
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 200, 200, 400, 200, 200]);
    assert_eq!(answers[0].json()["matched"], 1);
    assert_eq!((answers[1].text(), answers[2].text()), (answers[0].text(), answers[0].text()));
    assert_eq!(answers[3].json()["issues"][0]["code"], "not_utf8");
    assert_eq!(answers[4].text(), "the search page");
}

#[test]
fn characters_that_no_url_has_count_as_if_percent_encoded() {
    let site = saying_that_she_leaked();
    let running = Running::start(&site);
    let ascii: String = ('!'..='~').filter(|c| !"#%&+?".contains(*c)).collect();
    for (raw, encoded) in [
        ("q=\"leak\"", "q=%22leak%22"),
        ("q=<b>", "q=%3Cb%3E"),
        ("query=`\"<>", "query=%60%22%3C%3E"),
        (&format!("query={ascii}"), &format!("query={}", contract::query::encoded(&ascii))),
    ] {
        let search = |query: &str| get(running.address, &format!("/api/reviews/search?{query}"));
        let (raw_answer, encoded_answer) = (search(raw), search(encoded));
        assert_eq!((raw_answer.status, raw_answer.text()), (200, encoded_answer.text()), "{raw}");
    }
    assert_eq!(get(running.address, "/api/reviews/search?q=\"leak\"").json()["matched"], 1);
    for path in ["/a`b", "/\"a\"", "/<a>"] {
        assert_eq!(get(running.address, path).status, 404, "{path}");
    }
}

/// A site with a review to find.
fn saying_that_she_leaked() -> Site {
    let mut site = Site::unpublished();
    let review = review(1, "2025-03-02", 5, Some("She stopped the leak."));
    site.set("reviews.json", document(&serde_json::json!({}), &[review]));
    site.publish();
    site
}

#[test]
fn after_a_body_with_a_length_too_they_count_as_if_percent_encoded() {
    let site = saying_that_she_leaked();
    let running = Running::start(&site);
    let search = "GET /api/reviews/search?q=\"leak\" HTTP/1.1\r\nHost: x\r\n\
                  If-None-Match: \"ü\"\r\n\r\n";
    for body in ["", "x", "ü\n\n", &"\n\nGET / HTTP/1.1\r\n\r\n".repeat(9_000)] {
        let post = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let close = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        let bytes = [&*post, search, &post, &post, search, close].concat();
        let answers = parse(&exchange(&running, bytes.as_bytes()));
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [406, 200, 406, 406, 200, 200], "{} bytes", body.len());
        for at in [1, 4] {
            assert_eq!(answers[at].json()["matched"], 1);
        }
    }
}

#[test]
fn a_head_that_arrives_in_pieces_after_a_body_keeps_its_fields() {
    let site = Site::new();
    let running = Running::start(&site);
    let tag = get(running.address, "/").field("etag").unwrap().to_owned();
    let post = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";
    let get = format!(
        "GET /?q=\"<> HTTP/1.1\r\nHost: x\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    );
    let bytes = [post, &get].concat();
    for at in [post.len() - 1, post.len(), post.len() + 1, bytes.find("If-").unwrap() + 17] {
        let mut stream = TcpStream::connect(running.address).unwrap();
        stream.set_nodelay(true).unwrap();
        let (one, two) = bytes.as_bytes().split_at(at);
        stream.write_all(one).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answers = vec![0; 12];
        if at >= post.len() {
            stream.read_exact(&mut answers).unwrap();
        } else {
            answers.clear();
        }
        stream.write_all(two).unwrap();
        stream.read_to_end(&mut answers).unwrap();
        let answers = String::from_utf8(answers).unwrap();
        assert!(
            answers.starts_with("HTTP/1.1 406") && answers.contains("HTTP/1.1 304"),
            "{at}: {answers}"
        );
    }
}

#[test]
fn characters_that_no_url_has_are_a_bare_400_after_a_chunked_body() {
    let site = Site::new();
    let running = Running::start(&site);
    let bytes = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\
                 0\r\n\r\nGET /?q=\"ü\" HTTP/1.1\r\nHost: x\r\n\r\n";
    let answers = parse(&exchange(&running, bytes.as_bytes()));
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [406, 400]);
}

/// The HTTP/2 of the server has an advisory, which deny.toml ignores for this reason.
#[test]
fn http_2_is_neither_begun_nor_switched_to() {
    let site = Site::new();
    let running = Running::start(&site);
    let settings = b"\0\0\0\x04\0\0\0\0\0";
    let preface = [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], settings].concat();
    let refused = exchange(&running, &preface);
    assert!(refused.starts_with(b"HTTP/1.1 400 "), "{}", refused.escape_ascii());
    let upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\
                   Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
    let answers = parse(&exchange(&running, upgrade.as_bytes()));
    assert_eq!(answers[0].status, 200);
    assert_eq!(answers[0].body, site.bytes("index.html"));
}
