//! Replaying entries, and the entries that are missing.

use std::collections::BTreeMap;

use contract::model::{Rating, ReviewId, WithheldReason};
use jiff::Timestamp;
use proptest::prelude::*;
use review_log::{Commitment, Entry, Event, History, Set, Standing, pending};

type Current = BTreeMap<ReviewId, Standing>;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_777_000_000 + second).unwrap()
}

fn id(n: u8) -> ReviewId {
    ReviewId::from_bytes([n; 16])
}

fn published(record: u8, reply: Option<u8>) -> Standing {
    let commitment = |n| Commitment::from_bytes([n; 32]);
    Standing::Published { record: commitment(record), reply: reply.map(commitment) }
}

fn withheld(reason: WithheldReason, stars: u8) -> Standing {
    Standing::Withheld { reason, rating: Rating::try_from(stars).unwrap() }
}

/// All published reviews have five stars.
fn stars(current: &Current) -> [u64; 5] {
    let published = current.values().filter(|s| matches!(s, Standing::Published { .. })).count();
    [0, 0, 0, 0, published as u64]
}

/// Logs the content, and gives the words of the events.
fn log(history: &mut History, current: &Current, second: i64) -> Vec<&'static str> {
    let entries = pending(history, current, stars(current), at(second));
    for entry in &entries {
        history.add(entry).unwrap();
    }
    entries.iter().map(|entry| entry.event.word()).collect()
}

#[test]
fn a_review_that_was_withheld_first_is_logged_with_its_content_when_it_is_published() {
    let (mut history, mut current) = (History::default(), Current::new());
    current.insert(id(1), withheld(WithheldReason::OffTopic, 2));
    log(&mut history, &current, 1);
    assert_eq!(history.review(id(1)).unwrap().published, None);
    for (second, standing) in [(2, published(1, None)), (3, published(2, None))] {
        current.insert(id(1), standing);
        log(&mut history, &current, second);
    }
    let logged = history.review(id(1)).unwrap();
    assert_eq!((logged.since, logged.published), (at(1), Some(at(2))));
}

#[test]
fn each_step_of_a_review_is_one_event() {
    let (mut history, mut current) = (History::default(), Current::new());
    assert_eq!(log(&mut history, &current, 0), ["set"]);
    let forgotten = Standing::Forgotten { reason: WithheldReason::PersonalData };
    for (second, (now, words)) in [
        (Some(published(1, None)), vec!["published", "set"]),
        (Some(published(1, None)), vec![]),
        (Some(published(1, Some(9))), vec!["reply_changed", "set"]),
        (Some(published(1, None)), vec!["reply_changed", "set"]),
        (Some(published(2, Some(9))), vec!["changed", "set"]),
        (Some(withheld(WithheldReason::OffTopic, 2)), vec!["withheld", "set"]),
        (Some(withheld(WithheldReason::OffTopic, 3)), vec!["withheld"]),
        (Some(withheld(WithheldReason::Unlawful, 3)), vec!["withheld", "set"]),
        (Some(published(2, Some(9))), vec!["restored", "set"]),
        (None, vec!["removed", "set"]),
        (None, vec![]),
        (Some(published(2, Some(9))), vec!["restored", "set"]),
        (Some(forgotten), vec!["forgotten", "set"]),
        (None, vec![]),
        (Some(published(3, None)), vec!["restored", "set"]),
    ]
    .into_iter()
    .enumerate()
    {
        current.remove(&id(1));
        current.extend(now.map(|standing| (id(1), standing)));
        assert_eq!(log(&mut history, &current, second as i64 + 1), words, "step {second}");
    }
    let logged = history.review(id(1)).unwrap();
    assert_eq!((logged.first, logged.since, logged.published), (1, at(1), Some(at(1))));
    assert_eq!((logged.last, logged.changed), (history.size() - 2, at(15)));
    assert_eq!(history.events()["set"], 12);
    assert_eq!(history.last_set(), Some(&Set::of(&current, stars(&current))));
    assert_eq!(history.last_set_at(), Some((history.size() - 1, at(15))));
    assert_eq!((history.since(), history.last_at()), (Some(at(0)), Some(at(15))));
}

#[test]
fn what_was_never_public_needs_no_entry() {
    let current = Current::from([
        (id(1), Standing::Removed),
        (id(2), Standing::Forgotten { reason: WithheldReason::AuthorRequest }),
    ]);
    assert_eq!(log(&mut History::default(), &current, 0), ["set"]);
}

#[test]
fn entries_are_sorted_by_id_and_the_set_is_last() {
    let current = Current::from([3, 1, 2].map(|n| (id(n), published(n, None))));
    let entries = pending(&History::default(), &current, stars(&current), at(0));
    let reviews: Vec<_> = entries.iter().map(|entry| entry.event.review()).collect();
    assert_eq!(reviews, [Some(id(1)), Some(id(2)), Some(id(3)), None]);
}

#[test]
fn a_clock_that_was_set_back_does_not_make_times_decrease() {
    let mut history = History::default();
    log(&mut history, &Current::new(), 100);
    let current = Current::from([(id(1), published(1, None))]);
    let entries = pending(&history, &current, stars(&current), at(7));
    assert!(entries.iter().all(|entry| entry.at == at(100)), "{entries:?}");
}

