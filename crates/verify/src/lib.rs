//! Checks a live site from outside: everything the manifest promises is requested as readers, browsers,
//! caches, agents and subscribers request it. Nothing local is needed.
//!
//! ```text
//! probe ─▶ fetch: a client within limits
//!   │
//!   └────▶ judge: pure functions from responses to findings ─▶ Report ─▶ print: lines, JSON
//! ```

mod fetch;
mod judge;
mod print;
mod probe;
mod report;
mod transparency;

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use url::Url;

pub use print::Line;
pub use report::{Check, Finding, Level, Mismatch, REPORT_VERSION, Report, Row, Tags};
pub use transparency::{LogFinding, LogOptions, LogReport, verify_log};

use fetch::client::{Failure, SiteClient};
use judge::{
    content::{self, Reviews},
    documents::address,
    feeds, site,
};
use probe::{
    agents,
    documents::{self, DocumentsResult},
    manifest::{self, FoundManifest},
    queries, requests, sample,
};
use report::Findings;

use contract::manifest::{MANIFEST_PATH, Manifest};
use review_log::LOG_KEYS_PATH;

/// The checks of routes that only a sidecar has.
const DYNAMIC: [Check; 4] = [Check::Search, Check::Since, Check::Mcp, Check::Hub];

/// The site to check, and the extent of the checks.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The folder the manifest is in.
    pub url: Url,
    /// Whether a sample and a local address are accepted.
    pub preview: bool,
    /// Whether warnings are failures.
    pub strict: bool,
    /// No page is left out, however many there are.
    pub all: bool,
    /// The maximum age of the newest import, or of the publication, where nothing was imported.
    pub max_age: Option<Duration>,
    /// The time limit of the whole run.
    pub timeout: Duration,
    /// Requests that are open at once.
    pub jobs: usize,
}

/// Checks a site. What cannot be checked is a finding too.
#[must_use]
pub fn verify(options: &VerifyOptions, now: Timestamp) -> Report {
    let client = SiteClient::new(folder(&options.url), options.timeout);
    let mut found = match manifest::read(&client) {
        Ok(found) => found,
        Err(mismatch) => {
            let mut findings = Findings::default();
            findings.fail(Check::Manifest, MANIFEST_PATH, mismatch);
            return report(options, &client, None, findings, None);
        }
    };
    let (mut findings, mut walked) = check_publication(options, &client, &found, now);
    let mut changes = 0;
    while let Some(newer) = newer(&client, &found) {
        changes += 1;
        if changes > 1 {
            let remedy = "verify again when the publication is through";
            let mismatch = Mismatch::new(
                "one publication",
                "a new one while the last was read, twice",
                remedy,
            );
            findings.fail(Check::Run, MANIFEST_PATH, mismatch);
            break;
        }
        found = newer;
        (findings, walked) = check_publication(options, &client, &found, now);
        findings.judge(Check::Run, Level::Warn, MANIFEST_PATH, Ok(()));
        findings.note(Check::Run, "a new publication came in between, so all was read again");
    }
    report(options, &client, Some(&found), findings, Some(&walked))
}

/// The folder the manifest is in, whether it was named itself or not.
#[must_use]
pub fn folder(url: &Url) -> Url {
    let mut folder = url.clone();
    folder.set_query(None);
    folder.set_fragment(None);
    let path = folder.path();
    let path = path.strip_suffix(MANIFEST_PATH).unwrap_or(path);
    let path = format!("{}/", path.trim_end_matches('/'));
    folder.set_path(&path);
    folder
}

/// The manifest, if it is another one by now.
fn newer(client: &SiteClient, found: &FoundManifest) -> Option<FoundManifest> {
    manifest::read(client).ok().filter(|again| again.tag != found.tag)
}

