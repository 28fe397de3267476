//! The command line: what can be typed, and one module per verb.

mod all;
mod annotate;
mod build;
mod change;
mod check;
mod edit;
mod examples;
mod forget;
mod global;
mod help;
mod hide;
mod host;
mod import;
mod init;
mod interrupt;
mod list;
mod log;
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

use std::path::Path;

use anyhow::Context as _;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use jiff::Timestamp;

use all::AllArgs;
use global::Global;
pub use output::ColorChoice;
use output::Output;

use content::{cache::Cache, dataset::Dataset};
use contract::problem::Severity;
use generator::pipeline::Checked;

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

#[derive(Debug, Subcommand)]
enum Verb {
    /// Make a small site to start from
    Init(init::Init),
    /// Add a review by hand
    #[command(subcommand)]
    New(new::New),
    /// Import reviews from an export
    Import(Box<import::Import>),
    /// List reviews, newest first
    List(list::List),
    /// Show one review, or what was computed of it
    Show(show::Show),
    /// Reply to a review, or remove the reply
    Reply(reply::Reply),
    /// Correct a review
    Edit(edit::Edit),
    /// Withhold a review for a reason, or publish it again
    Hide(hide::Hide),
    /// Remove reviews for good
    Forget(forget::Forget),
    /// Keep a public log that proves what was published and when
    Log(log::Log),
    /// Find every problem of the content
    Check(check::Check),
    /// Check, then publish what changed
    Build(Box<build::Build>),
    /// Publish an earlier release again
    Rollback(rollback::Rollback),
    /// Show ratings, aspects, gaps and replies
    Stats(stats::Stats),
    /// Have reviews judged by a language model or a person
    Annotate(Box<annotate::Annotate>),
    /// List names and topics in reviews that content does not list, or write them into it
    Suggest(suggest::Suggest),
    /// Show the templates of the pages, and copy them to be changed
    Templates(templates::Templates),
    /// Check a live site from outside
    Verify(verify::Verify),
    /// Write what a web server or platform needs to serve the site
    Host(host::Host),
    /// Build and serve the site on this machine, again after every change
    Serve(serve::Serve),
    /// Offer any published site to agents on standard input and output
    Mcp(mcp::Mcp),
    /// Print a shell's completions
    #[command(hide = true)]
    Completions {
        /// The shell to complete in
        shell: terminal::Shell,
    },
    /// Print the JSON Schemas of hand-written files, for editors
    #[command(hide = true)]
    Schema(schema::Schema),
    /// Print the manual page
    #[command(hide = true)]
    Man,
    /// Explain a command, a topic, or the code of a problem
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
    examples::add(global::hide_unused(Cli::command()))
}

impl Cli {
    /// Parses the command line.
    ///
    /// # Errors
    /// Help, the version, or what is wrong with the command line.
    pub fn parse_typed() -> Result<Self, clap::Error> {
        let typed = command().try_get_matches()?;
        global::refuse_unused(&typed)?;
        let mut cli = Self::from_arg_matches(&typed)?;
        cli.global.note(&typed);
        Ok(cli)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// When it cannot be done; the chain says why.
    pub fn run(mut self) -> anyhow::Result<Exit> {
        if self.global.one_of_all {
            all::end_with_stdin()?;
        }
        let out = Output::new(self.global.quiet, self.global.verbose, self.global.color);
        if let Some(folder) = &self.global.shared {
            content::accept_shared(folder.clone());
        }
        self.global.take_releases()?;
        let context = Context { global: self.global, out };
        let exit = match self.verb.for_all() {
            Some((all, kind)) => all.run(&context, kind)?,
            None => self.verb.run(&context)?,
        };
        context.out.finish()?;
        Ok(exit)
    }
}

impl Verb {
    /// The options of a command that is meant for all sites of a workspace.
    fn for_all(&self) -> Option<(&AllArgs, all::Kind)> {
        let (all, kind) = match self {
            Self::Build(build) if build.watch => (&build.all, all::Kind::Watch),
            Self::Build(build) => (&build.all, all::Kind::of_json(build.json)),
            Self::Check(check) => (&check.all, all::Kind::of_json(check.json)),
            Self::Import(import) => (&import.all, all::Kind::Lines),
            Self::Stats(stats) if stats.json => (&stats.all, all::Kind::Json),
            Self::Stats(stats) => (&stats.all, all::Kind::Stats),
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
            Self::Forget(forget) => forget.run(context),
            Self::Log(log) => log.run(context),
            Self::Check(check) => check.run(context),
            Self::Build(build) => build.run(context),
            Self::Rollback(rollback) => rollback.run(context),
            Self::Stats(stats) => stats.run(context),
            Self::Annotate(annotate) => annotate.run(context),
            Self::Suggest(suggest) => suggest.run(context),
            Self::Templates(templates) => templates.run(context),
            Self::Verify(verify) => verify.run(context),
            Self::Host(host) => host.run(context),
            Self::Serve(serve) => serve.run(context),
            Self::Mcp(mcp) => mcp.run(context),
            Self::Completions { shell } => context.print(&terminal::completions(shell, command())),
            Self::Schema(schema) => schema.run(context),
            Self::Man => context.print(&terminal::manual(command())?),
            Self::Help(help) => help.run(context),
        }
    }
}

/// What to type in place of words that people try: commands and options of other programs, and former commands.
const TIPS: &str = include_str!("cli/tips.txt");

/// Prints help, the version, or what is wrong with the command line.
///
/// # Errors
/// When help cannot be written.
pub fn print_usage(error: clap::Error) -> anyhow::Result<Exit> {
    // Help and the version are errors to clap, and none to anybody else.
    let is_error = error.use_stderr();
    match terminal::print_usage(error, TIPS) {
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

/// The global options and the output, which every command gets.
struct Context {
    global: Global,
    out: Output,
}

impl Context {
    fn print(&self, text: &str) -> anyhow::Result<Exit> {
        self.out.raw(text);
        Ok(Exit::Done)
    }

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

    /// Reads content that can be published, and returns the number of warnings too.
    ///
    /// # Errors
    /// When it has errors, which are printed. `refusal` is what they prevent.
    fn read_publishable(&self, refusal: &str) -> anyhow::Result<(Dataset, usize)> {
        let checked = self.read_content(&Cache::none());
        self.out.problems(&checked.problems);
        let warnings = checked.count(Severity::Warning);
        if checked.publishable().is_none() {
            self.out.say(&check::summary(&checked));
        }
        let data = checked.dataset.filter(|_| warnings == checked.problems.len());
        data.map(|data| (data, warnings))
            .with_context(|| format!("{refusal}; fix the errors above"))
    }

    /// The content folder, which is there.
    fn content_folder(&self) -> anyhow::Result<&Path> {
        let folder = &self.global.content;
        anyhow::ensure!(
            folder.is_dir(),
            "there is no content folder {}; name it with --content, or make one with: candor init DIR",
            folder.display()
        );
        Ok(folder)
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
