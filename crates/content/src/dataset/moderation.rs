//! The withheld reviews: by hand, and because no method of verification covers them.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;

use crate::{load::Content, overrides::Override, record::Record, verification::method_help};
use contract::{
    model::{Business, Rating, ReviewId, WithheldReason},
    problem::{Place, Report},
};

/// What is withheld, counted by reason and star, so that nothing vanishes silently.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Moderation {
    /// How many reviews are not published.
    pub withheld_count: usize,
    /// By reason; reasons that do not occur are left out.
    pub by_reason: BTreeMap<WithheldReason, usize>,
    /// By stars, every star present.
    pub by_rating: BTreeMap<Rating, usize>,
}

impl Moderation {
    fn count(&mut self, reason: WithheldReason, rating: Rating) {
        self.withheld_count += 1;
        *self.by_reason.entry(reason).or_default() += 1;
        *self.by_rating.entry(rating).or_default() += 1;
    }
}

/// The records of the content, published and withheld.
pub(super) struct Moderated {
    /// The records to publish, newest first.
    pub(super) kept: Vec<Record>,
    pub(super) moderation: Moderation,
    /// Withdrawn reviews, and the time.
    pub(super) withdrawn: Vec<(ReviewId, Timestamp)>,
    /// The reviews that are stored and not published: the reason, and their stars.
    pub(super) withheld: BTreeMap<ReviewId, (WithheldReason, Rating)>,
    /// The number of reviews of each source without a method of verification.
    uncovered: BTreeMap<Arc<str>, usize>,
}

impl Moderated {
    /// Reports what is withheld, and what is doubtful about it. `place` is the place where methods are stated.
    pub(super) fn report(&self, place: &Place, report: &Report) {
        self.report_unverified(place, report);
        self.report_low_stars(place, report);
    }

    /// Reports how many reviews are withheld as unverified, of which sources, and what publishes them.
    fn report_unverified(&self, place: &Place, report: &Report) {
        let Self { kept, moderation, uncovered, .. } = self;
        let Some(count) = moderation.by_reason.get(&WithheldReason::Unverified) else { return };
        let by_source: Vec<String> =
            uncovered.iter().map(|(source, count)| format!("{source}: {count}")).collect();
        let sources = if by_source.is_empty() {
            String::new()
        } else {
            format!(" (no method of verification for {})", by_source.join(", "))
        };
        let message = format!(
            "withheld as unverified: {count} of {} reviews{sources}",
            kept.len() + moderation.withheld_count
        );
        let help = match uncovered.keys().next() {
            Some(source) => method_help(source),
            None => "their records or overrides.toml have verified = false".to_owned(),
        };
        report.warning("unverified", place.clone(), message, help);
    }

    /// Warns if the withheld reviews look as if chosen by their stars.
    fn report_low_stars(&self, place: &Place, report: &Report) {
        let moderation = &self.moderation;
        let by_rating = moderation.by_rating.iter();
        let low: usize =
            by_rating.filter(|(rating, _)| rating.stars() <= 2).map(|(_, count)| count).sum();
        if low * 2 > moderation.withheld_count && moderation.withheld_count >= 5 {
            let message = format!(
                "{low} of {} withheld reviews have one or two stars",
                moderation.withheld_count
            );
            let help = "make sure that no review is withheld for its rating: that is unlawful in many places";
            report.warning("withheld-low", place.clone(), message, help);
        }
    }
}

/// Takes the withheld records out of the content.
pub(super) fn withhold(content: &mut Content) -> Moderated {
    let mut moderation = Moderation {
        by_rating: Rating::all().map(|rating| (rating, 0)).collect(),
        ..Moderation::default()
    };
    let mut withdrawn: Vec<(ReviewId, Timestamp)> =
        content.tombstones.iter().map(|tombstone| (tombstone.id, tombstone.at)).collect();
    let records = std::mem::take(&mut content.reviews);
    let mut kept: Vec<Record> = Vec::with_capacity(records.len());
    let (mut uncovered, mut aside) = (BTreeMap::new(), BTreeMap::new());
    for record in records {
        let correction = content.overrides.get(&record.id);
        match withheld(&record, correction, &content.business) {
            None => kept.push(record),
            Some(reason) => {
                moderation.count(reason, record.rating);
                aside.insert(record.id, (reason, record.rating));
                let is_covered = content.business.methods.contains_key(&*record.source.0);
                if reason == WithheldReason::Unverified && !is_covered {
                    *uncovered.entry(Arc::clone(&record.source.0)).or_default() += 1;
                }
                withdrawn.extend(correction.filter(|c| c.withdraws()).map(|c| (record.id, c.date)));
            }
        }
    }
    kept.sort_unstable_by_key(|record| std::cmp::Reverse((record.date, record.id)));
    Moderated { kept, moderation, withdrawn, withheld: aside, uncovered }
}

/// Returns the reason why a review is not published: by hand, because its source has no method of verification, or
/// because the method did not confirm this review. A correction's `verified` decides over the record's, and neither
/// replaces a method.
pub fn withheld(
    record: &Record,
    correction: Option<&Override>,
    business: &Business,
) -> Option<WithheldReason> {
    if let Some(reason) = correction.and_then(|correction| correction.hidden) {
        return Some(reason);
    }
    let covered = business.methods.contains_key(&*record.source.0);
    let confirmed = correction.and_then(|c| c.verified).or(record.verified).unwrap_or(true);
    (!(covered && confirmed)).then_some(WithheldReason::Unverified)
}
