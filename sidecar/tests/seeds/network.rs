//! The subscribers in place of the network. A seed decides what each responds, and when.

use std::{cell::RefCell, net::SocketAddr, rc::Rc, time::Duration};

use url::Url;

use super::{
    outside::{Mood, Outside, response_time},
    pairs::Expected,
    publications::{TOPICS, body},
    timer::{Instant, sleep_until},
};
use crate::{
    hub::{
        client::{CallOutcome, Post},
        resolver::PolicedResolver,
        subscription::{PostResult, VerificationResult},
    },
    runtime::random::seeded::below,
};

const PUBLIC: [&str; 2] = ["93.184.216.34:443", "[2606:2800:220:1::1]:443"];

/// Addresses that no call may reach.
const INSIDE: [&str; 7] = [
    "10.0.0.1:443",
    "127.0.0.1:443",
    "169.254.169.254:443",
    "192.168.1.1:443",
    "100.64.0.1:443",
    "[::1]:443",
    "[::ffff:10.0.0.1]:443",
];

/// The network as one process has it.
pub(crate) struct Network {
    pub(super) process: u32,
    pub(super) outside: Rc<RefCell<Outside>>,
    pub(super) resolver: PolicedResolver,
}

/// A call in progress, which breaks off if this is dropped before its end.
struct Connection {
    outside: Rc<RefCell<Outside>>,
    number: u64,
    has_ended: bool,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.outside.borrow_mut().end_call(self.number, !self.has_ended);
    }
}

fn addresses(found: &[&str]) -> Vec<SocketAddr> {
    found.iter().map(|address| address.parse().unwrap()).collect()
}

impl Network {
    /// Waits for the response.
    async fn respond<T>(
        &self,
        number: u64,
        wait: Duration,
        outcome: CallOutcome<T>,
    ) -> CallOutcome<T> {
        let outside = self.outside.clone();
        let mut connection = Connection { outside, number, has_ended: false };
        sleep_until(Instant::now() + wait).await;
        connection.has_ended = true;
        outcome
    }

    /// Connects to the host of a pair. Returns whether that is permitted.
    fn connect(&self, outside: &mut Outside, pair: usize) -> bool {
        let (is_inside, rebinds) = (outside.pairs[pair].is_inside, outside.pairs[pair].rebinds);
        let inside = INSIDE[below(INSIDE.len() as u32) as usize];
        let found = match below(3) {
            _ if is_inside => addresses(&[inside]),
            0 if rebinds && outside.mood == Mood::Faulty => addresses(&[inside]),
            1 if rebinds => addresses(&[inside, PUBLIC[0]]),
            _ => addresses(&PUBLIC[below(2) as usize..]),
        };
        let Ok(permitted) = self.resolver.permitted(found) else { return false };
        let is_inside = |address: &SocketAddr| addresses(&INSIDE).contains(address);
        outside.expect(!permitted.iter().any(is_inside), || {
            format!("a call of pair {pair} may reach one of {permitted:?}")
        });
        true
    }

    pub(crate) async fn verify(
        &self,
        url: &str,
        challenge: &str,
        now: i64,
    ) -> CallOutcome<VerificationResult> {
        let url = Url::parse(url).unwrap();
        let (number, wait, outcome) = self.begin_verification(&url, challenge, now);
        self.respond(number, wait, outcome).await
    }

    fn begin_verification(
        &self,
        url: &Url,
        challenge: &str,
        now: i64,
    ) -> (u64, Duration, CallOutcome<VerificationResult>) {
        let outside = &mut *self.outside.borrow_mut();
        let value = |name: &str| {
            let mut pairs = url.query_pairs();
            pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
        };
        let mut callback = url.clone();
        callback.set_query(None);
        let pair = outside.pairs.iter().position(|pair| pair.callback == callback.as_str());
        let pair = pair.unwrap();
        let mode = value("hub.mode").unwrap_or_default();
        let lease = value("hub.lease_seconds").and_then(|lease| lease.parse().ok());
        let number = outside.begin_call(self.process, pair, false);
        outside.count("verifications");
        let is_permitted = self.connect(outside, pair);
        let is_right = value("hub.challenge").as_deref() == Some(challenge)
            && value("hub.topic")
                .is_some_and(|url| url.ends_with(TOPICS[outside.pairs[pair].topic]));
        outside.expect(is_right, || format!("{url} is not the verification of pair {pair}"));
        let is_calm = outside.mood != Mood::Faulty;
        let is_flaky = outside.pairs[pair].is_flaky;
        let (result, wait) = match below(100) {
            _ if !is_permitted => (VerificationResult::Refused, Duration::ZERO),
            _ if is_calm => (VerificationResult::Confirmed { requested_at: now }, Duration::ZERO),
            0..10 if is_flaky => (VerificationResult::Refused, response_time(14)),
            10..13 => (VerificationResult::NoResponse, response_time(14)),
            13..30 if is_flaky => (VerificationResult::NoResponse, response_time(14)),
            _ => (VerificationResult::Confirmed { requested_at: now }, response_time(14)),
        };
        let seen = &mut outside.pairs[pair];
        let is_last = seen.is_last(&mode, lease);
        match result {
            VerificationResult::Confirmed { .. } => seen.confirmed(lease),
            VerificationResult::Refused if is_last => seen.did_not_confirm(true),
            VerificationResult::NoResponse if is_last => seen.did_not_confirm(false),
            _ => {}
        }
        let process = self.process;
        outside.line(format_args!(
            "hub {process}: verify pair {pair}: {mode}, {result:?} in {wait:?}"
        ));
        let had_response = result != VerificationResult::NoResponse && is_permitted;
        (number, wait, CallOutcome { result, error: None, had_response })
    }

