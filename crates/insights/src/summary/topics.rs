//! Topics: the owner's, and frequent phrases that no aspect covers.

use std::{collections::BTreeSet, sync::Arc};

use crate::{names::KnownNames, summary::phrasing::Phrasing};
use contract::text::fold;

/// The maximum number of topics found in the texts.
const MOST: usize = 8;
/// The minimum number of reviews with a phrase that is a topic.
const MIN_REVIEWS: u32 = 3;
/// The minimum share of such reviews: one in this many.
const ONE_IN: u32 = 100;

/// A topic before its reviews are counted.
#[derive(Debug)]
pub(crate) struct Topic {
    pub(crate) id: Arc<str>,
    pub(crate) label: Arc<str>,
    /// The stems of a phrase that was found. Empty for the owner's topics, which are found as
    /// names.
    stems: Vec<u32>,
}

impl Topic {
    /// Whether the phrases of a text contain the topic's phrase.
    pub(crate) fn is_in(&self, runs: &[Vec<u32>]) -> bool {
        !self.stems.is_empty()
            && runs.iter().any(|run| run.windows(self.stems.len()).any(|part| part == self.stems))
    }

    /// Whether the topic was found in the texts.
    pub(crate) fn is_found(&self) -> bool {
        !self.stems.is_empty()
    }
}

/// The owner's topics, then the frequent phrases that neither an aspect nor a name covers.
pub(crate) fn topics(known: &KnownNames<'_>, phrasing: &Phrasing) -> Vec<Topic> {
    let owners = known.topics.iter().map(|topic| Topic {
        id: topic.id.clone(),
        label: topic.name.clone(),
        stems: Vec::new(),
    });
    let mut found: Vec<Topic> = owners.collect();
    let taken = names(known);
    let at_least = MIN_REVIEWS.max(phrasing.all.reviews.div_ceil(ONE_IN));
    let mut count = 0;
    for (text, stems, frequency) in phrasing.all.common(at_least, &phrasing.book) {
        let is_topic = (2..=3).contains(&stems.len())
            && phrasing.covered.of(&stems) * 2 < frequency
            && !taken.iter().any(|name| name.contains(&text) || text.contains(name.as_str()));
        let overlaps = |topic: &Topic| topic.stems.iter().any(|stem| stems.contains(stem));
        if !is_topic || found.iter().any(overlaps) || count == MOST {
            continue;
        }
        let id: String =
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        if found.iter().all(|topic| *topic.id != *id) {
            count += 1;
            found.push(Topic { id: id.into(), label: text.into(), stems });
        }
    }
    found
}

/// All names of entities.
fn names(known: &KnownNames<'_>) -> BTreeSet<String> {
    let technicians = known.technicians.iter().map(|technician| &technician.entity);
    let others = [known.services, known.service_areas, known.problems, known.topics];
    technicians
        .chain(others.into_iter().flatten())
        .flat_map(|entity| entity.aliases.iter().map(String::as_str).chain([&*entity.name]))
        .map(|name| fold(name.trim()))
        .collect()
}
