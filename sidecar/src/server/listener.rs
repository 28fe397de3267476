//! The server of the main listener. It is assembled here and not by `HttpServer`, because that
//! gives no access to the stream between socket and protocol, where slow clients are disconnected
//! and idle connections make room for others.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    num::NonZeroUsize,
    sync::Arc,
    thread,
    time::Duration,
};

use actix_http::{HttpService, error::DispatchError};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::{App, dev::AppConfig, rt::net::TcpStream, web};
use futures_util::future::ready;

use crate::{
    config::Config,
    http::{self, AppState, encode::Encoder, gate::Gate, layer::Layer, mcp::Mcp},
    hub::HubHandle,
    runtime::{
        limits::{KEEP_ALIVE, REQUEST_TIMEOUT},
        log_budget::{LogBudget, LogLine},
    },
    sites::Sites,
    transport::{connection::Connection, connections::Connections, traffic::Traffic},
};

/// The time within which a closed connection must drain.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum unsent bytes of a response in the kernel's buffer. The kernel reports free space when half of them are sent,
/// which distinguishes slow readers from stalled ones. By default it would buffer megabytes and report nothing until a
/// third of them is sent.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 2 * crate::runtime::limits::MIN_PROGRESS as u32;

/// Bytes of a response that are collected before they are written, so that its head and the few
/// bytes after its reviews are sent with the reviews. An idle connection keeps a buffer of this
/// size.
const WRITE_BUFFER: usize = 128 * 1024;

/// Makes connections of accepted streams.
struct Acceptor {
    stall_timeout: Duration,
    connections: Arc<Connections>,
    hub: HubHandle,
    traffic: Arc<Traffic>,
    /// The budget of log lines: a client may try again and again.
    log: LogBudget,
}

/// Serves the routes on a bound listener.
pub(crate) fn server(
    config: &Config,
    sites: Arc<Sites>,
    mcp: Mcp,
    hub: HubHandle,
    traffic: Arc<Traffic>,
    listener: TcpListener,
) -> io::Result<Server> {
    let state = web::Data::new(AppState {
        sites,
        serve_public: config.serve_public,
        gate: Gate::new(config.max_responses, config.max_large_responses, hub.clone()),
        encoder: Encoder::new(thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        mcp,
    });
    let acceptor = Arc::new(Acceptor::new(config, hub.clone(), traffic.clone()));
    let hub = web::Data::new(hub);
    let builder = Server::build()
        .workers(config.workers)
        .max_concurrent_connections(config.connections().div_ceil(config.workers))
        .shutdown_timeout(config.shutdown_timeout.as_secs())
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let builder = builder.listen("reviews", listener, move || {
        let app = App::new()
            .app_data(state.clone())
            .app_data(hub.clone())
            .wrap(Layer(traffic.clone()))
            .configure(http::configure)
            .into_factory()
            .map_err(|error: actix_web::Error| error.error_response());
        let (stopping, traffic) = (stopping.clone(), traffic.clone());
        let acceptor = acceptor.clone();
        let protocol = HttpService::build()
            .keep_alive(KEEP_ALIVE)
            .client_request_timeout(REQUEST_TIMEOUT)
            .client_disconnect_timeout(DISCONNECT_TIMEOUT)
            .h1_write_buffer_size(WRITE_BUFFER)
            .on_connect_ext(|connection: &Connection<TcpStream>, extensions| {
                extensions.insert(connection.pipeline().clone());
            })
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .h1(map_config(app, |()| AppConfig::default()));
        fn_service(move |stream: TcpStream| ready(acceptor.accept(stream)))
            .and_then(protocol)
            .map_err(move |error| {
                if matches!(error, DispatchError::Parse(_)) {
                    traffic.malformed();
                }
                error
            })
    });
    Ok(builder?.run())
}

impl Acceptor {
    fn new(config: &Config, hub: HubHandle, traffic: Arc<Traffic>) -> Self {
        let connections = Connections::new(config.connections());
        let stall_timeout = config.stall_timeout;
        Self { stall_timeout, connections, hub, traffic, log: LogBudget::default() }
    }

    /// Makes the connection and returns its peer. Another connection may be closed for it.
    fn accept(
        &self,
        stream: TcpStream,
    ) -> Result<(Connection<TcpStream>, Option<SocketAddr>), DispatchError> {
        let peer = stream.peer_addr()?;
        let (place, closes) = self.connections.place(self.hub.share(peer.ip()));
        if closes {
            self.traffic.replaced_connection();
            if let Some(LogLine { left_out }) = self.log.line() {
                tracing::warn!(
                    left_out,
                    "closed a connection of the client network that has the most, for another one; \
                     name proxies with --trusted-proxies"
                );
            }
        }
        if let Err(error) = prepare(&stream, self.stall_timeout) {
            tracing::debug!(%error, "a connection without its options");
        }
        let cut = |stream: &TcpStream| {
            // Otherwise the kernel would continue to send to a client that does not read. Fails
            // when closed.
            let _ = stream.set_zero_linger();
        };
        let open = self.traffic.connection();
        Ok((Connection::new(stream, self.stall_timeout, cut, open, place), Some(peer)))
    }
}

fn prepare(stream: &TcpStream, stall_timeout: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    {
        let socket = socket2::SockRef::from(stream);
        socket.set_tcp_notsent_lowat(UNSENT)?;
        // Bytes in the kernel's buffer may be unread too, after the end of the response.
        socket.set_tcp_user_timeout(Some(stall_timeout))?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = stall_timeout;
    Ok(())
}
