//! The command `log add`.

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;
use contract::text::printable;
use jiff::Timestamp;
use review_log::{Entry, Event};

use super::{Context, Exit, key_source, said};
use crate::cli::{build::CacheArgs, output::plural};
use generator::log::{self, AddOptions, Added, Witnessing};

#[derive(Debug, Args)]
pub(in crate::cli) struct Add {
    /// File with the log's private key, in place of the variable CANDOR_LOG_KEY
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Say what would be logged, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask the witnesses of content/log/policy to sign the log: the next candor log add asks them
    #[arg(long)]
    no_witnesses: bool,
    /// End with exit code 2 when there was nothing to log, and no witness has signed
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    cache: CacheArgs,
}

impl Add {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let global = &context.global;
        let keys = key_source(self.key_file);
        let published = global.published();
        let options = AddOptions {
            content: &global.content,
            base_url: global.base_url.as_deref(),
            published: &published,
            keys: keys.as_ref(),
            dry_run: self.dry_run,
        };
        let cache = self.cache.open(context)?;
        let working = context.out.working("reading the content");
        let added = log::add(&options, &cache, Timestamp::now());
        drop(working);
        let added = added.map_err(|error| said(context, error))?;
        self.cache.save(context, cache);
        context.out.problems(&added.warnings);
        say(context, &added, self.dry_run);
        let mut unchanged = added.entries.is_empty();
        if !self.dry_run && !self.no_witnesses {
            let working = context.out.working("asking the witnesses");
            let asked = log::ask_witnesses(&global.content);
            drop(working);
            let asked = asked.map_err(|error| said(context, error))?;
            say_witnesses(context, &asked);
            unchanged &= asked.signed.is_empty();
        }
        Ok(if self.exit_code && unchanged { Exit::Unchanged } else { Exit::Done })
    }
}

/// `logged 12 entries: 10 published, 1 withheld, 1 set; the log has 12`
fn say(context: &Context, added: &Added, dry_run: bool) {
    let Added { entries, size, .. } = added;
    if entries.is_empty() {
        let size = plural(usize::try_from(*size).unwrap_or(usize::MAX), "entry", "entries");
        return context
            .out
            .say(&format!("nothing to log: the log says what the content says ({size})"));
    }
    let mut counts = BTreeMap::<&str, usize>::new();
    for entry in entries {
        *counts.entry(entry.event.word()).or_default() += 1;
        context.out.detail(&format!("  {}", described(entry)));
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
    let (word, rest) = if dry_run {
        ("would log", "; a dry run: nothing was written")
    } else {
        ("logged", "; publish it with: candor build")
    };
    context.out.say(&format!(
        "{word} {}: {}; the log then has {size}{rest}",
        plural(entries.len(), "entry", "entries"),
        counts.join(", ")
    ));
}

fn say_witnesses(context: &Context, asked: &Witnessing) {
    let Witnessing { signed, unsigned, is_quorum } = asked;
    for (name, reason) in unsigned {
        context.out.warn(&format!("the witness {name} has not signed: {}", printable(reason)));
    }
    if !signed.is_empty() {
        context.out.say(&format!("signed by {}", signed.join(" and ")));
    }
    if !is_quorum {
        context.out.warn(
            "the quorum of content/log/policy has not signed: candor verify --log fails where this log is published; run candor log add again later, or name another quorum",
        );
    }
}

/// Describes an entry: `published 01J…`.
fn described(entry: &Entry) -> String {
    let word = entry.event.word();
    match (&entry.event, entry.event.review()) {
        (Event::Withheld { reason, .. }, Some(review)) => format!("{word} {review}: {reason}"),
        (_, Some(review)) => format!("{word} {review}"),
        (_, None) => word.to_owned(),
    }
}
