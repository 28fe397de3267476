//! How far the dynamic routes are from the same server answering fixed bytes of the same length.
//!
//! ```text
//! cargo run --release -p sidecar --example bench_http -- [REVIEWS] [SECONDS] [NAME]
//! ```
//!
//! The servers run in a process of their own, one worker each; this process sends requests over 32
//! connections that stay open, a round at a time, and reads the server's CPU time from `/proc`.
//! Route and baseline take turns, so that a busy machine disturbs both alike: trust the shares, not
//! the absolute numbers. A round of requests is a closed loop, so waiting times in it are mostly
//! queueing; those under downloads are measured on one connection apart.

mod client;
mod servers;
mod site;

use std::{
    env,
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use client::{Load, Sample};

/// The argument that makes this program the servers.
const SERVE: &str = "--serve";

/// Turns of route and baseline.
const TURNS: u32 = 4;

/// A request to the sidecar and what it is compared with.
struct Row {
    name: &'static str,
    target: &'static str,
    fields: &'static str,
    /// Send back the tag the first answer has.
    revalidate: bool,
    /// The same query answered by scanning and serializing.
    naive: Option<&'static str>,
}

const fn row(name: &'static str, target: &'static str) -> Row {
    Row { name, target, fields: "", revalidate: false, naive: None }
}

const ROWS: &[Row] = &[
    row("search, filter only", "/api/reviews/search?min_rating=4"),
    Row {
        naive: Some("/naive?query=clean"),
        ..row("search, frequent word", "/api/reviews/search?query=clean")
    },
    Row {
        naive: Some("/naive?query=w3999"),
        ..row("search, rare word", "/api/reviews/search?query=w3999")
    },
    row("search, phrase", "/api/reviews/search?query=on+time"),
    row(
        "search, word and filters",
        "/api/reviews/search?query=clean&min_rating=4&since=2022-01-01&mentions_service=s3",
    ),
    row("search, page by cursor", "/api/reviews/search?min_rating=4&cursor=NEXT"),
    Row { revalidate: true, ..row("search, 304", "/api/reviews/search?query=clean") },
    row("search, 400", "/api/reviews/search?rating=9&limit=0"),
    row("since 30 days", "/api/reviews/since/MONTH"),
    Row {
        fields: "Accept-Encoding: gzip\r\n",
        ..row("since 30 days, gzip", "/api/reviews/since/MONTH")
    },
    row("since all", "/api/reviews/since/2000-01-01"),
    Row {
        fields: "Accept-Encoding: gzip\r\n",
        ..row("since all, gzip", "/api/reviews/since/2000-01-01")
    },
    Row { revalidate: true, ..row("since all, 304", "/api/reviews/since/2000-01-01") },
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == SERVE) {
        return servers::run(&arguments[1]);
    }
    let number = |at: usize, default: u32| {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (reviews, seconds) = (number(0, 10_000), number(1, 2));
    let site = site::Site::publish(reviews);
    let servers = Servers::start(&site.path());
    let turn = Duration::from_secs(seconds.into()) / TURNS;
    println!(
        "{reviews} reviews, {seconds} s a row, one server thread, {} connections",
        client::CONNECTIONS
    );
    println!(
        "{:<26}{:>10}{:>10}{:>9}{:>9}{:>8}{:>8}",
        "route", "bytes", "req/s", "µs CPU", "fixed", "share", "naive"
    );
    let mut lines = Vec::new();
    let named = |row: &&Row| arguments.get(2).is_none_or(|name| row.name.contains(name));
    for row in ROWS.iter().filter(named) {
        lines.push(servers.measure(row, &site, turn));
    }
    println!();
    for line in lines.into_iter().chain(servers.under_downloads(seconds)) {
        println!("{line}");
    }
}

/// The process with both servers.
struct Servers {
    child: Child,
    sidecar: SocketAddr,
    baseline: SocketAddr,
}

impl Servers {
    fn start(site: &std::path::Path) -> Self {
        let program = env::current_exe().expect("this program has a path");
        let mut child = Command::new(program)
            .arg(SERVE)
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
        Self { sidecar: address(), baseline: address(), child }
    }

    /// Processor time the servers have used.
    fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
        // User and system time in hundredths of a second (proc(5), fields 14 and 15).
        Duration::from_millis(10 * (ticks(11) + ticks(12)))
    }

    fn measure(&self, row: &Row, site: &site::Site, turn: Duration) -> String {
        let mut target = row.target.replace("MONTH", &site.thirty_days_ago());
        if target.contains("NEXT") {
            let first = client::ask(self.sidecar, &target.replace("&cursor=NEXT", ""), "");
            target = target.replace("NEXT", &first.cursor());
        }
        let mut fields = row.fields.to_owned();
        let mut answer = client::ask(self.sidecar, &target, &fields);
        if row.revalidate {
            fields.push_str(&format!("If-None-Match: {}\r\n", answer.tag));
            answer = client::ask(self.sidecar, &target, &fields);
        }
        let fixed = format!("/fixed/{}/{}", answer.status, answer.body.len());
        let ours = Load::new(self.sidecar, &target, &fields);
        let fixed = Load::new(self.baseline, &fixed, "");
        let naive = row.naive.map(|target| Load::new(self.baseline, target, ""));
        let (mut with, mut without, mut scanning) =
            (Sample::default(), Sample::default(), Sample::default());
        for _ in 0..TURNS {
            self.add(&mut with, &ours, turn);
            self.add(&mut without, &fixed, turn);
            if let Some(naive) = &naive {
                self.add(&mut scanning, naive, turn);
            }
        }
        let share = 100.0 * without.cpu_micros() / with.cpu_micros();
        let naive = naive.map(|_| scanning.cpu_micros() / with.cpu_micros());
        let shown = naive.map_or_else(String::new, |times| format!("× {times:.0}"));
        println!(
            "{:<26}{:>10}{:>10.0}{:>9.1}{:>9.1}{:>7.0}%{:>8}",
            row.name,
            answer.body.len(),
            with.rate(),
            with.cpu_micros(),
            without.cpu_micros(),
            share,
            shown
        );
        serde_json::json!({
            "route": row.name, "status": answer.status, "bytes": answer.body.len(),
            "requests_per_second": with.rate().round(), "cpu_micros": with.cpu_micros(),
            "fixed_cpu_micros": without.cpu_micros(), "share_percent": share.round(),
            "naive_times": naive,
        })
        .to_string()
    }

    fn add(&self, sample: &mut Sample, load: &Load, turn: Duration) {
        let before = self.cpu();
        load.run(turn, sample);
        sample.cpu += self.cpu() - before;
    }

    /// How long a small search waits, alone and while everything is downloaded.
    fn under_downloads(&self, seconds: u32) -> Vec<String> {
        let duration = Duration::from_secs(seconds.into());
        let mut lines = Vec::new();
        for downloads in [0, 1, 4, 16] {
            let waits = client::waits(self.sidecar, downloads, duration);
            let micros =
                |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_micros();
            let (median, p99, most) = (micros(0.5), micros(0.99), micros(1.0));
            println!(
                "search during {downloads:>2} downloads: median {median} µs, p99 {p99} µs, longest {most} µs, {} searches",
                waits.len()
            );
            lines.push(
                serde_json::json!({
                    "downloads": downloads, "searches": waits.len(), "median_micros": median as u64,
                    "p99_micros": p99 as u64, "longest_micros": most as u64,
                })
                .to_string(),
            );
        }
        lines
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // It is gone already, or it ends now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
