//! Where the time of a build goes. `make bench` runs it.
//!
//! ```text
//! cargo run --release --example stages -- CONTENT
//! ```
//!
//! Prints one JSON object: milliseconds by stage, each stage alone and after the other. A build
//! compresses on every core, so its time is less than the sum.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use anyhow::Context as _;
use clap::Parser;
use contract::{
    compress::{self, Effort},
    etag::ETag,
    manifest::Coding,
    problem::Report,
};
use jiff::{Timestamp, tz::TimeZone};
use reviews::{
    content::{self, LoadOptions},
    dataset::Dataset,
    document, publication,
};
use serde_json::{Map, Value, json};

/// Time the stages of a build.
#[derive(Debug, Parser)]
struct Args {
    /// Content folder
    content: PathBuf,
}

/// Milliseconds by stage.
#[derive(Default)]
struct Stages(Map<String, Value>);

impl Stages {
    fn lap<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let made = work();
        let before = self.0.get(name).and_then(Value::as_f64).unwrap_or_default();
        self.0.insert(name.to_owned(), json!(before + started.elapsed().as_secs_f64() * 1e3));
        made
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut stages = Stages::default();
    let report = Report::default();
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let options = LoadOptions { base_url: None, today };
    let content = stages.lap("read", || content::load(&args.content, &options, &report));
    let content = content.context("the content cannot be read")?;
    let data = stages.lap("check and resolve", || Dataset::assemble(content, &report));
    let documents = stages.lap("render", || publication::documents(&data))?;
    for document in &documents {
        let stage = match document.path.as_str() {
            "insights.json" => "insights",
            _ if document.media_type == document::HTML => "pages",
            _ => "render",
        };
        let bytes = stages.lap(stage, || document.body.to_bytes())?;
        stages.lap("hash", || ETag::of(&bytes));
        for coding in Coding::ALL.into_iter().filter(|_| document.effort != Effort::None) {
            let length = bytes.len() as u64;
            let (effort, mut input) = (document.effort, &bytes[..]);
            stages.lap(coding.token(), || {
                compress::encode(effort, coding, length, &mut input, &mut io::sink())
            })?;
        }
    }
    writeln!(io::stdout(), "{}", Value::Object(stages.0))?;
    Ok(())
}
