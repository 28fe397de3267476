//! The command `build`: renders the site and publishes it.

mod dry_run;
mod id_base;
mod list;
mod unchanged;
mod watch;

use std::{collections::BTreeMap, mem, path::Path, time::Instant};

use anyhow::Context as _;
use clap::{Args, builder::FalseyValueParser};
use jiff::Timestamp;
use tracing::info_span;

pub(super) use unchanged::CacheArgs;
use unchanged::LastBuild;

use super::{
    Context, Exit,
    all::AllArgs,
    check,
    host::{self, BuildHost, Chosen, keep_keys},
    output::{Bar, plural},
};
use crate::timings::Timings;
use content::{cache::Cache, change::complete, dataset::Dataset};
use contract::{manifest::Manifest, problem::Problem};
use generator::{
    log::{self, Earlier},
    previous::Previous,
    publication,
    publish::{self, Change, Options, Outcome, RenderHost},
};
use review_log::CHECKPOINT_PATH;

/// The last words after errors.
const NOT_PUBLISHED: &str = "nothing was published; fix the errors above";

#[derive(Debug, Args)]
pub(super) struct Build {
    /// End with exit code 2 when nothing changed
    #[arg(long)]
    exit_code: bool,
    /// Manifest of the last publication, where the output folder does not hold it
    #[arg(long, env = "CANDOR_PREVIOUS", value_name = "FILE|URL")]
    previous: Option<Previous>,
    /// Nothing is published at the place of --previous yet
    #[arg(long, env = "CANDOR_FIRST", value_parser = FalseyValueParser::new())]
    first: bool,
    /// Show what would change, by file and by review, and publish nothing
    #[arg(long, group = "mode")]
    dry_run: bool,
    /// Build again whenever the content changes
    #[arg(long, group = "mode", conflicts_with = "exit_code")]
    pub(super) watch: bool,
    /// With --watch: look at the content again and again, for mounts that send no notifications
    #[arg(long, env = "CANDOR_POLL")]
    poll: bool,
    /// List the published files in the order in which to upload them, and build nothing
    #[arg(long, group = "mode", conflicts_with = "exit_code")]
    list: bool,
    /// With --list: what this earlier publication had and the present one has not
    #[arg(long, requires = "list", value_name = "FILE|URL")]
    gone_since: Option<Previous>,
    /// Print how long each stage took
    #[arg(long, conflicts_with = "mode")]
    timings: bool,
    /// Print the stages as JSON
    #[arg(long, requires = "timings")]
    pub(super) json: bool,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    host: BuildHost,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

impl Build {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let global = &context.global;
        let public = Some(&*global.public).filter(|_| global.releases.is_none());
        global.refuse_output("--public", public)?;
        global.refuse_output("--releases", global.releases.as_deref())?;
        if self.list {
            list::run(context, self.gone_since.as_ref())
        } else if self.dry_run {
            dry_run::run(&self, context)
        } else if self.watch {
            watch::run(&self, context)
        } else {
            self.build_once(context)
        }
    }

    fn build_once(&self, context: &Context) -> anyhow::Result<Exit> {
        let started = Instant::now();
        let timings = self.timings.then(Timings::start);
        let host = self.host.chosen(context)?;
        complete(&context.global.content)?;
        id_base::follow(context, || self.read_previous(context))?;
        let cache = self.cache.open(context)?;
        let inputs =
            info_span!("look at inputs").in_scope(|| unchanged::inputs(context, host.as_ref()));
        // A manifest from elsewhere may give files other times.
        let inputs = inputs.filter(|_| self.previous.is_none());
        let last =
            inputs.and_then(|inputs| unchanged::find(context, &cache, inputs, host.as_ref()));
        let outcome = match last {
            Some((last, outcome)) => {
                last.say(context);
                outcome
            }
            None => self.build(context, cache, inputs, host.as_ref())?,
        };
        say(context, &outcome, started);
        host::finish(context, &outcome, host.as_ref())?;
        keep_releases(context);
        if let Some(timings) = timings {
            print_timings(context, &timings, self.json)?;
        }
        Ok(if self.exit_code && !outcome.is_new() { Exit::Unchanged } else { Exit::Done })
    }

    fn build(
        &self,
        context: &Context,
        cache: Cache,
        inputs: Option<unchanged::Hash>,
        host: Option<&Chosen>,
    ) -> anyhow::Result<Outcome> {
        let mut checked = context.read_content(&cache);
        checked.require_log();
        context.out.problems(&checked.problems);
        let Some(data) = checked.publishable() else {
            say_first_damaged(context, &checked.problems);
            context.out.say(&check::summary(&checked));
            anyhow::bail!(NOT_PUBLISHED);
        };
        let summary = (data.moderation.withheld_count > 0).then(|| check::summary(&checked));
        if let Some(summary) = &summary {
            context.out.say(summary);
        }
        let progress = context.out.progress();
        let previous = self.read_previous(context)?;
        self.compare_logs(context, data, previous.as_ref())?;
        let outcome = publish(context, data, previous.as_ref(), host, &cache, &progress)?;
        if let Some(inputs) = inputs {
            LastBuild::keep(context, &cache, inputs, &checked.problems, summary);
        }
        self.cache.save(context, cache);
        if !self.watch {
            // The process ends soon: to give back the memory of every review would take longer than to
            // render the page of one.
            mem::forget(checked);
        }
        Ok(outcome)
    }

