//! Checks the transparency log of a live site: fetches what it publishes and has it compared.

mod fetched;
mod print;
mod receipt;

use std::{collections::HashSet, time::Duration};

use review_log::{
    Checkpoint, Entry, Finding, LOG_KEYS_PATH, POLICY_PATH, Policy, Proved, Published, Revocation,
    unrevoked,
};
use serde::Serialize;
use url::Url;

use super::{fetch::client::SiteClient, folder};
use fetched::{Fetched, Fetcher};
use receipt::Received;

/// Version of the report's shape; keys may be added within it.
const VERSION: u32 = 1;

/// The log to check, and the keys and checkpoint to check it with.
#[derive(Clone, Debug)]
pub struct LogOptions {
    /// The folder the site is in.
    pub url: Url,
    /// Verifier keys the reader has from elsewhere; none: those that the site names.
    pub keys: Vec<String>,
    /// The witnesses that must have signed; `None`: those that the site names.
    pub policy: Option<Policy>,
    /// The checkpoint that was kept last time.
    pub known: Option<Vec<u8>>,
    /// The receipt of a review.
    pub receipt: Option<Vec<u8>>,
    /// The time limit of the whole run.
    pub timeout: Duration,
    /// Requests that are open at once.
    pub jobs: usize,
}

/// A fault of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogFinding {
    /// The code for programs: that of `review_log`, or `no_log`, `unreachable`, `other_log`,
    /// `known`, `key`.
    pub code: String,
    /// The message for readers.
    pub message: String,
    /// The entry it is about, counted from 0.
    pub leaf: Option<u64>,
    /// The review it is about.
    pub review: Option<String>,
}

/// The report of `candor verify --log`.
#[derive(Clone, Debug, Serialize)]
pub struct LogReport {
    /// The version of the report's shape.
    pub version: u32,
    /// The address that was looked at.
    pub url: String,
    /// The log's name, as the site gives it.
    pub origin: Option<String>,
    /// The verifier keys that were used.
    pub keys: Vec<String>,
    /// Whether the reader brought these keys along.
    pub keys_are_readers: bool,
    /// Whether the reader brought the policy along.
    pub policy_is_readers: bool,
    /// The keys of the log that were revoked.
    pub revoked: Vec<Revoked>,
    /// The review of the receipt that was given.
    pub receipt: Option<Received>,
    /// Whether nothing is wrong.
    pub passed: bool,
    /// The faults of the log.
    pub findings: Vec<LogFinding>,
    /// The facts that are proved, where nothing is wrong.
    pub proved: Option<Proved>,
    /// Requests that were sent.
    pub requests: u64,
    /// The checkpoint, to be kept for the next time.
    #[serde(skip)]
    pub checkpoint: Vec<u8>,
}

/// A key that was revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revoked {
    /// The verifier key.
    pub key: String,
    /// The first day on which its signatures do not count, in UTC.
    pub from: String,
}

impl LogFinding {
    fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), leaf: None, review: None }
    }
}

impl From<Finding> for LogFinding {
    fn from(finding: Finding) -> Self {
        let code = serde_json::to_value(finding.code).ok();
        let code = code.as_ref().and_then(|code| code.as_str()).unwrap_or("unknown").to_owned();
        let review = finding.review.map(|review| review.to_string());
        Self { code, message: finding.message, leaf: finding.leaf, review }
    }
}

/// Checks the log of a site. What cannot be fetched is a finding too.
#[must_use]
pub fn verify_log(options: &LogOptions) -> LogReport {
    let client = SiteClient::new(folder(&options.url), options.timeout);
    let fetcher = Fetcher { client: &client, jobs: options.jobs.max(1) };
    let mut report = LogReport {
        version: VERSION,
        url: client.base().to_string(),
        origin: None,
        keys: options.keys.clone(),
        keys_are_readers: !options.keys.is_empty(),
        policy_is_readers: options.policy.is_some(),
        revoked: Vec::new(),
        receipt: None,
        passed: false,
        findings: Vec::new(),
        proved: None,
        requests: 0,
        checkpoint: Vec::new(),
    };
    match fetcher.all() {
        Ok(fetched) => judge(options, fetched, &mut report),
        Err(finding) => report.findings.push(finding),
    }
    report.passed = report.findings.is_empty() && report.proved.is_some();
    report.requests = client.sent();
    report
}

