//! How many tool calls a second the sidecar answers: over HTTP as a share of a bare actix server that sends the same
//! bytes, over standard input and output as a share of a program that writes the same lines. `mcp_bench PUBLIC [SECONDS
//! [JSON]]`, where JSON is a file for the figures. Every server is a process of its own with one worker; what counts is
//! requests per second of its processor time, which a busy machine changes least.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
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

/// The message that opens a session.
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;

/// The call: five reviews, as an agent would ask for them.
const CALL: &str =
    r#""method":"tools/call","params":{"name":"search_reviews","arguments":{"limit":5}}}"#;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bare", bytes] => bare(fs::read(bytes)?),
        ["lines", bytes] => lines(&fs::read(bytes)?),
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

/// Writes the same line whatever is read.
fn lines(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        line?;
        out.write_all(bytes)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn sidecar(public: &str, state: &str) -> Result<(), Failure> {
    let mut config = sidecar::Config::new(public, state)?;
    config.workers = 1;
    config.serve_public = true;
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
}

/// Processor time of a process so far, in seconds.
fn processor_time(process: &Child) -> Result<f64, Failure> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id()))?;
    let after_name = stat.rsplit_once(") ").ok_or("no stat")?.1;
    let fields: Vec<_> = after_name.split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    Ok((ticks(11).unwrap_or_default() + ticks(12).unwrap_or_default()) / TICKS)
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A program that answers lines, and ends with this.
struct Program {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Self { process, input, output })
    }

    fn ask(&mut self, message: &str) -> io::Result<String> {
        self.input.write_all(format!("{message}\n").as_bytes())?;
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line),
        }
    }

    /// Requests of one client per second, and per second of the program's processor time.
    fn measure(&mut self, length: Duration) -> Result<(f64, f64), Failure> {
        let (before, started) = (processor_time(&self.process)?, Instant::now());
        let mut count = 0;
        while started.elapsed() < length {
            count += 1;
            self.ask(&call(10_000_000 + count))?;
        }
        let used = processor_time(&self.process)? - before;
        let count = count as f64;
        Ok((count / started.elapsed().as_secs_f64(), count / used.max(1.0 / TICKS)))
    }
}

impl Drop for Program {
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
    let mut answer = ask(sidecar.address, &session, 10_000_000)?;
    // Line breaks between the values would end a line.
    answer.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    fs::write(&bytes, answer)?;
    let bare = Server::start(&["bare", &bytes.display().to_string()])?;
    let over_http = [(&bare, ""), (&sidecar, &*session)];
    let mut itself = Command::new(env::current_exe()?);
    let mut plain = Program::start(itself.args(["lines", &bytes.display().to_string()]))?;
    let programs =
        env::current_exe()?.parent().and_then(Path::parent).ok_or("no folder")?.to_owned();
    let mut asked = Command::new(programs.join("candor-sidecar"));
    let mut local = Program::start(asked.args(["mcp", &format!("http://{}", sidecar.address)]))?;
    local.ask(INITIALIZE)?;
    let mut rates = [const { Vec::new() }; 4];
    let length = Duration::from_secs_f64(seconds);
    for _ in 0..ROUNDS {
        let [bare_rates, sidecar_rates, plain_rates, local_rates] = &mut rates;
        for (rates, (server, session)) in [bare_rates, sidecar_rates].into_iter().zip(&over_http) {
            rates.push(measure(server, session, length)?);
        }
        plain_rates.push(plain.measure(length)?);
        local_rates.push(local.measure(length)?);
    }
    let bytes = fs::metadata(&bytes)?.len();
    println!("tools/call search_reviews, 5 reviews, {bytes} bytes");
    println!("{:<32}{:>10}{:>16}{:>8}", "server", "req/s", "req/CPU-second", "share");
    let medians = rates.map(median);
    let names = [
        "bare actix, same bytes",
        "sidecar",
        "same lines, over stdio",
        "candor-sidecar mcp, over stdio",
    ];
    let mut rows = String::new();
    for (at, (name, (per_second, per_processor))) in names.iter().zip(&medians).enumerate() {
        // The baseline of each pair is the first of it.
        let share = per_processor / medians[at - at % 2].1;
        println!("{name:<32}{per_second:>10.0}{per_processor:>16.0}{share:>8.2}");
        let figures = serde_json::json!({
            "server": name, "bytes": bytes, "requests_per_second": per_second,
            "requests_per_cpu_second": per_processor, "share_percent": 100.0 * share,
        });
        rows.push_str(&format!("{figures}\n"));
    }
    json.map_or(Ok(()), |json| fs::write(json, rows))?;
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
    let (before, started) = (processor_time(&server.process)?, Instant::now());
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
    let used = processor_time(&server.process)? - before;
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
    let mut client = Client::connect(address)?;
    client.ask(INITIALIZE, "")?;
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
