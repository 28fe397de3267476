//! `verify --recompute`: compares a site with what its `reviews.json` gives.

use anyhow::Context as _;
use clap::builder::styling::AnsiColor;
use url::Url;

use crate::cli::{Context, Exit, output::plural};
use generator::recompute::{Recomputed, recompute};

pub(super) fn run(context: &Context, url: &Url, json: bool) -> anyhow::Result<Exit> {
    let folder = verify::folder(url);
    let working = context.out.working("computing the site again");
    let found = recompute(&folder, &|line| context.out.warn(line));
    drop(working);
    let found = found.context("nothing was compared")?;
    if json {
        context.out.json_pretty(&found)?;
    } else {
        for line in &found.differences {
            context.out.marked(AnsiColor::Red, "FAIL ", line, true);
        }
        let Recomputed { generator, documents, judged, differences } = &found;
        let count =
            format!("{} of {}", differences.len(), plural(*documents, "document", "documents"));
        let own = "; opinions in insights.json were not computed, which depend on the site's own aspects or annotations";
        let rest = if *judged { "" } else { own };
        context.out.say(&format!(
            "{folder}: {count} differ from what reviews.json gives with {generator}{rest}"
        ));
    }
    Ok(if found.differences.is_empty() { Exit::Done } else { Exit::Failed })
}
