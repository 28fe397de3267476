//! How far the dynamic routes are from the same server answering fixed bytes of the same length.
//!
//! ```text
//! cargo run --release -p sidecar --example bench_http -- \
//!     [--reviews 10000] [--seconds 2] [--only NAME] [--json FILE]
//! ```
//!
//! The servers run in a process of their own, one worker each; this process sends requests over 32
//! connections that stay open, a round at a time, and reads the server's CPU time from `/proc`.
//! Route and baseline take turns, so that a busy machine disturbs both alike, and the share is the
//! median of the turns' shares: trust that, not the absolute numbers. A round of requests is a closed loop, so waiting times in it are mostly
//! queueing; those under downloads are measured on one connection apart.

mod client;
mod measure;
mod servers;
mod site;

use std::{
    fs::File,
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use clap::Parser;
use serde_json::Value;

use measure::Servers;
use site::Site;

/// Turns of route and baseline.
const TURNS: usize = 10;

/// Readers that take everything again and again while small searches are timed.
const DOWNLOADS: [usize; 4] = [0, 1, 4, 16];

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

#[derive(Parser)]
struct Args {
    /// Reviews of the site
    #[arg(long, default_value_t = 10_000)]
    reviews: u32,
    /// How long a route and its baseline are each measured
    #[arg(long, default_value_t = 2)]
    seconds: u32,
    /// Only routes whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Append every figure to this file, an object per line
    #[arg(long)]
    json: Option<PathBuf>,
    /// Be the servers of this site
    #[arg(long, hide = true)]
    serve: Option<PathBuf>,
}

fn main() {
    let args = Args::parse();
    if let Some(site) = &args.serve {
        return servers::run(site);
    }
    let mut json: Box<dyn Write> = match &args.json {
        Some(path) => {
            let file = File::options().create(true).append(true).open(path);
            Box::new(file.expect("the file for the figures can be written"))
        }
        None => Box::new(io::sink()),
    };
    let mut keep = |mut figures: Value| {
        figures["reviews"] = args.reviews.into();
        writeln!(json, "{figures}").expect("the figures can be written");
    };
    let site = Site::publish(args.reviews);
    let servers = Servers::start(&site.path());
    println!("{} reviews, {} s a route, one server thread", args.reviews, args.seconds);
    println!("{}", measure::HEAD);
    let turn = Duration::from_secs(args.seconds.into()) / TURNS as u32;
    for row in ROWS.iter().filter(|row| row.name.contains(&args.only)) {
        let figures = measure::row(&servers, row, &site, turn);
        println!("{figures}");
        keep(figures.to_json());
    }
    println!();
    for downloads in DOWNLOADS.into_iter().filter(|_| args.only.is_empty()) {
        keep(measure::waits(&servers, downloads, args.seconds));
    }
}
