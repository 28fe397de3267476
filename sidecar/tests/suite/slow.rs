//! Clients that keep the service waiting are cut off, whatever they do to seem alive.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use sidecar::Config;

use crate::{Request, Running, Site, eventually, get, running::config};

const SEARCH: &str = "/api/reviews/search?limit=1";
const ALL: &str = "/api/reviews/since/2000-01-01";

fn impatient(site: &Site) -> Config {
    let mut config = config(site);
    config.max_large_responses = 1;
    config.stall_timeout = Duration::from_millis(300);
    config
}

/// Whether the one place for a large answer is free. HEAD needs it too, and nothing can stall it.
fn is_free(running: &Running) -> bool {
    Request::new("HEAD", ALL).send(running.address).status == 200
}

/// A download that has begun.
fn download(running: &Running) -> TcpStream {
    let mut stream = Request::get(ALL).start(running.address);
    stream.read_exact(&mut [0; 1000]).unwrap();
    assert!(!is_free(running));
    stream
}

/// What is left to read ends before the answer does.
fn assert_cut(mut download: TcpStream, whole: usize) {
    let mut rest = Vec::new();
    // The reset may overtake what was sent before it.
    let _ = download.read_to_end(&mut rest);
    assert!(rest.len() < whole / 2, "{} of {whole} bytes", rest.len());
}

#[test]
fn a_reader_that_takes_nothing_is_cut_off() {
    let site = Site::long();
    let running = Running::start_with(impatient(&site));
    let stalled = download(&running);
    eventually("a free place", || is_free(&running));
    assert_cut(stalled, site.bytes("reviews.json").len());
}

#[test]
fn a_reader_that_takes_a_byte_now_and_then_is_cut_off() {
    let site = Site::long();
    let running = Running::start_with(impatient(&site));
    let mut trickle = download(&running);
    eventually("a free place", || {
        // Fails once it is cut off, which the next line sees too.
        let _ = trickle.read(&mut [0; 1]);
        is_free(&running)
    });
    assert_cut(trickle, site.bytes("reviews.json").len());
}

#[test]
fn a_file_is_no_different() {
    let site = Site::huge();
    let running = Running::start_with(impatient(&site));
    let mut stalled = Request::get("/big.bin").start(running.address);
    stalled.read_exact(&mut [0; 1000]).unwrap();
    eventually("cut off", || is_closed(&stalled));
    assert_cut(stalled, site.bytes("big.bin").len());
}

/// A byte of a field's name each time it is asked, until the connection is no more.
fn is_cut(stream: &mut TcpStream) -> bool {
    stream.write_all(b"x").is_err() || is_closed(stream)
}

/// Whether the other side closed, as far as it is known without reading.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let seen = stream.peek(&mut [0; 1]);
    let error = stream.take_error().unwrap();
    stream.set_nonblocking(false).unwrap();
    match (error, seen) {
        (Some(_), _) | (None, Ok(0)) => true,
        (None, Ok(_)) => false,
        (None, Err(error)) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[test]
fn a_request_that_never_ends_is_cut_off() {
    let site = Site::new();
    let running = Running::start_with(impatient(&site));
    let mut stream = TcpStream::connect(running.address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    eventually("cut off", || is_cut(&mut stream));
}

/// Asks on a connection and reads the answer; the connection stays.
fn ask(stream: &mut TcpStream, more: &str) {
    let request = format!("GET {SEARCH} HTTP/1.1\r\nHost: x\r\n\r\n{more}");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"]}\n") {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "closed");
        answer.extend(&piece[..length]);
    }
}

#[test]
fn so_is_the_second_on_a_connection() {
    let site = Site::new();
    let running = Running::start_with(impatient(&site));
    let mut stream = TcpStream::connect(running.address).unwrap();
    ask(&mut stream, "");
    ask(&mut stream, "GET / HTTP/1.1\r\n");
    eventually("cut off", || is_cut(&mut stream));
}

#[test]
fn a_connection_without_a_request_is_kept() {
    let site = Site::new();
    let mut config = config(&site);
    config.stall_timeout = Duration::from_millis(50);
    let stall_timeout = config.stall_timeout;
    let running = Running::start_with(config);
    let mut idle = TcpStream::connect(running.address).unwrap();
    ask(&mut idle, "");
    let begun = Instant::now();
    while begun.elapsed() < 4 * stall_timeout {
        assert_eq!(get(running.address, "/readyz").status, 404);
    }
    ask(&mut idle, "");
}
