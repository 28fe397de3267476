//! `candor-sidecar healthcheck`: checks the local sidecar, for images without a shell or an HTTP
//! client.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use actix_web::{http::StatusCode, rt, web::Bytes};
use anyhow::{bail, ensure};
use clap::Args;
use serde_json::Value;

/// How long the whole exchange may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum bytes of a response.
const MAX_ANSWER: usize = 256 * 1024 * 1024;

/// Whom to ask: the flags and variables are those of serving.
#[derive(Args, Debug)]
pub(crate) struct HealthcheckArgs {
    /// Where the sidecar answers /healthz and /readyz
    #[arg(long, env = "CANDOR_ADMIN", value_name = "ADDRESS", value_parser = terminal::address)]
    admin: Option<SocketAddr>,

    /// Where it listens; asked for a search when there is no --admin
    #[arg(
        long,
        env = "CANDOR_LISTEN",
        default_value = "127.0.0.1:8081",
        value_name = "ADDRESS",
        value_parser = terminal::address
    )]
    listen: SocketAddr,

    /// Ask whether the process lives (/healthz), not whether it is ready (/readyz)
    #[arg(long, requires = "admin")]
    live: bool,
}

/// Succeeds if the sidecar responds with 200.
pub(crate) fn run(args: &HealthcheckArgs) -> anyhow::Result<()> {
    let (at, path) = match args.admin {
        Some(admin) if args.live => (admin, "/healthz"),
        Some(admin) => (admin, "/readyz"),
        None => (args.listen, "/api/reviews/search?limit=1"),
    };
    ensure!(
        at.port() != 0,
        "the address has port 0: give --admin or --listen with the actual port"
    );
    let url = format!("http://{}{path}", reachable(at));
    ask(&url).map(drop)
}

/// Requests a URL, and returns the body of a response with 200. Blocks for [`TIMEOUT`] at most.
pub(crate) fn ask(url: &str) -> anyhow::Result<Bytes> {
    let asked = rt::System::new().block_on(async { rt::time::timeout(TIMEOUT, send(url)).await });
    asked.unwrap_or_else(|_| bail!("{url} did not answer within {} s", TIMEOUT.as_secs()))
}

/// Returns the address to request: loopback for a sidecar that listens on all addresses.
pub(crate) fn reachable(at: SocketAddr) -> SocketAddr {
    let ip = match at.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, at.port())
}

async fn send(url: &str) -> anyhow::Result<Bytes> {
    let sent = awc::Client::builder().disable_redirects().disable_timeout().finish();
    let mut response = match sent.get(url).send().await {
        Ok(response) => response,
        Err(error) => bail!("{url} does not answer: {error}"),
    };
    if response.status() == StatusCode::OK {
        return Ok(response.body().limit(MAX_ANSWER).await?);
    }
    let body = response.body().limit(MAX_ANSWER).await.unwrap_or_default();
    let report: Value = serde_json::from_slice(&body).unwrap_or_default();
    let said = report["reason"].as_str().or_else(|| report["message"].as_str());
    bail!("{url} answered {}: {}", response.status().as_u16(), said.unwrap_or("no reason given"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sidecar_that_listens_everywhere_is_asked_here() {
        for (listen, asked) in [
            ("0.0.0.0:8081", "127.0.0.1:8081"),
            ("[::]:8081", "[::1]:8081"),
            ("192.0.2.7:8081", "192.0.2.7:8081"),
        ] {
            assert_eq!(reachable(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
