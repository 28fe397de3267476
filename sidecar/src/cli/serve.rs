//! `candor-sidecar serve`: listens, serves, stops at a signal.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    pin::pin,
    thread,
};

use actix_web::rt;
use anyhow::Context;
use clap::{
    Args,
    builder::{BoolishValueParser, OsStringValueParser, TypedValueParser},
};
use futures_util::{Stream, StreamExt, future::select};
use sidecar::{Config, Handle, MAX_MEMORY, Public};
use tokio::sync::oneshot;

use crate::cli::{hub_args::HubArgs, values};

/// How to serve.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where the site is published: a folder, or the https:// address of a web server or CDN
    #[arg(
        long,
        env = "CANDOR_PUBLIC",
        default_value = "public",
        value_name = "DIR|URL",
        value_parser = OsStringValueParser::new().try_map(Public::read)
    )]
    pub(crate) public: Public,

    /// Serve many sites, chosen by host name, in place of --public: a folder with one publication in
    /// each folder named after its host, or a TOML file of host names with folders or addresses
    #[arg(long, env = "CANDOR_SITES", value_name = "DIR|FILE")]
    pub(crate) sites: Option<PathBuf>,

    /// Memory for the sites of --sites, in bytes, by an estimate; sites that were used least recently
    /// are unloaded
    #[arg(
        long,
        env = "CANDOR_MEMORY",
        default_value_t = sidecar::SITES_MEMORY,
        value_name = "BYTES",
        value_parser = terminal::bytes,
        requires = "sites"
    )]
    pub(crate) memory: u64,

    /// Certificates (PEM) of authorities to trust beside the public ones when --public is a URL
    #[arg(long, env = "CANDOR_PUBLIC_EXTRA_CA", value_name = "FILE", value_delimiter = ',')]
    pub(crate) public_extra_ca: Vec<PathBuf>,

    /// Bytes of the files of a publication at most; a larger one is refused before it is copied
    #[arg(
        long,
        env = "CANDOR_MAX_PUBLICATION",
        default_value_t = sidecar::MAX_PUBLICATION,
        value_name = "BYTES",
        value_parser = terminal::bytes
    )]
    pub(crate) max_publication: u64,

    /// Where to listen; port 0 takes any free one
    #[arg(
        long,
        env = "CANDOR_LISTEN",
        default_value = "127.0.0.1:8081",
        value_name = "ADDRESS",
        value_parser = terminal::address
    )]
    pub(crate) listen: SocketAddr,

    /// Serve the published files too, not only the dynamic routes
    #[arg(long, env = "CANDOR_SERVE_PUBLIC", value_parser = BoolishValueParser::new())]
    pub(crate) serve_public: bool,

    /// Where to answer /healthz, /readyz, /sites and /metrics
    #[arg(long, env = "CANDOR_ADMIN", value_name = "ADDRESS", value_parser = terminal::address)]
    pub(crate) admin: Option<SocketAddr>,

    /// Where to keep what must survive a restart
    #[arg(long, env = "CANDOR_STATE", default_value = "./state", value_name = "DIR")]
    pub(crate) state: PathBuf,

    /// File of the keys that sign MCP session ids, one a line; the same for all replicas. Without
    /// it a key is made and kept in --state
    #[arg(long, env = "CANDOR_MCP_SESSION_KEYS", value_name = "FILE")]
    pub(crate) mcp_session_keys: Option<PathBuf>,

    /// Host names /mcp answers to, beside the site's own and loopback
    #[arg(long, env = "CANDOR_MCP_HOSTS", value_name = "HOST", value_delimiter = ',')]
    pub(crate) mcp_hosts: Vec<String>,

    /// Origins whose pages may ask /mcp; all of them unless some are named
    #[arg(long, env = "CANDOR_MCP_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    pub(crate) mcp_origins: Vec<String>,

    /// Memory for connections, in bytes: one for each 384 KiB
    #[arg(
        long,
        env = "CANDOR_MAX_MEMORY",
        default_value_t = MAX_MEMORY,
        value_name = "BYTES",
        value_parser = values::connection_memory
    )]
    pub(crate) max_memory: u64,

    /// Stop when standard input is closed; for a program that starts the sidecar and may die
    #[arg(long)]
    pub(crate) stop_with_stdin: bool,

    #[command(flatten)]
    pub(crate) hub: HubArgs,
}

/// Serves until a stop is requested.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let mut config = match &args.sites {
        Some(list) => Config::of_sites(list, &args.state)?,
        None => Config::new(args.public.clone(), &args.state)?,
    };
    config.memory = args.memory;
    config.remote.extra_ca.clone_from(&args.public_extra_ca);
    config.serve_public = args.serve_public;
    config.max_memory = args.max_memory;
    config.max_publication = args.max_publication;
    config.mcp.session_keys.clone_from(&args.mcp_session_keys);
    config.mcp.hosts.clone_from(&args.mcp_hosts);
    config.mcp.origins.clone_from(&args.mcp_origins);
    config.mcp.check()?;
    config.hub = args.hub.config();
    let listener = bind(args.listen)?;
    let admin = args.admin.map(bind).transpose()?;
    rt::System::new().block_on(async {
        // Before anything takes long: without a listener each signal would end the process.
        let signal = stop_signal().context("cannot wait for signals")?;
        let hangups = hangup_signals().context("cannot wait for signals")?;
        let sidecar = sidecar::serve(config, listener, admin).await?;
        rt::spawn(check_at(hangups, sidecar.handle()));
        let closed = args.stop_with_stdin.then(stdin_closed).transpose()?;
        let stop = async {
            match closed {
                None => signal.await,
                Some(closed) => drop(select(pin!(signal), closed).await),
            }
        };
        sidecar.run_until(stop).await.context("the server failed")
    })
}

pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))
}

/// Is ready when standard input is closed. A thread reads it, because a file cannot be waited for.
fn stdin_closed() -> io::Result<oneshot::Receiver<()>> {
    let (closed, receiver) = oneshot::channel();
    thread::Builder::new().name("stdin".into()).spawn(move || {
        // An input that cannot be read is as good as closed.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = closed.send(());
    })?;
    Ok(receiver)
}

/// Checks the publication source at each of these signals.
async fn check_at(hangups: impl Stream<Item = ()>, sidecar: Handle) {
    let mut hangups = pin!(hangups);
    while hangups.next().await.is_some() {
        tracing::info!("checking the source after SIGHUP");
        sidecar.check_source();
    }
}

/// Yields an item at each SIGHUP.
#[cfg(unix)]
fn hangup_signals() -> io::Result<impl Stream<Item = ()>> {
    use actix_web::rt::signal::unix::{SignalKind, signal};
    let hangups = signal(SignalKind::hangup())?;
    Ok(futures_util::stream::unfold(hangups, |mut hangups| async {
        hangups.recv().await.map(|()| ((), hangups))
    }))
}

/// Yields nothing: the system has no such signal.
#[cfg(not(unix))]
fn hangup_signals() -> io::Result<impl Stream<Item = ()>> {
    Ok(futures_util::stream::empty())
}

/// Is ready at the first SIGTERM or Ctrl-C.
#[cfg(unix)]
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use actix_web::rt::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        select(pin!(terminate.recv()), pin!(interrupt.recv())).await;
    })
}

/// Is ready at Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to be told, it runs until it is ended.
        if rt::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
