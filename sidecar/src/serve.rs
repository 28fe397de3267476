//! `candor-sidecar serve`: listen, serve, stop when asked to.

use std::{
    io,
    net::{SocketAddr, TcpListener},
};

use actix_web::rt;
use anyhow::Context;
use sidecar::Config;

use crate::args::ServeArgs;

/// Serves until the process is told to stop.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let mut config = Config::new(args.public.clone(), &args.state)?;
    config.remote.extra_ca.clone_from(&args.public_extra_ca);
    config.serve_public = args.serve_public;
    config.mcp.session_keys.clone_from(&args.mcp_session_keys);
    config.mcp.hosts.clone_from(&args.mcp_hosts);
    config.mcp.origins.clone_from(&args.mcp_origins);
    config.mcp.check()?;
    config.hub = args.hub.config();
    let listener = bind(args.listen)?;
    let admin = args.admin.map(bind).transpose()?;
    rt::System::new().block_on(async {
        let sidecar = sidecar::serve(config, listener, admin).await?;
        let stop = stop_signal().context("cannot wait for signals")?;
        sidecar.run_until(stop).await.context("the server failed")
    })
}

pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))
}

/// Ready at the first SIGTERM or Ctrl-C.
#[cfg(unix)]
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use std::pin::pin;

    use actix_web::rt::signal::unix::{SignalKind, signal};
    use futures_util::future;

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        future::select(pin!(terminate.recv()), pin!(interrupt.recv())).await;
    })
}

/// Ready at Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to be told, it runs until it is ended.
        if rt::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
