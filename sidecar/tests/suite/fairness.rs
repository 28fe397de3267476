//! One client network cannot take what others need: places for responses, connections, memory.

use std::{
    fs,
    io::{Read, Write},
    net::{IpAddr, SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use sidecar::{Config, limits::CONNECTION_MEMORY};
use socket2::{Domain, Socket, Type};

use crate::{
    Answer, Request, Running, Site, eventually, get,
    process::{Program, command},
    running::config,
};

const SEARCH: &str = "/api/reviews/search?limit=1";
/// Longer than what the sockets between two processes buffer.
const ALL: &str = "/api/reviews/since/2000-01-01";

/// A connection from this address that receives little before it is read.
fn connect(from: &str, to: SocketAddr) -> TcpStream {
    let socket = socket(from);
    socket.connect(&to.into()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

fn socket(from: &str) -> Socket {
    let from: IpAddr = from.parse().unwrap();
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    socket
}

/// One request on a connection of its own; its status, or 0 if the connection is closed at once.
fn status(from: &str, to: SocketAddr, target: &str) -> u16 {
    let mut stream = connect(from, to);
    let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_end(&mut answer);
    if answer.is_empty() { 0 } else { Answer::parse(&answer).status }
}

/// A download that has begun and does not go on.
fn stalled(running: &Running, forwarded_for: &str) -> TcpStream {
    let request = Request::get(ALL).with("X-Forwarded-For", forwarded_for);
    let mut stream = request.start(running.address);
    stream.read_exact(&mut [0; 1000]).unwrap();
    stream
}

#[test]
fn one_client_that_does_not_read_leaves_places_for_others() {
    let site = Site::long();
    let mut config = config(&site);
    (config.max_responses, config.max_large_responses) = (64, 64);
    let running = Running::start_with(config);
    let four = format!("GET {ALL} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(4);
    let mut unread = Vec::new();
    let started = Instant::now();
    // Without shares the 64 places are taken after as many connections.
    for _ in 0..200 {
        let mut stream = connect("127.0.2.1", running.address);
        stream.write_all(four.as_bytes()).unwrap();
        unread.push(stream);
        assert_eq!(status("127.0.3.1", running.address, SEARCH), 200);
    }
    eventually("its share is taken", || status("127.0.2.1", running.address, SEARCH) == 429);
    assert_eq!(status("127.0.3.1", running.address, SEARCH), 200);
    println!("200 connections in {:?}", started.elapsed());
    drop(unread);
    eventually("its share is free", || status("127.0.2.1", running.address, SEARCH) == 200);
}

#[test]
fn behind_a_proxy_shares_go_by_client_network() {
    let site = Site::long();
    let mut config = config(&site);
    config.hub.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    config.max_large_responses = 8;
    let running = Running::start_with(config);
    let head = |client: &str| {
        let request = Request::new("HEAD", ALL).with("X-Forwarded-For", client);
        request.send(running.address).status
    };
    for (one, same_network, other) in [
        ("8.8.8.8", "8.8.8.9", "8.8.9.8"),
        ("2001:4860:1:2::1", "2001:4860:1:ff02::", "2001:4860:2:2::1"),
    ] {
        let held = [stalled(&running, one), stalled(&running, same_network)];
        let statuses = [one, same_network, other].map(head);
        assert_eq!(statuses, [429, 429, 200], "{one}");
        drop(held);
        eventually("a free place", || head(one) == 200);
    }
    // With nothing between, the proxy is a client itself.
    assert_eq!(get(running.address, SEARCH).status, 200);
}

#[test]
fn what_a_client_is_told_beyond_its_share() {
    let site = Site::long();
    let mut config = config(&site);
    config.max_large_responses = 4;
    let running = Running::start_with(config);
    let mut download = Request::get(ALL).start(running.address);
    download.read_exact(&mut [0; 1000]).unwrap();
    let refused = get(running.address, ALL);
    assert_eq!((refused.status, refused.field("retry-after")), (429, Some("1")));
    assert_eq!(
        refused.text(),
        "{\"error\":\"too_many_requests\",\"message\":\"Too many responses to your network are in \
         progress. Try again in a second.\"}"
    );
    assert_eq!(get(running.address, SEARCH).status, 200, "a small one has another place");
}

#[test]
fn long_messages_have_places_and_short_ones_need_none() {
    let site = Site::long();
    let mut config = config(&site);
    config.max_large_responses = 4;
    let running = Running::start_with(config);
    let mut download = Request::get(ALL).start(running.address);
    download.read_exact(&mut [0; 1000]).unwrap();
    for (bytes, status) in [(60 * 1024, 400), (70 * 1024, 429)] {
        let message = Request::new("POST", "/mcp")
            .with("Content-Type", "application/json")
            .with("Accept", "application/json, text/event-stream")
            .host("localhost")
            .body(" ".repeat(bytes));
        assert_eq!(message.send(running.address).status, status, "{bytes} bytes");
    }
}

/// This many connections for all, a quarter of them for each client.
fn few_connections(site: &Site, connections: u64) -> Config {
    let mut config = config(site);
    config.max_memory = connections * CONNECTION_MEMORY;
    config
}

#[test]
fn a_client_network_has_its_share_of_connections() {
    let site = Site::new();
    let mut config = few_connections(&site, 16);
    config.hub.trusted_proxies = vec!["127.0.9.0/24".parse().unwrap()];
    let running = Running::start_with(config);
    let ask = |from: &str| status(from, running.address, SEARCH);
    let mut held: Vec<_> = (0..4).map(|_| connect("127.0.2.1", running.address)).collect();
    let replaced = || metric(running.admin, "candor_http_replaced_connections_total ");
    let are_open = |count| {
        eventually("as many are open", || {
            metric(running.admin, "candor_http_connections ") == count
        });
    };
    assert_eq!((ask("127.0.3.1"), replaced()), (200, 0));
    for number in 1..=4 {
        are_open(4);
        assert_eq!((ask("127.0.2.2"), replaced()), (200, number), "in place of an idle one");
        assert_eq!(held.remove(0).read(&mut [0]).unwrap(), 0, "the one that is idle for longest");
        are_open(3);
        held.push(connect("127.0.2.1", running.address));
    }
    let proxy: Vec<_> = (0..6).map(|_| connect("127.0.9.1", running.address)).collect();
    assert_eq!(ask("127.0.9.1"), 200, "a trusted proxy has many clients");
    drop(proxy);
}

#[test]
fn idle_connections_of_many_networks_keep_no_reader_out() {
    let site = Site::long();
    let running = Running::start_with(few_connections(&site, 64));
    // One that is read slowly is not an idle one.
    let download = format!("GET {ALL} HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut reader = connect("127.0.9.1", running.address);
    reader.write_all(download.as_bytes()).unwrap();
    reader.read_exact(&mut [0; 1000]).unwrap();
    let mut idle = Vec::new();
    for round in 0..50 {
        for network in 20..30 {
            let mut stream = connect(&format!("127.0.{network}.1"), running.address);
            // Some begin a request, or have had a response.
            match round % 3 {
                0 => stream.write_all(b"GET / HTTP/1.1\r\n").unwrap(),
                1 => stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap(),
                _ => {}
            }
            idle.push(stream);
        }
        assert_eq!(status("127.0.3.1", running.address, SEARCH), 200, "round {round}");
    }
    assert!(metric(running.admin, "candor_http_replaced_connections_total ") > 400);
    reader.read_exact(&mut vec![0; 1_000_000]).unwrap();
}

#[test]
fn a_proxy_that_nobody_named_is_not_limited_once_it_is_known() {
    let site = Site::new();
    let running = Running::start_with(few_connections(&site, 16));
    let forwarded = Request::get(SEARCH).with("X-Forwarded-For", "8.8.8.8");
    assert_eq!(forwarded.send(running.address).status, 200);
    let held: Vec<_> = (0..6).map(|_| connect("127.0.0.1", running.address)).collect();
    assert_eq!(get(running.address, SEARCH).status, 200);
    drop(held);
}

/// The process's memory in bytes, now and at its highest.
fn memory(program: &Program) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
    let line = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
    };
    (line("VmRSS:"), line("VmHWM:"))
}

const UNIT: &str = include_str!("../../../deploy/candor-sidecar.service");

/// What the unit sets for glibc.
fn allocator_settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let settings = UNIT.lines().filter_map(|line| line.strip_prefix("Environment="));
    settings.filter(|setting| setting.starts_with("MALLOC_")).filter_map(|s| s.split_once('='))
}

/// `MemoryMax` of the unit.
fn memory_max() -> u64 {
    let limit = UNIT.lines().find_map(|line| line.strip_prefix("MemoryMax=")).unwrap();
    limit.strip_suffix('G').unwrap().parse::<u64>().unwrap() * 1024 * 1024 * 1024
}

/// As many connections as this process may have, 4,000 at most.
fn possible_connections() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let soft: usize = line.split_whitespace().next().unwrap().parse().unwrap();
    let possible = soft.saturating_sub(400).min(4_000);
    assert!(possible >= 600, "the test needs 1,000 open files, and {soft} are permitted");
    possible
}

/// The value of a metric without labels.
fn metric(admin: SocketAddr, name: &str) -> u64 {
    let metrics = get(admin, "/metrics");
    let mut values = metrics.text().lines().filter_map(|line| line.strip_prefix(name));
    values.find_map(|value| value.trim().parse().ok()).unwrap()
}

/// A long head and then short requests without end, as far as the system takes them.
fn hostile() -> Vec<u8> {
    let mut bytes = b"GET /page.html HTTP/1.1\r\nHost: x\r\n".to_vec();
    for n in 0..90 {
        bytes.extend(format!("x-{n}: {}\r\n", "x".repeat(1300)).bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend(b"GET /page.html HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5_000));
    bytes
}

#[test]
fn memory_of_clients_that_do_not_read_is_bounded_and_given_back() {
    let mut site = Site::unpublished();
    site.set("page.html", "<p>Clean work.</p>\n".repeat(60_000));
    site.publish();
    let mut program = Program::launch(
        command()
            .args(["--serve-public", "--listen=127.0.0.1:0", "--admin=127.0.0.1:0"])
            .args(["--log-format=json"])
            .envs(allocator_settings())
            .env("CANDOR_PUBLIC", site.public())
            .env("CANDOR_STATE", site.state()),
    );
    let (address, admin) = program.addresses();
    let (before, _) = memory(&program);
    let (count, bytes) = (possible_connections(), hostile());
    let mut clients: Vec<_> = (0..count)
        .map(|n| {
            let socket = socket(&format!("127.0.{}.1", 1 + n % 16));
            socket.set_nonblocking(true).unwrap();
            // Under way; those beyond the limit wait until others are closed.
            let _ = socket.connect(&address.into());
            (TcpStream::from(socket), 0)
        })
        .collect();
    let open = |admin| metric(admin, "candor_http_connections ");
    // One of 16 places is for connections that are being closed.
    let expected = count.min(default_connections() * 15 / 16) as u64;
    let mut sent = 0;
    eventually("all wait for their readers", || {
        for (stream, at) in &mut clients {
            // On a busy machine some are closed for their slowness; how many remain is looked at below.
            if let Ok(written) = stream.write(&bytes[*at..]) {
                *at += written;
            }
        }
        thread::sleep(Duration::from_millis(300));
        let before = std::mem::replace(&mut sent, metric(admin, "candor_http_sent_bytes_total "));
        open(admin) + 16 >= expected && sent == before
    });
    let (connections, (_, highest)) = (open(admin), memory(&program));
    let each = (highest - before) / connections;
    println!("{connections} connections: {} MiB, {} KiB each", highest >> 20, each >> 10);
    assert!(highest < memory_max() && each <= CONNECTION_MEMORY, "{highest}, {each} each");
    drop(clients);
    eventually("the memory is given back", || {
        let (now, _) = memory(&program);
        // A quarter to a third stays in the pages of small allocations that glibc keeps for the
        // next clients. Without the settings of the unit, three quarters stay.
        open(admin) == 0 && now - before < (highest - before) / 2
    });
}

fn default_connections() -> usize {
    Config::new("public", "state").unwrap().connections()
}
