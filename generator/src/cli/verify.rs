//! The command `verify`: checks a live site.

mod recompute;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args, builder::styling::AnsiColor};
use contract::{
    duration,
    files::{self, read_small},
};
use jiff::Timestamp;
use review_log::Policy;
use url::{ParseError, Url};

use super::{Context, Exit};
use system::access::explained;
use verify::{Level, Line, LogOptions, LogReport, VerifyOptions, verify, verify_log};

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Address of the live site: the folder its candor-manifest.json is in
    #[arg(value_name = "URL", value_parser = parse_url)]
    url: Url,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
    /// How old the newest import may be (the publication, where nothing was imported): 14d, 36h
    #[arg(long, value_name = "AGE", value_parser = parse_duration)]
    max_age: Option<Duration>,
    /// Accept a sample, and a site whose base_url is an address of this machine
    #[arg(long)]
    preview: bool,
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
    /// Ask for every page, however many there are
    #[arg(long)]
    all: bool,
    /// How long all of it may take
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    timeout: Duration,
    /// Check the site's transparency log, and nothing else
    #[arg(long, conflicts_with_all = ["max_age", "preview", "strict", "all"])]
    log: bool,
    /// Compare the log with the checkpoint kept in this file, then keep the new one there
    #[arg(long, requires = "log", value_name = "FILE")]
    since: Option<PathBuf>,
    /// Say what the log has of the review of this receipt (a .tlog-proof file) since it was made
    #[arg(long, requires = "log", value_name = "FILE")]
    receipt: Option<PathBuf>,
    /// The log's verifier key as you know it from elsewhere, in place of those the site names; may be given again
    #[arg(long, requires = "log", value_name = "KEY", value_parser = parse_key)]
    log_key: Vec<String>,
    /// Witnesses that must have signed the log, and its keys if there are any, in place of those the site names: a file as C2SP tlog-policy has it
    #[arg(long, requires = "log", value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Compute feeds, badges and figures again from reviews.json, or with --content DIR every file from the content, and compare them with the published ones
    #[arg(long, conflicts_with_all = ["log", "max_age", "strict", "all", "timeout", "jobs"])]
    recompute: bool,
    /// Requests at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32))]
    jobs: u8,
}

impl Verify {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        if self.recompute {
            return recompute::run(context, &self.url, self.json);
        }
        if self.log {
            return self.check_log(context);
        }
        let options = VerifyOptions {
            url: self.url,
            preview: self.preview,
            strict: self.strict,
            all: self.all,
            max_age: self.max_age,
            timeout: self.timeout,
            jobs: self.jobs.into(),
        };
        let working = context.out.working("asking the site");
        let report = verify(&options, Timestamp::now());
        drop(working);
        if self.json {
            context.out.json_pretty(&report)?;
        } else {
            report.lines(context.global.verbose).iter().for_each(|line| say(context, line));
            context.out.say(&report.summary());
        }
        Ok(if report.passed { Exit::Done } else { Exit::Failed })
    }

    fn check_log(self, context: &Context) -> anyhow::Result<Exit> {
        let policy = self.policy.as_deref().map(read_policy).transpose()?;
        let logs = policy.as_ref().map(|policy| policy.logs.clone()).unwrap_or_default();
        let check = LogCheck {
            url: self.url,
            log_key: [self.log_key, logs].concat(),
            timeout: self.timeout,
            jobs: self.jobs,
        };
        let (since, receipt) = (self.since.as_deref(), self.receipt.as_deref());
        let report = check.run(context, policy, since, receipt, self.json)?;
        if !report.passed {
            return Ok(Exit::Failed);
        }
        if let Some(path) = &self.since {
            files::replace(path, &report.checkpoint)
                .map_err(explained(path))
                .with_context(|| format!("the checkpoint cannot be kept in {}", path.display()))?;
        }
        Ok(Exit::Done)
    }
}

/// Which log to check, and how.
#[derive(Debug, Args)]
pub(super) struct LogCheck {
    /// Address of the live site: the folder its candor-manifest.json is in
    #[arg(value_name = "URL", value_parser = parse_url)]
    url: Url,
    /// The log's verifier key as you know it from elsewhere, in place of those the site names; may be given again
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    log_key: Vec<String>,
    /// How long all of it may take
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration)]
    timeout: Duration,
    /// Requests at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32))]
    jobs: u8,
}

impl LogCheck {
    /// Checks the log against the checkpoint that was kept in a file, and prints the report. Without a policy it is that
    /// of the site.
    pub(super) fn run(
        self,
        context: &Context,
        policy: Option<Policy>,
        since: Option<&Path>,
        receipt: Option<&Path>,
        json: bool,
    ) -> anyhow::Result<LogReport> {
        let options = LogOptions {
            url: self.url,
            keys: self.log_key,
            policy,
            known: since.map_or(Ok(None), read_kept)?,
            receipt: receipt.map(read_receipt).transpose()?,
            timeout: self.timeout,
            jobs: self.jobs.into(),
        };
        let working = context.out.working("asking the site");
        let report = verify_log(&options);
        drop(working);
        if json {
            context.out.json_pretty(&report)?;
        } else {
            report.lines().iter().for_each(|line| say(context, line));
            context.out.say(&report.summary());
        }
        Ok(report)
    }
}

/// Maximum bytes of what a reader keeps of a log, or trusts.
const MAX_KEPT: u64 = 1 << 20;

/// The checkpoint of the last time; none the first time.
fn read_kept(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match read_small(path, MAX_KEPT) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error)
            .with_context(|| format!("the checkpoint kept in {} cannot be read", path.display())),
    }
}

fn read_policy(path: &Path) -> anyhow::Result<Policy> {
    let name = || format!("the policy {} cannot be read", path.display());
    let bytes = read_small(path, MAX_KEPT).with_context(name)?;
    Policy::parse(&bytes).with_context(name)
}

fn read_receipt(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_small(path, MAX_KEPT)
        .with_context(|| format!("the receipt {} cannot be read", path.display()))
}

fn parse_key(text: &str) -> Result<String, String> {
    let text = text.trim();
    review_log::check_verifier_key(text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// Failures are said with `--quiet` too.
fn say(context: &Context, line: &Line) {
    let color = match line.level {
        Level::Fail => AnsiColor::Red,
        Level::Warn => AnsiColor::Yellow,
        Level::Ok => AnsiColor::Green,
        Level::Skip => AnsiColor::BrightBlack,
    };
    let word = format!("{:<5}", line.level.word());
    context.out.marked(color, &word, &line.text, line.level == Level::Fail);
}

fn parse_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => {
            "it does not begin with https://; write that before it".to_owned()
        }
        error => format!("{error}; write it as https://…"),
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(format!("{scheme}: addresses cannot be verified, only http and https")),
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    match duration::parse(text) {
        Some(time) if time.is_zero() => Err("must be longer than nothing".to_owned()),
        Some(time) => Ok(time),
        None => Err("write it as 14d, 36h, 5m or 90s".to_owned()),
    }
}