    pub(crate) async fn post(&self, post: Post, _: i64) -> CallOutcome<PostResult> {
        let (number, wait, outcome) = self.begin_post(&post);
        self.respond(number, wait, outcome).await
    }

    fn begin_post(&self, post: &Post) -> (u64, Duration, CallOutcome<PostResult>) {
        let outside = &mut *self.outside.borrow_mut();
        let pair = outside.pairs.iter().position(|pair| pair.callback == post.callback).unwrap();
        let number = outside.begin_call(self.process, pair, true);
        outside.count("deliveries begun");
        let is_permitted = self.connect(outside, pair);
        let version = check_post(outside, pair, post);
        let failed = PostResult::Failed { retry_after: None };
        let is_flaky = outside.pairs[pair].is_flaky;
        let (result, wait, had_response) = match (outside.mood, below(100)) {
            _ if !is_permitted => (failed, Duration::ZERO, false),
            (Mood::FirstSiteHangs, _) if outside.pairs[pair].site == 0 => {
                (failed, Duration::from_secs(15), false)
            }
            (Mood::Calm | Mood::FirstSiteHangs, _) => (PostResult::Delivered, Duration::ZERO, true),
            (_, 0..4) => (failed, response_time(44), false),
            (_, 4..8) => (failed, response_time(14), true),
            (_, 8..20) if is_flaky => {
                let retry_after = Some(Duration::from_secs(u64::from(below(60))));
                (PostResult::Failed { retry_after }, response_time(14), true)
            }
            (_, 20..35) if is_flaky => (failed, response_time(44), false),
            (_, 35..38) if is_flaky => (PostResult::Gone, response_time(14), true),
            _ => (PostResult::Delivered, response_time(14), true),
        };
        let seen = &mut outside.pairs[pair];
        match result {
            PostResult::Delivered => {
                seen.accepted = seen.accepted.max(version);
                seen.failures_in_row = 0;
            }
            PostResult::Failed { .. } => seen.did_not_accept(false),
            PostResult::Gone => seen.did_not_accept(true),
        }
        outside.count(if result == PostResult::Delivered {
            "deliveries"
        } else {
            "failed deliveries"
        });
        let process = self.process;
        outside.line(format_args!(
            "hub {process}: deliver version {version} to pair {pair}: {result:?} in {wait:?}"
        ));
        (number, wait, CallOutcome { result, error: None, had_response })
    }

    pub(crate) async fn deny(&self, url: &str) {
        let mut outside = self.outside.borrow_mut();
        outside.count("denials");
        outside.line(format_args!("hub {}: deny {url}", self.process));
    }
}

/// Checks a delivery, and returns its version.
fn check_post(outside: &mut Outside, pair: usize, post: &Post) -> u32 {
    let text = String::from_utf8_lossy(&post.body).into_owned();
    let version = text.rsplit(' ').next().and_then(|version| version.parse().ok()).unwrap_or(0);
    let is_undisturbed = outside.is_undisturbed();
    let known = &outside.pairs[pair];
    let is_settled = outside.is_settled && matches!(known.expected, Expected::Subscribed { .. });
    let is_own = text == body(known.site, known.topic, version)
        && post.link.contains(TOPICS[known.topic])
        && post.media_type == "text/plain";
    let is_signed = known.is_signature(post.signature.as_deref(), &post.body, is_settled);
    let (begun, has_confirmed) = (known.begun, known.has_confirmed);
    let failures = known.failures_in_row;
    outside.expect(is_own, || format!("pair {pair} gets {text:?}, {}", post.link));
    outside.expect(is_signed, || format!("the delivery to pair {pair} is not signed as requested"));
    outside.expect(version >= begun, || {
        format!("pair {pair} gets version {version} after version {begun}")
    });
    outside.expect(has_confirmed, || format!("pair {pair} gets a delivery and never confirmed"));
    outside.expect(failures < 3 || !is_undisturbed, || {
        format!("pair {pair} gets a delivery after {failures} failures")
    });
    let same = *outside.ids.entry(post.id.clone()).or_insert((pair, version));
    let others = outside.ids.values().filter(|of| **of == (pair, version)).count();
    outside.expect(same == (pair, version) && others == 1, || {
        format!("the id of version {version} to pair {pair} is not its own: {same:?}")
    });
    outside.pairs[pair].begun = begun.max(version);
    version
}
