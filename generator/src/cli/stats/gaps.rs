//! The gaps of a site: texts, names and replies that are not covered.

use contract::{model::Ratio, model::Review};
use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use super::percent;
use content::dataset::Dataset;
use insights::{Basis, Coverage, EntityKind};

/// Names listed where many have no review.
const LISTED: usize = 10;
/// The most stars of a review to which the owner should reply.
const LOW: u8 = 2;

/// The gaps that an owner may want to close.
#[derive(Debug, Serialize)]
pub(super) struct Gaps {
    coverage: Coverage,
    /// Texts that were read.
    texts: u64,
    texts_without_aspect: usize,
    replies: Replies,
    replies_to_low: Replies,
    /// Names no review says, by kind.
    unnamed: BTreeMap<&'static str, Vec<Arc<str>>>,
}

#[derive(Debug, Serialize)]
struct Replies {
    review_count: u64,
    replied_count: u64,
    unanswered_count: u64,
    replied_pct: Option<Ratio>,
}

impl Gaps {
    pub(super) fn of(data: &Dataset) -> Self {
        let insights = &data.insights;
        let silent = insights
            .per_review
            .iter()
            .filter(|insight| insight.basis != Basis::Rating && insight.aspects.is_empty());
        let low = data.reviews.iter().filter(|review| review.rating.stars() <= LOW);
        let kinds = [
            (EntityKind::Technician, "technicians"),
            (EntityKind::Service, "services"),
            (EntityKind::ServiceArea, "service_areas"),
        ];
        let unnamed = kinds.map(|(kind, what)| {
            let listed = insights.entities.get(&kind).map_or(&[][..], Vec::as_slice);
            let unnamed = listed.iter().filter(|it| it.is_scored && it.tally.count() == 0);
            (what, unnamed.map(|entity| entity.name.clone()).collect())
        });
        Self {
            coverage: insights.coverage,
            texts: insights.coverage.text + insights.coverage.annotated,
            texts_without_aspect: silent.count(),
            replies: Replies::to(data.reviews.iter()),
            replies_to_low: Replies::to(low),
            unnamed: BTreeMap::from(unnamed),
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let Coverage { text, rating_only, other_language, annotated } = self.coverage;
        let mut lines = vec![
            format!(
                "judged by words {text}, by annotation {annotated}, by stars alone {rating_only} without words and {other_language} in other languages"
            ),
            format!("no aspect found in {} of {} texts", self.texts_without_aspect, self.texts),
            format!(
                "replied to {}; of one and two stars to {}",
                self.replies.said(),
                self.replies_to_low.said()
            ),
        ];
        for (what, names) in self.unnamed.iter().filter(|(_, names)| !names.is_empty()) {
            let shown = &names[..names.len().min(LISTED)];
            let more = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let what = what.replace('_', " ");
            lines.push(format!("{what} no review names: {}{more}", shown.join(", ")));
        }
        lines
    }
}

impl Replies {
    fn to<'r>(reviews: impl Iterator<Item = &'r Review>) -> Self {
        let (mut review_count, mut replied_count) = (0, 0);
        for review in reviews {
            review_count += 1;
            replied_count += u64::from(review.owner_reply.is_some());
        }
        let replied_pct = Ratio::of(replied_count as i64 * 100, review_count, 1);
        let unanswered_count = review_count - replied_count;
        Self { review_count, replied_count, unanswered_count, replied_pct }
    }

    /// `3 of 12 (25.0 %)`
    fn said(&self) -> String {
        format!("{} of {} ({})", self.replied_count, self.review_count, percent(self.replied_pct))
    }
}
