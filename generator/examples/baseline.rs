//! The least any program does that publishes reviews: read the records, sort them, write one JSON
//! document and its compressed siblings. `make bench` compares a build with it.
//!
//! ```text
//! cargo run --release --example baseline -- CONTENT OUT
//! ```
//!
//! No checks, no mentions, no insights, no feeds, no tags, no atomic switch.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Write},
    path::PathBuf,
    thread,
};

use clap::Parser;
use contract::{compress, manifest::Coding};
use serde_json::{Map, Value, json};

/// Publish the records of a content folder as one document.
#[derive(Debug, Parser)]
struct Args {
    /// Folder with `reviews/*.ndjson`
    content: PathBuf,
    /// Folder to write to
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut records: Vec<Map<String, Value>> = Vec::new();
    for entry in fs::read_dir(args.content.join("reviews"))? {
        for line in fs::read_to_string(entry?.path())?.lines() {
            records.push(serde_json::from_str(line)?);
        }
    }
    let key = |record: &Map<String, Value>| {
        let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
        (text("date"), text("id"))
    };
    records.sort_by_cached_key(|record| std::cmp::Reverse(key(record)));

    fs::create_dir_all(&args.out)?;
    let path = args.out.join("reviews.json");
    let mut out = BufWriter::new(File::create(&path)?);
    serde_json::to_writer(&mut out, &json!({ "version": 1, "reviews": records }))?;
    out.flush()?;
    let length = fs::metadata(&path)?.len();
    thread::scope(|scope| {
        let encode = |coding: Coding| -> std::io::Result<()> {
            let mut input = BufReader::new(File::open(&path)?);
            let name = format!("reviews.json{}", coding.suffix());
            let mut output = File::create(args.out.join(name))?;
            compress::encode(compress::Effort::Best, coding, length, &mut input, &mut output)
        };
        let workers: Vec<_> =
            Coding::ALL.into_iter().map(|coding| scope.spawn(move || encode(coding))).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(())
    })
}
