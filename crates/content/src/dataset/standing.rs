//! The standing of each review for the transparency log, and the entries that the log lacks.

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;
use review_log::{Entry, Event, Facts, Reply, Salt, Standing};

use super::Dataset;
use crate::{
    tombstones::{Tombstone, TombstoneReason},
    transparency::{ENTRIES_FILE, RESTORE_LOG, SALTS_FILE, TransparencyLog},
};
use contract::{
    model::{Rating, Review, ReviewId, WithheldReason},
    problem::{Place, Report},
};

/// Reviews that a message names; the rest is counted.
const NAMED: usize = 3;

/// Replaces the salt of a review that has none yet, so that it counts as not logged.
const NO_SALT: Salt = Salt::from_bytes([0; 32]);

/// The known reviews that are not published.
#[derive(Debug, Default)]
pub struct Unpublished {
    /// Stored and withheld reviews: the reason, and the stars.
    pub withheld: BTreeMap<ReviewId, (WithheldReason, Rating)>,
    /// Reviews that were removed for good: the reason.
    pub forgotten: BTreeMap<ReviewId, WithheldReason>,
}

impl Unpublished {
    pub(super) fn new(
        withheld: BTreeMap<ReviewId, (WithheldReason, Rating)>,
        tombstones: &[Tombstone],
    ) -> Self {
        let forgotten = tombstones.iter().filter_map(|tombstone| match tombstone.reason {
            TombstoneReason::Forgotten(reason) => Some((tombstone.id, reason)),
            TombstoneReason::Missing => None,
        });
        Self { forgotten: forgotten.collect(), withheld }
    }
}

impl Dataset {
    /// Returns the standing of each review, with these salts. A published review without a salt has another hash than
    /// any that is logged.
    #[must_use]
    pub fn standings(&self, salts: &BTreeMap<ReviewId, Salt>) -> BTreeMap<ReviewId, Standing> {
        let Unpublished { withheld, forgotten } = &self.unpublished;
        let published = self.reviews.iter().map(|review| {
            let salt = salts.get(&review.id).unwrap_or(&NO_SALT);
            (review.id, published(review, salt))
        });
        let withheld = withheld
            .iter()
            .map(|(&id, &(reason, rating))| (id, Standing::Withheld { reason, rating }));
        let forgotten = forgotten.iter().map(|(&id, &reason)| (id, Standing::Forgotten { reason }));
        forgotten.chain(withheld).chain(published).collect()
    }

    /// Returns the entries that the log lacks.
    #[must_use]
    pub fn pending(
        &self,
        log: &TransparencyLog,
        salts: &BTreeMap<ReviewId, Salt>,
        at: Timestamp,
    ) -> Vec<Entry> {
        let mut by_rating = [0; 5];
        for review in &self.reviews {
            by_rating[review.rating.index()] += 1;
        }
        review_log::pending(&log.history, &self.standings(salts), by_rating, at)
    }
}

fn published(review: &Review, salt: &Salt) -> Standing {
    let reply = review.owner_reply.as_ref().map(|reply| salt.reply(&Reply::from(reply)));
    Standing::Published { record: salt.record(&Facts::from(review)), reply }
}

/// Warns of every review whose standing differs from its last entry in the log. A build makes an error of it.
pub(super) fn report_unlogged(data: &Dataset, content: &Path, report: &Report) {
    let Some(log) = &data.log else { return };
    if let Some(message) = missing_salts(data, log) {
        let place = Place::file(content.join(SALTS_FILE).display().to_string());
        return report.error("damaged-log", place, message, RESTORE_LOG);
    }
    let pending = data.pending(log, &log.salts, Timestamp::UNIX_EPOCH);
    if let Some(message) = unlogged(&pending) {
        let place = Place::file(content.join(ENTRIES_FILE).display().to_string());
        report.warning("unlogged", place, message, "run candor log add, then build");
    }
}

/// The message `the salt of review 01J… is missing`: with another one, the review would be logged as changed.
fn missing_salts(data: &Dataset, log: &TransparencyLog) -> Option<String> {
    let is_logged = |id| {
        let logged = log.history.review(id);
        logged.is_some_and(|it| matches!(it.standing, Standing::Published { .. }))
    };
    let ids = data.reviews.iter().map(|review| review.id);
    let mut missing = ids.filter(|id| !log.salts.contains_key(id) && is_logged(*id));
    let first = missing.next()?;
    let more = missing.count();
    let more = if more > 0 { format!(", and those of {more} more") } else { String::new() };
    Some(format!(
        "the salt of review {first} is missing{more}: nothing proves what was logged of it"
    ))
}

/// The message `2 reviews are not in the log as they are now: 01J… is new, 01J… was changed`.
fn unlogged(pending: &[Entry]) -> Option<String> {
    let events: Vec<String> = pending.iter().filter_map(|entry| happened(&entry.event)).collect();
    let named = events[..events.len().min(NAMED)].join(", ");
    match (pending.len(), events.len()) {
        (0, _) => None,
        (_, 0) => Some("the log does not say how many reviews are published now".to_owned()),
        (_, 1) => Some(format!("review {named}")),
        (_, count) => {
            let more = count.saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            Some(format!("{count} reviews are not what the log says of them: {named}{more}"))
        }
    }
}

fn happened(event: &Event) -> Option<String> {
    Some(match event {
        Event::Published { review, .. } => format!("{review} is not in the log yet"),
        Event::Changed { review, .. } => format!("{review} was changed after it was logged"),
        Event::ReplyChanged { review, .. } => {
            format!("{review} has another reply than when it was logged")
        }
        Event::Withheld { review, .. } => {
            format!("{review} is withheld, and the log does not say so")
        }
        Event::Restored { review, .. } => {
            format!("{review} is published again, and the log does not say so")
        }
        Event::Removed { review } => format!("{review} is gone, and the log does not say so"),
        Event::Forgotten { review, .. } => {
            format!("{review} was removed for good, and the log does not say so")
        }
        Event::Set(_) => return None,
    })
}
