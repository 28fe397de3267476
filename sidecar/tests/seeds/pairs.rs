//! One topic and callback as its subscriber sees it: what it asked for, how it responds, and what it may expect.

use super::outside::happens;
use crate::{
    hub::{callback::Callback, request::SubscriptionMode, secrets::Secret, subscription::Effect},
    runtime::random::seeded::below,
};

/// The lease of the first request in seconds. Each further one is a second longer, so that a verification names it.
pub(super) const LEASE: u64 = 29 * 86_400;

/// What the hub owes a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// It may be subscribed or not: a request got no response, or the subscriber failed too often.
    Unknown,
    /// It will be subscribed, and gets what is newer than this version.
    Subscribed { seen: u32 },
    /// It will not be subscribed.
    Gone,
}

#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) mode: SubscriptionMode,
    pub(super) secret: Option<Vec<u8>>,
    pub(super) lease: u64,
    /// Whether the subscriber confirmed it.
    pub(super) is_confirmed: bool,
}

pub(super) struct Pair {
    pub(super) site: usize,
    pub(super) topic: usize,
    pub(super) host: String,
    pub(super) callback: String,
    pub(super) has_secret: bool,
    /// Whether it often responds wrongly or not at all.
    pub(super) is_flaky: bool,
    /// Whether its name leads to addresses inside, always or at times.
    pub(super) is_inside: bool,
    pub(super) rebinds: bool,
    pub(super) asked: Vec<Asked>,
    /// Whether a request is on its way.
    pub(super) is_asking: bool,
    pub(super) expected: Expected,
    /// Whether it ever confirmed.
    pub(super) has_confirmed: bool,
    /// The number of verifications of its last request without a response.
    pub(super) unanswered: u32,
    /// The number of deliveries without success, in all and since the last one or the last confirmation.
    pub(super) failures: u32,
    pub(super) failures_in_row: u32,
    /// The newest version that a delivery began with, and that it accepted.
    pub(super) begun: u32,
    pub(super) accepted: u32,
}

impl Pair {
    pub(super) fn new(number: usize, site: usize, topic: usize) -> Self {
        // Some share a host.
        let host = format!("h{}.example", if happens(25) { number / 2 * 2 } else { number });
        let kind = below(12);
        Self {
            site,
            topic,
            callback: format!("https://{host}/cb{number}"),
            host,
            has_secret: happens(60),
            is_flaky: happens(30),
            is_inside: kind == 0,
            rebinds: kind == 1,
            asked: Vec::new(),
            is_asking: false,
            expected: Expected::Gone,
            has_confirmed: false,
            unanswered: 0,
            failures: 0,
            failures_in_row: 0,
            begun: 0,
            accepted: 0,
        }
    }

    /// Makes a pair of the first topic that behaves well.
    pub(super) fn well_behaved(number: usize) -> Self {
        let host = format!("last{number}.example");
        let callback = format!("https://{host}/cb{number}");
        let pair = Self::new(number, 0, 0);
        Self { host, callback, is_flaky: false, is_inside: false, rebinds: false, ..pair }
    }

    pub(super) fn parsed_callback(&self) -> Callback {
        Callback::parse(&self.callback, &[]).unwrap()
    }

    /// Makes the next request.
    pub(super) fn ask(&mut self, mode: SubscriptionMode, lease: Option<u64>) -> Asked {
        let secret = self.has_secret.then(|| format!("secret {}", self.asked.len()).into_bytes());
        let lease = lease.unwrap_or(LEASE + self.asked.len() as u64);
        let asked = Asked { mode, secret, lease, is_confirmed: false };
        self.asked.push(asked.clone());
        self.is_asking = true;
        asked
    }

    /// Records the response to the last request; none if it may have been accepted or not. `newest` is the newest
    /// version that any hub has.
    pub(super) fn answered(&mut self, effect: Option<Effect>, newest: u32) {
        self.is_asking = false;
        let Some(asked) = self.asked.last() else { return };
        self.expected = match effect {
            // To unsubscribe without a subscription changes nothing: an earlier request is still the last one.
            Some(Effect::Nothing) => {
                self.asked.pop();
                return;
            }
            None => Expected::Unknown,
            Some(_) if self.is_inside => Expected::Gone,
            Some(_) if self.failures >= 3 => Expected::Unknown,
            Some(_) if asked.mode == SubscriptionMode::Unsubscribe => Expected::Gone,
            Some(_) => match self.expected {
                Expected::Subscribed { seen } => Expected::Subscribed { seen },
                _ => Expected::Subscribed { seen: newest },
            },
        };
        self.unanswered = 0;
    }

    /// Whether a verification is of the last request.
    pub(super) fn is_last(&self, mode: &str, lease: Option<u64>) -> bool {
        self.asked.last().is_some_and(|asked| {
            asked.mode.as_str() == mode && lease.is_none_or(|lease| lease == asked.lease)
        })
    }

    /// Records that a verification of the last request is not confirmed; whether there is a response.
    pub(super) fn did_not_confirm(&mut self, has_response: bool) {
        self.unanswered += u32::from(!has_response);
        if has_response || self.unanswered >= 3 {
            self.lose_expectation();
        }
    }

    pub(super) fn did_not_accept(&mut self, is_gone: bool) {
        self.failures += if is_gone { 3 } else { 1 };
        self.failures_in_row += 1;
        if self.failures >= 3 {
            self.lose_expectation();
        }
    }

    fn lose_expectation(&mut self) {
        if !self.is_inside {
            self.expected = Expected::Unknown;
        }
    }

    /// Records that it confirmed the request of this lease.
    pub(super) fn confirmed(&mut self, lease: Option<u64>) {
        self.has_confirmed = true;
        self.failures_in_row = 0;
        let asked = self.asked.iter_mut().filter(|asked| Some(asked.lease) == lease);
        asked.for_each(|asked| asked.is_confirmed = true);
    }

    /// Whether a delivery of this body is signed as in a request that was confirmed, or in the last one.
    pub(super) fn is_signature(
        &self,
        signature: Option<&str>,
        body: &[u8],
        only_last: bool,
    ) -> bool {
        let subscribed = |asked: &&Asked| asked.mode == SubscriptionMode::Subscribe;
        let asked = self.asked.iter().rev().filter(subscribed);
        let mut possible = asked.take(if only_last { 1 } else { usize::MAX });
        possible.any(|asked| {
            let secret = asked.secret.clone().map(Secret::new);
            asked.is_confirmed
                && secret.map(|secret| secret.signature(body)).as_deref() == signature
        })
    }
}
