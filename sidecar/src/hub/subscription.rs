//! The state machine of one subscription, as a pure function of state and event.
//!
//! ```text
//!         requested         verified: challenge             requested (renewal)
//!   none ──────────▶ pending ──────────────────▶ active ◀─────────────────────▶ active + pending
//!    ▲                  │ verified: anything else  │  posted: 3 failures, 410
//!    │                  ▼                          │  unsubscribed and verified
//!    └──────────────── none ◀──────────────────────┘  lease ended
//! ```
//!
//! The granted and the pending terms are separate, so that a renewal that fails changes nothing (WebSub §5.1;
//! docs/hub.md, "For subscribers").

use std::time::Duration;

use super::{
    clock::{GRACE, millis},
    request::SubscriptionMode,
    retry::{MAX_FAILURES, RetryDelays},
    secrets::Sealed,
};

/// The waits before the second and third attempt of a verification without a response.
const VERIFY_AGAIN: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(60)];

/// The state of one topic and callback.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) grant: Option<Grant>,
    pub(crate) pending: Option<Pending>,
}

/// A subscription that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The topic's URL as requested.
    pub(crate) topic_url: String,
    /// The URL of the callback.
    pub(crate) callback: String,
    pub(crate) secret: Option<Sealed>,
    /// The end of the lease, in milliseconds since the epoch.
    pub(crate) lease_end: i64,
    /// The number of posts in a row without a 2xx, below [`MAX_FAILURES`].
    pub(crate) failures: u32,
    /// The network of the client that last requested it; empty if it is unknown.
    pub(crate) network: String,
}

/// A subscription request that is not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// A number that distinguishes this request from an earlier one for the same pair.
    pub(crate) ticket: i64,
    pub(crate) mode: SubscriptionMode,
    pub(crate) topic_url: String,
    pub(crate) callback: String,
    pub(crate) secret: Option<Sealed>,
    /// The requested lease in seconds; without a meaning when unsubscribing.
    pub(crate) lease: i64,
    /// The number of attempts without a response.
    pub(crate) attempts: u32,
    /// The time at which the verification is due, in milliseconds since the epoch.
    pub(crate) due_at: i64,
    /// The network of the client that sent it; empty if it is unknown.
    pub(crate) network: String,
    /// The number of the topic's newest content at the time of the request.
    pub(crate) seen: i64,
}

/// The events of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A request was accepted.
    Requested(Pending),
    /// A verification ended.
    Verified { ticket: i64, result: VerificationResult },
    /// A delivery ended.
    Posted(PostResult),
    /// The lease may have ended long ago.
    Expired,
    /// The operator removes the subscription.
    RemovedByOperator,
}

/// The result of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VerificationResult {
    /// The response was a 2xx with the challenge, to a request sent at this time in milliseconds.
    Confirmed { requested_at: i64 },
    /// The response was any other.
    Refused,
    /// There was no response.
    NoResponse,
}

/// The result of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PostResult {
    /// The response was a 2xx.
    Delivered,
    /// The response was any other, perhaps with a `Retry-After`, or there was none.
    Failed { retry_after: Option<Duration> },
    /// The response was 410.
    Gone,
}

/// The change that an event made, for the log, the metrics and the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing changed.
    Nothing,
    /// A verification is due.
    Verify,
    /// There was no response: another verification is due.
    VerifyAgain,
    /// The request is dropped; the granted subscription stays.
    Rejected,
    /// Deliveries begin.
    Activated,
    /// Deliveries continue under new terms.
    Renewed,
    /// The response was a 2xx.
    Delivered,
    /// The delivery is tried again at this time.
    Retry { due_at: i64 },
    /// The subscription has ended.
    Removed(Reason),
}

/// The reason why a subscription ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Unsubscribed,
    Failures,
    Gone,
    LeaseEnded,
    ByOperator,
}

impl Effect {
    /// Returns the word for the log and the metrics.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Verify => "verify",
            Self::VerifyAgain => "verify_again",
            Self::Rejected => "rejected",
            Self::Activated => "activated",
            Self::Renewed => "renewed",
            Self::Delivered => "delivered",
            Self::Retry { .. } => "failed",
            Self::Removed(Reason::Unsubscribed) => "unsubscribed",
            Self::Removed(Reason::Failures) => "removed_failures",
            Self::Removed(Reason::Gone) => "removed_gone",
            Self::Removed(Reason::LeaseEnded) => "removed_lease_ended",
            Self::Removed(Reason::ByOperator) => "removed_by_operator",
        }
    }
}

