//! One route beside its baseline, turn by turn.

use std::{
    collections::HashMap,
    env, fmt, fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    Row, TURNS,
    client::{self, Load, Sample},
    site::Site,
};

/// Above the rows that are shown.
pub(crate) const HEAD: &str = "route                          bytes     req/s   CPU µs    fixed  \
                               share (lowest, highest)   scan";

/// How long the servers may need until they are idle.
const IDLE_WITHIN: Duration = Duration::from_secs(300);

/// The process with both servers.
pub(crate) struct Servers {
    child: Child,
    sidecar: SocketAddr,
    baseline: SocketAddr,
}

impl Servers {
    /// Starts them, and waits until the sidecar has done what it does after a publication.
    pub(crate) fn start(site: &Path) -> Self {
        let program = env::current_exe().expect("this program has a path");
        let mut child = Command::new(program)
            .arg("--serve")
            .arg(site)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts again");
        let output = child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output).lines();
        let mut address = || {
            let line = lines.next().expect("the servers say where they listen").expect("in text");
            line.parse().expect("an address a line")
        };
        let servers = Self { sidecar: address(), baseline: address(), child };
        servers.settle();
        servers
    }

    /// Waits until they have done what they do after a publication.
    fn settle(&self) {
        let started = Instant::now();
        loop {
            let before = self.threads();
            std::thread::sleep(Duration::from_millis(500));
            let idle = self.cpu_since(&before) < Duration::from_millis(50);
            if idle || started.elapsed() > IDLE_WITHIN {
                return;
            }
        }
    }

    /// Nanoseconds of processor time by thread: the first number of its line.
    fn threads(&self) -> HashMap<PathBuf, u64> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let used = |path: PathBuf| {
            let line = fs::read_to_string(path.join("schedstat")).ok()?;
            Some((path, line.split(' ').next()?.parse().ok()?))
        };
        threads.into_iter().flatten().flatten().filter_map(|thread| used(thread.path())).collect()
    }

    /// Processor time the servers have used since; what a thread did last that has ended is lost,
    /// and only idle ones end.
    fn cpu_since(&self, before: &HashMap<PathBuf, u64>) -> Duration {
        let used = |(thread, now): (PathBuf, u64)| now - before.get(&thread).unwrap_or(&0);
        Duration::from_nanos(self.threads().into_iter().map(used).sum())
    }

    fn turn(&self, load: &Load, turn: Duration) -> Sample {
        let before = self.threads();
        let mut sample = load.run(turn);
        sample.cpu = self.cpu_since(&before);
        sample
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // It is gone already, or it ends now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is known of a route in the end.
pub(crate) struct Figures {
    name: &'static str,
    status: String,
    bytes: usize,
    ours: Sample,
    fixed: Sample,
    /// Of each turn, in rising order.
    shares: Vec<f64>,
    naive: Option<Sample>,
}

impl Figures {
    fn share(&self) -> f64 {
        let middle = self.shares.len() / 2;
        (self.shares[middle] + self.shares[self.shares.len() - 1 - middle]) / 2.0
    }

    fn naive_times(&self) -> Option<f64> {
        self.naive.map(|naive| naive.cpu_micros() / self.ours.cpu_micros())
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "route": self.name, "status": self.status, "bytes": self.bytes,
            "requests_per_second": self.ours.rate().round(), "cpu_micros": self.ours.cpu_micros(),
            "fixed_cpu_micros": self.fixed.cpu_micros(), "share_percent": self.share(),
            "lowest_percent": self.shares[0],
            "highest_percent": self.shares[self.shares.len() - 1],
            "naive_times": self.naive_times(),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lowest, highest) = (self.shares[0], self.shares[self.shares.len() - 1]);
        let naive = self.naive_times().map_or_else(String::new, |times| format!("× {times:.0}"));
        write!(
            f,
            "{:<26}{:>10}{:>10.0}{:>9.1}{:>9.1}{:>6.0} % ({lowest:.0}, {highest:.0}){naive:>12}",
            self.name,
            self.bytes,
            self.ours.rate(),
            self.ours.cpu_micros(),
            self.fixed.cpu_micros(),
            self.share(),
        )
    }
}

pub(crate) fn row(servers: &Servers, row: &Row, site: &Site, turn: Duration) -> Figures {
    let mut target = row.target.replace("MONTH", &site.thirty_days_ago());
    if target.contains("NEXT") {
        let first = client::ask(servers.sidecar, &target.replace("&cursor=NEXT", ""), "");
        target = target.replace("NEXT", &first.cursor());
    }
    let mut fields = row.fields.to_owned();
    let mut answer = client::ask(servers.sidecar, &target, &fields);
    if row.revalidate {
        fields.push_str(&format!("If-None-Match: {}\r\n", answer.tag));
        answer = client::ask(servers.sidecar, &target, &fields);
    }
    let length = answer.body.len();
    let fixed = format!("/fixed/{}/{length}", answer.status);
    let ours = Load::new(servers.sidecar, &target, &fields, length);
    let fixed = Load::new(servers.baseline, &fixed, "", length);
    let naive = row.naive.map(|target| Load::new(servers.baseline, target, "", length));
    let mut turns = Vec::new();
    for _ in 0..TURNS {
        let pair = (servers.turn(&ours, turn), servers.turn(&fixed, turn));
        turns.push((pair, naive.as_ref().map(|naive| servers.turn(naive, turn))));
    }
    let share =
        |((ours, fixed), _): &((Sample, Sample), _)| 100.0 * fixed.cpu_micros() / ours.cpu_micros();
    let mut shares: Vec<f64> = turns.iter().map(share).collect();
    shares.sort_by(f64::total_cmp);
    Figures {
        name: row.name,
        status: answer.status,
        bytes: length,
        ours: turns.iter().map(|((ours, _), _)| *ours).sum(),
        fixed: turns.iter().map(|((_, fixed), _)| *fixed).sum(),
        shares,
        naive: naive.map(|_| turns.iter().filter_map(|(_, naive)| *naive).sum()),
    }
}

/// How long a small search waits while everything is downloaded.
pub(crate) fn waits(servers: &Servers, downloads: usize, seconds: u32) -> Value {
    let waits = client::waits(servers.sidecar, downloads, Duration::from_secs(seconds.into()));
    let micros = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_micros() as u64;
    let (median, p99, most) = (micros(0.5), micros(0.99), micros(1.0));
    println!(
        "search during {downloads:>2} downloads: median {median} µs, p99 {p99} µs, longest {most} µs, {} searches",
        waits.len()
    );
    json!({
        "downloads": downloads, "searches": waits.len(), "median_micros": median,
        "p99_micros": p99, "longest_micros": most,
    })
}
