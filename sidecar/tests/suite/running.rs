//! A sidecar in a thread of its own, on ports of its own.

use std::{
    net::{SocketAddr, TcpListener},
    sync::mpsc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use actix_web::rt;
use sidecar::{Config, Handle, StartError};

use crate::Site;

/// How long anything may take before a test gives up.
const DEADLINE: Duration = Duration::from_secs(20);

/// A sidecar that stops when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Serves the site's files, and follows it quickly.
    pub(crate) fn start(site: &Site) -> Self {
        Self::start_with(config(site))
    }

    pub(crate) fn start_with(config: Config) -> Self {
        Self::try_start(config).unwrap()
    }

    pub(crate) fn try_start(config: Config) -> Result<Self, StartError> {
        let (send, receive) = mpsc::channel();
        let thread = thread::spawn(move || {
            rt::System::new().block_on(async {
                let free = || TcpListener::bind("127.0.0.1:0").unwrap();
                match sidecar::serve(config, free(), Some(free())).await {
                    Err(error) => send.send(Err(error)).unwrap(),
                    Ok(sidecar) => {
                        let addresses = (sidecar.address(), sidecar.admin_address().unwrap());
                        send.send(Ok((addresses, sidecar.handle()))).unwrap();
                        sidecar.run().await.unwrap();
                    }
                }
            });
        });
        let ((address, admin), handle) = receive.recv().unwrap()?;
        Ok(Self { address, admin, handle, thread: Some(thread) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let handle = self.handle.clone();
        rt::System::new().block_on(async move { handle.stop().await });
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the sidecar panicked");
    }
}

pub(crate) fn config(site: &Site) -> Config {
    let mut config = Config::new(site.public(), site.state()).unwrap();
    config.serve_public = true;
    config.workers = 1;
    config.poll_interval = Duration::from_millis(200);
    // A process that another test is starting has the lock too, until it runs its own program.
    config.lock_wait = DEADLINE;
    config.shutdown_timeout = Duration::from_secs(5);
    config
}

/// Asks until the answer is yes.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
