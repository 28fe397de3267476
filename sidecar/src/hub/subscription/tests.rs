//! The contract's table row by row, and the properties after any events in any order.

use proptest::prelude::*;

use super::*;

const NOW: i64 = 1_800_000_000_000;
const LEASE: i64 = 864_000;

fn rules(now: i64) -> SubscriptionRules {
    SubscriptionRules { now, delays: RetryDelays::default(), chance: 0.0 }
}

fn pending(ticket: i64, mode: SubscriptionMode) -> Pending {
    Pending {
        ticket,
        mode,
        topic_url: "https://x.example/feed.xml".into(),
        callback: "https://s.example/cb".into(),
        secret: Some(Sealed(vec![u8::try_from(ticket & 0x7f).unwrap()])),
        lease: LEASE,
        attempts: 0,
        due_at: NOW,
        network: String::new(),
        seen: 0,
    }
}

fn active() -> Pair {
    let mut pair = Pair::default();
    step(&mut pair, Event::Requested(pending(1, SubscriptionMode::Subscribe)), &rules(NOW));
    let result = VerificationResult::Confirmed { requested_at: NOW };
    step(&mut pair, Event::Verified { ticket: 1, result }, &rules(NOW));
    pair
}

fn failed() -> Event {
    Event::Posted(PostResult::Failed { retry_after: None })
}

fn verified(ticket: i64, result: VerificationResult) -> Event {
    Event::Verified { ticket, result }
}

const YES: VerificationResult = VerificationResult::Confirmed { requested_at: NOW };

/// Tests one row: from this state, by this event, to that effect and state.
fn row(mut pair: Pair, event: Event, effect: Effect, after: &str) -> Pair {
    let label = format!("{event:?}");
    assert_eq!(step(&mut pair, event, &rules(NOW)), effect, "{label}");
    let granted = pair.grant.as_ref().map_or("none", |_| "active");
    let waits = if pair.pending.is_some() { " + pending" } else { "" };
    assert_eq!(format!("{granted}{waits}"), after, "{label}");
    pair
}

#[test]
fn the_contracts_table() {
    let requested = |ticket, mode| Event::Requested(pending(ticket, mode));
    let none = Pair::default;
    let waiting =
        row(none(), requested(1, SubscriptionMode::Subscribe), Effect::Verify, "none + pending");
    row(none(), requested(1, SubscriptionMode::Unsubscribe), Effect::Nothing, "none");
    row(waiting.clone(), verified(1, YES), Effect::Activated, "active");
    row(waiting.clone(), verified(1, VerificationResult::Refused), Effect::Rejected, "none");
    row(
        waiting.clone(),
        verified(1, VerificationResult::NoResponse),
        Effect::VerifyAgain,
        "none + pending",
    );
    row(waiting.clone(), verified(9, YES), Effect::Nothing, "none + pending");
    row(waiting, Event::Posted(PostResult::Delivered), Effect::Nothing, "none + pending");

    row(active(), Event::Posted(PostResult::Delivered), Effect::Delivered, "active");
    let due_at = NOW + 60_000;
    let once = row(active(), failed(), Effect::Retry { due_at }, "active");
    let due_at = NOW + 6 * 3_600_000;
    let twice = row(once, failed(), Effect::Retry { due_at }, "active");
    row(twice, failed(), Effect::Removed(Reason::Failures), "none");
    row(active(), Event::Posted(PostResult::Gone), Effect::Removed(Reason::Gone), "none");

    let leaving = row(
        active(),
        requested(2, SubscriptionMode::Unsubscribe),
        Effect::Verify,
        "active + pending",
    );
    row(leaving.clone(), verified(2, YES), Effect::Removed(Reason::Unsubscribed), "none");
    row(leaving, verified(2, VerificationResult::Refused), Effect::Rejected, "active");
    let renewing = row(
        active(),
        requested(2, SubscriptionMode::Subscribe),
        Effect::Verify,
        "active + pending",
    );
    row(renewing.clone(), verified(2, YES), Effect::Renewed, "active");
    row(renewing.clone(), verified(2, VerificationResult::Refused), Effect::Rejected, "active");
    let newest = row(
        renewing,
        requested(3, SubscriptionMode::Subscribe),
        Effect::Verify,
        "active + pending",
    );
    row(newest, verified(2, YES), Effect::Nothing, "active + pending");

    row(active(), Event::Expired, Effect::Nothing, "active");
    let mut ended = active();
    ended.grant.as_mut().unwrap().lease_end = NOW - millis(GRACE);
    row(ended.clone(), Event::Expired, Effect::Removed(Reason::LeaseEnded), "none");
    row(ended, requested(2, SubscriptionMode::Unsubscribe), Effect::Nothing, "active");
    row(active(), Event::RemovedByOperator, Effect::Removed(Reason::ByOperator), "none");
    row(none(), Event::RemovedByOperator, Effect::Nothing, "none");
}

