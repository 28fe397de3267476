//! Subscribers: servers over TLS that respond as a test says and record what they receive.

use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Write},
    net::{IpAddr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer, dev::ServerHandle, http::StatusCode, rt, web,
};
use futures_util::{StreamExt, stream};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tempfile::TempDir;

/// A request that a subscriber received.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Raw.
    pub(crate) query: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The response of a subscriber.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// This status and the challenge.
    Challenge(u16),
    /// This status and text.
    Text(u16, String),
    /// This status and field.
    Field(u16, &'static str, String),
    /// A body without end.
    Endless,
    /// A head, and then nothing.
    Stalls,
    /// Nothing at all.
    Never,
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

/// A subscriber that stops when this is dropped.
pub(crate) struct Subscriber {
    pub(crate) port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    script: Arc<Mutex<Arc<Script>>>,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    received: Arc<Mutex<Vec<Received>>>,
    script: Arc<Mutex<Arc<Script>>>,
}

impl Received {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.fields.iter().filter(|(field, _)| field == name);
        let line = lines.next().map(|(_, value)| value.as_str());
        assert!(lines.next().is_none(), "two lines of {name}");
        line
    }

    /// Every value of a query parameter.
    pub(crate) fn parameters(&self, name: &str) -> Vec<String> {
        let pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
    }

    /// The value of a query parameter that is there once.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let mut values = self.parameters(name);
        assert!(values.len() < 2, "{name} twice in {}", self.query);
        values.pop()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Confirms and accepts everything.
pub(crate) fn willing(received: &Received) -> Reply {
    match received.method.as_str() {
        "GET" => Reply::Challenge(200),
        _ => Reply::Text(204, String::new()),
    }
}

impl Subscriber {
    pub(crate) fn willing() -> Self {
        Self::answering(willing)
    }

    /// A subscriber that answers verifications well and deliveries with this.
    pub(crate) fn replying(reply: Reply) -> Self {
        Self::answering(move |received| match received.method.as_str() {
            "GET" => Reply::Challenge(200),
            _ => reply.clone(),
        })
    }

    pub(crate) fn answering(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let received = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Arc<Script>>> = Arc::new(Mutex::new(Arc::new(script)));
        let shared = web::Data::new(Shared { received: received.clone(), script: script.clone() });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (send, receive) = mpsc::channel();
        let thread = thread::spawn(move || {
            rt::System::new().block_on(async move {
                let server = HttpServer::new(move || {
                    App::new()
                        .app_data(shared.clone())
                        .app_data(web::PayloadConfig::new(64 * 1024 * 1024))
                        .default_service(web::to(respond))
                })
                .workers(1)
                .disable_signals()
                .listen_rustls_0_23(listener, Authority::get().server())
                .unwrap()
                .run();
                send.send(server.handle()).unwrap();
                server.await.unwrap();
            });
        });
        let handle = receive.recv().unwrap();
        Self { port, received, script, handle, thread: Some(thread) }
    }

    /// Changes its responses from now on.
    pub(crate) fn now_answers(&self, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) {
        *self.script.lock().unwrap() = Arc::new(script);
    }

    /// A callback at this host.
    pub(crate) fn url(&self, host: &str, path: &str) -> String {
        format!("https://{host}:{}{path}", self.port)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The GET requests it received: verifications and denials.
    pub(crate) fn verifications(&self) -> Vec<Received> {
        self.received().into_iter().filter(|received| received.method == "GET").collect()
    }

    pub(crate) fn deliveries(&self) -> Vec<Received> {
        self.received().into_iter().filter(|received| received.method == "POST").collect()
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let handle = self.handle.clone();
        rt::System::new().block_on(async move { handle.stop(false).await });
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the subscriber panicked");
    }
}

async fn respond(
    request: HttpRequest,
    body: web::Bytes,
    shared: web::Data<Shared>,
) -> HttpResponse {
    let fields = request.headers().iter();
    let received = Received {
        method: request.method().to_string(),
        path: request.path().to_owned(),
        query: request.query_string().to_owned(),
        fields: fields
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect(),
        body: body.to_vec(),
    };
    let script = shared.script.lock().unwrap().clone();
    let reply = script(&received);
    shared.received.lock().unwrap().push(received.clone());
    let with = |status: u16| HttpResponse::build(StatusCode::from_u16(status).unwrap());
    match reply {
        Reply::Challenge(status) => {
            with(status).body(received.parameters("hub.challenge").pop().unwrap_or_default())
        }
        Reply::Text(status, text) => with(status).body(text),
        Reply::Field(status, name, value) => with(status).insert_header((name, value)).finish(),
        Reply::Endless => {
            let piece = || async { io::Result::Ok(web::Bytes::from_static(&[b'x'; 4096])) };
            with(200).streaming(stream::repeat(()).then(move |()| piece()))
        }
        Reply::Stalls => with(200).streaming(stream::pending::<io::Result<web::Bytes>>()),
        Reply::Never => std::future::pending().await,
    }
}

/// A subscriber that answers one verification with this head and the challenge, and then closes the
/// connection without a TLS close_notify, as many servers do. Its port.
pub(crate) fn closes_without_notify(head: &'static str) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = thread::spawn(move || {
        let mut tcp = listener.accept().unwrap().0;
        let config = Arc::new(Authority::get().server());
        let mut tls = rustls::ServerConnection::new(config).unwrap();
        let mut stream = rustls::Stream::new(&mut tls, &mut tcp);
        let challenge = read_request(&mut BufReader::new(&mut stream));
        stream.write_all(format!("{head}\r\n\r\n{challenge}").as_bytes()).unwrap();
        stream.flush().unwrap();
    });
    (port, thread)
}

