//! Technicians, services, problems, areas and topics. Their opinions are those of the reviews that
//! mention them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use crate::{
    config::Entity,
    opinion::Sentiment,
    summary::{
        Input,
        document::{EntityKind, EntitySummary, ReviewInsight, TopicSummary},
        phrasing::Phrasing,
        tally::Tally,
    },
    threads::{in_parts, threads},
};
use contract::model::{Mentions, Review, ReviewId};

/// The maximum number of example reviews of an entity.
const MAX_EXAMPLES: usize = 3;

/// A review with its result.
type Pair<'a> = (&'a Review, &'a ReviewInsight);

/// Every listed entity, in the order of its file.
pub(crate) fn entities(
    input: &Input<'_>,
    insights: &[ReviewInsight],
    phrasing: &Phrasing,
) -> BTreeMap<EntityKind, Vec<EntitySummary>> {
    let business = input.business;
    let technicians = business.technicians.iter().map(|t| (&t.id, &t.name)).collect();
    let services = business.services.iter().map(|s| (&s.id, &s.label)).collect();
    let areas = business.service_areas.iter().map(|a| (&a.id, &a.name)).collect();
    let problems =
        input.known.problems.iter().map(|problem| (&problem.id, &problem.name)).collect();
    let all = |listed: Vec<(&Arc<str>, &Arc<str>)>, named: fn(&Mentions) -> &Vec<Arc<str>>| {
        summaries(&listed, input.reviews, insights, phrasing, named)
    };
    let mut people = all(technicians, |m| &m.technician_ids);
    for (summary, technician) in people.iter_mut().zip(&business.technicians) {
        summary.active_until = technician.active_until;
        summary.is_scored = technician.is_scored;
    }
    BTreeMap::from([
        (EntityKind::Technician, people),
        (EntityKind::Service, all(services, |m| &m.services)),
        (EntityKind::Problem, all(problems, |m| &m.problems)),
        (EntityKind::ServiceArea, all(areas, |m| &m.service_areas)),
    ])
}

fn summaries(
    listed: &[(&Arc<str>, &Arc<str>)],
    reviews: &[Review],
    insights: &[ReviewInsight],
    phrasing: &Phrasing,
    named: fn(&Mentions) -> &Vec<Arc<str>>,
) -> Vec<EntitySummary> {
    let mut by_id: BTreeMap<&str, Vec<Pair<'_>>> = BTreeMap::new();
    for (review, insight) in reviews.iter().zip(insights) {
        for id in named(&review.mentions) {
            by_id.entry(id).or_default().push((review, insight));
        }
    }
    let summary = |(id, name): &(&Arc<str>, &Arc<str>)| {
        let naming = by_id.get(&***id).map_or(&[][..], Vec::as_slice);
        let ids: HashSet<ReviewId> = naming.iter().map(|(review, _)| review.id).collect();
        EntitySummary {
            id: (*id).clone(),
            name: (*name).clone(),
            tally: tally(naming),
            top_phrases: phrasing.of_reviews(|id| ids.contains(&id)),
            example_review_ids: examples(naming),
            active_until: None,
            is_scored: true,
        }
    };
    let parts = in_parts(listed, threads(reviews.len()), |_, part| {
        part.iter().map(summary).collect::<Vec<_>>()
    });
    parts.into_iter().flatten().collect()
}

/// The owner's topics with the counts of their reviews.
pub(crate) fn topic_summaries(input: &Input<'_>, insights: &[ReviewInsight]) -> Vec<TopicSummary> {
    let summary = |(at, topic): (usize, &Entity)| {
        let pairs = input.reviews.iter().zip(insights);
        let mentioning: Vec<Pair<'_>> =
            pairs.filter(|(_, insight)| insight.topics.contains(&(at as u16))).collect();
        TopicSummary {
            id: topic.id.clone(),
            label: topic.name.clone(),
            tally: tally(&mentioning),
            example_review_ids: examples(&mentioning),
        }
    };
    input.known.topics.iter().enumerate().map(summary).collect()
}

fn tally(naming: &[Pair<'_>]) -> Tally {
    let mut tally = Tally::default();
    for (review, insight) in naming {
        tally.add(insight.sentiment, insight.score, review.rating);
    }
    tally
}

/// The newest reviews, including a negative one if there is any.
fn examples(naming: &[Pair<'_>]) -> Vec<ReviewId> {
    let mut ids: Vec<ReviewId> =
        naming.iter().take(MAX_EXAMPLES).map(|(review, _)| review.id).collect();
    let negative = naming.iter().find(|(_, insight)| insight.sentiment == Sentiment::Negative);
    if let Some((review, _)) = negative.filter(|(review, _)| !ids.contains(&review.id)) {
        ids.truncate(MAX_EXAMPLES - 1);
        ids.push(review.id);
    }
    ids
}
