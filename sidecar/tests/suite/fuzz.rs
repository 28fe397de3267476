//! Requests from outside, changed at random: no answer is a 5xx, and the sidecar goes on. Each test
//! runs for a second; `make test-fuzz` and `make fuzz` run them longer.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use bolero::check;

use crate::{Running, Site, get, shop};

#[path = "../../../tests/fuzz/edits.rs"]
mod edits;

use edits::edited;

const WORDS: [&[u8]; 20] = [
    b"&",
    b"=",
    b"%",
    b"%00",
    b"%ff",
    b"+",
    b"\"",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\xff",
    b"\xf0\x9f\x98\x80",
];

/// A connection that is kept while the server keeps it.
struct Kept {
    address: SocketAddr,
    stream: Mutex<Option<BufReader<TcpStream>>>,
}

impl Kept {
    fn new(address: SocketAddr) -> Self {
        Self { address, stream: Mutex::default() }
    }

    /// The status of the answer.
    fn ask(&self, head: &str, body: &[u8]) -> u16 {
        let mut kept = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // Put back when the answer is whole.
        let mut stream = kept.take().unwrap_or_else(|| {
            let stream = TcpStream::connect(self.address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            BufReader::new(stream)
        });
        let head = format!("{head}Host: test\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.get_mut().write_all(&[head.as_bytes(), body].concat()).unwrap();
        let (mut status, mut length, mut keeps) = (0, None, true);
        loop {
            let mut line = String::new();
            assert_ne!(stream.read_line(&mut line).unwrap(), 0, "no answer to {head}");
            let line = line.trim_end().to_ascii_lowercase();
            match line.split_once(": ") {
                None if line.is_empty() => break,
                None => status = line.split(' ').nth(1).unwrap().parse().unwrap(),
                Some(("content-length", value)) => length = Some(value.parse().unwrap()),
                Some(("connection", value)) => keeps = value != "close",
                Some(_) => {}
            }
        }
        match length {
            Some(length) => std::io::copy(&mut (&mut stream).take(length), &mut std::io::sink())
                .map(drop)
                .unwrap(),
            // A stream of events: its end is not waited for.
            None => keeps = false,
        }
        // The server closes after a request line that it cannot read, and does not say so.
        if keeps && (status, length) != (400, Some(0)) {
            *kept = Some(stream);
        }
        assert!(status < 500, "{status} for {head}{}", String::from_utf8_lossy(body));
        status
    }
}

/// A site that answers, and the connection to it.
fn running(site: &Site) -> (Running, Kept) {
    let running = Running::start(site);
    let kept = Kept::new(running.address);
    (running, kept)
}

/// A query of a URL: nothing that ends the request line.
fn query(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| match byte {
            b'!'..=b'~' if *byte != b'#' => char::from(*byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

#[test]
fn search_query() {
    let site = shop::published();
    let (_running, kept) = running(&site);
    let inputs: [&[u8]; 2] = [
        b"query=on+time&min_rating=4&max_rating=5&source=google&year=2025&has_reply=true&sort=newest&limit=2",
        b"mentions_technician=marcus&mentions_service=drains&mentions_area=tilla&since=2025-01-01T00:00:00Z",
    ];
    check!().for_each(|script: &[u8]| {
        let query = query(&edited(&inputs, &WORDS, script));
        kept.ask(&format!("GET /api/reviews/search?{query} HTTP/1.1\r\n"), b"");
    });
}

#[test]
fn cursor() {
    let site = shop::published();
    let (running, kept) = running(&site);
    let first = get(running.address, "/api/reviews/search?limit=1").json();
    let cursor = first["next_cursor"].as_str().unwrap().as_bytes();
    check!().for_each(|script: &[u8]| {
        let cursor = query(&edited(&[cursor], &[b"A", b"_", b"-", b"=", b"00", b"zz"], script));
        kept.ask(&format!("GET /api/reviews/search?limit=1&cursor={cursor} HTTP/1.1\r\n"), b"");
    });
}

#[test]
fn mcp_message() {
    let site = shop::published();
    let (_running, kept) = running(&site);
    let inputs: [&[u8]; 3] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
        br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_reviews","arguments":{"query":"on time","limit":2}}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ];
    check!().for_each(|script: &[u8]| {
        let head = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\
                    Accept: application/json, text/event-stream\r\n";
        kept.ask(head, &edited(&inputs, &WORDS, script));
    });
}

#[test]
fn hub_form() {
    let site = Site::new();
    let (_running, kept) = running(&site);
    let inputs: [&[u8]; 2] = [
        b"hub.mode=subscribe&hub.topic=https%3A%2F%2Fshop.example%2Ffeed.xml&hub.secret=s&hub.lease_seconds=9&\
          hub.callback=http%3A%2F%2Fa.invalid%2F",
        b"hub.mode=publish&hub.url=https%3A%2F%2Fshop.example%2Ffeed.xml",
    ];
    check!().for_each(|script: &[u8]| {
        let head =
            "POST /api/websub/hub HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        kept.ask(head, &edited(&inputs, &WORDS, script));
    });
}
