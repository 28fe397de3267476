//! Measures what one change costs the hub: `fanout [--json FILE] [SUBSCRIBERS …]`.
//!
//! The sidecar runs in this process, with its store on disk; the subscribers are another process,
//! called over TLS on loopback under 32 names. The baseline is a bare client (awc) posting the
//! same body to the same subscribers with nothing else to do: no store, no queue, no limits.

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt, web};
use contract::{
    etag::ETag,
    manifest::{FileEntry, MANIFEST_FORMAT, MANIFEST_PATH, Manifest, Topic},
};
use futures_util::{StreamExt, stream};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject};
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Names the subscribers share.
const HOSTS: usize = 32;

/// Connections that subscribe at once.
const CONNECTIONS: usize = 16;

/// Changes that are announced one after the other.
const ROUNDS: usize = 3;

/// Nothing takes longer, or the measurement has failed.
const DEADLINE: Duration = Duration::from_secs(120);

/// Bytes of the topic: a feed of 50 reviews.
const TOPIC_LENGTH: usize = 40_000;

const ORIGIN: &str = "https://bench.example";

fn main() -> Outcome<()> {
    let mut sizes = Vec::new();
    let mut file = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--receive" => return receive(&arguments.next().ok_or("a folder is missing")?),
            "--json" => file = arguments.next().map(PathBuf::from),
            size => sizes.push(size.parse::<usize>()?),
        }
    }
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000];
    }
    let mut measured = Vec::new();
    for size in sizes {
        measured.push(measure(size)?);
    }
    if let Some(file) = file {
        std::fs::write(file, serde_json::to_string_pretty(&measured)?)?;
    }
    Ok(())
}

/// One sidecar with this many subscribers.
fn measure(size: usize) -> Outcome<serde_json::Value> {
    // A disk, where the system's temporary folder may be memory.
    let disk = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let folder = tempfile::tempdir_in(disk)?;
    write_certificates(folder.path())?;
    let mut receiver = Receiver::start(folder.path())?;
    let site = Site { public: folder.path().join("public"), round: 0 };
    let outcome = with_sidecar(size, folder.path(), &receiver, site);
    receiver.child.kill()?;
    receiver.child.wait()?;
    outcome
}

fn with_sidecar(
    size: usize,
    folder: &Path,
    receiver: &Receiver,
    mut site: Site,
) -> Outcome<serde_json::Value> {
    let baseline = post_directly(size, folder, receiver.port)?;
    site.publish()?;
    let (address, admin, handle, running) = start(folder)?;
    let started = Instant::now();
    subscribe(size, address, receiver.port)?;
    wait_for(admin, "candor_hub_verifications_total", size)?;
    let subscribed = size as f64 / started.elapsed().as_secs_f64();
    let before = memory("VmRSS")?;
    let mut rates = Vec::new();
    for round in 1..=ROUNDS {
        site.publish()?;
        let started = Instant::now();
        ping(address)?;
        wait_for(admin, "candor_hub_deliveries_total", size * round)?;
        rates.push(size as f64 / started.elapsed().as_secs_f64());
    }
    let (after, peak) = (memory("VmRSS")?, memory("VmHWM")?);
    rt::System::new().block_on(async move { handle.stop().await });
    running.join().map_err(|_| "the sidecar panicked")?;
    rates.sort_by(f64::total_cmp);
    let rate = rates[ROUNDS / 2];
    println!(
        "{size:>6} subscribers: {rate:>6.0} deliveries/s (the last after {:.2} s), {:.2} of the \
         bare client's {baseline:.0}/s; {subscribed:.0} subscriptions/s; memory {before} MiB, \
         after {ROUNDS} changes {after} MiB, peak {peak} MiB",
        size as f64 / rate,
        rate / baseline,
    );
    Ok(json!({
        "subscribers": size, "deliveries_per_second": rate, "seconds_to_the_last": size as f64 / rate,
        "bare_client_per_second": baseline, "ratio": rate / baseline,
        "subscriptions_per_second": subscribed, "memory_before_mib": before,
        "memory_after_mib": after, "memory_peak_mib": peak,
    }))
}

/// A site whose one topic changes.
struct Site {
    public: PathBuf,
    round: u32,
}

