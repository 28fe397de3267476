//! The command `show`: prints one review, or what was computed of reviews.

mod insights;

use clap::Args;

use super::{Context, Exit, stored::StoredReviews};
use content::IdPrefix;

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The review's id, or as much of its beginning as no other id has
    #[arg(required_unless_present = "insights")]
    id: Option<IdPrefix>,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
    /// Print what was computed as content/annotations keeps it; without an id of every review, one a line
    #[arg(long, conflicts_with = "json")]
    insights: bool,
}

impl Show {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let Some(id) = self.id.as_ref().filter(|_| !self.insights) else {
            return insights::run(context, self.id.as_ref());
        };
        let stored = StoredReviews::read(context)?;
        let id = id.choose(stored.ids()).map_err(anyhow::Error::msg)?;
        let view = stored.view(id)?;
        if self.json {
            view.print_json(context)?
        } else {
            context.out.say(&view.lines().join("\n"))
        }
        Ok(stored.exit())
    }
}
