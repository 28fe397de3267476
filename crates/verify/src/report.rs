//! The report: checks, levels and findings, and how findings are collected.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use contract::etag::ETag;

/// Version of the report's shape; keys may be added within it.
pub const REPORT_VERSION: u32 = 1;

/// The checks, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Check {
    /// The manifest can be read.
    Manifest,
    /// It is a real site: no sample, no local address.
    Site,
    /// What is published is new enough.
    Age,
    /// Every document is the bytes the manifest names.
    Documents,
    /// `Content-Type`
    Type,
    /// `ETag`
    Tags,
    /// A tag that is sent back is answered with 304, another one is not.
    NotModified,
    /// What is sent compressed is the same document, and revalidates too.
    Codings,
    /// `Cache-Control`
    CacheControl,
    /// `Vary`
    Vary,
    /// `X-Content-Type-Options`
    NoSniff,
    /// `Content-Security-Policy`, `Referrer-Policy`, `Permissions-Policy`, `Strict-Transport-Security`, and no cookie
    Security,
    /// `Access-Control-Allow-Origin`, `Access-Control-Expose-Headers`
    Cors,
    /// `Last-Modified`
    LastModified,
    /// `Link` of what has one: the topics
    Link,
    /// `OPTIONS`
    Preflight,
    /// What does not exist is 404.
    NotFound,
    /// `reviews.json` agrees with itself.
    Reviews,
    /// Both feeds are feeds, of the newest reviews.
    Feeds,
    /// `changes.json` and `insights.json` speak of these reviews.
    Agreement,
    /// `/api/reviews/search`
    Search,
    /// `/api/reviews/since/{date}`
    Since,
    /// `/mcp`
    Mcp,
    /// `/api/websub/hub`
    Hub,
    /// Whether there is a transparency log, which `candor verify --log` checks.
    Log,
    /// All of it was done in time, on one publication.
    Run,
}

impl Check {
    /// Every check, in order.
    pub const ALL: [Self; 26] = [
        Self::Manifest,
        Self::Site,
        Self::Age,
        Self::Documents,
        Self::Type,
        Self::Tags,
        Self::NotModified,
        Self::Codings,
        Self::CacheControl,
        Self::Vary,
        Self::NoSniff,
        Self::Security,
        Self::Cors,
        Self::LastModified,
        Self::Link,
        Self::Preflight,
        Self::NotFound,
        Self::Reviews,
        Self::Feeds,
        Self::Agreement,
        Self::Search,
        Self::Since,
        Self::Mcp,
        Self::Hub,
        Self::Log,
        Self::Run,
    ];

    /// Returns the name of the check, and the statement that is true when it passes.
    #[must_use]
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Manifest => ("manifest", "candor-manifest.json can be read"),
            Self::Site => ("site", "no sample, no local address"),
            Self::Age => ("age", "new enough"),
            Self::Documents => ("documents", "every document has the bytes in the manifest"),
            Self::Type => ("type", "every Content-Type is right"),
            Self::Tags => ("tags", "every ETag is that of the manifest"),
            Self::NotModified => ("not-modified", "every ETag gives 304"),
            Self::Codings => ("codings", "compressed documents are the same and revalidate"),
            Self::CacheControl => ("cache-control", "caches revalidate documents and keep assets"),
            Self::Vary => ("vary", "responses vary by Accept-Encoding"),
            Self::NoSniff => ("no-sniff", "browsers do not guess media types"),
            Self::Security => {
                ("security", "every field that protects readers is sent, and no cookie")
            }
            Self::Cors => ("cors", "pages of other origins may read everything"),
            Self::LastModified => ("last-modified", "every date is that of the manifest"),
            Self::Link => ("link", "documents with a Link say hub and self"),
            Self::Preflight => ("preflight", "OPTIONS allows what browsers ask for"),
            Self::NotFound => ("not-found", "what does not exist is 404"),
            Self::Reviews => ("reviews", "reviews.json agrees with itself"),
            Self::Feeds => ("feeds", "both feeds show the newest reviews"),
            Self::Agreement => {
                ("agreement", "insights.json and changes.json refer to these reviews")
            }
            Self::Search => ("search", "exact counts, cursor, errors, 304"),
            Self::Since => ("since", "exact counts, errors, 304"),
            Self::Mcp => ("mcp", "handshake, tools and a call"),
            Self::Hub => ("hub", "refuses a plain-http callback with a reason"),
            Self::Log => ("log", "the transparency log"),
            Self::Run => ("run", "one publication, in time"),
        }
    }
}