impl Site {
    fn publish(&mut self) -> Outcome<()> {
        self.round += 1;
        let bytes = format!("<feed>{:>TOPIC_LENGTH$}</feed>", self.round).into_bytes();
        let reviews = b"{\n\"version\":1,\n\"business\":{},\n\"reviews\":[]}\n".to_vec();
        let published_at = jiff::Timestamp::from_second(1_700_000_000 + i64::from(self.round))?;
        let entry = |path: &str, bytes: &[u8]| FileEntry {
            path: path.into(),
            media_type: "application/atom+xml".into(),
            length: bytes.len() as u64,
            etag: ETag::of(bytes),
            encodings: Default::default(),
            modified: published_at,
            links: Vec::new(),
        };
        let manifest = Manifest {
            format: MANIFEST_FORMAT,
            build_id: ETag::of(&bytes),
            generator: None,
            published_at,
            base_url: ORIGIN.into(),
            id_base: String::new(),
            previous_base_urls: Vec::new(),
            sample: false,
            sidecar: None,
            security: Default::default(),
            topics: vec![Topic { url: format!("{ORIGIN}/feed.xml"), path: "feed.xml".into() }],
            files: vec![entry("feed.xml", &bytes), entry("reviews.json", &reviews)],
            host_files: Vec::new(),
        };
        std::fs::create_dir_all(&self.public)?;
        let manifest = (MANIFEST_PATH, manifest.to_json());
        for (name, bytes) in [("feed.xml", bytes), ("reviews.json", reviews), manifest] {
            let staged = self.public.join(".staged");
            std::fs::write(&staged, bytes)?;
            std::fs::rename(&staged, self.public.join(name))?;
        }
        Ok(())
    }
}

/// Every name is this machine.
#[derive(Debug)]
struct Loopback;

impl sidecar::NameLookup for Loopback {
    fn lookup(&self, _: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
        Ok(vec![SocketAddr::new(IpAddr::from([127, 0, 0, 1]), port)])
    }
}

type Running = (SocketAddr, SocketAddr, sidecar::Handle, thread::JoinHandle<()>);

fn start(folder: &Path) -> Outcome<Running> {
    let mut config = sidecar::Config::new(folder.join("public"), folder.join("state"))?;
    config.workers = 1;
    config.hub.allow_cidrs = vec!["127.0.0.0/8".parse()?];
    config.hub.extra_ca = vec![folder.join("ca.pem")];
    config.hub.lookup = Some(Arc::new(Loopback));
    // What is limited for untrusted clients is not what is measured.
    config.hub.limits.requests_by_host = 1_000_000;
    config.hub.limits.subscriptions_by_host = 1_000_000;
    config.hub.limits.pending = 1_000_000;
    config.hub.limits.pings = 1_000_000;
    config.hub.limits.verifications_by_host = 8;
    let (send, receive) = mpsc::channel();
    let thread = thread::spawn(move || {
        rt::System::new().block_on(async {
            let free = || TcpListener::bind("127.0.0.1:0");
            let (Ok(main), Ok(admin)) = (free(), free()) else { return };
            match sidecar::serve(config, main, Some(admin)).await {
                Err(error) => drop(send.send(Err(error.to_string()))),
                Ok(sidecar) => {
                    let addresses = (sidecar.address(), sidecar.admin_address());
                    if send.send(Ok((addresses, sidecar.handle()))).is_ok()
                        && let Err(error) = sidecar.run().await
                    {
                        eprintln!("{error}");
                    }
                }
            }
        });
    });
    let ((address, admin), handle) = receive.recv()??;
    Ok((address, admin.ok_or("no admin listener")?, handle, thread))
}

fn callback(number: usize, port: u16) -> String {
    format!("https://h{}.bench.test:{port}/{number}", number % HOSTS)
}

fn post(stream: &mut TcpStream, form: &str) -> Outcome<()> {
    write!(
        stream,
        "POST /api/websub/hub HTTP/1.1\r\nHost: bench.example\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
        form.len()
    )?;
    let mut answer = Vec::new();
    let mut piece = [0; 1024];
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") || !answer.ends_with(b"\n") {
        match stream.read(&mut piece)? {
            0 => break,
            read => answer.extend_from_slice(&piece[..read]),
        }
    }
    if answer.starts_with(b"HTTP/1.1 202") {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&answer).into_owned().into())
    }
}

/// Asks on several connections at once.
fn subscribe(size: usize, address: SocketAddr, port: u16) -> Outcome<()> {
    let ask = |first: usize| subscribe_every(CONNECTIONS, first, size, address, port);
    thread::scope(|scope| {
        let asking: Vec<_> =
            (0..CONNECTIONS).map(|first| scope.spawn(move || ask(first))).collect();
        asking.into_iter().try_for_each(|asking| asking.join().map_err(|_| "a thread panicked")?)
    })
}

