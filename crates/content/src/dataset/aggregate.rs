//! The averages of each source.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::import_log::ImportLine;
use contract::{
    model::{Aggregate, Ratio, Review, Source, Verification},
    problem::{Place, Report},
};

/// A platform the reviews come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceSummary {
    /// The platform.
    pub source: String,
    /// Published reviews from it.
    pub review_count: u64,
    /// Their mean, two decimals.
    pub average: Option<Ratio>,
    /// How many reviews the platform says it has.
    pub claimed_total: Option<u64>,
    /// The average that the platform shows.
    pub claimed_average: Option<f64>,
    /// Whether all of them are here; `null` when it is not known.
    pub complete: Option<bool>,
    /// The business's profile there.
    pub profile_url: Option<String>,
    /// Where a customer writes a review, if not at the profile.
    #[serde(skip)]
    pub review_url: Option<String>,
    /// When reviews were last imported from it.
    pub last_import: Option<jiff::Timestamp>,
    /// How its reviews are verified; `null` when no method is stated, and none is published.
    pub verification: Option<SourceVerification>,
}

impl SourceSummary {
    /// Whether the source has reviews that are not here.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        // Who states less than is here does not know what the source has now.
        let is_old = self.claimed_total.is_some_and(|total| total < self.review_count);
        let is_complete = self.complete.unwrap_or(self.claimed_above().is_none());
        self.review_count > 0 && !is_old && !is_complete
    }

    /// Returns the number of reviews that the source states, if it is more than are here: a lower number is old.
    #[must_use]
    pub fn claimed_above(&self) -> Option<u64> {
        self.claimed_total.filter(|total| *total > self.review_count)
    }

    /// Returns the address at which a customer writes a review.
    #[must_use]
    pub fn write_url(&self) -> Option<&str> {
        self.review_url.as_deref().or(self.profile_url.as_deref())
    }
}

/// How the reviews of one source are verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceVerification {
    /// In a phrase.
    pub method: String,
    /// In sentences.
    pub description: Option<String>,
}

/// Compares what sources are said to have with what is here. A lower number than that of published reviews is old, or of
/// another business; with a higher one than that of the `stored` ones the source is not complete.
pub(super) fn check_claims(
    (described, places): (&[Source], &BTreeMap<String, Place>),
    all: &[SourceSummary],
    stored: &BTreeMap<String, u64>,
    report: &Report,
) {
    for Source { id, claimed_total, complete, .. } in described {
        let (Some(total), Some(place)) = (claimed_total, places.get(id)) else { continue };
        let here = all.iter().find(|it| it.source == *id).map_or(0, |it| it.review_count);
        let stored = stored.get(id).copied().unwrap_or_default();
        let message =
            |here| format!("source {id:?}: claimed_total is {total}, and {here} reviews are here");
        if *total < here {
            let help = "write the number that the platform shows now";
            report.warning("invalid-value", place.clone(), message(here), help);
        } else if *complete == Some(true) && has_less(*total, stored) {
            let message = format!("{}, so it is published as not complete", message(stored));
            let help = "write complete = false, or the number that the platform shows now";
            report.warning("invalid-value", place.clone(), message, help);
        }
    }
}

/// Whether a source has more reviews than are stored. One without any is not shown.
fn has_less(total: u64, stored: u64) -> bool {
    (1..total).contains(&stored)
}

/// Returns every source that has reviews or is described, by name; `stored` has the number of all its reviews. The owner's
/// description of a source counts before the data of the last import.
pub(super) fn by_source(
    reviews: &[Review],
    stored: &BTreeMap<String, u64>,
    described: &[Source],
    imports: &[ImportLine],
    methods: &BTreeMap<String, Verification>,
) -> Vec<SourceSummary> {
    let mut ratings: BTreeMap<&str, Aggregate> = BTreeMap::new();
    for source in described {
        ratings.entry(&source.id).or_default();
    }
    for review in reviews {
        ratings.entry(&review.source).or_default().add(review.rating);
    }
    let summary = |(name, aggregate): (&str, Aggregate)| {
        let described = described.iter().find(|source| source.id == name);
        let imported = imports.iter().rev().find_map(|line| {
            let source = line.sources.iter().find(|source| source.source == name)?;
            Some((line.at, source))
        });
        SourceSummary {
            source: name.to_owned(),
            review_count: aggregate.count(),
            average: aggregate.average(),
            claimed_total: described
                .and_then(|source| source.claimed_total)
                .or(imported.and_then(|(_, source)| source.claimed_total)),
            claimed_average: described
                .and_then(|source| source.claimed_average)
                .or(imported.and_then(|(_, source)| source.claimed_average)),
            complete: described
                .and_then(|source| {
                    let stored = stored.get(name).copied().unwrap_or_default();
                    let less = |total| has_less(total, stored);
                    Some(source.complete? && !source.claimed_total.is_some_and(less))
                })
                .or(imported.and_then(|(_, source)| source.complete)),
            profile_url: described.and_then(|source| source.profile_url.clone()),
            review_url: described.and_then(|source| source.review_url.clone()),
            last_import: imported.map(|(at, _)| at),
            verification: methods.get(name).map(|verification| SourceVerification {
                method: verification.method.clone(),
                description: verification.description.clone(),
            }),
        }
    };
    ratings.into_iter().map(summary).collect()
}
