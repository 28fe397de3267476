//! The command line: what can be typed, and one module per verb.

mod all;
mod annotate;
mod build;
mod change;
mod check;
mod completions;
mod diff;
mod edit;
mod examples;
mod explain;
mod files;
mod forget;
mod help;
mod hide;
mod host;
mod import;
mod init;
mod insights;
mod interrupt;
mod list;
mod log;
mod man;
mod mcp;
mod new;
mod output;
mod port;
mod reply;
mod rollback;
mod schema;
mod serve;
mod show;
mod stats;
mod stored;
mod suggest;
mod templates;
mod verify;
mod watch;

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use jiff::Timestamp;

use all::AllArgs;
pub use output::ColorChoice;
use output::Output;

use content::cache::Cache;
use generator::{
    pipeline::Checked,
    publish::{self, Outcome, PublishError},
};

/// Publish all verified customer reviews of one business as files any web server can serve.
#[derive(Debug, Parser)]
#[command(name = "candor", version, propagate_version = true, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
struct Global {
    /// Folder with the reviews and what describes them
    #[arg(
        long,
        global = true,
        env = "CANDOR_CONTENT",
        default_value = "content",
        value_name = "DIR"
    )]
    content: PathBuf,
    /// Folder the site is published to
    #[arg(
        long,
        global = true,
        env = "CANDOR_PUBLIC",
        default_value = "public",
        value_name = "DIR"
    )]
    public: PathBuf,
    /// Folder of releases, in place of the public folder; DIR/current is the published one
    #[arg(
        long,
        global = true,
        env = "CANDOR_RELEASES",
        conflicts_with = "public",
        value_name = "DIR"
    )]
    releases: Option<PathBuf>,
    /// Folder with defaults outside the checkout that site.toml may name as shared
    #[arg(long, global = true, env = "CANDOR_SHARED", value_name = "DIR")]
    shared: Option<PathBuf>,
    /// The site's address, in place of the one in site.toml
    #[arg(long, global = true, env = "CANDOR_BASE_URL", value_parser = content::origin, value_name = "URL")]
    base_url: Option<String>,
    /// Print nothing but errors
    #[arg(short, long, global = true, env = "CANDOR_QUIET", conflicts_with = "verbose")]
    quiet: bool,
    /// Print every file that changed
    #[arg(short, long, global = true, env = "CANDOR_VERBOSE")]
    verbose: bool,
    /// When to use colour; NO_COLOR is honoured
    #[arg(
        long,
        global = true,
        env = "CANDOR_COLOR",
        value_enum,
        default_value_t,
        value_name = "WHEN"
    )]
    color: ColorChoice,
    /// End when standard input is closed; for the process of --all, which may die
    #[arg(long, global = true, hide = true)]
    stop_with_stdin: bool,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Make a small site to start from
    Init(init::Init),
    /// Add a review by hand, or print a new id
    New(new::New),
    /// Import reviews from an export
    Import(Box<import::Import>),
    /// List reviews, newest first
    List(list::List),
    /// Show one review
    Show(show::Show),
    /// Reply to a review, or remove the reply
    Reply(reply::Reply),
    /// Correct a review
    Edit(edit::Edit),
    /// Withhold a review for a reason
    Hide(hide::Hide),
    /// Publish a hidden review again
    Unhide(hide::Unhide),
    /// Remove reviews for good
    Forget(forget::Forget),
    /// Keep a public log that proves what was published and when
    Log(log::Log),
    /// Find every problem of the content
    Check(check::Check),
    /// Explain the code of a problem, or list all codes
    Explain(explain::Explain),
    /// Check, then publish what changed
    Build(build::Build),
    /// Show what a build would change
    Diff(diff::Diff),
    /// List the published files, in the order in which to upload them
    Files(files::Files),
    /// Publish an earlier release again
    Rollback(rollback::Rollback),
    /// Show ratings, aspects, gaps and replies
    Stats(stats::Stats),
    /// Have reviews judged by a language model or a person
    Annotate(Box<annotate::Annotate>),
    /// Print what was computed for each review
    Insights(insights::Insights),
    /// List names and topics in reviews that content does not list, or write them into it
    Suggest(suggest::Suggest),
    /// Show the templates of the pages, and copy them to be changed
    Templates(templates::Templates),
    /// Check a live site from outside
    Verify(verify::Verify),
    /// Write what a web server or platform needs to serve the site
    Host(host::Host),
    /// Build again whenever the content changes
    Watch(watch::Watch),
    /// Build and serve the site on this machine, again after every change
    Serve(serve::Serve),
    /// Offer any published site to agents on standard input and output
    Mcp(mcp::Mcp),
    /// Print a shell's completions
    Completions(completions::Completions),
    /// Print the JSON Schemas of hand-written files, for editors
    Schema(schema::Schema),
    /// Print the manual page
    Man,
    /// Print the help of a command, or a page about a topic
    Help(help::Help),
}

/// The result of a run, as the process's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: something is wrong, and a message has said what.
    Failed,
    /// 2: with `--exit-code`, nothing changed.
    Unchanged,
    /// 64: the command line makes no sense (`EX_USAGE`).
    Usage,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Unchanged => 2,
            Exit::Usage => 64,
        })
    }
}

/// The whole command line, with examples and headings.
#[must_use]
pub fn command() -> clap::Command {
    examples::add(Cli::command())
}

