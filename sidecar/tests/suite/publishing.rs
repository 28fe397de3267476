//! The generator and the sidecar at work on one directory, with one of them killed all the time.
//! Every answer must be wholly one publication's: that is what staging, the journal, the
//! manifest-last rule and the sidecar's last good snapshot are for.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use contract::{etag::ETag, manifest::Manifest};
use tempfile::TempDir;

use crate::{Running, get, running::eventually};

/// How many builds are started; most are killed.
const KILLS: u64 = 80;
/// How often, in kills, the sidecar is restarted.
const RESTART_EVERY: u64 = 25;
/// How often, in kills, a build may end and must then be served.
const COMPLETE_EVERY: u64 = 15;
/// What the readers ask for in turn.
const PATHS: [&str; 5] = ["/reviews.json", "/feed.xml", "/", "/insights.json", "/changes.json"];

/// Two contents of one site, and the directory both are published to.
struct Arena {
    root: TempDir,
}

impl Arena {
    fn new() -> Self {
        // Killing a process loses nothing that was written, so memory serves as well as a disk.
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let arena = Self { root: root.unwrap() };
        for (name, reviews) in [("a", 40), ("b", 55)] {
            let content = arena.content(name);
            std::fs::create_dir_all(content.join("reviews")).unwrap();
            let write = |file: &str, text: &str| std::fs::write(content.join(file), text).unwrap();
            write(
                "site.toml",
                "format = 1\nbase_url = \"https://x.example\"\nid_base = \"tag:x.example,2024:r\"\n",
            );
            write(
                "business.toml",
                "name = \"X\"\n[verification]\nmethod = \"m\"\nsources = [\"google\"]\n",
            );
            let lines: String = (0..reviews).map(|n| review(name, n)).collect();
            write("reviews/2025.ndjson", &lines);
        }
        arena
    }

    fn content(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn public(&self) -> PathBuf {
        self.root.path().join("public")
    }

    fn builder(&self, name: &str, public: &Path) -> Command {
        let mut command = Command::new(candor());
        command.arg("build").arg("--quiet");
        command.arg("--content").arg(self.content(name)).arg("--public").arg(public);
        command.stdout(Stdio::null());
        command
    }

    /// The tags a whole publication of this content may answer with, by path.
    fn expected(&self, name: &str) -> BTreeMap<String, ETag> {
        let public = self.root.path().join(format!("expected-{name}"));
        assert!(self.builder(name, &public).status().unwrap().success());
        let bytes = std::fs::read(public.join("candor-manifest.json")).unwrap();
        let manifest = Manifest::from_json(&bytes).unwrap();
        manifest.files.iter().map(|file| (file.url_path(), file.etag.clone())).collect()
    }

    fn sidecar(&self) -> Running {
        let state = self.root.path().join("state");
        let mut config = sidecar::Config::new(self.public(), state).unwrap();
        config.serve_public = true;
        config.workers = 1;
        config.poll_interval = Duration::from_millis(50);
        Running::start_with(config)
    }
}

fn review(name: &str, n: u32) -> String {
    let id = format!("01JH0000000000000000000{n:03}");
    let text = format!("{name} {n} ").repeat(60);
    format!(
        "{{\"id\":\"{id}\",\"author\":\"A {n}\",\"rating\":5,\"date\":\"2025-01-09\",\"text\":{text:?},\
             \"source\":\"google\",\"updated\":\"2025-01-10T00:00:00Z\"}}\n"
    )
}

/// The generator's binary, which `cargo test --workspace` builds beside ours.
fn candor() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_candor-sidecar")).with_file_name("candor");
    assert!(path.exists(), "{} is missing: cargo build --bin candor", path.display());
    path
}

/// Kills the build after `delay`, or lets it end if it is faster. Whether it was killed.
fn kill_after(mut child: Child, delay: Duration) -> bool {
    let deadline = Instant::now() + delay;
    while Instant::now() < deadline {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        thread::yield_now();
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

#[test]
fn every_answer_is_wholly_old_or_wholly_new_while_builds_are_killed() {
    let arena = Arena::new();
    let expected = [arena.expected("a"), arena.expected("b")];
    let started = Instant::now();
    assert!(arena.builder("a", &arena.public()).status().unwrap().success());
    let mut build_time = started.elapsed();

    let address: Mutex<Option<SocketAddr>> = Mutex::new(None);
    let (stop, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut sidecar = Some(arena.sidecar());
    *address.lock().unwrap() = sidecar.as_ref().map(|s| s.address);
    let mut killed = 0;
    thread::scope(|scope| {
        let reader = scope.spawn(|| read(&address, &stop, &answers, &expected));
        for round in 0..KILLS {
            if round % RESTART_EVERY == RESTART_EVERY - 1 {
                // Held while nobody listens, so that the reader never meets a closed port.
                let mut address = address.lock().unwrap();
                drop(sidecar.take());
                sidecar = Some(arena.sidecar());
                *address = sidecar.as_ref().map(|s| s.address);
            }
            let publication = ((round + 1) % 2) as usize;
            let name = ["a", "b"][publication];
            if round % COMPLETE_EVERY == 0 {
                assert!(arena.builder(name, &arena.public()).status().unwrap().success());
                let address = address.lock().unwrap().unwrap();
                let tag = &expected[publication]["/reviews.json"];
                eventually("a whole build is served", || tag_of(address, "/reviews.json") == *tag);
                continue;
            }
            let child = arena.builder(name, &arena.public()).spawn().unwrap();
            // Spread over the whole build, and a little beyond its end.
            let delay = build_time * u32::try_from(round * 7919 % 110).unwrap() / 100;
            let began = Instant::now();
            if kill_after(child, delay) {
                killed += 1;
            } else {
                // The first one may have had less of the machine.
                build_time = build_time.min(began.elapsed());
            }
        }
        stop.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
    assert!(killed > 24, "only {killed} of {KILLS} builds were killed in time");
    let asked = answers.load(Ordering::Relaxed);
    assert!(asked > 500, "only {asked} answers were read");

    for (name, tags) in ["a", "b"].into_iter().zip(&expected) {
        assert!(arena.builder(name, &arena.public()).status().unwrap().success());
        let address = address.lock().unwrap().unwrap();
        for path in PATHS {
            eventually("the last publication is served", || tag_of(address, path) == tags[path]);
        }
    }
    let leftover = arena.public().join(".candor-stage");
    assert!(!leftover.exists(), "a completed build leaves nothing behind");
}

/// Asks in turn until told to stop. Every answer must be of one of the publications.
fn read(
    address: &Mutex<Option<SocketAddr>>,
    stop: &AtomicBool,
    answers: &AtomicUsize,
    expected: &[BTreeMap<String, ETag>; 2],
) {
    for path in PATHS.into_iter().cycle() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let address = address.lock().unwrap();
        let tag = tag_of(address.unwrap(), path);
        let known = expected.iter().any(|tags| tags[path] == tag);
        assert!(known, "{path} is of neither publication: {tag}");
        answers.fetch_add(1, Ordering::Relaxed);
    }
}

/// The tag of an answer, which must be a 200 whose bytes have it.
fn tag_of(address: SocketAddr, path: &str) -> ETag {
    let answer = get(address, path);
    assert_eq!(answer.status, 200, "{path}");
    let tag = ETag::of(&answer.body);
    assert_eq!(answer.field("etag"), Some(tag.as_str()), "{path}");
    tag
}
