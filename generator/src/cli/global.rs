//! The options that several commands have, and which command uses which.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, Error, error::ErrorKind, parser::ValueSource};

use super::output::ColorChoice;
use content::workspace;
use contract::problem::Report;
use generator::publish::{self, Outcome, PublishError};

/// The heading of the options about what is printed.
const OUTPUT: &str = "Output";

#[derive(Debug, Args)]
#[command(next_help_heading = "The site")]
pub(super) struct Global {
    /// Folder with the reviews and what describes them
    #[arg(
        long,
        global = true,
        env = "CANDOR_CONTENT",
        default_value = "content",
        value_name = "DIR"
    )]
    pub(super) content: PathBuf,
    /// Folder the site is published to
    #[arg(
        long,
        global = true,
        env = "CANDOR_PUBLIC",
        default_value = "public",
        value_name = "DIR"
    )]
    pub(super) public: PathBuf,
    /// Folder of releases, in place of the public folder; DIR/current is the published one
    #[arg(
        long,
        global = true,
        env = "CANDOR_RELEASES",
        conflicts_with = "public",
        value_name = "DIR"
    )]
    pub(super) releases: Option<PathBuf>,
    /// Whether the public folder was named, so that no releases are meant.
    #[arg(skip)]
    pub(super) names_public: bool,
    #[arg(skip)]
    uses_releases: bool,
    #[arg(skip)]
    pub(super) types_releases: bool,
    /// Folder with defaults that a new site takes, or outside the checkout one that site.toml may name
    #[arg(long, global = true, env = "CANDOR_SHARED", value_name = "DIR")]
    pub(super) shared: Option<PathBuf>,
    /// The site's address, in place of the one in site.toml
    #[arg(long, global = true, env = "CANDOR_BASE_URL", value_parser = content::origin, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Print nothing but errors
    #[arg(short, long, global = true, help_heading = OUTPUT, env = "CANDOR_QUIET", conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print every file, review or page
    #[arg(short, long, global = true, help_heading = OUTPUT, env = "CANDOR_VERBOSE")]
    pub(super) verbose: bool,
    /// When to use colour; NO_COLOR is honoured
    #[arg(
        long,
        global = true,
        help_heading = OUTPUT,
        env = "CANDOR_COLOR",
        value_enum,
        default_value_t,
        value_name = "WHEN"
    )]
    pub(super) color: ColorChoice,
    /// Be the process of one site of --all: end when standard input is closed, as that process may die
    #[arg(long, global = true, hide = true)]
    pub(super) one_of_all: bool,
    /// Whether the content folder was typed: `verify --recompute` takes no other.
    #[arg(skip)]
    pub(super) is_content_typed: bool,
}

/// Whether a command uses an option of all commands.
fn is_used(option: &str, command: &str) -> bool {
    let some: &[&str] = match option {
        "content" | "shared" => {
            return !["completions", "help", "man", "mcp"].contains(&command)
                && (command, option) != ("init", "content");
        }
        "public" => &["build", "check", "host", "log"],
        "releases" => &["build", "check", "host", "log", "rollback"],
        "base_url" => &[
            "annotate",
            "build",
            "check",
            "init",
            "list",
            "log",
            "show",
            "stats",
            "suggest",
            "templates",
        ],
        "verbose" => &["annotate", "build", "import", "log", "rollback", "verify"],
        _ => return true,
    };
    some.contains(&command)
}

/// Leaves options out of the help of the commands that do not use them.
pub(super) fn hide_unused(root: Command) -> Command {
    let options: Vec<Arg> =
        root.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
    root.mut_subcommands(|command| {
        let unused = options.iter().filter(|it| !is_used(it.get_id().as_str(), command.get_name()));
        let hidden: Vec<Arg> = unused.map(|option| option.clone().hide(true)).collect();
        command.args(hidden)
    })
}

/// Refuses an option that was typed for a command that does not use it. A variable may be there for others.
///
/// # Errors
/// When there is one.
pub(super) fn refuse_unused(typed: &ArgMatches) -> Result<(), Error> {
    let Some((command, options)) = typed.subcommand() else { return Ok(()) };
    let with = if command == "verify" && !options.get_flag("recompute") {
        " without --recompute"
    } else {
        ""
    };
    let is_apart = |id: &str| !with.is_empty() && ["content", "shared"].contains(&id);
    let mut ids = options.ids().map(clap::Id::as_str);
    match ids.find(|id| (!is_used(id, command) || is_apart(id)) && is_typed(typed, id)) {
        None => Ok(()),
        Some(id) => {
            let option = id.replace('_', "-");
            let with = if is_apart(id) { with } else { "" };
            let message = format!(
                "candor {command} does not use --{option}{with}; see candor {command} --help\n"
            );
            Err(Error::raw(ErrorKind::UnknownArgument, message))
        }
    }
}

