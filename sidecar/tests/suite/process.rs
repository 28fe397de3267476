//! The program itself: its command line, its log, its signals and its exit codes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, ChildStderr, Command, ExitStatus, Stdio},
    time::Duration,
};

use serde_json::Value;

use crate::{
    Answer, Request, Running, Site,
    agent::{initialize, post},
    get,
    running::{config, eventually},
};

/// The program, stopped the hard way if a test leaves it running.
pub(crate) struct Program {
    child: Child,
    log: Option<BufReader<ChildStderr>>,
    /// Lines that were read on the way to others.
    passed: Vec<Value>,
}

/// The program, untouched by the environment of the test.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_candor-sidecar"));
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CANDOR_")) {
            command.env_remove(name);
        }
    }
    command
}

impl Program {
    fn start(site: &Site) -> Self {
        Self::launch(
            command()
                .args(["--serve-public", "--listen", "127.0.0.1:0", "--log-format", "json"])
                .args(["--log", "debug"])
                .env("CANDOR_PUBLIC", site.public())
                .env("CANDOR_STATE", site.state()),
        )
    }

    /// Starts a command that logs JSON.
    pub(crate) fn launch(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let log = child.stderr.take().map(BufReader::new);
        Self { child, log, passed: Vec::new() }
    }

    /// The next line of the log that says this.
    pub(crate) fn logged(&mut self, message: &str) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            let log = self.log.as_mut().unwrap();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "never logged: {message}");
            let entry: Value = serde_json::from_str(&line).unwrap();
            if entry["message"] == message {
                return entry;
            }
            self.passed.push(entry);
        }
    }

    /// A line of the log that says this, whether others came before or after it.
    pub(crate) fn said(&mut self, message: &str) -> Value {
        match self.passed.iter().position(|entry| entry["message"] == message) {
            Some(at) => self.passed.remove(at),
            None => self.logged(message),
        }
    }

    /// Closes its standard error.
    fn stops_listening(&mut self) {
        self.log = None;
    }

    pub(crate) fn address(&mut self) -> SocketAddr {
        self.logged("listening")["address"].as_str().unwrap().parse().unwrap()
    }

    /// Where it listens, and where its admin listener does.
    pub(crate) fn addresses(&mut self) -> (SocketAddr, SocketAddr) {
        let listening = self.logged("listening");
        let address = |name: &str| listening[name].as_str().unwrap().parse().unwrap();
        (address("address"), address("admin"))
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_warns_of_a_new_state_directory_and_says_what_it_serves() {
    let site = Site::new();
    let mut program = Program::start(&site);
    let warned = program.logged("made a new state directory: keep it across restarts");
    assert_eq!((&warned["level"], &warned["state"]), (&"WARN".into(), &path(&site.state())));
    let listening = program.logged("listening");
    let manifest = site.manifest();
    assert_eq!(listening["build_id"], manifest.build_id.as_str());
    assert_eq!(listening["files"], manifest.files.len());
    assert_eq!(listening["public"], path(&site.public()));
    let address = listening["address"].as_str().unwrap().parse().unwrap();
    assert_eq!(get(address, "/feed.xml?secret=1").status, 200);
    let logged = program.logged("answered");
    let found = (&logged["method"], &logged["route"], &logged["status"]);
    assert_eq!(found, (&"GET".into(), &"{file}".into(), &200.into()));
    assert!(!logged.to_string().contains("secret") && !logged.to_string().contains("127.0.0.1"));
}

fn path(path: &std::path::Path) -> Value {
    path.to_str().unwrap().into()
}

#[test]
fn a_stop_lets_answers_end() {
    for signal in ["TERM", "INT"] {
        let site = Site::huge();
        let mut program = Program::start(&site);
        let address = program.address();
        let mut stream = Request::get("/big.bin").start(address);
        let mut received = vec![0; 1000];
        stream.read_exact(&mut received).unwrap();
        program.signal(signal);
        program.logged("stopping");
        stream.read_to_end(&mut received).unwrap();
        assert!(Answer::parse(&received).body == site.bytes("big.bin"));
        assert_eq!(program.ended().code(), Some(0), "{signal}");
    }
}

#[test]
fn a_signal_ends_it_while_a_site_is_loaded() {
    for signal in ["TERM", "INT"] {
        // It accepts the connection and sends nothing.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let mut command = command();
        command.args(["mcp", &url]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut program = Program::launch(&mut command);
        let _connection = silent.accept().unwrap();
        program.signal(signal);
        // Its own limit of time would end it with 1.
        assert_eq!(program.ended().code(), Some(0), "{signal}");
    }
}

#[test]
fn who_reads_the_log_may_leave() {
    let site = Site::new();
    let mut program = Program::start(&site);
    let address = program.address();
    program.stops_listening();
    for _ in 0..3 {
        assert_eq!(get(address, "/").status, 200);
    }
    program.signal("TERM");
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn a_killed_process_leaves_a_state_directory_that_starts() {
    let site = Site::new();
    let mut program = Program::start(&site);
    let address = program.address();
    let holder = program.child.id();
    let mut impatient = config(&site);
    impatient.lock_wait = Duration::ZERO;
    let error = Running::try_start(impatient).err().unwrap().to_string();
    assert!(error.contains(&format!("is held by process {holder}, started ")), "{error}");
    assert_eq!(get(address, "/").status, 200);
    program.signal("KILL");
    program.ended();
    let running = Running::start(&site);
    assert_eq!(get(running.address, "/").status, 200);
}

#[test]
fn malformed_requests_are_counted_and_are_no_errors_in_the_log() {
    let site = Site::new();
    let flags = ["--listen=127.0.0.1:0", "--admin=127.0.0.1:0", "--log-format=json"];
    let mut program = Program::launch(
        command().args(flags).env("CANDOR_PUBLIC", site.public()).env("CANDOR_STATE", site.state()),
    );
    let (address, admin) = program.addresses();
    for malformed in ["GET / HTTP/9\r\n\r\n", "\u{1}\r\n\r\n", "GET / HTTP/1.1\r\na b: c\r\n\r\n"] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(malformed.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert_eq!(Answer::parse(&answer).status, 400, "{malformed:?}");
    }
    eventually("they are counted", || {
        let text = get(admin, "/metrics").text().to_owned();
        text.lines().any(|line| line == "candor_http_malformed_requests_total 3")
    });
    program.signal("TERM");
    program.logged("stopping");
    let errors = program.passed.iter().filter(|entry| entry["level"] == "ERROR");
    assert_eq!(errors.count(), 0, "{:?}", program.passed);
}

#[test]
fn no_key_is_in_the_log_or_in_a_response() {
    let site = Site::new();
    let flags = ["--listen=127.0.0.1:0", "--admin=127.0.0.1:0", "--log-format=json", "--log=debug"];
    let mut program = Program::launch(
        command().args(flags).env("CANDOR_PUBLIC", site.public()).env("CANDOR_STATE", site.state()),
    );
    let (address, admin) = program.addresses();
    let form = "hub.mode=subscribe&hub.topic=x&hub.callback=https://s.test/&hub.secret=hunter2";
    let form = Request::new("POST", "/api/websub/hub")
        .with("Content-Type", "application/x-www-form-urlencoded")
        .body(form);
    let opened = post(initialize("2025-06-18")).send(address);
    assert_eq!((opened.status, form.send(address).status), (200, 400));
    let mut shown = format!("{opened:?} {:?}", form.send(address));
    for path in ["/healthz", "/readyz", "/sites", "/metrics"] {
        shown += get(admin, path).text();
    }
    program.signal("TERM");
    program.logged("stopping");
    assert!(program.passed.iter().any(|entry| entry["route"] == "/api/websub/hub"));
    shown += &format!("{:?}", program.passed);
    let hub = std::fs::read(site.state().join("hub.key")).unwrap();
    let session = std::fs::read_to_string(site.state().join("mcp-session-key")).unwrap();
    let hexadecimal: String = hub.iter().map(|byte| format!("{byte:02x}")).collect();
    for key in ["hunter2", session.trim(), &hexadecimal, &format!("{hub:?}")] {
        assert!(!shown.contains(key), "{key} is in {shown}");
    }
}

#[test]
fn a_folder_of_the_list_that_is_missing_is_logged() {
    let site = Site::new();
    let list = site.state().with_file_name("sites.toml");
    let there = format!("\"a.example\" = {:?}\n", site.public());
    std::fs::write(&list, format!("{there}\"b.example\" = \"nope\"\n")).unwrap();
    let flags = ["--listen=127.0.0.1:0", "--admin=127.0.0.1:0", "--log-format=json"];
    let mut program = Program::launch(
        command().args(flags).env("CANDOR_SITES", &list).env("CANDOR_STATE", site.state()),
    );
    let entry = program.logged("no such folder: correct the list, or publish");
    let nope = list.with_file_name("nope").display().to_string();
    assert_eq!((&entry["level"], &entry["site"]), (&"WARN".into(), &"b.example".into()));
    assert_eq!(
        (&entry["folder"], &entry["list"]),
        (&nope.into(), &list.display().to_string().into())
    );
    program.addresses();
    program.signal("TERM");
    program.logged("stopping");
    let warned = |entry: &Value| entry["level"] == "WARN" && entry["site"] == "a.example";
    assert!(!program.passed.iter().any(warned));
}

#[test]
fn usage_errors_exit_64_and_help_exits_0() {
    for (arguments, code) in [
        (&["--no-such-flag"][..], 64),
        (&["--listen", "nowhere"], 64),
        (&["no-such-command"], 64),
        (&["--help"], 0),
        (&["serve", "--help"], 0),
        (&["--version"], 0),
    ] {
        let output = command().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn what_stops_a_start_is_said_once() {
    let site = Site::new();
    let inside = site.public().join("state");
    let output =
        command().arg("--public").arg(site.public()).arg("--state").arg(&inside).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "error: the state directory {} is inside the public directory {}, where it would be \
             published: choose another --state\n",
            inside.display(),
            site.public().display()
        )
    );
}
