//! The command `hide`: withholds a review for a reason, or publishes it again.

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
    #[arg(long, required_unless_present = "undo")]
    reason: Option<WithheldReason>,
    /// A note that is never published
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Publish it again
    #[arg(long, conflicts_with_all = ["reason", "note"])]
    undo: bool,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

fn change(path: &'static str, value: Option<&str>) -> ReviewChange {
    ReviewChange::Correction(KeyChange { path, value: value.map(Into::into) })
}

impl Hide {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let mut changes = vec![change("hidden", self.reason.map(WithheldReason::word))];
        changes.extend(self.note.as_deref().map(|note| change("note", Some(note))));
        let done = if self.undo { "unhid" } else { "hid" };
        change::run(context, &self.id, &changes, done, self.json)
    }
}
