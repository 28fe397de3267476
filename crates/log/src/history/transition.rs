//! The events that can follow each state of a review.

use contract::model::ReviewId;

use crate::{
    entry::Event,
    standing::Standing::{self, Forgotten, Published, Removed, Withheld},
};

/// Returns the state of a review after an event; `None` if the event cannot follow.
pub(super) fn next(event: &Event, before: Option<Standing>) -> Option<Standing> {
    let (allowed, next) = match *event {
        Event::Published { record, reply, .. } => (before.is_none(), Published { record, reply }),
        Event::Changed { record, reply, .. } => {
            (published_record(before).is_some_and(|old| old != record), Published { record, reply })
        }
        Event::ReplyChanged { record, reply, .. } => {
            (published_record(before) == Some(record), Published { record, reply })
        }
        Event::Restored { record, reply, .. } => {
            let gone = matches!(before, Some(Withheld { .. } | Removed | Forgotten { .. }));
            (gone, Published { record, reply })
        }
        Event::Withheld { reason, rating, .. } => (true, Withheld { reason, rating }),
        Event::Removed { .. } => {
            (matches!(before, Some(Published { .. } | Withheld { .. })), Removed)
        }
        Event::Forgotten { reason, .. } => (before.is_some(), Forgotten { reason }),
        Event::Set(_) => return None,
    };
    (allowed && before != Some(next)).then_some(next)
}

fn published_record(standing: Option<Standing>) -> Option<crate::commitment::Commitment> {
    match standing {
        Some(Published { record, .. }) => Some(record),
        _ => None,
    }
}

/// Explains why the event cannot follow.
pub(super) fn contradiction(review: ReviewId, event: &Event, before: Option<Standing>) -> String {
    let before = match (event, before) {
        (_, None) => "was not in the log",
        (Event::Changed { .. }, Some(Published { .. })) => "already had this content",
        (Event::ReplyChanged { record, .. }, Some(Published { record: old, .. })) => {
            if *record == old { "already had this answer" } else { "had other content" }
        }
        (_, Some(Published { .. })) => "was published",
        (_, Some(Withheld { .. })) => "was withheld",
        (_, Some(Removed)) => "was taken out",
        (_, Some(Forgotten { .. })) => "was forgotten",
    };
    let event = in_words(event);
    format!("says that review {review} {event}, but by the entries before it the review {before}")
}

fn in_words(event: &Event) -> &'static str {
    match event {
        Event::Published { .. } => "was published for the first time",
        Event::Changed { .. } => "was changed",
        Event::ReplyChanged { .. } => "got another answer",
        Event::Withheld { .. } => "was withheld",
        Event::Restored { .. } => "was published again",
        Event::Removed { .. } => "was taken out",
        Event::Forgotten { .. } => "was forgotten",
        Event::Set(_) => "was counted",
    }
}
