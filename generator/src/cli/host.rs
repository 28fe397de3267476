//! The command `host`: writes the configuration of a web server or platform.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::{Context, Exit, output::plural};
use contract::{
    files,
    manifest::{MANIFEST_PATH, Manifest},
};
use generator::{
    host::{self, Compat, Host as Name, HostFile, HostFiles, HostOptions, Sidecar},
    publish::{self, Outcome, PublishError},
};
use system::journal;

#[derive(Debug, Args)]
pub(super) struct Host {
    /// Who serves the public folder
    #[arg(value_enum, value_name = "NAME")]
    name: Name,
    #[command(flatten)]
    options: HostArgs,
    /// Folder the configuration is written to; hosts/NAME if left out
    #[arg(long, env = "CANDOR_HOST_OUT", value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The same for verbs that build.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct BuildHost {
    /// Keep in step what this web server or platform needs; see `candor host`
    #[arg(long, env = "CANDOR_HOST", value_enum, value_name = "NAME")]
    host: Option<Name>,
    #[command(flatten)]
    options: HostArgs,
    /// Folder the host's configuration is written to; hosts/NAME if left out
    #[arg(long, env = "CANDOR_HOST_OUT", value_name = "DIR")]
    host_out: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Args)]
struct HostArgs {
    /// Where the host reaches the sidecar; for a server the default is http://127.0.0.1:8081
    #[arg(long, env = "CANDOR_HOST_SIDECAR", value_name = "URL")]
    sidecar: Option<Sidecar>,
    /// Write for this older version (caddy only)
    #[arg(long, env = "CANDOR_HOST_COMPAT", value_enum, value_name = "VERSION")]
    compat: Option<Compat>,
}

/// A host, and where its configuration goes.
#[derive(Debug)]
pub(super) struct Chosen {
    name: Name,
    options: HostOptions,
}

impl Host {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let public = context.global.published();
        let chosen = Chosen::new(self.name, self.options, self.out, &public)?;
        let render = |manifest: &Manifest| chosen.render(manifest);
        let outcome = publish::manifest_in(&public).and_then(|manifest| match manifest {
            Some(_) => context.global.publish(|public| publish::accompany(public, &render)),
            None => Err(PublishError::Unpublished(public.join(MANIFEST_PATH))),
        });
        let outcome =
            outcome.with_context(|| format!("nothing was written for {}", self.name.name()))?;
        finish(context, &outcome, Some(&chosen))?;
        Ok(Exit::Done)
    }
}

impl BuildHost {
    /// The host that was named, if one was.
    pub(super) fn chosen(&self, public: &Path) -> anyhow::Result<Option<Chosen>> {
        let Some(name) = self.host else {
            let HostArgs { sidecar, compat } = &self.options;
            anyhow::ensure!(
                sidecar.is_none() && compat.is_none() && self.host_out.is_none(),
                "--sidecar, --compat and --host-out are about a host; name it with --host NAME"
            );
            return Ok(None);
        };
        Chosen::new(name, self.options.clone(), self.host_out.clone(), public).map(Some)
    }
}

impl Chosen {
    fn new(
        name: Name,
        options: HostArgs,
        out: Option<PathBuf>,
        public: &Path,
    ) -> anyhow::Result<Self> {
        let absolute =
            |path: &Path| std::path::absolute(path).with_context(|| path.display().to_string());
        let out = out.unwrap_or_else(|| Path::new("hosts").join(name.name()));
        let HostArgs { sidecar, compat } = options;
        let (public, out) = (absolute(public)?, absolute(&out)?);
        Ok(Self { name, options: HostOptions { sidecar, compat, public, out } })
    }

    pub(super) fn render(&self, manifest: &Manifest) -> Result<HostFiles, host::HostError> {
        host::render(self.name, manifest, &self.options)
    }

    /// Writes the configuration, and says where everything is and what is lost.
    pub(super) fn finish(&self, context: &Context, files: &HostFiles) -> anyhow::Result<()> {
        let out = &self.options.out;
        let write = |file: &HostFile, path: &str| {
            let path = journal::resolve(out, path)
                .with_context(|| format!("nothing was written to {}", out.join(path).display()))?;
            write(&path, file).with_context(|| format!("{} cannot be written", path.display()))
        };
        for file in &files.config {
            write(file, &file.path)?;
        }
        for file in &files.editable {
            // Whoever changed it is shown once what is new.
            let (path, new) = (out.join(&file.path), format!("{}.new", file.path));
            let is_there = path.symlink_metadata().is_ok();
            if !is_there {
                write(file, &file.path)?;
            } else if std::fs::read(&path).ok().as_ref() != Some(&file.bytes) && write(file, &new)?
            {
                let path = path.display();
                context.out.say(&format!(
                    "{path} is as you left it; {path}.new is what would be written now"
                ));
            }
        }
        let name = self.name.name();
        let config = files.config.len() + files.editable.len();
        for (count, folder) in [(config, out), (files.public.len(), &self.options.public)] {
            if count > 0 {
                let count = plural(count, "file", "files");
                context.out.say(&format!("{name}: {count} in {}", folder.display()));
            }
        }
        for loss in &files.losses {
            context.out.say(&format!("{name} cannot {loss}"));
        }
        for step in &files.next {
            context.out.say(&format!("next: {step}"));
        }
        Ok(())
    }
}

/// By a rename, and only where the bytes differ: then it is true.
fn write(path: &Path, file: &HostFile) -> std::io::Result<bool> {
    if std::fs::read(path).is_ok_and(|bytes| bytes == file.bytes) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    files::replace(path, &file.bytes)?;
    Ok(true)
}

/// The configuration comes after the documents: tags of documents that are not there yet would make
/// clients keep the old ones under the new tags.
pub(super) fn finish(
    context: &Context,
    outcome: &Outcome,
    host: Option<&Chosen>,
) -> anyhow::Result<()> {
    if let (Some(host), Some(files)) = (host, &outcome.host) {
        host.finish(context, files)?;
    }
    if outcome.removed_host_files > 0 {
        let files = plural(outcome.removed_host_files, "file", "files");
        context.out.warn(&format!(
            "removed {files} that `candor host` had put among the documents; to keep them in step, build with --host NAME"
        ));
    }
    Ok(())
}