#[test]
fn contradictions_are_named_with_their_leaf() {
    let review = id(1);
    let (record, other) = (Commitment::from_bytes([1; 32]), Commitment::from_bytes([2; 32]));
    let (reason, rating) = (WithheldReason::OffTopic, Rating::try_from(1).unwrap());
    let publish = Event::Published { review, record, reply: None };
    let withhold = Event::Withheld { review, reason, rating };
    let remove = Event::Removed { review };
    let forget = Event::Forgotten { review, reason };
    let restore = Event::Restored { review, record, reply: None };
    let set = |reviews, by_rating, withheld: &[_]| {
        let withheld = withheld.iter().copied().collect();
        Event::Set(Set { reviews, by_rating, withheld, digest: record })
    };
    for (events, message) in [
        (vec![publish.clone(), publish.clone()], "was published for the first time|was published"),
        (vec![withhold.clone(), publish.clone()], "was published for the first time|was withheld"),
        (vec![Event::Changed { review, record, reply: None }], "was changed|was not in the log"),
        (
            vec![publish.clone(), Event::Changed { review, record, reply: Some(other) }],
            "was changed|already had this content",
        ),
        (
            vec![publish.clone(), Event::ReplyChanged { review, record, reply: None }],
            "got another answer|already had this answer",
        ),
        (
            vec![publish.clone(), Event::ReplyChanged { review, record: other, reply: None }],
            "got another answer|had other content",
        ),
        (vec![withhold.clone(), withhold.clone()], "was withheld|was withheld"),
        (vec![restore.clone()], "was published again|was not in the log"),
        (vec![publish.clone(), restore], "was published again|was published"),
        (vec![remove.clone()], "was taken out|was not in the log"),
        (vec![publish.clone(), remove.clone(), remove.clone()], "was taken out|was taken out"),
        (vec![forget.clone()], "was forgotten|was not in the log"),
        (vec![publish.clone(), forget, remove], "was taken out|was forgotten"),
        (vec![publish.clone(), set(2, [2, 0, 0, 0, 0], &[])], "counts 2 for published reviews|1"),
        (
            vec![publish.clone(), set(1, [1, 0, 0, 1, 0], &[])],
            "counts 2 for published reviews by their stars|1",
        ),
        (vec![withhold, set(0, [0; 5], &[])], "counts 0 for reviews withheld as off_topic|1"),
        (
            vec![publish, set(1, [1, 0, 0, 0, 0], &[(reason, 3)])],
            "counts 3 for reviews withheld as off_topic|0",
        ),
    ] {
        let leaves = events.iter().map(|event| Entry { at: at(0), event: event.clone() }.to_leaf());
        let error = History::from_leaves(leaves).unwrap_err();
        let last = events.len() - 1;
        let (event, before) = message.split_once('|').unwrap();
        let expected = if event.starts_with("counts") {
            format!("entry {last} of the log {event}; the entries before it give {before}")
        } else {
            format!(
                "entry {last} of the log says that review {review} {event}, but by the entries before \
                 it the review {before}"
            )
        };
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.leaf, last as u64);
    }
}

#[test]
fn times_do_not_decrease() {
    let entry = |n, second| {
        let event = Event::Published {
            review: id(n),
            record: Commitment::from_bytes([n; 32]),
            reply: None,
        };
        Entry { at: at(second), event }.to_leaf()
    };
    assert!(History::from_leaves([entry(1, 5), entry(2, 5)]).is_ok());
    let error = History::from_leaves([entry(1, 5), entry(2, 4)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "entry 1 of the log has the time 2026-04-24T03:06:44Z, which is earlier than \
         2026-04-24T03:06:45Z of the entry before it"
    );
}

fn any_standing() -> impl Strategy<Value = Standing> {
    let reason = prop_oneof![Just(WithheldReason::OffTopic), Just(WithheldReason::Unverified)];
    prop_oneof![
        4 => (0..3_u8, proptest::option::of(0..2_u8)).prop_map(|(record, reply)| published(record, reply)),
        2 => (reason.clone(), 1..=5_u8).prop_map(|(reason, stars)| withheld(reason, stars)),
        1 => Just(Standing::Removed),
        1 => reason.prop_map(|reason| Standing::Forgotten { reason }),
    ]
}

/// What the log says of a review after the content was logged.
fn expected(before: Option<Standing>, now: Option<Standing>) -> Option<Standing> {
    let gone = matches!(now, None | Some(Standing::Removed));
    match (before, now) {
        (None, None | Some(Standing::Removed | Standing::Forgotten { .. })) => None,
        (Some(Standing::Forgotten { .. }), _) if gone => before,
        (Some(_), None) => Some(Standing::Removed),
        _ => now,
    }
}

proptest! {
    #[test]
    fn what_is_pending_leads_exactly_to_the_content_and_then_nothing_is(
        contents in proptest::collection::vec(
            proptest::collection::btree_map((0..6_u8).prop_map(id), any_standing(), 0..6), 1..8),
    ) {
        let mut history = History::default();
        let mut leaves = Vec::new();
        for (second, current) in contents.iter().enumerate() {
            let before = history.clone();
            let entries = pending(&history, current, stars(current), at(second as i64));
            for entry in &entries {
                history.add(entry).unwrap();
                leaves.push(entry.to_leaf());
            }
            for n in 0..6 {
                let standing = |history: &History| history.review(id(n)).map(|logged| logged.standing);
                let expected = expected(standing(&before), current.get(&id(n)).copied());
                prop_assert_eq!(standing(&history), expected);
            }
            let set = Set::of(current, stars(current));
            prop_assert_eq!(history.last_set(), Some(&set));
            prop_assert_eq!(history.current_set(stars(current)), set);
            prop_assert_eq!(pending(&history, current, stars(current), at(99)), vec![]);
        }
        let replayed = History::from_leaves(&leaves).unwrap();
        prop_assert!(replayed.reviews().eq(history.reviews()));
        prop_assert_eq!(replayed.size(), leaves.len() as u64);
    }
}
