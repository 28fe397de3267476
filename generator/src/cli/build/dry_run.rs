//! `build --dry-run`: lists what a build would change.

use std::collections::HashMap;

use anyhow::Context as _;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Build;
use crate::cli::{Context, Exit, output::plural};
use content::dataset::Dataset;
use contract::{manifest::MANIFEST_PATH, model::ReviewId};
use generator::{
    previous::Previous,
    publication,
    publish::{self, Change, Plan},
};

/// Reviews listed by id for each kind of change; the rest is counted.
const LISTED: usize = 20;

/// Compares the content with the last publication.
pub(super) fn run(build: &Build, context: &Context) -> anyhow::Result<Exit> {
    let (data, _) = &context.read_publishable("a build would publish nothing")?;
    let published = Previous::File(context.global.published().join(MANIFEST_PATH));
    let previous = build.previous.as_ref().unwrap_or(&published);
    let old = previous
        .manifest(&|line| context.out.warn(line))
        .context("the last publication cannot be read")?;
    publish::check_origin(&publish::head(data), old.as_ref())?;
    let documents = publication::documents(data)?;
    let new = publish::preview(data, &documents, old.as_ref(), Timestamp::now())?;
    let Some(old) = old else {
        let files = plural(new.files.len(), "file", "files");
        context.out.say(&format!("no earlier publication at {previous}: a build would publish {files}; name the last manifest with --previous to compare"));
        return Ok(Exit::Done);
    };
    let plan = Plan::between(&old, &new);
    for change in &plan.changes {
        let (sign, path) = match change {
            Change::Added(path) => ('+', path),
            Change::Changed(path) => ('~', path),
            Change::Removed(path) => ('-', path),
        };
        context.out.say(&format!("{sign} {path}"));
    }
    if plan.changes.iter().any(|change| change.path() == "reviews.json") {
        let length = old.file("reviews.json").map_or(0, |file| file.length);
        say_reviews(context, data, previous.document("reviews.json", length)?)?;
    }
    if plan.changes.is_empty() {
        context.out.say("a build would change nothing");
        return Ok(if build.exit_code { Exit::Unchanged } else { Exit::Done });
    }
    Ok(Exit::Done)
}

fn say_reviews(context: &Context, data: &Dataset, old: Option<Vec<u8>>) -> anyhow::Result<()> {
    let Some(bytes) = old else {
        context.out.say(
            "the earlier reviews.json cannot be found, so changes of single reviews are not listed",
        );
        return Ok(());
    };
    let ReviewChanges { added, changed, removed } =
        ReviewChanges::between(&bytes, data).context("the earlier reviews.json cannot be read")?;
    for (word, ids) in [("added", added), ("changed", changed), ("removed", removed)] {
        if ids.is_empty() {
            continue;
        }
        let more = if ids.len() > LISTED {
            format!(" and {} more", ids.len() - LISTED)
        } else {
            String::new()
        };
        let listed: Vec<String> = ids.iter().take(LISTED).map(ToString::to_string).collect();
        context.out.say(&format!(
            "{} {word}: {}{more}",
            plural(ids.len(), "review", "reviews"),
            listed.join(" ")
        ));
    }
    Ok(())
}

/// Reviews that differ between two publications, each list in the order of its document.
#[derive(Debug, Default, PartialEq, Eq)]
struct ReviewChanges {
    added: Vec<ReviewId>,
    changed: Vec<ReviewId>,
    removed: Vec<ReviewId>,
}

impl ReviewChanges {
    fn between(old: &[u8], data: &Dataset) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Reviews<'a> {
            #[serde(borrow)]
            reviews: Vec<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Identity {
            id: ReviewId,
        }
        // Both sides were written by one serializer: equal reviews are equal texts.
        let digest = |text: &str| *blake3::hash(text.as_bytes()).as_bytes();
        let Reviews { reviews } = serde_json::from_slice(old)?;
        let mut order = Vec::with_capacity(reviews.len());
        let mut before = HashMap::with_capacity(reviews.len());
        for raw in reviews {
            let Identity { id } = serde_json::from_str(raw.get())?;
            before.insert(id, digest(raw.get()));
            order.push(id);
        }
        let mut changes = Self::default();
        for review in &data.reviews {
            match before.remove(&review.id) {
                None => changes.added.push(review.id),
                Some(then) if then != digest(&serde_json::to_string(review)?) => {
                    changes.changed.push(review.id)
                }
                Some(_) => {}
            }
        }
        changes.removed = order.into_iter().filter(|id| before.contains_key(id)).collect();
        Ok(changes)
    }
}