    /// Refuses to publish a log that does not begin with the one of `--previous`.
    fn compare_logs(
        &self,
        context: &Context,
        data: &Dataset,
        manifest: Option<&Manifest>,
    ) -> anyhow::Result<()> {
        let (Some(previous), Some(manifest)) = (&self.previous, manifest) else { return Ok(()) };
        match manifest.file(CHECKPOINT_PATH) {
            None => Ok(()),
            Some(_) => compare_log(context, data, &Earlier::Manifest(previous, &manifest.base_url)),
        }
    }

    /// The manifest of `--previous`. Without one a build would forget what was removed since, so it has
    /// to be said that there is none.
    fn read_previous(&self, context: &Context) -> anyhow::Result<Option<Manifest>> {
        let Some(previous) = &self.previous else { return Ok(None) };
        match previous.manifest(&|line| context.out.warn(line)) {
            Ok(Some(_)) if self.first => {
                anyhow::bail!("{previous} is a publication already; leave --first out")
            }
            Ok(None) | Err(_) if self.first => Ok(None),
            Ok(None) => anyhow::bail!(
                "there is no publication at {previous}; if this is the first one, add --first"
            ),
            Ok(manifest) => Ok(manifest),
            Err(error) => Err(error).context(match previous {
                Previous::File(_) => "the last publication cannot be read",
                Previous::Url(_) => {
                    "the last publication cannot be read; if there is none yet, add --first"
                }
            }),
        }
    }
}

/// Keeps the folder of releases that was typed: every build publishes there from now on.
fn keep_releases(context: &Context) {
    let global = &context.global;
    let typed = global.releases.as_deref().filter(|_| global.types_releases);
    let key = typed.and_then(|releases| global.releases_key(releases));
    let Some(key) = key else { return };
    let kept = key.1.clone().unwrap_or_default();
    match keep_keys(&global.content, &[key], "the folder of releases") {
        Ok(None) => {}
        Ok(Some(path)) => context.out.say(&format!(
            "{} has releases = \"{kept}\" now: every build publishes there",
            path.display()
        )),
        // The site is published.
        Err(error) => context
            .out
            .warn(&format!("warning: {error:#}; name the releases at every build with --releases")),
    }
}

/// The longest stage first. Stages run side by side on several threads, so that their times add up to
/// more than the build takes.
fn print_timings(context: &Context, timings: &Timings, json: bool) -> anyhow::Result<()> {
    let stages = timings.stages();
    if json {
        let stages: BTreeMap<_, _> = stages.into_iter().collect();
        return context.out.json_line(&stages);
    }
    for (name, stage) in stages {
        context.out.raw(&format!("{:>10.3} s {:>8} × {name}", stage.seconds, stage.count));
    }
    Ok(())
}

/// Names the entry of a damaged log that differs from the published one, where that is known.
fn say_first_damaged(context: &Context, problems: &[Problem]) {
    let published = context.global.published();
    let damaged =
        log::first_damaged(problems, &context.global.content, &Earlier::Folder(&published));
    context.out.problems(damaged.as_slice());
}

/// Refuses to publish a log that does not begin with an earlier one.
fn compare_log(context: &Context, data: &Dataset, earlier: &Earlier<'_>) -> anyhow::Result<()> {
    match log::compare(data.log.as_ref(), &context.global.content, earlier)? {
        None => Ok(()),
        Some(problem) => {
            context.out.problems(&[problem]);
            anyhow::bail!(NOT_PUBLISHED)
        }
    }
}

/// Renders and publishes.
fn publish(
    context: &Context,
    data: &Dataset,
    previous: Option<&Manifest>,
    host: Option<&Chosen>,
    cache: &Cache,
    progress: &Bar,
) -> anyhow::Result<Outcome> {
    compare_log(context, data, &Earlier::Folder(&context.global.published()))?;
    let documents = info_span!("list documents").in_scope(|| publication::documents(data))?;
    let now = Timestamp::now();
    let render = host.map(|host| move |manifest: &Manifest| host.render(manifest));
    let render = render.as_ref().map(|render| render as &RenderHost<'_>);
    let head = publish::head(data);
    let options = Options { previous, now, host: render, cache, progress };
    let publish_to = |public: &Path| publish::publish(&head, &documents, public, &options);
    let published = context.global.publish(publish_to);
    published.with_context(|| {
        format!("nothing was published to {}", context.global.published().display())
    })
}

/// `published 8 files (3 changed, 1 removed) in 41 ms, build b3-…`
fn say(context: &Context, outcome: &Outcome, started: Instant) {
    let files = plural(outcome.manifest.files.len(), "file", "files");
    let what = match &outcome.changes {
        None => "no earlier publication is known, so changes are not listed".to_owned(),
        Some(changes) => {
            let removed =
                changes.iter().filter(|change| matches!(change, Change::Removed(_))).count();
            format!("{} changed, {removed} removed", changes.len() - removed)
        }
    };
    let build = outcome.manifest.build_id.as_str().trim_matches('"');
    let ms = started.elapsed().as_millis();
    context.out.say(&format!("published {files} ({what}) in {ms} ms, build {build}"));
    let topics = outcome.changed_topics();
    if !topics.is_empty() {
        context.out.say(&format!("changed topics: {}", topics.join(", ")));
    }
    say_changes(context, outcome);
}

/// Each change on a line of its own, with `--verbose`.
pub(super) fn say_changes(context: &Context, outcome: &Outcome) {
    for change in outcome.changes.iter().flatten() {
        let word = match change {
            Change::Added(_) => "added",
            Change::Changed(_) => "changed",
            Change::Removed(_) => "removed",
        };
        context.out.detail(&format!("  {word} {}", change.path()));
    }
}
