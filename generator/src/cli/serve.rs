//! The command `serve`: serves a preview of the site and rebuilds it on every change.

use std::{
    env,
    io::{self, ErrorKind},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use jiff::Timestamp;

use super::{
    Context, Exit,
    all::AllArgs,
    interrupt::{GRACE, stop_on_signals},
    output::plural,
    port::free_address,
};
use crate::watch::FolderWatch;
use content::cache::Cache;
use generator::{pipeline::Checked, preview::Preview};

/// The program that serves.
const SIDECAR: &str = "candor-sidecar";

/// The time in which the sidecar must listen.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// The time in which the sidecar must end: less than [`GRACE`], after which this process is ended too.
const STOP_TIMEOUT: Duration = Duration::from_millis(400);

/// The interval at which signals and the sidecar are looked at.
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Where to listen; the next free port is taken where it is in use
    #[arg(
        long,
        env = "CANDOR_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS",
        value_parser = terminal::address
    )]
    pub(super) listen: SocketAddr,
    /// Open the site in the browser
    #[arg(long)]
    open: bool,
    /// The candor-sidecar to start [default: the one in candor's folder, else the one on PATH]
    #[arg(long, env = "CANDOR_SIDECAR", value_name = "PROGRAM")]
    sidecar: Option<PathBuf>,
    /// Folder for the built site and the sidecar's state
    #[arg(long, default_value = ".candor-preview", value_name = "DIR")]
    folder: PathBuf,
    /// Look at the content again and again, for mounts that send no notifications
    #[arg(long, env = "CANDOR_POLL")]
    poll: bool,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

impl Serve {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let content = &context.global.content;
        let stopped = stop_on_signals(GRACE)?;
        let address = free_address(self.listen)?;
        if address.port() != self.listen.port() && self.listen.port() != 0 {
            let (asked, found) = (self.listen.port(), address.port());
            context.out.say(&format!("port {asked} is taken; listening on {found} instead"));
        }
        let base_url = format!("http://{address}");
        let preview = Preview::new(&self.folder, address.port())?;
        let changes = FolderWatch::of(&content::watched(content), self.poll)
            .with_context(|| format!("{} cannot be watched", content.display()))?;
        build(context, &preview, &base_url)?;
        let mut sidecar = Sidecar::start(self.sidecar.as_deref(), &preview, address)?;
        sidecar.wait_until_it_listens(address, &stopped)?;
        if !stopped.load(Ordering::Relaxed) {
            context.out.say(&what_to_try(&base_url, content, changes.backend()));
            if self.open
                && let Err(error) = open::that_detached(&base_url)
            {
                context.out.warn(&format!("warning: no browser was opened: {error}"));
            }
        }
        while !stopped.load(Ordering::Relaxed) {
            sidecar.check()?;
            if changes.wait(TICK)
                && let Err(error) = build(context, &preview, &base_url)
            {
                context.out.error(&format!("the last good site stays: {error:#}"));
            }
        }
        Ok(Exit::Done)
    }
}

fn build(context: &Context, preview: &Preview, base_url: &str) -> anyhow::Result<()> {
    let started = Instant::now();
    content::change::complete(&context.global.content)?;
    let cache = Cache::open(&preview.cache(), false);
    let checked = Checked::read(&context.global.content, Some(base_url), &cache, Timestamp::now());
    context.out.problems(&checked.problems);
    let data = checked.publishable().context("the content has errors; correct them")?;
    let manifest = preview.build(data, &cache)?;
    // Without it the next build takes longer, and nothing else.
    let _ = cache.save();
    context.out.say(&format!(
        "built {} from {} in {} ms",
        plural(manifest.files.len(), "file", "files"),
        plural(data.reviews.len(), "review", "reviews"),
        started.elapsed().as_millis()
    ));
    Ok(())
}

/// The running `candor-sidecar`. It ends when its standard input is closed: when this is dropped, and
/// when this process dies, however that happens.
struct Sidecar(Child);

impl Sidecar {
    fn start(
        program: Option<&Path>,
        preview: &Preview,
        address: SocketAddr,
    ) -> anyhow::Result<Self> {
        let program = sidecar_program(program);
        let mut command = Command::new(&program);
        command
            .args(["serve", "--serve-public", "--stop-with-stdin", "--listen"])
            .arg(address.to_string())
            .arg("--public")
            .arg(preview.public())
            .arg("--state")
            .arg(preview.state())
            .stdin(Stdio::piped());
        if env::var_os("CANDOR_LOG").is_none() {
            command.env("CANDOR_LOG", "warn");
        }
        command.spawn().map(Self).map_err(|error| cannot_start(&program, error))
    }

    fn wait_until_it_listens(
        &mut self,
        address: SocketAddr,
        stopped: &AtomicBool,
    ) -> anyhow::Result<()> {
        let deadline = Instant::now() + START_TIMEOUT;
        while TcpStream::connect_timeout(&address, TICK).is_err() {
            self.check()?;
            anyhow::ensure!(Instant::now() < deadline, "{SIDECAR} does not listen on {address}");
            if stopped.load(Ordering::Relaxed) {
                break;
            }
            thread::sleep(TICK);
        }
        Ok(())
    }

    /// # Errors
    /// When it has ended.
    fn check(&mut self) -> anyhow::Result<()> {
        match self.0.try_wait()? {
            None => Ok(()),
            Some(status) => anyhow::bail!("{SIDECAR} has ended: {status}"),
        }
    }
}

impl Drop for Sidecar {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let deadline = Instant::now() + STOP_TIMEOUT;
        while Instant::now() < deadline {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(TICK / 4);
        }
        // It has not ended in time; what it served is a preview.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Explains why the program of the sidecar does not run.
pub(super) fn cannot_start(program: &Path, error: io::Error) -> anyhow::Error {
    let program = program.display();
    if error.kind() == ErrorKind::NotFound {
        anyhow::anyhow!(
            "{program} was not found; install candor-sidecar into candor's folder or onto PATH, or name it with --sidecar PROGRAM"
        )
    } else {
        anyhow::Error::new(error).context(format!("{program} cannot be started"))
    }
}

/// The program that was given, else the one in this program's folder, else its name alone, which is looked
/// for on PATH.
pub(super) fn sidecar_program(given: Option<&Path>) -> PathBuf {
    if let Some(given) = given {
        return given.to_owned();
    }
    let name = format!("{SIDECAR}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok().map(|program| program.with_file_name(&name));
    own.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

fn what_to_try(base_url: &str, content: &Path, backend: &str) -> String {
    format!(
        "\n  {base_url}/\n\n\
         Try:\n  \
         curl {base_url}/reviews.json | head -c 600\n  \
         curl {base_url}/feed.xml\n  \
         curl '{base_url}/api/reviews/search?query=on+time&limit=2'\n  \
         curl -i {base_url}/insights.json -o /dev/null -D - | grep -i etag   # then:\n  \
         curl -i {base_url}/insights.json -H 'If-None-Match: <that tag>'     # 304\n  \
         curl -s --compressed {base_url}/changes.json | head -c 300\n  \
         claude mcp add --transport http reviews {base_url}/mcp              # candor help mcp\n\n\
         Edit anything in {}: the open page reloads (watched by {backend}). Ctrl-C ends both programs.\n",
        content.display()
    )
}
