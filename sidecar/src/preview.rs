//! `candor-sidecar preview`: the whole site on this machine, rebuilt whenever its content changes.
//!
//! Building and serving share one process, so that Ctrl-C ends both and nothing stays behind. The
//! site is built into a folder of its own, for the very address it is served at: links and topics
//! stay local, and a local address never reaches the folder that is deployed.

use std::{
    io::ErrorKind,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::Duration,
};

use actix_web::rt;
use anyhow::Context;
use clap::Args;
use jiff::Timestamp;
use reviews::{import, pipeline::Checked, publication, publish, watch::Changes};
use sidecar::Config;

use crate::serve::{bind, stop_signal};

/// How many ports after the asked-for one are tried before the system chooses.
const NEIGHBOURS: u16 = 20;

/// How to preview.
#[derive(Args, Debug)]
pub(crate) struct PreviewArgs {
    /// Folder with the reviews and what describes them
    #[arg(long, env = "CANDOR_CONTENT", default_value = "content", value_name = "DIR")]
    content: PathBuf,

    /// Where to listen; the next free port is taken where it is in use
    #[arg(
        long,
        env = "CANDOR_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS",
        value_parser = crate::address::address
    )]
    listen: SocketAddr,

    /// Folder for the built site and the state; emptied at the start
    #[arg(long, default_value = "target/preview", value_name = "DIR")]
    folder: PathBuf,

    /// Look at the content again and again, for mounts that send no notifications
    #[arg(long, env = "CANDOR_POLL")]
    poll: bool,
}

/// Builds, serves and rebuilds until the process is told to stop.
pub(crate) fn run(args: &PreviewArgs) -> anyhow::Result<()> {
    let listener = bind_nearby(args.listen)?;
    let address = listener.local_addr()?;
    if address.port() != args.listen.port() && args.listen.port() != 0 {
        println!("port {} is taken; listening on {} instead", args.listen.port(), address.port());
    }
    let site = Site::at(args, address)?;
    site.build()?;
    let mut config = Config::new(&site.public, &site.state)?;
    config.serve_public = true;
    let changes = Changes::of(&args.content, args.poll)
        .with_context(|| format!("{} cannot be watched", args.content.display()))?;
    print_what_to_try(&site.base_url, &args.content, changes.backend());
    std::thread::Builder::new().name("rebuild".to_owned()).spawn(move || site.rebuild(&changes))?;
    rt::System::new().block_on(async {
        let sidecar = sidecar::serve(config, listener, None).await?;
        let stop = stop_signal().context("cannot wait for signals")?;
        sidecar.run_until(stop).await.context("the server failed")
    })
}

/// One content folder, previewed at one address.
struct Site {
    content: PathBuf,
    public: PathBuf,
    state: PathBuf,
    base_url: String,
}

impl Site {
    /// In a folder per address, so that two previews never share one.
    fn at(args: &PreviewArgs, address: SocketAddr) -> anyhow::Result<Self> {
        let folder = args.folder.join(address.port().to_string());
        let (public, state) = (folder.join("public"), folder.join("state"));
        for stale in [&public, &state] {
            remove(stale).with_context(|| format!("{} cannot be emptied", stale.display()))?;
        }
        let base_url = format!("http://{address}");
        Ok(Self { content: args.content.clone(), public, state, base_url })
    }

    fn build(&self) -> anyhow::Result<()> {
        import::complete(&self.content)?;
        let checked = Checked::read(&self.content, Some(&self.base_url), Timestamp::now());
        for problem in &checked.problems {
            eprintln!("{problem}");
        }
        let data = checked.publishable().context("mend the errors above")?;
        let documents = publication::documents(data)?;
        let outcome =
            publish::publish(data, &documents, &self.public, None, Timestamp::now(), None, &())?;
        println!(
            "built {} files from {} reviews",
            outcome.manifest.files.len(),
            data.reviews.len()
        );
        Ok(())
    }

    /// An error keeps the last good site.
    fn rebuild(&self, changes: &Changes) {
        loop {
            if !changes.wait(Duration::from_secs(3600)) {
                continue;
            }
            if let Err(error) = self.build() {
                eprintln!("the last good site stays: {error:#}");
            }
        }
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The address asked for, a free port near it, or any free port.
fn bind_nearby(asked: SocketAddr) -> anyhow::Result<TcpListener> {
    let nearby = (0..=NEIGHBOURS).filter_map(|step| asked.port().checked_add(step));
    for port in nearby.chain([0]) {
        match TcpListener::bind(SocketAddr::new(asked.ip(), port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen on {asked}")),
        }
    }
    bind(asked)
}

fn print_what_to_try(base_url: &str, content: &Path, backend: &str) {
    println!(
        "\n  {base_url}/\n\n\
         Try:\n  \
         curl {base_url}/reviews.json | head -c 600\n  \
         curl {base_url}/feed.xml\n  \
         curl '{base_url}/api/reviews/search?query=on+time&limit=2'\n  \
         curl -i {base_url}/insights.json -o /dev/null -D - | grep -i etag   # then:\n  \
         curl -i {base_url}/insights.json -H 'If-None-Match: <that tag>'     # 304\n  \
         curl -s --compressed {base_url}/changes.json | head -c 300\n  \
         claude mcp add --transport http reviews {base_url}/mcp              # docs/mcp.md\n\n\
         Edit anything in {} and reload the page (watched by {backend}). Ctrl-C ends it.\n",
        content.display()
    );
}
