//! The entries that are missing up to the current content.

use std::collections::{BTreeMap, BTreeSet};

use contract::model::ReviewId;
use jiff::Timestamp;

use crate::{
    entry::{Entry, Event},
    history::History,
    set::Set,
    standing::Standing,
};

/// The entries that lead from the log to the current content: one for each review that differs,
/// sorted by id, then the set if it differs from the last one. `by_rating` counts the published
/// reviews by stars.
///
/// A review of the log that is not in `current` was removed. A review that the log does not mention
/// and that is removed or forgotten has no entry. A forgotten review stays forgotten unless it is
/// published or withheld again.
///
/// The time is `at`, or that of the last entry if the clock was set back.
#[must_use]
pub fn pending(
    history: &History,
    current: &BTreeMap<ReviewId, Standing>,
    by_rating: [u64; 5],
    at: Timestamp,
) -> Vec<Entry> {
    let at = history.last_at().map_or(at, |last| last.max(at));
    let ids: BTreeSet<&ReviewId> =
        history.reviews().map(|(id, _)| id).chain(current.keys()).collect();
    let events = ids.into_iter().filter_map(|id| {
        let before = history.review(*id).map(|logged| logged.standing);
        event(*id, before, current.get(id).copied().unwrap_or(Standing::Removed))
    });
    let set = Set::of(current, by_rating);
    let set = (history.last_set() != Some(&set)).then_some(Event::Set(set));
    events.chain(set).map(|event| Entry { at, event }).collect()
}

/// The event that leads from one standing to another, if they differ.
fn event(review: ReviewId, before: Option<Standing>, now: Standing) -> Option<Event> {
    use Standing::{Forgotten, Published, Removed, Withheld};
    if before == Some(now) {
        return None;
    }
    Some(match (before, now) {
        (None, Removed | Forgotten { .. }) | (Some(Forgotten { .. }), Removed) => return None,
        (None, Published { record, reply }) => Event::Published { review, record, reply },
        (Some(Published { record: old, .. }), Published { record, reply }) if old == record => {
            Event::ReplyChanged { review, record, reply }
        }
        (Some(Published { .. }), Published { record, reply }) => {
            Event::Changed { review, record, reply }
        }
        (Some(_), Published { record, reply }) => Event::Restored { review, record, reply },
        (_, Withheld { reason, rating }) => Event::Withheld { review, reason, rating },
        (Some(_), Removed) => Event::Removed { review },
        (Some(_), Forgotten { reason }) => Event::Forgotten { review, reason },
    })
}