impl Cli {
    /// Parses the command line.
    ///
    /// # Errors
    /// Help, the version, or what is wrong with the command line.
    pub fn parse_typed() -> Result<Self, clap::Error> {
        Self::from_arg_matches(&command().try_get_matches()?)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// When it cannot be done; the chain says why.
    pub fn run(self) -> anyhow::Result<Exit> {
        if self.global.stop_with_stdin {
            all::end_with_stdin()?;
        }
        let out = Output::new(self.global.quiet, self.global.verbose, self.global.color);
        if let Some(folder) = &self.global.shared {
            content::accept_shared(folder.clone());
        }
        let context = Context { global: self.global, out };
        let exit = match self.verb.for_all() {
            Some((all, kind)) => all.run(&context, kind),
            None => self.verb.run(&context),
        }?;
        context.out.finish()?;
        Ok(exit)
    }
}

impl Verb {
    /// The options of a command that is meant for all sites of a workspace.
    fn for_all(&self) -> Option<(&AllArgs, all::Kind)> {
        let (all, kind) = match self {
            Self::Build(build) => (&build.all, all::Kind::of_json(build.json)),
            Self::Check(check) => (&check.all, all::Kind::of_json(check.json)),
            Self::Import(import) => (&import.all, all::Kind::Lines),
            Self::Stats(stats) if stats.json => (&stats.all, all::Kind::Json),
            Self::Stats(stats) => (&stats.all, all::Kind::Stats),
            Self::Watch(watch) => (&watch.all, all::Kind::Watch),
            Self::Serve(serve) => (&serve.all, all::Kind::Serve(serve.listen)),
            _ => return None,
        };
        all.is_asked().then_some((all, kind))
    }

    fn run(self, context: &Context) -> anyhow::Result<Exit> {
        match self {
            Self::Init(init) => init.run(context),
            Self::New(new) => new.run(context),
            Self::Import(import) => import.run(context),
            Self::List(list) => list.run(context),
            Self::Show(show) => show.run(context),
            Self::Reply(reply) => reply.run(context),
            Self::Edit(edit) => edit.run(context),
            Self::Hide(hide) => hide.run(context),
            Self::Unhide(unhide) => unhide.run(context),
            Self::Forget(forget) => forget.run(context),
            Self::Log(log) => log.run(context),
            Self::Check(check) => check.run(context),
            Self::Explain(explain) => explain.run(context),
            Self::Build(build) => build.run(context),
            Self::Diff(diff) => diff.run(context),
            Self::Files(files) => files.run(context),
            Self::Rollback(rollback) => rollback.run(context),
            Self::Stats(stats) => stats.run(context),
            Self::Annotate(annotate) => annotate.run(context),
            Self::Insights(insights) => insights.run(context),
            Self::Suggest(suggest) => suggest.run(context),
            Self::Templates(templates) => templates.run(context),
            Self::Verify(verify) => verify.run(context),
            Self::Host(host) => host.run(context),
            Self::Watch(watch) => watch.run(context),
            Self::Serve(serve) => serve.run(context),
            Self::Mcp(mcp) => mcp.run(context),
            Self::Completions(completions) => completions.run(context),
            Self::Schema(schema) => schema.run(context),
            Self::Man => man::run(context),
            Self::Help(help) => help.run(context),
        }
    }
}

/// Prints help, the version, or what is wrong with the command line.
///
/// # Errors
/// When help cannot be written.
pub fn print_usage(error: clap::Error) -> anyhow::Result<Exit> {
    // Help and the version are errors to clap, and none to anybody else.
    let is_error = error.use_stderr();
    match terminal::print_usage(error) {
        // Where standard error is gone there is nowhere to report it.
        _ if is_error => Ok(Exit::Usage),
        Err(error) => Err(anyhow::Error::new(error).context(output::UNWRITABLE)),
        Ok(()) => Ok(Exit::Done),
    }
}

/// Prints why a command failed, to standard error.
pub fn print_error(error: &anyhow::Error) {
    output::complain(&terminal::printable_error(&format!("error: {error:#}")));
}

impl Global {
    /// The folder with the published site.
    fn published(&self) -> PathBuf {
        self.releases.as_deref().map_or_else(|| self.public.clone(), publish::current)
    }

    /// Whether a command was killed while it published there, and left its stage.
    fn is_interrupted(&self) -> bool {
        publish::is_interrupted(self.releases.as_deref().unwrap_or(&self.public))
    }

    /// Publishes to the public folder, or to a new release.
    fn publish(
        &self,
        publish: impl FnOnce(&Path) -> Result<Outcome, PublishError>,
    ) -> Result<Outcome, PublishError> {
        match &self.releases {
            Some(root) => publish::release(root, publish),
            None => publish(&self.public),
        }
    }
}

/// The global options and the output, which every command gets.
struct Context {
    global: Global,
    out: Output,
}

impl Context {
    fn read_content(&self, cache: &Cache) -> Checked {
        let working = self.out.working("reading the content");
        let checked = Checked::read(
            &self.global.content,
            self.global.base_url.as_deref(),
            cache,
            Timestamp::now(),
        );
        drop(working);
        checked
    }

    /// The commands that publish a change of reviews.
    fn publishing(&self) -> &'static str {
        if content::has_log(&self.global.content) {
            "candor log add, then candor build"
        } else {
            "candor build"
        }
    }
}
