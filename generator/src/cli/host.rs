use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::{Context, Exit, output::plural};
use crate::{
    host::{self, Compat, Host as Name, HostFile, HostFiles, Options, Sidecar},
    manifest::MANIFEST_PATH,
    publish,
};

#[derive(Debug, Args)]
pub(super) struct Host {
    /// Who serves the public folder
    #[arg(value_enum, value_name = "NAME")]
    name: Name,
    #[command(flatten)]
    options: HostOptions,
    /// Folder the configuration is written to [default: hosts/NAME]
    #[arg(long, env = "CANDOR_HOST_OUT", value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What can be said of a host, here and with `build`.
#[derive(Clone, Debug, Args)]
pub(super) struct HostOptions {
    /// Where the host reaches the sidecar; servers: http://127.0.0.1:8081 if nobody says otherwise
    #[arg(long, env = "CANDOR_HOST_SIDECAR", value_name = "URL")]
    sidecar: Option<Sidecar>,
    /// An older version to write for (caddy only)
    #[arg(long, env = "CANDOR_HOST_COMPAT", value_enum, value_name = "VERSION")]
    compat: Option<Compat>,
}

impl Host {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let public = &context.global.public;
        let manifest = publish::manifest_in(public)?.with_context(|| {
            format!(
                "there is no {}: nothing was published there; run `candor build`, or name the folder with --public",
                public.join(MANIFEST_PATH).display()
            )
        })?;
        let out = folder(self.name, self.out);
        let options = self.options.resolve(public, &out)?;
        let files = host::render(self.name, &manifest, &options)?;
        write(&out, &files.config)?;
        say(context, self.name, &out, &files);
        Ok(Exit::Done)
    }
}

impl HostOptions {
    /// With every path made absolute.
    pub(super) fn resolve(self, public: &Path, out: &Path) -> anyhow::Result<Options> {
        let absolute =
            |path: &Path| std::path::absolute(path).with_context(|| path.display().to_string());
        let (public, out) = (absolute(public)?, absolute(out)?);
        Ok(Options { sidecar: self.sidecar, compat: self.compat, public, out })
    }
}

/// `hosts/NAME`, unless told otherwise.
pub(super) fn folder(host: Name, out: Option<PathBuf>) -> PathBuf {
    out.unwrap_or_else(|| Path::new("hosts").join(host.name()))
}

/// Replaces each file whose bytes differ, by a rename.
pub(super) fn write(out: &Path, files: &[HostFile]) -> anyhow::Result<()> {
    for file in files {
        let path = out.join(&file.path);
        let written = write_one(&path, &file.bytes);
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

fn write_one(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|stands| stands == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    std::fs::write(&name, bytes)?;
    std::fs::rename(&name, path)
}

/// Where everything lies, what is lost, what comes next.
pub(super) fn say(context: &Context, host: Name, out: &Path, files: &HostFiles) {
    let name = host.name();
    if !files.config.is_empty() {
        let count = plural(files.config.len(), "file", "files");
        context.out.say(&format!("{name}: {count} in {}", out.display()));
    }
    if !files.public.is_empty() {
        let count = plural(files.public.len(), "file", "files");
        context.out.say(&format!("{name}: {count} in {}", context.global.public.display()));
    }
    for loss in &files.losses {
        context.out.say(&format!("{name} cannot: {loss}"));
    }
    for step in &files.next {
        context.out.say(&format!("next: {step}"));
    }
}