fn judge(options: &LogOptions, fetched: Fetched, report: &mut LogReport) {
    report.origin = Some(fetched.origin);
    if report.keys.is_empty() {
        report.keys.clone_from(&fetched.keys);
    }
    // A receipt may be signed by an older key of the log.
    let all_keys: Vec<String> = report.keys.iter().chain(&fetched.keys).cloned().collect();
    let revoked = Revocation::read(&fetched.revoked, &all_keys).unwrap_or_else(|error| {
        report.findings.push(LogFinding::new("key", format!("/{LOG_KEYS_PATH}: {error}")));
        Vec::new()
    });
    report.revoked.extend(
        revoked.iter().map(|it| Revoked { key: it.key.clone(), from: it.from.to_string() }),
    );
    let trusted = unrevoked(&report.keys, &revoked);
    if trusted.is_empty() {
        let message = "every key that you trust was revoked, so nothing that they signed counts for the log of today: ask the owner for the new key, and give it with --log-key";
        return report.findings.push(LogFinding::new("key", message));
    }
    let named = fetched.policy.as_deref().map_or(Ok(Policy::default()), Policy::parse);
    let policy = options.policy.clone().map_or(named, Ok).unwrap_or_else(|error| {
        report.findings.push(LogFinding::new("witness", format!("/{POLICY_PATH}: {error}")));
        Policy::default()
    });
    report.findings.extend(fetched.findings);
    let known = match options.known.as_ref().map(|note| Checkpoint::open(note, &report.keys)) {
        None => None,
        Some(Ok(known)) => {
            report.findings.extend(signed_too_late(&known, &revoked, &fetched.entries));
            Some(known)
        }
        Some(Err(error)) => {
            let message =
                format!("the checkpoint that was kept last time cannot be compared: {error}");
            report.findings.push(LogFinding::new("known", message));
            None
        }
    };
    let verdict = review_log::verify(&Published {
        checkpoint: &fetched.checkpoint,
        keys: &trusted,
        revoked: &revoked,
        entries: &fetched.entries,
        tiles: &fetched.tiles,
        reviews_json: &fetched.reviews,
        salts: &fetched.salts,
        known: known.as_ref(),
        policy: &policy,
    });
    let fetching: HashSet<String> =
        report.findings.iter().map(|finding| finding.message.clone()).collect();
    let found = verdict.findings.into_iter().filter(|it| !fetching.contains(&it.message));
    report.findings.extend(found.map(LogFinding::from));
    if let (Some(known), Some(proved), false) = (&known, &verdict.proved, report.keys_are_readers) {
        report.findings.extend(other_key(known, proved));
    }
    let receipt = options.receipt.as_ref();
    match receipt.map(|it| receipt::compare(it, &all_keys, &revoked, &fetched.entries)) {
        Some(Ok(received)) => report.receipt = Some(received),
        Some(Err(finding)) => report.findings.push(finding),
        None => {}
    }
    report.proved = verdict.proved.filter(|_| report.findings.is_empty());
    report.checkpoint = fetched.checkpoint;
}

/// Whether only revoked keys have signed the checkpoint of last time, on the day of their revocation or later.
fn signed_too_late(
    known: &Checkpoint,
    revoked: &[Revocation],
    entries: &[Vec<u8>],
) -> Option<LogFinding> {
    let last = entries.get(usize::try_from(known.size.checked_sub(1)?).ok()?)?;
    let at = Entry::from_leaf(last).ok()?.at;
    let Revocation { key, from } = Revocation::of(revoked, &known.signed_by, at)?;
    let message = format!(
        "the checkpoint that was kept last time has an entry of {at} and is signed by {key} alone, which was revoked: its signatures do not count from {from} on; take an older checkpoint, or begin anew without one"
    );
    Some(LogFinding::new("known", message))
}

/// The site itself names the keys, so a new one that no key of last time vouches for can be anybody's.
fn other_key(known: &Checkpoint, proved: &Proved) -> Option<LogFinding> {
    if proved.signed_by.iter().any(|key| known.signed_by.contains(key)) {
        return None;
    }
    let message = format!(
        "the log continues the one that was kept last time, but is signed by {}, and no longer by {}: the owner lost or changed the key, or somebody else publishes this log; ask the owner, and if the new key is the owner's, give both with --log-key",
        proved.signed_by.join(" and "),
        known.signed_by.join(" and "),
    );
    Some(LogFinding::new("key", message))
}
