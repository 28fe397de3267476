//! `build --list`: lists the published files for programs that upload them.

use std::collections::HashSet;

use anyhow::Context as _;

use crate::cli::{Context, Exit};
use contract::manifest::MANIFEST_PATH;
use generator::{
    previous::Previous,
    publish::{self, PublishError},
};

/// Prints one path on each line: those of the publication, or those that an earlier one had and it has not.
/// Pages come after the documents they name, the manifest last.
pub(super) fn run(context: &Context, gone_since: Option<&Previous>) -> anyhow::Result<Exit> {
    let public = context.global.published();
    let manifest = publish::manifest_in(&public)?
        .ok_or_else(|| PublishError::Unpublished(public.join(MANIFEST_PATH)))?;
    let paths = match gone_since {
        None => {
            // Siblings and host files of a page come with it.
            let is_page = |path: &String| path.contains(".html");
            let (pages, mut paths): (Vec<_>, Vec<_>) = manifest.disk_paths().partition(is_page);
            paths.extend(pages);
            paths.push(MANIFEST_PATH.to_owned());
            paths
        }
        Some(previous) => {
            let old = previous
                .manifest(&|line| context.out.warn(line))
                .context("the earlier publication cannot be read")?;
            let present: HashSet<String> = manifest.disk_paths().collect();
            let old = old.iter().flat_map(|old| old.disk_paths());
            old.filter(|path| !present.contains(path)).collect()
        }
    };
    for path in paths {
        context.out.raw(&path);
    }
    Ok(Exit::Done)
}
