//! The command `host`: writes the configuration of a web server or platform.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use super::{Context, Exit, global::Global, output::plural};
use content::{HostKeys, workspace::site_folder};
use contract::{
    files,
    manifest::{MANIFEST_PATH, Manifest},
    problem::Report,
};
use generator::{
    host::{self, Compat, Host as Name, HostFile, HostFiles, HostOptions, Sidecar},
    publish::{self, Outcome, PublishError},
};
use system::{
    access::{explained, make_folder},
    git, journal,
    root::Root,
};

/// The folder of configurations, each in a folder with the name of its host.
const FOLDER: &str = "hosts";

#[derive(Debug, Args)]
pub(super) struct Host {
    /// Who serves the public folder
    #[arg(value_enum, value_name = "NAME")]
    name: Name,
    #[command(flatten)]
    options: HostArgs,
    /// Site's folder on the server, where this machine only builds, such as deploy@server:/srv/reviews
    #[arg(long, value_parser = target, value_name = "SERVER:FOLDER")]
    target: Option<String>,
    /// Folder the configuration is written to; hosts/NAME beside the content if left out
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
    /// Folder the host's configuration is written to; hosts/NAME beside the content if left out
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
    /// The settings as `site.toml` keeps them.
    keys: HostKeys,
    options: HostOptions,
}

impl Host {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let public = context.global.published();
        let mut kept = kept(context, Some(self.name)).unwrap_or_default();
        kept.target = self.target.or(kept.target);
        let chosen =
            Chosen::new(self.name, self.options, (self.out, "--out"), kept, &context.global)?;
        let render = |manifest: &Manifest| chosen.render(manifest);
        let outcome = publish::manifest_in(&public).and_then(|manifest| match manifest {
            Some(_) => context.global.publish(|public| publish::accompany(public, &render)),
            None => Err(PublishError::Unpublished(public.join(MANIFEST_PATH))),
        });
        let outcome =
            outcome.with_context(|| format!("nothing was written for {}", self.name.name()))?;
        finish(context, &outcome, Some(&chosen))?;
        chosen.remember(context)?;
        Ok(Exit::Done)
    }
}

impl BuildHost {
    /// The host that was named, or else the one of `site.toml`.
    pub(super) fn chosen(&self, context: &Context) -> anyhow::Result<Option<Chosen>> {
        let kept = kept(context, self.host);
        let name = match (self.host, &kept) {
            (Some(name), _) => name,
            (None, Some(kept)) => parsed("host", &kept.name)?,
            (None, None) => {
                let HostArgs { sidecar, compat } = &self.options;
                anyhow::ensure!(
                    sidecar.is_none() && compat.is_none() && self.host_out.is_none(),
                    "--sidecar, --compat and --host-out are about a host; name it with --host NAME"
                );
                return Ok(None);
            }
        };
        let (options, out) = (self.options.clone(), (self.host_out.clone(), "--host-out"));
        Chosen::new(name, options, out, kept.unwrap_or_default(), &context.global).map(Some)
    }
}

/// What `site.toml` keeps of the host, or of the one that is named.
fn kept(context: &Context, named: Option<Name>) -> Option<HostKeys> {
    // What is wrong with the file is reported by what reads all of the content.
    let kept = content::read_site(&context.global.content, None, &Report::default())?.host?;
    named.is_none_or(|host| host.name() == kept.name).then_some(kept)
}

/// A value of `site.toml` as the options have it.
fn parsed<T: ValueEnum>(key: &str, text: &str) -> anyhow::Result<T> {
    let value = T::from_str(text, false).map_err(anyhow::Error::msg);
    value.with_context(|| format!("{key} of site.toml"))
}

/// A folder on a server.
fn target(text: &str) -> Result<String, String> {
    content::target(text).map(|_| text.to_owned())
}