fn subscribe_every(
    step: usize,
    first: usize,
    size: usize,
    address: SocketAddr,
    port: u16,
) -> Outcome<()> {
    let mut stream = TcpStream::connect(address)?;
    for number in (first..size).step_by(step) {
        let form = format!(
            "hub.mode=subscribe&hub.topic={ORIGIN}/feed.xml&hub.secret=shared&hub.callback={}",
            callback(number, port)
        );
        post(&mut stream, &form)?;
    }
    Ok(())
}

fn ping(address: SocketAddr) -> Outcome<()> {
    let form = format!("hub.mode=publish&hub.url={ORIGIN}/feed.xml");
    post(&mut TcpStream::connect(address)?, &form)
}

/// Waits until the metric's lines add up to this.
fn wait_for(admin: SocketAddr, metric: &str, number: usize) -> Outcome<()> {
    let deadline = Instant::now() + DEADLINE;
    while Instant::now() < deadline {
        let mut stream = TcpStream::connect(admin)?;
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let lines = lines.filter(|line| line.starts_with(metric));
        let values = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        if values.sum::<f64>() as usize >= number {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(2));
    }
    Err(format!("{metric} did not reach {number} in {DEADLINE:?}").into())
}

/// The bare client: posts a second.
fn post_directly(size: usize, folder: &Path, port: u16) -> Outcome<f64> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("ca.pem"))?)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    rt::System::new().block_on(async move {
        let connector = awc::Connector::new().rustls_0_23(Arc::new(tls)).limit(256);
        let client = awc::Client::builder().connector(connector).finish();
        let body = web::Bytes::from(vec![b'x'; TOPIC_LENGTH]);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let post = |number: usize| {
            let request = client.post(callback(number, port)).address(address);
            let posted = request.send_body(body.clone());
            async move { posted.await.is_ok_and(|answer| answer.status().is_success()) }
        };
        // The first calls make the connections, as verifications do for the hub.
        stream::iter(0..512).map(post).buffer_unordered(256).count().await;
        let started = Instant::now();
        let posts = stream::iter(0..size).map(post).buffer_unordered(256);
        let well = posts.filter(|well| std::future::ready(*well)).count().await;
        if well < size {
            return Err(format!("{} of {size} direct posts failed", size - well).into());
        }
        Ok(size as f64 / started.elapsed().as_secs_f64())
    })
}

/// A line of `/proc/self/status`, in MiB.
fn memory(line: &str) -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let found = status.lines().find(|found| found.starts_with(line));
    let kib = found.and_then(|found| found.split_whitespace().nth(1)).ok_or("no such line")?;
    Ok(kib.parse::<u64>()? / 1024)
}

/// The subscribers' process.
struct Receiver {
    child: Child,
    port: u16,
}

impl Receiver {
    fn start(folder: &Path) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--receive").arg(folder).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("no output")?;
        BufReader::new(output).read_line(&mut line)?;
        Ok(Self { child, port: line.trim().parse()? })
    }
}

fn write_certificates(folder: &Path) -> Outcome<()> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
    let key = KeyPair::generate()?;
    let names = vec!["*.bench.test".to_owned()];
    let leaf = CertificateParams::new(names)?.signed_by(&key, &issuer)?;
    std::fs::write(folder.join("ca.pem"), issuer.pem())?;
    std::fs::write(folder.join("leaf.der"), leaf.der())?;
    std::fs::write(folder.join("key.der"), key.serialize_der())?;
    Ok(())
}

/// Says yes to every question and takes every delivery.
fn receive(folder: &str) -> Outcome<()> {
    let folder = Path::new(folder);
    let chain = vec![CertificateDer::from(std::fs::read(folder.join("leaf.der"))?)];
    let key = PrivatePkcs8KeyDer::from(std::fs::read(folder.join("key.der"))?);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from(key))?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    rt::System::new().block_on(async {
        HttpServer::new(|| App::new().default_service(web::to(hear)))
            .workers(1)
            .listen_rustls_0_23(listener, tls)?
            .run()
            .await?;
        Ok(())
    })
}

async fn hear(request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let query = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
    let challenge = query.ok().and_then(|query| {
        let mut pairs = query.into_inner().into_iter();
        pairs.find(|(name, _)| name == "hub.challenge").map(|(_, value)| value)
    });
    match challenge {
        Some(challenge) => HttpResponse::Ok().body(challenge),
        None if body.is_empty() => HttpResponse::BadRequest().finish(),
        None => HttpResponse::NoContent().finish(),
    }
}
