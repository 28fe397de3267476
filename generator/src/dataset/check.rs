//! Checks that need the whole content: references between files, and what is withheld.

use std::{
    cmp::Reverse,
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::Moderation;
use crate::content::{Content, Record, is_distinctive};
use contract::{
    model::{ReviewId, WithheldReason},
    problem::{Place, Report, unknown_help},
    text::fold,
};

/// Every id in a hand-written file must be somebody's.
pub(super) fn references(content: &Content, report: &Report) {
    let reviews: HashSet<ReviewId> = content.reviews.iter().map(|review| review.id).collect();
    let technicians: Vec<&str> = content.technicians.iter().map(|t| &*t.entity.id).collect();
    let services: Vec<&str> = content.services.iter().map(|service| &*service.id).collect();
    let areas: Vec<&str> = content.service_areas.iter().map(|area| &*area.id).collect();
    let forgotten: HashSet<ReviewId> = content.tombstones.iter().map(|t| t.id).collect();
    tombstones(content, &reviews, report);
    for (id, correction) in &content.overrides {
        if forgotten.contains(id) {
            let message = format!("the review {id} was removed");
            let help = "remove the table";
            report.warning("removed-review", correction.place.clone(), message, help);
        } else if !reviews.contains(id) {
            let message = format!("there is no review {id}");
            report.error(
                "unknown-id",
                correction.place.clone(),
                message,
                "copy the id from content/reviews, or remove the table",
            );
        }
        let Some(lists) = &correction.mentions else { continue };
        for (what, ids, known) in [
            ("technician", &lists.technicians, &technicians),
            ("service", &lists.services, &services),
            ("service area", &lists.service_areas, &areas),
        ] {
            for unknown in ids.iter().flatten().filter(|id| !known.contains(&id.as_str())) {
                let message = format!("there is no {what} {unknown:?}");
                report.error(
                    "unknown-id",
                    correction.place.clone(),
                    message,
                    unknown_help(unknown, known.iter().copied()),
                );
            }
        }
    }
    for (entry, id) in content.faq.iter().flat_map(|e| e.review_ids.iter().map(move |id| (e, id))) {
        if !reviews.contains(id) {
            let message = format!("faq {:?}: there is no review {id}", entry.id);
            report.error(
                "unknown-id",
                entry.place.clone(),
                message,
                "copy the id from content/reviews",
            );
        }
    }
}

/// What was removed must not stand in the reviews.
fn tombstones(content: &Content, reviews: &HashSet<ReviewId>, report: &Report) {
    for tombstone in content.tombstones.iter().filter(|t| reviews.contains(&t.id)) {
        let message =
            format!("the review {} was removed, and is among the reviews again", tombstone.id);
        let help = format!(
            "remove it for good with: candor forget {}, or remove this line to keep it",
            tombstone.id
        );
        report.error("removed-review", tombstone.place.clone(), message, help);
    }
}

/// Reports reviews that are published twice under different ids: the same long text and stars by the
/// same author at one source. Imports do not join them, because the source gave them two ids.
pub(super) fn duplicates(kept: &[Record], report: &Report) {
    let mut pairs = Vec::new();
    let mut keyed: Vec<(u64, &Record)> =
        kept.iter().filter_map(|record| Some((text_key(record)?, record))).collect();
    keyed.sort_unstable_by_key(|(key, record)| (*key, stays_first(record)));
    for alike in keyed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        for (at, (_, second)) in alike.iter().enumerate() {
            let first = alike[..at].iter().find(|(_, first)| is_same(first, second));
            pairs.extend(first.map(|(_, first)| (*first, *second)));
        }
    }
    pairs.sort_unstable_by_key(|(_, second)| Reverse((second.date, second.id)));
    for (first, second) in pairs {
        let message = format!(
            "{} and {} have the same author, stars and text, and both are from {}",
            first.id, second.id, first.source.0
        );
        let help = format!(
            "if they are one review, withhold the second in overrides.toml: [{}] hidden = \"duplicate\"",
            second.id
        );
        report.warning("same-review", second.origin.place(), message, help);
    }
}

/// A hash of a long text.
fn text_key(record: &Record) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    text(record).filter(|text| is_distinctive(text))?.hash(&mut hasher);
    Some(hasher.finish())
}

fn text(record: &Record) -> Option<&str> {
    record.text.as_ref()?.0.as_deref()
}

/// The review that imports still have stays published, then the one that was stored first.
fn stays_first(record: &Record) -> impl Ord + use<> {
    (record.missing_since.is_some(), record.added.unwrap_or(record.updated), record.id)
}

fn is_same(a: &Record, b: &Record) -> bool {
    a.source.0 == b.source.0
        && a.rating == b.rating
        && text(a) == text(b)
        && fold(&a.author.0) == fold(&b.author.0)
}

/// Says what is withheld and why, and warns where the choice looks like one by stars.
pub(super) fn withheld(moderation: &Moderation, published: usize, place: &Place, report: &Report) {
    if let Some(count) = moderation.by_reason.get(&WithheldReason::Unverified) {
        let message = format!(
            "withheld as unverified: {count} of {} reviews",
            published + moderation.withheld_count
        );
        let help = "cover their source in business.toml: [verification] sources = [\"…\"], if your method does cover it";
        report.warning("unverified", place.clone(), message, help);
    }
    let low: usize =
        moderation.by_rating.iter().filter(|(rating, _)| rating.stars() <= 2).map(|(_, n)| n).sum();
    if low * 2 > moderation.withheld_count && moderation.withheld_count >= 5 {
        let message = format!(
            "{low} of {} withheld reviews have one or two stars",
            moderation.withheld_count
        );
        report.warning(
            "withheld-low",
            place.clone(),
            message,
            "make sure that no review is withheld for its rating: that is unlawful in many places",
        );
    }
}