impl Chosen {
    /// What is typed counts more than what `site.toml` keeps. `out` is a folder and the option that names it.
    fn new(
        name: Name,
        HostArgs { mut sidecar, mut compat }: HostArgs,
        (out, option): (Option<PathBuf>, &str),
        kept: HostKeys,
        global: &Global,
    ) -> anyhow::Result<Self> {
        let absolute =
            |path: &Path| std::path::absolute(path).with_context(|| path.display().to_string());
        if let Some(kept) = kept.sidecar.filter(|_| sidecar.is_none()) {
            let read = kept.parse().map_err(anyhow::Error::msg);
            sidecar = Some(read.context("host_sidecar of site.toml")?);
        }
        if let Some(kept) = kept.compat.filter(|_| compat.is_none()) {
            compat = Some(parsed("host_compat", &kept)?);
        }
        let keys = HostKeys {
            name: name.name().to_owned(),
            sidecar: sidecar.as_ref().map(|sidecar| sidecar.url().to_owned()),
            compat: compat.and_then(|version| word(&version)),
            out: out.as_deref().map(|out| global.as_kept(out)).or(kept.out),
            target: kept.target,
        };
        let out = match (out, &keys.out) {
            (Some(out), _) => out,
            (None, Some(kept)) => Global::kept_folder(&global.content, "host_out", kept, option)?,
            (None, None) => site_folder(&global.content).join(FOLDER).join(name.name()),
        };
        global.refuse_output(option, Some(&out))?;
        let target = keys.target.as_deref().map(content::target).transpose();
        let target = target.map_err(anyhow::Error::msg).context("host_target of site.toml")?;
        let target = target.map(|(server, folder)| (server.to_owned(), folder.to_owned()));
        let releases = global.releases.as_deref().map(absolute).transpose()?;
        let (public, out) = (absolute(&global.published())?, absolute(&out)?);
        let options = HostOptions { sidecar, compat, public, out, target, releases };
        Ok(Self { name, keys, options })
    }

    /// Keeps the host in `site.toml`, so that every build writes its configuration. A server may have the
    /// published folder alone.
    fn remember(&self, context: &Context) -> anyhow::Result<()> {
        let mut keys = self.keys.pairs();
        let releases = context.global.releases.as_deref();
        if let Some(key) = releases.and_then(|releases| context.global.releases_key(releases)) {
            keys.push(key);
        } else if context.global.names_public {
            keys.push(("releases", None));
        }
        if let Some(path) = keep_keys(&context.global.content, &keys, "the host")? {
            let (name, path) = (self.name.name(), path.display());
            context.out.say(&format!(
                "{path} has host = \"{name}\" now: every build writes this configuration anew"
            ));
        }
        Ok(())
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
            let (path, mark) = (out.join(&file.path), format!("{}.written", file.path));
            let found = std::fs::read(&path).ok();
            let written = std::fs::read_to_string(out.join(&mark)).unwrap_or_default();
            let is_as_written = |found: Vec<u8>| found == file.bytes || hash(&found) == written;
            if path.symlink_metadata().is_err() || found.is_some_and(is_as_written) {
                write(file, &file.path)?;
                write(&HostFile::new(mark.clone(), hash(&file.bytes)), &mark)?;
            } else if write(file, &format!("{}.new", file.path))? {
                // Whoever changed it is shown once what is new.
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

/// Identifies what was written, so that a later command knows whether somebody changed it.
fn hash(bytes: &[u8]) -> String {
    format!("{}\n", blake3::hash(bytes).to_hex())
}

/// Keeps keys in `site.toml`, and returns its path if that changed it. A server may have the published folder alone.
pub(super) fn keep_keys(
    content: &Path,
    keys: &[(&str, Option<String>)],
    what: &str,
) -> anyhow::Result<Option<PathBuf>> {
    let root = Root::at(content);
    let path = root.shown("site.toml".as_ref());
    let Ok(Some(text)) = root.text(Path::new("site.toml")) else { return Ok(None) };
    let keeps = content::remembered(&text, keys)
        .with_context(|| format!("{} cannot keep {what}", path.display()))?;
    if keeps == text {
        return Ok(None);
    }
    files::replace(&path, keeps.as_bytes())
        .map_err(explained(&path))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Some(path))
}

/// A value as it is typed.
fn word(value: &impl ValueEnum) -> Option<String> {
    Some(value.to_possible_value()?.get_name().to_owned())
}

/// Writes a file by a rename if its bytes differ, and returns whether they did.
fn write(path: &Path, file: &HostFile) -> std::io::Result<bool> {
    if std::fs::read(path).is_ok_and(|bytes| bytes == file.bytes) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        if git::tracks_link(folder) != Some(false) {
            let reason = "git tracks a link on the way there, so a change of the checkout would choose the folder: remove the link";
            return Err(std::io::Error::other(reason));
        }
        make_folder(folder)?;
    }
    files::replace(path, &file.bytes).map_err(explained(path))?;
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
    let folder = |name: &Name| site_folder(&context.global.content).join(FOLDER).join(name.name());
    if outcome.removed_host_files > 0 {
        let files = plural(outcome.removed_host_files, "file", "files");
        context.out.warn(&format!(
            "removed {files} that `candor host` had put among the documents; candor host NAME writes them again now and at every build"
        ));
    } else if host.is_none()
        && outcome.is_new()
        && let Some(name) = Name::value_variants().iter().find(|name| folder(name).is_dir())
    {
        let (folder, name) = (folder(name), name.name());
        context.out.warn(&format!(
            "warning: {} is of an earlier build, so {name} would serve these documents with the tags of others; candor host {name} writes it anew now and at every build",
            folder.display()
        ));
    }
    Ok(())
}