#[test]
fn a_renewal_that_fails_changes_nothing_and_one_that_passes_changes_everything() {
    let mut pair = active();
    step(&mut pair, failed(), &rules(NOW));
    let before = pair.grant.clone();
    step(&mut pair, Event::Requested(pending(2, SubscriptionMode::Subscribe)), &rules(NOW));
    let mut refused = pair.clone();
    step(&mut refused, verified(2, VerificationResult::Refused), &rules(NOW));
    assert_eq!(refused.grant, before);
    let later = NOW + 1_000_000;
    let result = VerificationResult::Confirmed { requested_at: NOW + 7 };
    step(&mut pair, verified(2, result), &rules(later));
    let grant = pair.grant.unwrap();
    assert_eq!((grant.failures, grant.secret), (0, Some(Sealed(vec![2]))));
    assert_eq!(grant.lease_end, NOW + 7 + LEASE * 1000, "from the question, not the result");
}

#[derive(Clone, Debug)]
enum Move {
    Ask(bool),
    /// A response to the newest verification, or to one before.
    Answer(bool, VerificationResult),
    Post(PostResult),
    Pass(i64),
    Age,
    Dismiss,
}

pub(crate) fn posted() -> impl Strategy<Value = PostResult> {
    prop_oneof![
        1 => Just(PostResult::Delivered),
        3 => Just(PostResult::Failed { retry_after: None }),
        1 => Just(PostResult::Gone),
    ]
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let result = prop_oneof![
        4 => Just(YES),
        1 => Just(VerificationResult::Refused),
        1 => Just(VerificationResult::NoResponse),
    ];
    let one = prop_oneof![
        3 => any::<bool>().prop_map(Move::Ask),
        4 => (any::<bool>(), result).prop_map(|(newest, result)| Move::Answer(newest, result)),
        3 => posted().prop_map(Move::Post),
        1 => (0..20 * 86_400_000_i64).prop_map(Move::Pass),
        1 => Just(Move::Age),
        1 => Just(Move::Dismiss),
    ];
    prop::collection::vec(one, 1..60)
}

proptest! {
    /// A delivery needs a confirmation of the newest request, later than any removal, and an unended lease.
    #[test]
    fn no_path_leads_to_a_delivery_without_a_verification_and_none_after_removal(moves in moves()) {
        let mut pair = Pair::default();
        let (mut now, mut ticket) = (NOW, 0);
        // The expected state, without the code under test.
        let mut subscribing = false;
        let mut asked = false;
        let mut verified_until = None;
        for one in moves {
            match one {
                Move::Ask(subscribe) => {
                    ticket += 1;
                    let mode = if subscribe {
SubscriptionMode::Subscribe
} else {
SubscriptionMode::Unsubscribe
};
                    let event = Event::Requested(pending(ticket, mode));
                    if step(&mut pair, event, &rules(now)) == Effect::Verify {
                        (subscribing, asked) = (subscribe, true);
                    } else {
                        // It was nothing: the question before, if any, is still the newest.
                        ticket -= 1;
                    }
                }
                Move::Answer(newest, result) => {
                    let result = match result {
                        VerificationResult::Confirmed { .. } => {
                            VerificationResult::Confirmed { requested_at: now }
                        }
                        other => other,
                    };
                    let to = if newest { ticket } else { ticket - 1 };
                    let effect = step(&mut pair, verified(to, result), &rules(now));
                    prop_assert!(newest || effect == Effect::Nothing);
                    if newest && asked && effect != Effect::VerifyAgain {
                        if matches!(result, VerificationResult::Confirmed { .. }) {
                            verified_until = subscribing.then_some(now + LEASE * 1000);
                        }
                        asked = false;
                    }
                }
                Move::Post(posted) => {
                    // Only what is deliverable is posted; a late result may come at any time.
                    let effect = step(&mut pair, Event::Posted(posted), &rules(now));
                    if let Effect::Removed(_) = effect {
                        verified_until = None;
                    }
                }
                Move::Pass(by) => now += by,
                Move::Age => {
                    let effect = step(&mut pair, Event::Expired, &rules(now));
                    if effect == Effect::Removed(Reason::LeaseEnded) {
                        prop_assert!(verified_until.is_none_or(|end| end < now));
                    }
                }
                Move::Dismiss => {
                    step(&mut pair, Event::RemovedByOperator, &rules(now));
                    (verified_until, asked) = (None, false);
                }
            }
            let deliverable = pair.grant.as_ref().is_some_and(|grant| grant.is_deliverable(now));
            prop_assert_eq!(deliverable, verified_until.is_some_and(|end| end > now));
            prop_assert!(pair.grant.as_ref().is_none_or(|grant| grant.failures < MAX_FAILURES));
        }
    }
}