/// Whether an option is on the command line.
fn is_typed(typed: &ArgMatches, id: &str) -> bool {
    let options = typed.subcommand().map_or(typed, |(_, options)| options);
    options.value_source(id) == Some(ValueSource::CommandLine)
}

impl Global {
    /// Notes which options the command line has.
    pub(super) fn note(&mut self, typed: &ArgMatches) {
        let Some((command, options)) = typed.subcommand() else { return };
        let source = options.value_source("public");
        self.names_public = source.is_some_and(|source| source != ValueSource::DefaultValue);
        self.uses_releases = is_used("releases", command);
        self.types_releases = is_typed(typed, "releases");
        self.is_content_typed = is_typed(typed, "content");
    }

    /// Refuses a path that is the content folder, is inside it or contains it. `why` is the reason and the remedy.
    pub(super) fn refuse_content(&self, place: &str, path: &Path, why: &str) -> anyhow::Result<()> {
        let relation = workspace::relation(path, &self.content);
        relation.map_or(Ok(()), |relation| {
            Err(anyhow::anyhow!("{place}{}: this {relation}, {why}", path.display()))
        })
    }

    /// Refuses an output folder that is not apart from the content.
    pub(super) fn refuse_output(&self, option: &str, folder: Option<&Path>) -> anyhow::Result<()> {
        let Some(folder) = folder else { return Ok(()) };
        if folder.is_file() {
            anyhow::bail!("{} is a file; name another folder with {option} DIR", folder.display());
        }
        let why = format!("and the two must be apart; name another folder with {option} DIR");
        self.refuse_content(&format!("{option} "), folder, &why)
    }

    /// Takes the folder of releases from `site.toml`, for a command that uses it and names no folder.
    ///
    /// # Errors
    /// When that leads out of the checkout.
    pub(super) fn take_releases(&mut self) -> anyhow::Result<()> {
        if self.uses_releases && self.releases.is_none() {
            self.releases = self.kept_releases(&self.content)?;
        }
        Ok(())
    }

    /// The folder of releases that the `site.toml` of this content has, if no folder was named.
    pub(super) fn kept_releases(&self, content: &Path) -> anyhow::Result<Option<PathBuf>> {
        if self.names_public || self.releases.is_some() {
            return Ok(None);
        }
        // What is wrong with the file is reported by what reads all of the content.
        let site = content::read_site(content, None, &Report::default());
        let releases = site.and_then(|site| site.releases);
        releases.map(|it| Self::kept_folder(content, "releases", &it, "--releases")).transpose()
    }

    /// The folder that a key of `site.toml` names: a relative path counts from the folder of the site.
    pub(super) fn kept_folder(
        content: &Path,
        key: &str,
        kept: &Path,
        option: &str,
    ) -> anyhow::Result<PathBuf> {
        let place = workspace::site_folder(content).join(kept);
        if let Some(checkout) = workspace::left_checkout(content, &place) {
            let (kept, place, checkout) = (kept.display(), place.display(), checkout.display());
            anyhow::bail!(
                "{key} of site.toml is {kept}, which is outside {checkout} or in the content; name it with {option} {place}, if it is right"
            );
        }
        Ok(place)
    }

    /// A path as `site.toml` keeps it.
    pub(super) fn as_kept(&self, path: &Path) -> PathBuf {
        let real = |folder: &Path| Path::new(".").join(folder).canonicalize();
        match (real(&workspace::site_folder(&self.content)), real(Path::new(""))) {
            (Ok(folder), Ok(here)) if path.is_relative() => {
                workspace::path_between(&folder, &here.join(path))
            }
            _ => path.to_owned(),
        }
    }

    /// The key of `site.toml` for a folder of releases; a file of the checkout names none outside of it.
    pub(super) fn releases_key(&self, releases: &Path) -> Option<(&'static str, Option<String>)> {
        let is_inside = workspace::left_checkout(&self.content, releases).is_none();
        is_inside.then(|| ("releases", Some(self.as_kept(releases).display().to_string())))
    }

    /// The folder with the published site.
    pub(super) fn published(&self) -> PathBuf {
        self.releases.as_deref().map_or_else(|| self.public.clone(), publish::current)
    }

    /// Whether a command was killed while it published there, and left its stage.
    pub(super) fn is_interrupted(&self) -> bool {
        publish::is_interrupted(self.releases.as_deref().unwrap_or(&self.public))
    }

    /// Publishes to the public folder, or to a new release.
    pub(super) fn publish(
        &self,
        publish: impl FnOnce(&Path) -> Result<Outcome, PublishError>,
    ) -> Result<Outcome, PublishError> {
        match &self.releases {
            Some(root) => publish::release(root, publish),
            None => publish(&self.public),
        }
    }
}
