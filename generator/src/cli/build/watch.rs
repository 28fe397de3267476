//! `build --watch`: builds again on every change of the content.

use std::time::Duration;

use anyhow::Context as _;

use super::Build;
use crate::{
    cli::{Context, Exit},
    watch::FolderWatch,
};

/// Builds at once and after each change, until the process is ended.
pub(super) fn run(build: &Build, context: &Context) -> anyhow::Result<Exit> {
    let folder = &context.global.content;
    build.host.chosen(context)?;
    let changes = FolderWatch::of(&content::watched(folder), build.poll)
        .with_context(|| format!("{} cannot be watched", folder.display()))?;
    let build_once = || {
        if let Err(error) = build.build_once(context) {
            context.out.say(&format!("the last good site stays: {error:#}"));
        }
    };
    build_once();
    context.out.say(&format!(
        "watching {} by {}; Ctrl-C ends it",
        folder.display(),
        changes.backend()
    ));
    loop {
        if changes.wait(Duration::from_secs(3600)) {
            build_once();
        }
    }
}
