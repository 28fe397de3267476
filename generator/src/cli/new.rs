//! The command `new review`: adds one review by hand.

use std::{
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::{Args, Subcommand};
use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use super::{Context, Exit, stored::StoredReviews};
use content::Record;
use contract::{
    model::{ANONYMOUS, DIRECT, Day, Rating, ReviewId},
    problem::Report,
    text::{check_length, clean, without_invisible},
};
use import::edit;

#[derive(Debug, Subcommand)]
pub(super) enum New {
    /// Append a review with a new id to content/reviews
    Review(NewReview),
}

#[derive(Debug, Args)]
pub(super) struct NewReview {
    /// Display name of who wrote it
    #[arg(long)]
    author: String,
    /// Stars, 1 to 5
    #[arg(long, value_parser = stars)]
    rating: Rating,
    /// The author's own words
    #[arg(long)]
    text: Option<String>,
    /// The day it was written [default: today in the time zone of the business]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Day>,
    /// Where it was written
    #[arg(long, default_value = DIRECT)]
    source: String,
    /// What you checked for this review, such as an invoice number; never published
    #[arg(long, value_name = "NOTE")]
    verified_by: Option<String>,
    /// Its language, such as en or pt-BR
    #[arg(long)]
    language: Option<String>,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
}

impl New {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let Self::Review(review) = self;
        review.append(context)?;
        Ok(Exit::Done)
    }
}

impl NewReview {
    fn append(mut self, context: &Context) -> anyhow::Result<()> {
        self.source = import::source_of(&self.source);
        let folder = context.content_folder()?;
        let (today, zone) = today(folder);
        let date = self.date.unwrap_or(today);
        anyhow::ensure!(
            date <= today,
            "nothing was added: --date {date} is in the future: today is {today} in {zone}, the time_zone of business.toml; correct it"
        );
        let id = new_id(date);
        let visible = |text: &str| without_invisible(text).0.into_owned();
        anyhow::ensure!(
            !content::platforms(folder).contains(&self.source),
            "{} is listed in platforms of [verification], so its reviews are those posted there: bring them in with candor import; a review that you received yourself is --source direct",
            self.source
        );
        let name = import::author_name(&visible(&self.author));
        let is_personal = name.is_none() && !self.author.trim().is_empty();
        let author = name.as_deref().unwrap_or(if is_personal { ANONYMOUS } else { "" });
        let text = self.text.as_deref().map(visible);
        for (option, given) in [("--author", Some(author)), ("--text", text.as_deref())] {
            if let Err(reason) = given.map_or(Ok(()), check_length) {
                anyhow::bail!("nothing was added: {option}: {reason}; shorten it");
            }
        }
        let record = serde_json::json!({
            "id": id, "author": author, "rating": self.rating, "date": date,
            "text": text,
            "source": self.source, "updated": Timestamp::now().round(jiff::Unit::Second)?, "language": self.language,
            "verified_by": self.verified_by.as_deref().and_then(|note| clean(&visible(note))),
        });
        // Through the record's own rules, so that nothing is stored that check would refuse.
        let record = Record::deserialize(record)?;
        let path = edit::add(folder, &record)?;
        if self.json {
            return StoredReviews::read(context)?.view(id)?.print_json(context);
        }
        context.out.say(&format!("added {id} to {}", path.display()));
        if is_personal {
            context.out.say(
                "the author is an e-mail address or a telephone number, which was left out: the review is anonymous",
            );
        }
        if !content::verified_sources(folder).contains(&self.source) {
            let help = content::method_help(&self.source);
            context.out.say(&format!(
                "it is withheld as unverified: no method of verification for {}; {help}",
                self.source
            ));
        }
        Ok(())
    }
}

/// Reads stars.
pub(super) fn stars(text: &str) -> Result<Rating, String> {
    let rating = text.trim().parse::<u8>().ok().and_then(|stars| Rating::try_from(stars).ok());
    rating.ok_or_else(|| "write a whole number from 1 to 5".to_owned())
}

/// Today and the time zone of the business, in which replies are dated too.
fn today(folder: &Path) -> (Day, String) {
    let content = content::load_for_import(folder, &Report::default());
    let named = content.and_then(|of| Some((TimeZone::get(&of.time_zone).ok()?, of.time_zone)));
    let (zone, name) = named.unwrap_or((TimeZone::UTC, "UTC".to_owned()));
    (Timestamp::now().to_zoned(zone).date().into(), name)
}

/// An id that no other process makes: the day, then the clock and the process hashed.
fn new_id(day: Day) -> ReviewId {
    let nanoseconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let unique = format!("{nanoseconds} {}", std::process::id());
    ReviewId::from_parts(day.midnight_utc(), &blake3::hash(unique.as_bytes()))
}
