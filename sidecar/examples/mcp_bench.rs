//! How many tool calls a second the sidecar answers, as a share of a bare actix server that sends
//! the same bytes: `mcp_bench PUBLIC [SECONDS [JSON]]`, where JSON is a file for the figures. Every server is a process of its own with one
//! worker; what counts is requests per second of its processor time, which a busy machine changes
//! least.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use actix_web::{App, HttpResponse, HttpServer, rt, web};

type Failure = Box<dyn std::error::Error>;

/// Connections that ask at once.
const CONNECTIONS: usize = 16;

/// Turns each server gets; the median counts.
const ROUNDS: usize = 3;

/// Ticks of a second in `/proc`, the same on every Linux.
const TICKS: f64 = 100.0;

/// The call: five reviews, as an agent would ask for them.
const CALL: &str =
    r#""method":"tools/call","params":{"name":"search_reviews","arguments":{"limit":5}}}"#;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bare", bytes] => bare(fs::read(bytes)?),
        ["sidecar", public, state] => sidecar(public, state),
        [public] => compare(public, 2.0, None),
        [public, seconds] => compare(public, seconds.parse()?, None),
        [public, seconds, json] => compare(public, seconds.parse()?, Some(json)),
        _ => Err("usage: mcp_bench PUBLIC [SECONDS [JSON]]".into()),
    }
}

/// Sends the same bytes whatever is asked.
fn bare(bytes: Vec<u8>) -> Result<(), Failure> {
    let bytes = web::Bytes::from(bytes);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    let server = HttpServer::new(move || {
        let bytes = bytes.clone();
        let answer = move |_: web::Bytes| {
            let bytes = bytes.clone();
            async move { HttpResponse::Ok().content_type("application/json").body(bytes) }
        };
        App::new().route("/mcp", web::post().to(answer))
    });
    let server = server.workers(1).tcp_nodelay(true).listen(listener)?;
    Ok(rt::System::new().block_on(server.run())?)
}

fn sidecar(public: &str, state: &str) -> Result<(), Failure> {
    let mut config = sidecar::Config::new(public, state)?;
    config.workers = 1;
    rt::System::new().block_on(async {
        let sidecar = sidecar::serve(config, TcpListener::bind("127.0.0.1:0")?, None).await?;
        println!("{}", sidecar.address());
        Ok(sidecar.run().await?)
    })
}

/// A server in a process of its own, which ends with this.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(arguments: &[&str]) -> Result<Self, Failure> {
        let mut command = Command::new(env::current_exe()?);
        let mut process = command.args(arguments).stdout(Stdio::piped()).spawn()?;
        let out = process.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        Ok(Self { address: line.trim().parse()?, process })
    }

    /// Processor time so far, in seconds.
    fn processor_time(&self) -> Result<f64, Failure> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let after_name = stat.rsplit_once(") ").ok_or("no stat")?.1;
        let fields: Vec<_> = after_name.split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        Ok((ticks(11).unwrap_or_default() + ticks(12).unwrap_or_default()) / TICKS)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn compare(public: &str, seconds: f64, json: Option<&str>) -> Result<(), Failure> {
    let folder = Path::new(public).with_file_name("mcp");
    fs::create_dir_all(&folder)?;
    let state = folder.join("state").display().to_string();
    let sidecar = Server::start(&["sidecar", public, &state])?;
    let session = open(sidecar.address)?;
    let bytes = folder.join("answer.json");
    fs::write(&bytes, ask(sidecar.address, &session, 10_000_000)?)?;
    let bare = Server::start(&["bare", &bytes.display().to_string()])?;
    let servers = [("bare actix, same bytes", &bare, ""), ("sidecar", &sidecar, &*session)];
    let mut rates = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        for (rates, (_, server, session)) in rates.iter_mut().zip(&servers) {
            rates.push(measure(server, session, Duration::from_secs_f64(seconds))?);
        }
    }
    let bytes = fs::metadata(&bytes)?.len();
    println!("tools/call search_reviews, 5 reviews, {bytes} bytes");
    println!("{:<28}{:>10}{:>16}{:>8}", "server", "req/s", "req/CPU-second", "share");
    let medians = rates.map(median);
    let mut lines = String::new();
    for ((name, ..), (per_second, per_processor)) in servers.iter().zip(&medians) {
        let share = per_processor / medians[0].1;
        println!("{name:<28}{per_second:>10.0}{per_processor:>16.0}{share:>8.2}");
        let figures = serde_json::json!({
            "server": name, "bytes": bytes, "requests_per_second": per_second,
            "requests_per_cpu_second": per_processor, "share_percent": 100.0 * share,
        });
        lines.push_str(&format!("{figures}\n"));
    }
    json.map_or(Ok(()), |json| fs::write(json, lines))?;
    Ok(())
}

/// By requests per second of processor time.
fn median(mut rates: Vec<(f64, f64)>) -> (f64, f64) {
    rates.sort_by(|one, two| one.1.total_cmp(&two.1));
    rates.get(rates.len() / 2).copied().unwrap_or_default()
}

/// Requests per second, and per second of the server's processor time.
fn measure(server: &Server, session: &str, length: Duration) -> Result<(f64, f64), Failure> {
    let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
    let (before, started) = (server.processor_time()?, Instant::now());
    let failed = thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|at| {
                let (stop, count) = (&stop, &count);
                let first = 10_000_000 + 1_000_000 * at as u64;
                scope.spawn(move || load(server.address, session, first, stop, count))
            })
            .collect();
        thread::sleep(length);
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().any(|client| !matches!(client.join(), Ok(Ok(()))))
    });
    if failed {
        return Err("a client failed".into());
    }
    let count = count.load(Ordering::Relaxed) as f64;
    let used = server.processor_time()? - before;
    Ok((count / started.elapsed().as_secs_f64(), count / used.max(1.0 / TICKS)))
}

fn load(
    address: SocketAddr,
    session: &str,
    first: u64,
    stop: &AtomicBool,
    count: &AtomicU64,
) -> io::Result<()> {
    let mut client = Client::connect(address)?;
    let mut id = first;
    while !stop.load(Ordering::Relaxed) {
        id += 1;
        client.ask(&call(id), session)?;
        count.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

fn call(id: u64) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{CALL}")
}

/// The body of one answer.
fn ask(address: SocketAddr, session: &str, id: u64) -> io::Result<Vec<u8>> {
    let mut client = Client::connect(address)?;
    client.ask(&call(id), session)?;
    Ok(client.body)
}

/// A session's id.
fn open(address: SocketAddr) -> Result<String, Failure> {
    let body = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
    let mut client = Client::connect(address)?;
    client.ask(body, "")?;
    let field = client.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    field.map(|id| id.trim().to_owned()).ok_or_else(|| "no session".into())
}

/// One connection, kept.
struct Client {
    stream: BufReader<TcpStream>,
    head: String,
    body: Vec<u8>,
}

impl Client {
    fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), head: String::new(), body: Vec::new() })
    }

    fn ask(&mut self, body: &str, session: &str) -> io::Result<()> {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: \
             application/json, text/event-stream\r\nMcp-Session-Id: {session}\r\nContent-Length: \
             {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.head.clear();
        while !self.head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut self.head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        if !self.head.starts_with("HTTP/1.1 200") {
            return Err(io::Error::other(self.head.clone()));
        }
        let length = self.head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.trim().parse().ok()).unwrap_or_default();
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)
    }
}
