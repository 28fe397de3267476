//! Load over plain sockets: a round of requests, then a round of answers.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Connections that stay open.
pub(crate) const CONNECTIONS: usize = 32;

/// The same where answers are longer than [`LONG`].
const FEW_CONNECTIONS: usize = 4;
const LONG: usize = 16 * 1024 * 1024;

/// What was measured of one route, in one turn or in all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sample {
    requests: u64,
    time: Duration,
    pub(crate) cpu: Duration,
}

impl std::iter::Sum for Sample {
    fn sum<I: Iterator<Item = Self>>(turns: I) -> Self {
        turns.fold(Self::default(), |sum, turn| Self {
            requests: sum.requests + turn.requests,
            time: sum.time + turn.time,
            cpu: sum.cpu + turn.cpu,
        })
    }
}

impl Sample {
    pub(crate) fn rate(&self) -> f64 {
        self.requests as f64 / self.time.as_secs_f64()
    }

    /// Of the server, per request.
    pub(crate) fn cpu_micros(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.requests as f64
    }
}

/// Connections with the request they send.
pub(crate) struct Load {
    connections: Vec<BufReader<TcpStream>>,
    request: String,
}

/// An answer, as far as the measurement needs it.
pub(crate) struct Answer {
    pub(crate) status: String,
    pub(crate) tag: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn cursor(&self) -> String {
        let body: serde_json::Value =
            serde_json::from_slice(&self.body).expect("an answer is JSON");
        body["next_cursor"].as_str().expect("there is a next page").to_owned()
    }
}

fn request(target: &str, fields: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: bench\r\n{fields}\r\n")
}

fn connect(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a socket takes its options");
    BufReader::with_capacity(64 * 1024, stream)
}

/// One request on a connection of its own.
pub(crate) fn ask(address: SocketAddr, target: &str, fields: &str) -> Answer {
    let mut connection = connect(address);
    send(&mut connection, &request(target, fields));
    receive(&mut connection)
}

fn send(connection: &mut BufReader<TcpStream>, request: &str) {
    connection.get_mut().write_all(request.as_bytes()).expect("the server reads");
}

fn receive(connection: &mut BufReader<TcpStream>) -> Answer {
    let (status, length, tag) = receive_head(connection);
    let mut body = vec![0; length];
    connection.read_exact(&mut body).expect("the server sends the whole body");
    Answer { status, tag, body }
}

/// Reads an answer and keeps nothing of its body.
fn discard(connection: &mut BufReader<TcpStream>) {
    let (_, mut left, _) = receive_head(connection);
    while left > 0 {
        let here = connection.fill_buf().expect("the server sends the whole body").len().min(left);
        assert!(here > 0, "the server closed in the middle of a body");
        connection.consume(here);
        left -= here;
    }
}

fn receive_head(connection: &mut BufReader<TcpStream>) -> (String, usize, String) {
    let (mut status, mut length, mut tag) = (String::new(), 0, String::new());
    let mut line = String::new();
    loop {
        line.clear();
        connection.read_line(&mut line).expect("the server answers");
        match line.trim_end().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().expect("a length"),
            Some(("etag", value)) => tag = value.to_owned(),
            None if line.starts_with("HTTP/1.1 ") => status = line[9..12].to_owned(),
            None if line.trim_end().is_empty() => return (status, length, tag),
            _ => {}
        }
    }
}

impl Load {
    /// For answers of about this length.
    pub(crate) fn new(address: SocketAddr, target: &str, fields: &str, length: usize) -> Self {
        let count = if length > LONG { FEW_CONNECTIONS } else { CONNECTIONS };
        let connections = (0..count).map(|_| connect(address)).collect();
        Self { connections, request: request(target, fields) }
    }

    /// Sends and receives for about `duration`. The last answer of a round is read first, so that
    /// the client is woken once a round: the kernel counts a waking among the work of who sends,
    /// and would count one for each answer of the slower server and few for those of the faster.
    pub(crate) fn run(&self, duration: Duration) -> Sample {
        let mut sample = Sample::default();
        let started = Instant::now();
        let copies = self.connections.iter().map(|connection| {
            let stream = connection.get_ref().try_clone().expect("a socket can be shared");
            BufReader::with_capacity(64 * 1024, stream)
        });
        let mut connections: Vec<_> = copies.collect();
        while started.elapsed() < duration {
            for connection in &mut connections {
                send(connection, &self.request);
            }
            connections.iter_mut().rev().for_each(discard);
            sample.requests += connections.len() as u64;
        }
        sample.time = started.elapsed();
        sample
    }
}

/// How long each of many small searches took, in rising order, while `downloads` readers take
/// everything again and again.
pub(crate) fn waits(sidecar: SocketAddr, downloads: usize, duration: Duration) -> Vec<Duration> {
    let done = AtomicBool::new(false);
    let mut waits = thread::scope(|scope| {
        for _ in 0..downloads {
            scope.spawn(|| {
                let mut connection = connect(sidecar);
                while !done.load(Ordering::Relaxed) {
                    send(&mut connection, &request("/api/reviews/since/2000-01-01", ""));
                    discard(&mut connection);
                }
            });
        }
        let mut connection = connect(sidecar);
        let (started, mut waits) = (Instant::now(), Vec::new());
        while started.elapsed() < duration {
            let asked = Instant::now();
            send(&mut connection, &request("/api/reviews/search?min_rating=4&limit=5", ""));
            discard(&mut connection);
            waits.push(asked.elapsed());
        }
        done.store(true, Ordering::Relaxed);
        waits
    });
    waits.sort_unstable();
    waits
}