/// A subscriber that confirms, and answers the first delivery on each connection: the second it
/// reads, and closes the connection. Its port; the thread ends after as
/// many connections.
pub(crate) fn closes_at_the_second_delivery(connections: usize) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = thread::spawn(move || {
        for _ in 0..connections {
            let mut tcp = listener.accept().unwrap().0;
            let config = Arc::new(Authority::get().server());
            let mut tls = rustls::ServerConnection::new(config).unwrap();
            let mut stream = BufReader::new(rustls::Stream::new(&mut tls, &mut tcp));
            let challenge = read_request(&mut stream);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", challenge.len());
            stream.get_mut().write_all((head + &challenge).as_bytes()).unwrap();
            stream.get_mut().flush().unwrap();
            if challenge.is_empty() {
                read_request(&mut stream);
            }
        }
    });
    (port, thread)
}

/// Reads a whole request, or what comes of it. Its challenge, if it has one.
fn read_request(stream: &mut impl BufRead) -> String {
    let (mut length, mut challenge) = (0, String::new());
    for line in stream.lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if let Some(target) = line.strip_prefix("GET ") {
            let path = target.split(' ').next().unwrap();
            let url = url::Url::parse(&format!("https://s.test{path}")).unwrap();
            let found = url.query_pairs().find(|(name, _)| name == "hub.challenge");
            challenge = found.unwrap().1.into_owned();
        }
    }
    let _ = stream.read_exact(&mut vec![0; length]);
    challenge
}

/// A certificate authority of the tests' own, and one certificate for every name they use.
pub(crate) struct Authority {
    directory: TempDir,
    server: ServerConfig,
}

impl Authority {
    pub(crate) fn get() -> &'static Self {
        static AUTHORITY: OnceLock<Authority> = OnceLock::new();
        AUTHORITY.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("ca.pem"), issuer.pem()).unwrap();
        let names = ["localhost", "s.test", "*.s.test"].map(String::from).to_vec();
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let chain = vec![CertificateDer::from(leaf.der().to_vec())];
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        Self { directory, server }
    }

    /// The certificate of a server.
    pub(crate) fn server(&self) -> ServerConfig {
        self.server.clone()
    }

    /// The file for `--hub-extra-ca`.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.path().join("ca.pem")
    }
}

/// Names that resolve to what a test says; all others below `s.test` to this machine.
#[derive(Debug, Default)]
pub(crate) struct Names {
    answers: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    /// The results of successive lookups; the last stays.
    pub(crate) fn set(&self, host: &str, answers: &[&[&str]]) {
        let answer = |addresses: &&[&str]| addresses.iter().map(|a| a.parse().unwrap()).collect();
        let answers = answers.iter().map(answer).rev().collect();
        self.answers.lock().unwrap().insert(host.to_owned(), answers);
    }

    pub(crate) fn asked(&self, host: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == host).count()
    }
}

impl sidecar::NameLookup for Names {
    fn lookup(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let addresses = match answers.get_mut(host) {
            Some(answers) if answers.len() > 1 => answers.pop().unwrap(),
            Some(answers) => answers.first().cloned().unwrap_or_default(),
            None if host == "s.test" || host.ends_with(".s.test") => vec![[127, 0, 0, 1].into()],
            None => Vec::new(),
        };
        if addresses.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no such name"));
        }
        Ok(addresses.into_iter().map(|ip| SocketAddr::new(ip, port)).collect())
    }
}

/// A clock that moves only when a test moves it.
#[derive(Debug)]
pub(crate) struct TestClock {
    time: Mutex<(i64, Duration)>,
    ticks: AtomicU64,
}

impl TestClock {
    pub(crate) fn new() -> Arc<Self> {
        let time = Mutex::new((1_800_000_000_000, Duration::ZERO));
        Arc::new(Self { time, ticks: AtomicU64::new(0) })
    }

    /// How often the hub compared this clock with its own past: once per tick.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks.load(Ordering::Relaxed)
    }

    /// Lets time pass.
    pub(crate) fn advance(&self, by: Duration) {
        let mut clock = self.time.lock().unwrap();
        clock.0 += i64::try_from(by.as_millis()).unwrap();
        clock.1 += by;
    }

    /// Sets the clock to another time.
    pub(crate) fn jump(&self, millis: i64) {
        self.time.lock().unwrap().0 += millis;
    }
}

impl sidecar::Clock for TestClock {
    fn now(&self) -> i64 {
        self.time.lock().unwrap().0
    }

    fn steady(&self) -> Duration {
        self.ticks.fetch_add(1, Ordering::Relaxed);
        self.time.lock().unwrap().1
    }
}
