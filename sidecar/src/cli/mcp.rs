//! `candor-sidecar mcp`: the tools of any published site over standard input and output.

use std::{
    io::{self, BufRead, Write},
    path::PathBuf,
    pin::pin,
    thread,
    time::Duration,
};

use actix_web::rt;
use anyhow::Context;
use clap::Args;
use futures_util::{
    StreamExt,
    future::{Either, select},
    stream,
};
use sidecar::{AgentsConfig, SiteUrl, answer_agents};
use tokio::sync::mpsc;

use crate::cli::serve::stop_signal;

/// Maximum bytes of the files of a site: 1 GiB.
const MAX_PUBLICATION: u64 = 1 << 30;

/// How long an answer may take to be finished after a signal.
const GRACE: Duration = Duration::from_millis(500);

/// Which sites to answer from.
#[derive(Args, Debug)]
pub(crate) struct McpArgs {
    /// Where the site is published: an https:// address, or http:// on this machine
    #[arg(required = true, value_name = "URL")]
    urls: Vec<SiteUrl>,

    /// Certificates (PEM) of authorities to trust beside the public ones
    #[arg(long, env = "CANDOR_PUBLIC_EXTRA_CA", value_name = "FILE", value_delimiter = ',')]
    public_extra_ca: Vec<PathBuf>,

    /// Seconds between two checks for something newer
    #[arg(
        long,
        default_value_t = 60,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    refresh: u64,

    /// Bytes of the files of a site at most; a larger one is refused before it is copied
    #[arg(long, default_value_t = MAX_PUBLICATION, value_name = "BYTES", value_parser = terminal::bytes)]
    max_publication: u64,
}

/// Answers until standard input is closed or a signal comes. Standard output has responses only.
pub(crate) fn run(args: &McpArgs) -> anyhow::Result<()> {
    let config = AgentsConfig {
        urls: args.urls.clone(),
        extra_ca: args.public_extra_ca.clone(),
        refresh: Duration::from_secs(args.refresh),
        max_publication: args.max_publication,
    };
    let mut lines = read_lines().context("cannot read standard input")?;
    rt::System::new().block_on(async {
        let signal = || stop_signal().context("cannot wait for signals");
        let (stop, late) = (signal()?, signal()?);
        let lines = stream::poll_fn(move |context| lines.poll_recv(context)).take_until(stop);
        let answered = answer_agents(&config, lines, |response| {
            let mut out = io::stdout().lock();
            out.write_all(response)?;
            out.write_all(b"\n")?;
            out.flush()
        });
        // No line is waited for while a site is loaded, which a slow server may delay for ever.
        let late = async {
            late.await;
            rt::time::sleep(GRACE).await;
        };
        match select(pin!(answered), pin!(late)).await {
            Either::Left((ended, _)) => Ok(ended?),
            Either::Right(_) => Ok(()),
        }
    })
}

/// Returns the lines of standard input. A thread reads them, because a file cannot be waited for.
fn read_lines() -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (sender, lines) = mpsc::channel(1);
    thread::Builder::new().name("stdin".into()).spawn(move || {
        let input = io::stdin().lock().split(b'\n').map_while(Result::ok);
        for line in input.filter(|line| !line.trim_ascii().is_empty()) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}