/// The values that a step needs in addition to the pair and the event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubscriptionRules {
    /// The time, in milliseconds since the epoch.
    pub(crate) now: i64,
    pub(crate) delays: RetryDelays,
    /// A random number from 0 to 1, which spreads retries.
    pub(crate) chance: f64,
}

#[cfg(test)]
impl Grant {
    /// Whether deliveries are made: the condition of the store's claims.
    pub(crate) fn is_deliverable(&self, now: i64) -> bool {
        self.lease_end > now
    }
}

/// Applies an event to a pair.
pub(crate) fn step(pair: &mut Pair, event: Event, rules: &SubscriptionRules) -> Effect {
    match event {
        Event::Requested(pending) => requested(pair, pending, rules.now),
        Event::Verified { ticket, result } => verified(pair, ticket, result, rules.now),
        Event::Posted(posted) => after_post(pair, posted, rules),
        Event::Expired => match &pair.grant {
            Some(grant) if grant.lease_end.saturating_add(millis(GRACE)) <= rules.now => {
                pair.grant = None;
                Effect::Removed(Reason::LeaseEnded)
            }
            _ => Effect::Nothing,
        },
        Event::RemovedByOperator => {
            if pair.grant.take().is_some() | pair.pending.take().is_some() {
                Effect::Removed(Reason::ByOperator)
            } else {
                Effect::Nothing
            }
        }
    }
}

/// Applies a request: the newest one wins. To unsubscribe without a subscription changes nothing, and does not replace
/// a pending request, which may be another client's.
fn requested(pair: &mut Pair, pending: Pending, now: i64) -> Effect {
    let granted = pair.grant.as_ref().is_some_and(|grant| grant.lease_end > now);
    if pending.mode == SubscriptionMode::Unsubscribe && !granted {
        return Effect::Nothing;
    }
    pair.pending = Some(pending);
    Effect::Verify
}

fn verified(pair: &mut Pair, ticket: i64, result: VerificationResult, now: i64) -> Effect {
    let Some(pending) = pair.pending.take_if(|pending| pending.ticket == ticket) else {
        return Effect::Nothing;
    };
    match result {
        VerificationResult::Confirmed { requested_at } => {
            confirmed(pair, pending, requested_at, now)
        }
        // What was granted stays as it was.
        VerificationResult::Refused => Effect::Rejected,
        VerificationResult::NoResponse => match VERIFY_AGAIN.get(pending.attempts as usize) {
            Some(wait) => {
                let (attempts, due_at) = (pending.attempts + 1, now.saturating_add(millis(*wait)));
                pair.pending = Some(Pending { attempts, due_at, ..pending });
                Effect::VerifyAgain
            }
            None => Effect::Rejected,
        },
    }
}

/// Grants the subscription. The lease counts from the verification request, not from its response (WebSub §5.3).
fn confirmed(pair: &mut Pair, pending: Pending, requested_at: i64, now: i64) -> Effect {
    if pending.mode == SubscriptionMode::Unsubscribe {
        return match pair.grant.take() {
            Some(_) => Effect::Removed(Reason::Unsubscribed),
            None => Effect::Nothing,
        };
    }
    let renewed = pair.grant.as_ref().is_some_and(|grant| grant.lease_end > now);
    pair.grant = Some(Grant {
        topic_url: pending.topic_url,
        callback: pending.callback,
        secret: pending.secret,
        lease_end: requested_at.saturating_add(pending.lease.saturating_mul(1000)),
        failures: 0,
        network: pending.network,
    });
    if renewed { Effect::Renewed } else { Effect::Activated }
}

/// Ends the subscription after three failures in a row, or one 410 (docs/hub.md, "For subscribers").
fn after_post(pair: &mut Pair, posted: PostResult, rules: &SubscriptionRules) -> Effect {
    let Some(grant) = pair.grant.as_mut() else {
        return Effect::Nothing;
    };
    match posted {
        PostResult::Delivered => {
            grant.failures = 0;
            Effect::Delivered
        }
        PostResult::Gone => {
            pair.grant = None;
            Effect::Removed(Reason::Gone)
        }
        PostResult::Failed { .. } if grant.failures + 1 >= MAX_FAILURES => {
            pair.grant = None;
            Effect::Removed(Reason::Failures)
        }
        PostResult::Failed { retry_after } => {
            grant.failures += 1;
            let wait = rules.delays.after(grant.failures, retry_after, rules.chance);
            Effect::Retry { due_at: rules.now.saturating_add(wait) }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
