//! The command `new review`: adds one review by hand.

use std::{
    io,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use super::{Context, Exit};
use crate::{
    content::{self, Record},
    import, journal,
};
use contract::{
    files,
    model::{DIRECT, Day, Rating, ReviewId},
};

#[derive(Debug, Args)]
pub(super) struct New {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Append a review with a new id to content/reviews
    Review(NewReview),
    /// Print a new id
    Id {
        /// The day of the review it is for [default: today]
        #[arg(long, value_name = "YYYY-MM-DD")]
        date: Option<Day>,
    },
}

#[derive(Debug, Args)]
struct NewReview {
    /// Display name of who wrote it
    #[arg(long)]
    author: String,
    /// Stars, 1 to 5
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=5))]
    rating: u8,
    /// The author's own words
    #[arg(long)]
    text: Option<String>,
    /// The day it was written [default: today]
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
}

impl New {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        match self.what {
            What::Id { date } => context.out.raw(&new_id(date.unwrap_or_else(today)).to_string()),
            What::Review(review) => review.append(context)?,
        }
        Ok(Exit::Done)
    }
}

impl NewReview {
    fn append(self, context: &Context) -> anyhow::Result<()> {
        let folder = &context.global.content;
        anyhow::ensure!(
            folder.is_dir(),
            "there is no content folder {}; name it with --content, or make one with: candor init DIR",
            folder.display()
        );
        let _lock = import::lock_content(folder)?;
        let date = self.date.unwrap_or_else(today);
        let id = new_id(date);
        let record = serde_json::json!({
            "id": id, "author": self.author, "rating": Rating::try_from(self.rating)?, "date": date, "text": self.text,
            "source": self.source, "updated": Timestamp::now().round(jiff::Unit::Second)?, "language": self.language,
            "verified_by": self.verified_by.as_deref().and_then(contract::text::clean),
        });
        // Through the record's own rules, so that nothing is stored that check would refuse.
        let record = Record::deserialize(record)?;
        let path = journal::resolve(folder, &format!("reviews/{:04}.ndjson", date.date().year()))?;
        insert(&path, &record).with_context(|| format!("{} was not changed", path.display()))?;
        context.out.say(&format!("added {id} to {}", path.display()));
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

/// Puts the record where its date and id belong, in a file that is replaced whole.
fn insert(path: &Path, record: &Record) -> anyhow::Result<()> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    #[derive(Deserialize)]
    struct SortKey {
        date: Day,
        id: ReviewId,
    }
    let key = (record.date, record.id);
    let line = serde_json::to_string(record)?;
    let mut lines: Vec<&str> = text.lines().collect();
    let later = |line: &&str| {
        serde_json::from_str::<SortKey>(line).is_ok_and(|other| (other.date, other.id) > key)
    };
    if let Some(stored) = lines.iter().find_map(|line| same_review(line, record)) {
        anyhow::bail!("it has this review already, as {stored}");
    }
    let at = lines.iter().position(later).unwrap_or(lines.len());
    lines.insert(at, &line);
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(files::replace(path, (lines.join("\n") + "\n").as_bytes())?)
}

/// The id of the review on a line, if that says the same as `record`.
fn same_review(line: &str, record: &Record) -> Option<ReviewId> {
    let stored: Record = serde_json::from_str(line).ok()?;
    let said =
        |of: &Record| (of.date, of.rating, of.author.clone(), of.source.clone(), of.text.clone());
    (said(&stored) == said(record)).then_some(stored.id)
}

fn today() -> Day {
    Timestamp::now().to_zoned(TimeZone::UTC).date().into()
}

/// An id that no other process makes: the day, then the clock and the process hashed.
fn new_id(day: Day) -> ReviewId {
    let nanoseconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let unique = format!("{nanoseconds} {}", std::process::id());
    ReviewId::from_parts(day.midnight_utc(), &blake3::hash(unique.as_bytes()))
}
