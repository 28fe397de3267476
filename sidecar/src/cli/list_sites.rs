//! `candor-sidecar sites`: lists the sites that a running sidecar with a list has loaded.

use std::net::SocketAddr;

use anyhow::ensure;
use clap::Args;
use contract::text::{printable, printable_json};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::cli::{
    healthcheck::{ask, reachable},
    print::say,
};

/// Whom to ask, and for what.
#[derive(Args, Debug)]
pub(crate) struct SitesArgs {
    /// Where the sidecar answers /sites
    #[arg(long, env = "CANDOR_ADMIN", value_name = "ADDRESS", value_parser = terminal::address)]
    admin: SocketAddr,

    /// List the sites that are not loaded too
    #[arg(long)]
    all: bool,

    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
}

/// A site as `/sites` describes it.
#[derive(Deserialize)]
struct SiteReport {
    site: String,
    requests: u64,
    loaded: Option<LoadedReport>,
    refused: Option<String>,
}

#[derive(Deserialize)]
struct LoadedReport {
    build_id: String,
    loaded_at: String,
    reviews: u64,
    memory_bytes: Option<u64>,
}

/// Prints a line for each site; the only site of a sidecar has no name.
pub(crate) fn run(args: &SitesArgs) -> anyhow::Result<()> {
    ensure!(args.admin.port() != 0, "the address has port 0: give --admin with the actual port");
    let body = ask(&format!("http://{}/sites", reachable(args.admin)))?;
    let sites: Vec<&RawValue> = serde_json::from_slice(&body)?;
    if !args.json {
        say(&line(["SITE", "BUILD", "LOADED AT", "REVIEWS", "KIB", "REQUESTS"]))?;
    }
    for json in sites {
        let report: SiteReport = serde_json::from_str(json.get())?;
        if report.loaded.is_none() && !args.all {
            continue;
        }
        if args.json { say(&printable_json(json.get()))? } else { print(&report)? }
    }
    Ok(())
}

fn print(report: &SiteReport) -> anyhow::Result<()> {
    let SiteReport { site, requests, loaded, refused } = report;
    let requests = requests.to_string();
    let text = match loaded {
        None => line([site, "-", "-", "-", "-", &requests]),
        Some(LoadedReport { build_id, loaded_at, reviews, memory_bytes }) => {
            let build: String = build_id.trim_matches('"').chars().take(12).collect();
            let kib = memory_bytes.map_or("-".to_owned(), |bytes| (bytes / 1024).to_string());
            line([site, &build, loaded_at, &reviews.to_string(), &kib, &requests])
        }
    };
    say(&printable(&text))?;
    if let Some(reason) = refused {
        say(&printable(&format!("  refused: {reason}")))?;
    }
    Ok(())
}

fn line([site, build, loaded_at, reviews, kib, requests]: [&str; 6]) -> String {
    format!("{site:<32} {build:<12} {loaded_at:<30} {reviews:<8} {kib:<8} {requests}")
}
