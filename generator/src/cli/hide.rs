//! The commands `hide` and `unhide`: withhold a review for a reason, and publish it again.

use clap::Args;
use contract::model::WithheldReason;

use super::{Context, Exit, change};
use content::{IdPrefix, KeyChange};
use import::edit::ReviewChange;

#[derive(Debug, Args)]
#[command(after_help = "\
Reasons: personal_data, defamatory, off_topic, fake_suspected, duplicate, unlawful, author_request, \
unverified. The site counts withheld reviews by reason and by stars.")]
pub(super) struct Hide {
    /// The review's id, or as much of its beginning as no other id has
    id: IdPrefix,
    /// Why it is withheld
    #[arg(long)]
    reason: WithheldReason,
    /// A note that is never published
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Unhide {
    /// The review's id, or as much of its beginning as no other id has
    id: IdPrefix,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

fn change(path: &'static str, value: Option<&str>) -> ReviewChange {
    ReviewChange::Correction(KeyChange { path, value: value.map(Into::into) })
}

impl Hide {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let mut changes = vec![change("hidden", Some(self.reason.word()))];
        changes.extend(self.note.as_deref().map(|note| change("note", Some(note))));
        change::run(context, &self.id, &changes, "hid", self.json)
    }
}

impl Unhide {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        change::run(context, &self.id, &[change("hidden", None)], "unhid", self.json)
    }
}
