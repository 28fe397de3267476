//! The command `reply`: the business's reply to one review.

use clap::Args;

use super::{Context, Exit, change};
use content::IdPrefix;
use import::edit::ReviewChange;

#[derive(Debug, Args)]
#[command(after_help = "\
The reply is in overrides.toml. It replaces the one of the review, also after further imports.")]
pub(super) struct Reply {
    /// The review's id, or as much of its beginning as no other id has
    id: IdPrefix,
    /// The reply, in place of an earlier one
    #[arg(required_unless_present = "remove", conflicts_with = "remove")]
    text: Option<String>,
    /// Publish no reply to this review
    #[arg(long)]
    remove: bool,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

impl Reply {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let done = if self.remove { "removed the reply to" } else { "replied to" };
        change::run(context, &self.id, &[ReviewChange::Reply(self.text)], done, self.json)
    }
}
