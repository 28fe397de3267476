//! `verify --recompute`: compares a site with what its `reviews.json` gives, or the content.

use anyhow::Context as _;
use clap::builder::styling::AnsiColor;
use url::Url;

use crate::cli::{Context, Exit, output::plural};
use generator::recompute::{Recomputed, recompute, recompute_from};

pub(super) fn run(context: &Context, url: &Url, json: bool) -> anyhow::Result<Exit> {
    let folder = verify::folder(url);
    let from_content = context.global.is_content_typed;
    let data =
        from_content.then(|| context.read_publishable("nothing was compared")).transpose()?;
    let working = context.out.working("computing the site again");
    let say = |line: &str| context.out.warn(line);
    let found = match &data {
        Some((data, _)) => recompute_from(data, &folder, &say),
        None => recompute(&folder, &say),
    };
    drop(working);
    let found = found.context("nothing was compared")?;
    if json {
        context.out.json_pretty(&found)?;
    } else {
        for line in &found.differences {
            context.out.marked(AnsiColor::Red, "FAIL ", line, true);
        }
        let Recomputed { generator, documents, files, judged, differences } = &found;
        let count = format!("{} of {}", differences.len(), plural(*files, "file", "files"));
        let own = "; the opinions are those of insights.json, as the site has aspects or annotations of its own";
        let rest = if *judged { "" } else { own };
        context.out.say(&if from_content {
            format!("{folder}: {count} differ from what the content gives with {generator}")
        } else {
            format!("{folder}: {count} differ from the manifest, or from what reviews.json gives with {generator} ({documents}){rest}")
        });
    }
    Ok(if found.differences.is_empty() { Exit::Done } else { Exit::Failed })
}
