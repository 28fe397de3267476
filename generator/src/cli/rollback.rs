//! The command `rollback`: publishes an earlier release again.

use anyhow::Context as _;
use clap::Args;
use jiff::Timestamp;

use super::{
    Context, Exit, build,
    host::{self, BuildHost},
};
use contract::manifest::Manifest;
use generator::publish::{self, RenderHost};

#[derive(Debug, Args)]
pub(super) struct Rollback {
    /// Build to return to; the one before the current one if left out
    #[arg(value_name = "BUILD")]
    build: Option<String>,
    #[command(flatten)]
    host: BuildHost,
}

impl Rollback {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let root = context.global.releases.as_deref();
        let root = root.context("a public folder holds one build only, so there is none to return to; name a folder of releases with --releases DIR")?;
        let host = self.host.chosen(context)?;
        let render = host.as_ref().map(|host| move |manifest: &Manifest| host.render(manifest));
        let render = render.as_ref().map(|render| render as &RenderHost<'_>);
        let progress = context.out.progress();
        let returned =
            publish::rollback(root, self.build.as_deref(), Timestamp::now(), render, &progress);
        let (from, outcome) = returned.context("the current release stays")?;
        drop(progress);
        let to = outcome.manifest.build_id.as_str().trim_matches('"');
        context.out.say(&format!(
            "returned from build {from} to build {to}; the next build publishes the content as it is then"
        ));
        build::say_changes(context, &outcome);
        host::finish(context, &outcome, host.as_ref())?;
        Ok(Exit::Done)
    }
}
