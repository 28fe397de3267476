//! Makes a running service of a configuration and listeners.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    sync::Arc,
};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    rt, web,
};
use futures_util::future::{self, Either};
use jiff::Timestamp;

use crate::{
    config::Config,
    http::mcp::{KeyError, Mcp},
    hub::{Hub, HubError},
    loading::{load::OpenError, reload::Reloader},
    runtime::{
        degraded::Degraded,
        limits::REQUEST_TIMEOUT,
        outgoing::CaError,
        state::{StateDir, StateError},
    },
    server::{
        admin::{self, Reports},
        listener,
    },
    sites::{ListError, Sites},
    transport::traffic::Traffic,
};

/// A service that is ready for [`Sidecar::run`].
pub struct Sidecar {
    address: SocketAddr,
    admin_address: Option<SocketAddr>,
    server: Server,
    admin: Option<Server>,
    reloader: Reloader,
    sites: Arc<Sites>,
    hub: Hub,
    traffic: Arc<Traffic>,
}

/// Controls a running [`Sidecar`].
#[derive(Clone)]
pub struct Handle {
    server: ServerHandle,
    admin: Option<ServerHandle>,
    sites: Arc<Sites>,
}

/// The reason why a service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The certificates for the site's server cannot be used.
    #[error(transparent)]
    Source(#[from] CaError),
    /// The list of sites cannot be read.
    #[error(transparent)]
    List(#[from] ListError),
    /// Session ids cannot be signed.
    #[error(transparent)]
    SessionKeys(#[from] KeyError),
    /// The hub cannot start.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The system refuses a thread or a listener.
    #[error("cannot start the server: {0}")]
    Server(#[from] io::Error),
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::State(error) => Self::State(error),
            OpenError::Ca(error) => Self::Source(error),
            OpenError::List(error) => Self::List(error),
            OpenError::Thread(error) => Self::Server(error),
        }
    }
}

/// Makes a service on listeners that are bound already: locks the state directory, loads the publications and starts
/// watching. Without a publication it starts nevertheless and answers 503 until there is one. It waits for no network:
/// for a site that is fetched, the publication of the last process answers until there is a newer one. Without a usable
/// hub, session key or writable state directory it starts nevertheless, answers reads, and reports the missing part.
///
/// # Errors
/// When the configuration is invalid, the state directory is locked by another process for longer than
/// [`Config::lock_wait`], or the system refuses a thread or a listener.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    admin: Option<TcpListener>,
) -> Result<Sidecar, StartError> {
    let started = Timestamp::now();
    let address = listener.local_addr()?;
    let admin_address = admin.as_ref().map(TcpListener::local_addr).transpose()?;
    let (degraded, traffic) = (Arc::new(Degraded::default()), Arc::new(Traffic::default()));
    let (reloader, sites) = load(&config, degraded.clone()).await?;
    let hub = start_hub(&config, sites.clone()).await?;
    let mcp = Mcp::open(&config.mcp, &config.state, &degraded)?;
    let server =
        listener::server(&config, sites.clone(), mcp, hub.handle(), traffic.clone(), listener)?;
    let reports = Reports {
        sites: sites.clone(),
        hub: hub.handle(),
        degraded,
        traffic: traffic.clone(),
        started,
    };
    let admin = admin.map(|listener| admin_server(&config, reports, listener)).transpose()?;
    let current = sites.only().and_then(|site| site.published.current());
    tracing::info!(
        %address,
        admin = admin_address.map(tracing::field::display),
        public = %config.publications,
        serve_public = config.serve_public,
        sites = sites.list().map(|_| sites.all().len()),
        files = current.as_ref().map(|snapshot| snapshot.manifest.files.len()),
        build_id = current.as_ref().map(|s| tracing::field::display(&s.manifest.build_id)),
        "listening"
    );
    Ok(Sidecar { address, admin_address, server, admin, reloader, sites, hub, traffic })
}

/// Loads the sites before the first request: a restart never answers 503 for data that it has.
async fn load(
    config: &Config,
    degraded: Arc<Degraded>,
) -> Result<(Reloader, Arc<Sites>), StartError> {
    let config = config.clone();
    let started = rt::task::spawn_blocking(move || {
        let state = StateDir::open_or_substitute(&config.state, config.lock_wait, &degraded)?;
        Reloader::start(&config, state)
    });
    Ok(started.await.map_err(io::Error::other)??)
}

/// Starts the hub, after waiting for the store, which another process may still use.
async fn start_hub(config: &Config, sites: Arc<Sites>) -> Result<Hub, StartError> {
    let config = config.clone();
    let started = rt::task::spawn_blocking(move || {
        Hub::start(&config.hub, &config.state, config.lock_wait, sites)
    });
    Ok(started.await.map_err(io::Error::other)??)
}

fn admin_server(config: &Config, reports: Reports, listener: TcpListener) -> io::Result<Server> {
    let reports = web::Data::new(reports);
    let server =
        HttpServer::new(move || App::new().app_data(reports.clone()).configure(admin::configure));
    Ok(server
        .workers(1)
        .client_request_timeout(REQUEST_TIMEOUT)
        .shutdown_timeout(config.shutdown_timeout.as_secs())
        .disable_signals()
        .listen(listener)?
        .run())
}

impl Sidecar {
    /// Returns the address of the listener, with the port that the system chose.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the listener for health checks.
    #[must_use]
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin_address
    }

    /// Returns a handle that stops the service, from any thread.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle {
            server: self.server.handle(),
            admin: self.admin.as_ref().map(Server::handle),
            sites: self.sites.clone(),
        }
    }

    /// Answers requests until [`Handle::stop`].
    ///
    /// # Errors
    /// When a listener fails for good.
    pub async fn run(self) -> io::Result<()> {
        let Self { server, admin, reloader, hub, traffic, .. } = self;
        let upkeep = rt::spawn(async move { traffic.keep_up().await });
        let ended = match admin {
            Some(admin) => future::try_join(server, admin).await.map(drop),
            None => server.await,
        };
        upkeep.abort();
        ended?;
        drop(hub);
        drop(reloader);
        Ok(())
    }

    /// Answers requests until `stop` is ready, then stops as [`Handle::stop`] does.
    ///
    /// # Errors
    /// When a listener fails for good.
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let handle = self.handle();
        match future::select(pin!(self.run()), pin!(stop)).await {
            Either::Left((ended, _)) => ended,
            Either::Right(((), running)) => {
                tracing::info!("stopping");
                future::join(running, handle.stop()).await.0
            }
        }
    }
}

impl Handle {
    /// Reads the list of sites, and checks the source of each loaded site, as a publisher's ping does.
    pub fn check_source(&self) {
        self.sites.read_list();
        for site in self.sites.all() {
            site.check();
        }
    }

    /// Accepts no new connections, lets running requests end within [`Config::shutdown_timeout`], and returns when all
    /// have ended. The health checks answer last.
    pub async fn stop(&self) {
        self.server.stop(true).await;
        if let Some(admin) = &self.admin {
            admin.stop(true).await;
        }
    }
}
