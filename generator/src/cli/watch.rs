//! The command `watch`: builds again on every change of the content.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;

use super::{
    Context, Exit,
    all::AllArgs,
    build::{self, CacheArgs},
    host::{self, BuildHost, Chosen},
};
use crate::watch::FolderWatch;

#[derive(Debug, Args)]
pub(super) struct Watch {
    /// Look at the folder again and again, for mounts that send no notifications
    #[arg(long, env = "CANDOR_POLL")]
    poll: bool,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    host: BuildHost,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

impl Watch {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let folder = &context.global.content;
        let host = self.host.chosen(context)?;
        let changes = FolderWatch::of(&content::watched(folder), self.poll)
            .with_context(|| format!("{} cannot be watched", folder.display()))?;
        build_once(context, &self.cache, host.as_ref());
        context.out.say(&format!(
            "watching {} by {}; Ctrl-C ends it",
            folder.display(),
            changes.backend()
        ));
        loop {
            if changes.wait(Duration::from_secs(3600)) {
                build_once(context, &self.cache, host.as_ref());
            }
        }
    }
}

/// An error keeps the last good site.
fn build_once(context: &Context, cache_args: &CacheArgs, host: Option<&Chosen>) {
    let started = Instant::now();
    if let Err(error) = content::change::complete(&context.global.content) {
        context.out.say(&format!("the last good site stays: {error}"));
        return;
    }
    let cache = cache_args.open(context);
    let mut checked = context.read_content(&cache);
    checked.require_log();
    context.out.problems(&checked.problems);
    let Some(data) = checked.publishable() else {
        context.out.say("the last good site stays; fix the errors above");
        return;
    };
    let progress = context.out.progress();
    let built = build::publish(context, data, None, host, &cache, &progress);
    let built = built.and_then(|outcome| {
        drop(progress);
        build::say(context, &outcome, started);
        host::finish(context, &outcome, host)
    });
    cache_args.save(context, cache);
    match built {
        Ok(()) => {}
        Err(error) => context.out.say(&format!("the last good site stays: {error:#}")),
    }
}