/// The result of a check, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Level {
    /// There was nothing to look at.
    Skip,
    /// As the contract says.
    Ok,
    /// Less than the contract's best, as some hosts are; a failure under `--strict`.
    Warn,
    /// A promise is broken.
    Fail,
}

/// An expectation, what was found instead, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Mismatch {
    /// The value that the documentation or the manifest requires.
    pub expected: String,
    /// The value that was received.
    pub found: String,
    /// What to do.
    pub remedy: String,
}

impl Mismatch {
    pub(super) fn new(
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { expected: expected.into(), found: found.into(), remedy: remedy.into() }
    }
}

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Finding {
    /// `warn` or `fail`
    pub level: Level,
    /// The path, and what else it takes to ask the same again.
    pub subject: String,
    /// What it is.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

/// One check's outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Row {
    /// Which.
    pub check: Check,
    /// The worst of its findings; `skip` where there was nothing to look at.
    pub level: Level,
    /// The number of things that were checked.
    pub checked: u64,
    /// Remarks: why it was skipped, what was counted.
    pub notes: Vec<String>,
    /// The faults, in the order of the manifest.
    pub findings: Vec<Finding>,
}

/// Whose tags a site answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Tags {
    /// Those of the manifest, everywhere.
    Ours,
    /// The host's own, everywhere.
    Host,
    /// Some of each, or none here and there.
    Mixed,
    /// None anywhere.
    None,
}

/// The report of `candor verify`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "candor verify --json")]
pub struct Report {
    /// [`REPORT_VERSION`]
    pub version: u32,
    /// The address that was looked at.
    pub url: String,
    /// The address the site gives itself; null where no manifest could be read.
    pub base_url: Option<String>,
    /// Which publication was found.
    pub build_id: Option<ETag>,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// Nothing failed.
    pub passed: bool,
    /// The number of failures.
    pub failures: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// Whose tags it answers with.
    pub tags: Tags,
    /// Documents of the manifest.
    pub documents: usize,
    /// The number of documents that were requested.
    pub documents_checked: usize,
    /// Requests that were sent.
    pub requests: u64,
    /// Every check, in order.
    pub checks: Vec<Row>,
}

/// Collects what is found; one for each thread, joined in order.
#[derive(Debug, Default)]
pub(super) struct Findings(BTreeMap<Check, Row>);

impl Findings {
    fn row(&mut self, check: Check) -> &mut Row {
        self.0.entry(check).or_insert_with(|| Row {
            check,
            level: Level::Skip,
            checked: 0,
            notes: Vec::new(),
            findings: Vec::new(),
        })
    }

    /// Adds a result: either something is right, or it is wrong at this level.
    pub(super) fn judge(
        &mut self,
        check: Check,
        level: Level,
        subject: &str,
        verdict: Result<(), Mismatch>,
    ) {
        let row = self.row(check);
        row.checked += 1;
        row.level = row.level.max(Level::Ok);
        if let Err(mismatch) = verdict {
            row.level = row.level.max(level);
            row.findings.push(Finding { level, subject: subject.to_owned(), mismatch });
        }
    }

    pub(super) fn fail(&mut self, check: Check, subject: &str, mismatch: Mismatch) {
        self.judge(check, Level::Fail, subject, Err(mismatch));
    }

    /// Adds a remark to the findings, once.
    pub(super) fn note(&mut self, check: Check, note: impl Into<String>) {
        let (row, note) = (self.row(check), note.into());
        if !row.notes.contains(&note) {
            row.notes.push(note);
        }
    }

    /// Adds the findings of a later part behind these.
    pub(super) fn append(&mut self, other: Self) {
        for (check, more) in other.0 {
            let row = self.row(check);
            row.checked += more.checked;
            row.level = row.level.max(more.level);
            row.findings.extend(more.findings);
            let new: Vec<_> = more.notes.into_iter().filter(|n| !row.notes.contains(n)).collect();
            row.notes.extend(new);
        }
    }

    /// Every check about which there is anything to say; warnings are failures where asked for.
    pub(super) fn into_rows(self, strict: bool) -> Vec<Row> {
        let mut rows: Vec<Row> = self.0.into_values().collect();
        if strict {
            for row in &mut rows {
                for finding in &mut row.findings {
                    finding.level = Level::Fail;
                    row.level = Level::Fail;
                }
            }
        }
        rows
    }
}
