//! The command `list`: prints reviews, newest first.

use clap::Args;
use contract::{
    model::{Day, Rating},
    text::casefold,
};

use super::{
    Context, Exit,
    new::stars,
    output::plural,
    stored::{ReviewView, StoredReviews},
};

#[derive(Debug, Args)]
pub(super) struct List {
    /// Only reviews with these stars
    #[arg(long, value_name = "STARS", value_delimiter = ',', value_parser = stars)]
    rating: Vec<Rating>,
    /// Only reviews of this day and later
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<Day>,
    /// Only reviews without a reply
    #[arg(long)]
    unanswered: bool,
    /// Only reviews with these words in text, author or reply; case does not matter
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Print the reviews as a JSON array
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let stored = StoredReviews::read(context)?;
        let mut views: Vec<ReviewView<'_>> =
            stored.views().filter(|view| self.matches(view)).collect();
        views.sort_unstable_by_key(|view| std::cmp::Reverse((view.date, view.id)));
        if self.json {
            context.out.json_pretty(&views)?;
            return Ok(stored.exit());
        }
        for view in &views {
            context.out.say(&view.line());
        }
        let all = plural(stored.ids().count(), "review", "reviews");
        context.out.say(&format!("{} of {all}", views.len()));
        Ok(stored.exit())
    }

    fn matches(&self, view: &ReviewView<'_>) -> bool {
        let words = self.search.as_deref().map(casefold);
        let has = |text: &str| words.as_ref().is_none_or(|words| casefold(text).contains(&**words));
        let reply = view.owner_reply.as_ref();
        (self.rating.is_empty() || self.rating.contains(&view.rating))
            && self.since.is_none_or(|since| view.date >= since)
            && !(self.unanswered && reply.is_some())
            && (has(&view.author)
                || view.text.is_some_and(has)
                || reply.is_some_and(|reply| has(&reply.text)))
    }
}
