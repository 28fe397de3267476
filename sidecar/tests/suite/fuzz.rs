//! Requests from outside, changed at random: no answer is a 5xx, and the sidecar continues. Each test
//! runs for a second; `make test-fuzz` and `make fuzz` run them longer.

use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use bolero::check;

use crate::{Running, Site, get, shop, steps::bounded};

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
        bounded(head.len() + body.len(), || self.exchange(head, body))
    }

    fn exchange(&self, head: &str, body: &[u8]) -> u16 {
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
        if keeps && !matches!((status, length), (400 | 431, Some(0))) {
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

/// What makes a message of HTTP another one.
const FRAMING: [&[u8]; 38] = [
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"\n\n",
    b" ",
    b"\t",
    b"\x0b",
    b"\0",
    b"\xff",
    b"\xc3\xbc",
    b":",
    b";",
    b",",
    b"\"",
    b"<",
    b"`",
    b"#",
    b"?",
    b"%",
    b"%zz",
    b"http://",
    b"/../",
    b"GET ",
    b"CONNECT ",
    b" HTTP/1.0",
    b" HTTP/1.1",
    b" HTTP/2.0",
    b"\r\nHost: x",
    b"\r\nContent-Length: 5",
    b"\r\nContent-Length: +5",
    b"\r\nTransfer-Encoding: chunked",
    b"\r\nTransfer-Encoding: identity",
    b"\r\nConnection: Upgrade\r\nUpgrade: websocket",
    b"\r\nExpect: 100-continue",
    b"0\r\n\r\n",
    b"5;a=\"b\"\r\nabcde\r\n",
    b"ffffffffffffffff\r\n",
];

/// All that the server sends for these bytes, to the end of the connection. Bytes that it does not read reset the
/// connection, and the rest of a response is lost with them.
fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut sender = stream.try_clone().unwrap();
    let mut received = Vec::new();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A server that refuses them closes while they are sent.
            let _ = sender.write_all(bytes).and_then(|()| sender.shutdown(Shutdown::Write));
        });
        match stream.read_to_end(&mut received) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => {
                panic!("no end of the connection: {error}: {}", bytes.escape_ascii())
            }
            _ => {}
        }
    });
    received
}

#[test]
fn framing() {
    let site = shop::published();
    let running = Running::start(&site);
    let post = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Accept: application/json, text/event-stream\r\n";
    let chunked = [
        post,
        &b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\n{\"a\":\r\n2\r\n1}\r\n0\r\nX: y\r\n\r\n"[..],
    ];
    let sized =
        [post, &b"Content-Length: 2\r\n\r\n{}GET /?q=\"a\" HTTP/1.1\r\nHost: x\r\n\r\n"[..]];
    let inputs: [&[u8]; 5] = [
        b"GET /api/reviews/search?q=\"a\" HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"a\"\r\n\r\n",
        b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://x/reviews.json HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        &chunked.concat(),
        &sized.concat(),
    ];
    let well = b"GET /feed.xml HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    check!().for_each(|script: &[u8]| {
        let bytes = edited(&inputs, &FRAMING, script);
        let received = exchange(running.address, &bytes);
        let has = |part: &[u8]| received.windows(part.len()).any(|window| window == part);
        let shown = || (bytes.escape_ascii().to_string(), received.escape_ascii().to_string());
        assert!(received.is_empty() || received.starts_with(b"HTTP/1."), "{:?}", shown());
        assert!(!has(b"HTTP/1.1 5") && !has(b"HTTP/1.0 5"), "{:?}", shown());
        // Others are served as before.
        assert!(exchange(running.address, well).starts_with(b"HTTP/1.1 200"), "{:?}", shown());
    });
}

/// A value of a field: no line end, and nothing but text.
fn field(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(|c: char| c.is_control() && c != '\t', "")
}

#[test]
fn conditions_and_ranges() {
    let site = shop::published();
    let (running, kept) = running(&site);
    let tag = get(running.address, "/").field("etag").unwrap().to_owned();
    let lists = format!("\"x,y\", W/\"z\", {tag}, *");
    let date = b"Sun, 06 Nov 1994 08:49:37 GMT";
    let conditions: [&[u8]; 3] = [lists.as_bytes(), tag.as_bytes(), date];
    let ranges: [&[u8]; 4] = [b"bytes=0-9", b"bytes=-5", b"bytes=3-", b"bytes=0-1,4-5, -1"];
    let codings: [&[u8]; 2] = [b"gzip;q=0.5, br;q=1.0, *;q=0", b"identity;q=0, x-gzip ; q=0.001"];
    let words: [&[u8]; 12] = [
        b"\"",
        b"W/",
        b"*",
        b",",
        b";",
        b"q=",
        b"-",
        b"=",
        b"99999999999999999999",
        b"bytes=",
        b" ",
        b"\t",
    ];
    check!().for_each(|script: &[u8]| {
        let value = |inputs: &[&[u8]], at: usize| {
            field(&edited(inputs, &words, script.get(at..).unwrap_or_default()))
        };
        let name = |names: [&'static str; 4], at: usize| {
            names[usize::from(script.get(at).copied().unwrap_or_default()) % 4]
        };
        let first = name(["If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since"], 0);
        let path = name(["/", "/reviews.json", "/feed.xml", "/api/reviews/search"], 2);
        let head = format!(
            "GET {path} HTTP/1.1\r\n{first}: {}\r\nRange: {}\r\nIf-Range: {}\r\nAccept-Encoding: {}\r\n",
            value(&conditions, 3),
            value(&ranges, 1),
            value(&conditions, 2),
            value(&codings, 0)
        );
        let status = kept.ask(&head, b"");
        assert!([200, 206, 304, 412, 416, 431].contains(&status), "{status} for {head}");
    });
}