/// Checks one publication.
fn check_publication(
    options: &VerifyOptions,
    client: &SiteClient,
    found: &FoundManifest,
    now: Timestamp,
) -> (Findings, DocumentsResult) {
    let manifest = &found.manifest;
    let mut findings = Findings::default();
    findings.judge(Check::Manifest, Level::Fail, MANIFEST_PATH, Ok(()));
    findings.note(
        Check::Manifest,
        format!("{} published {}", manifest.base_url, manifest.published_at),
    );
    site::is_public(manifest, options.preview, &mut findings);
    if manifest.file(LOG_KEYS_PATH).is_some() {
        let how = format!(
            "the site has a transparency log, which this command checks: candor verify --log {}",
            client.base()
        );
        findings.note(Check::Log, how);
    }
    let files = sample::chosen(manifest, options.all);
    let mut walked = documents::walk(client, &files, &manifest.security, options.jobs);
    let documents = files.len();
    let addressed = manifest.files.iter().filter(|f| address(f).is_some()).count();
    let left_out = addressed - documents;
    if left_out > 0 {
        findings
            .note(Check::Documents, format!("{left_out} pages left out: see them all with --all"));
    }
    findings.append(std::mem::take(&mut walked.findings));
    let rest = check_further(options, client, found, &walked, now, &mut findings);
    if rest.is_err() || walked.done < documents {
        let found = format!("{} of {documents} documents asked for", walked.done);
        let expected = format!("everything within {} s", options.timeout.as_secs());
        let remedy = "increase --timeout, or find out why the site is slow";
        findings.fail(Check::Run, client.base().as_str(), Mismatch::new(expected, found, remedy));
    }
    (findings, walked)
}

/// Sends the requests that need the documents.
fn check_further(
    options: &VerifyOptions,
    client: &SiteClient,
    found: &FoundManifest,
    walked: &DocumentsResult,
    now: Timestamp,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let bytes = walked.content("reviews.json");
    if let Some(max_age) = options.max_age {
        let max_age = SignedDuration::try_from(max_age).unwrap_or(SignedDuration::MAX);
        site::age(&found.manifest, bytes, max_age, now, findings);
    }
    findings.append(manifest::revalidates(client, found)?);
    findings.append(requests::not_found(client, &found.manifest)?);
    match bytes.map(content::reviews) {
        Some(Ok(reviews)) => {
            compare(&found.manifest, &reviews, walked, findings);
            return check_sidecar(client, &found.manifest, &reviews, findings);
        }
        Some(Err(mismatch)) => findings.fail(Check::Reviews, "/reviews.json", mismatch),
        None => {}
    }
    let why = "reviews.json is invalid, so nothing is compared with it";
    let compared = [Check::Reviews, Check::Feeds, Check::Agreement];
    compared.into_iter().chain(DYNAMIC).for_each(|check| findings.note(check, why));
    Ok(())
}

/// Whether the documents say the same.
fn compare(
    manifest: &Manifest,
    reviews: &Reviews,
    walked: &DocumentsResult,
    findings: &mut Findings,
) {
    content::consistent(manifest, reviews, findings);
    if let Some(bytes) = walked.content("api/feed.json") {
        feeds::json_feed(manifest, reviews, bytes, findings);
    }
    if let Some(bytes) = walked.content("feed.xml") {
        feeds::atom_feed(manifest, reviews, bytes, findings);
    }
    content::agree(reviews, |path| walked.content(path), findings);
}

/// Whether the dynamic routes answer by the same reviews.
fn check_sidecar(
    client: &SiteClient,
    manifest: &Manifest,
    reviews: &Reviews,
    findings: &mut Findings,
) -> Result<(), Failure> {
    if manifest.sidecar.is_none() {
        let why = "a site without a sidecar has no such route";
        DYNAMIC.into_iter().for_each(|check| findings.note(check, why));
        return Ok(());
    }
    let length = manifest.file("reviews.json").map_or(0, |file| file.length);
    let routes = queries::DynamicRoutes { client, reviews, length };
    findings.append(routes.search()?);
    findings.append(routes.since()?);
    let has_log = manifest.file(LOG_KEYS_PATH).is_some();
    findings.append(agents::mcp(client, reviews, has_log)?);
    findings.append(agents::hub(client, manifest)?);
    Ok(())
}

fn report(
    options: &VerifyOptions,
    client: &SiteClient,
    found: Option<&FoundManifest>,
    findings: Findings,
    walked: Option<&DocumentsResult>,
) -> Report {
    let checks = findings.into_rows(options.strict);
    let count = |level| {
        checks.iter().flat_map(|row| &row.findings).filter(|finding| finding.level == level).count()
    };
    let (failures, warnings) = (count(Level::Fail), count(Level::Warn));
    let manifest = found.map(|found| &found.manifest);
    Report {
        version: REPORT_VERSION,
        url: client.base().to_string(),
        base_url: manifest.map(|manifest| manifest.base_url.clone()),
        build_id: manifest.map(|manifest| manifest.build_id.clone()),
        published_at: manifest.map(|manifest| manifest.published_at),
        passed: failures == 0,
        failures,
        warnings,
        tags: walked.map_or(Tags::None, |walked| walked.tags),
        documents: manifest.map_or(0, |manifest| manifest.files.len()),
        documents_checked: walked.map_or(0, |walked| walked.done),
        requests: client.sent(),
        checks,
    }
}
