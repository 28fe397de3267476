//! The command `show`: prints one review.

use clap::Args;

use super::{Context, Exit, stored::StoredReviews};
use content::IdPrefix;

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The review's id, or as much of its beginning as no other id has
    id: IdPrefix,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let stored = StoredReviews::read(context)?;
        let id = self.id.choose(stored.ids()).map_err(anyhow::Error::msg)?;
        let view = stored.view(id)?;
        if self.json {
            view.print_json(context)?
        } else {
            context.out.say(&view.lines().join("\n"))
        }
        Ok(stored.exit())
    }
}
