//! Trains the detector of the insights on judged reviews and measures it.
//!
//! ```text
//! cargo run --release --example detector -- REVIEWS [--write] [--folds]
//! ```
//!
//! REVIEWS is a folder of `*.jsonl`, one judged review a line as in `tests/gold/open.jsonl`; the project's
//! own lie in `training/`. The table that is written is the same on every machine: one thread,
//! portable arithmetic. `--folds` trains on all files but one and measures on that one, file by file: the
//! honest figure, for nobody looked at a file's reviews when writing another's.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::Context as _;
use clap::Parser;
use reviews::insights::{
    Judge,
    detection::{self, SPOKEN, Said, shipped_table, train},
};

#[path = "../tests/gold/scores.rs"]
mod scores;

use scores::{Judged, Scores};

/// Where the shipped table lies.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/insights/data/detector.tsv");

/// Train and measure the detector.
#[derive(Debug, Parser)]
struct Args {
    /// Folder of judged reviews
    reviews: PathBuf,
    /// Replace the shipped table
    #[arg(long)]
    write: bool,
    /// Measure on each file what was trained on the others
    #[arg(long)]
    folds: bool,
}

/// A file's name and its reviews.
type File = (String, Vec<Judged>);

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let files = read(&args.reviews)?;
    if args.folds {
        return folds(&files);
    }
    let started = Instant::now();
    let table = trained(files.iter());
    println!(
        "trained in {:.1} s, {} rows, {} bytes, blake3 {}",
        started.elapsed().as_secs_f64(),
        table.lines().count(),
        table.len(),
        blake3::hash(table.as_bytes()).to_hex()
    );
    println!(
        "the shipped table is {}",
        if table == shipped_table() { "the same, byte for byte" } else { "another one" }
    );
    if args.write {
        fs::write(TABLE, table)?;
        println!("wrote {TABLE}");
    }
    Ok(())
}

fn read(folder: &Path) -> anyhow::Result<Vec<File>> {
    let list =
        fs::read_dir(folder).with_context(|| format!("{} is no folder", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        list.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path)?;
            let reviews = scores::parse(&text).with_context(|| path.display().to_string())?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, reviews))
        })
        .collect()
}

fn trained<'f>(files: impl Iterator<Item = &'f File>) -> String {
    let reviews: Vec<_> = files.flat_map(|(_, reviews)| reviews).map(judged).collect();
    train(&reviews)
}

fn judged(review: &Judged) -> (detection::Judged<'_>, Vec<Said<'_>>) {
    let said = review.aspects.iter().filter_map(|gold| {
        let start = review.text.find(&gold.quote)?;
        let span = (start, start + gold.quote.len());
        Some(Said { aspect: &gold.id, sentiment: gold.sentiment, span })
    });
    (detection::Judged { text: &review.text, stars: review.rating }, said.collect())
}

/// Thresholds to try beside the shipped one, in logits.
const THRESHOLDS: [f64; 6] = [-2.25, -2.0, SPOKEN, -1.5, -1.25, -1.0];

fn folds(files: &[File]) -> anyhow::Result<()> {
    let mut all: [Scores; THRESHOLDS.len()] = Default::default();
    for (name, reviews) in files {
        let table = trained(files.iter().filter(|(other, _)| other != name));
        for (threshold, all) in THRESHOLDS.into_iter().zip(&mut all) {
            let mut judge = Judge::with_detector(&with_threshold(&table, threshold))?;
            let mut scores = Scores::default();
            for review in reviews {
                scores.add(review, &mut judge);
                all.add(review, &mut judge);
            }
            if threshold == SPOKEN {
                say(name, &scores);
            }
        }
    }
    for (threshold, scores) in THRESHOLDS.into_iter().zip(&all) {
        say(&format!("all at {threshold}"), scores);
    }
    Ok(())
}

/// The table with another threshold.
fn with_threshold(table: &str, logits: f64) -> String {
    let line = |line: &str| match line.starts_with("@spoken") {
        true => format!("@spoken\t{}\n", (logits * 65_536.0).round()),
        false => format!("{line}\n"),
    };
    table.lines().map(line).collect()
}

fn say(name: &str, scores: &Scores) {
    let found = scores.aspects();
    println!(
        "{name:12} aspects P {:.1} R {:.1} F1 {:.1}, two-class {:.1}, of those found {:.1}, by the stars {:.1}",
        found.precision(),
        found.recall(),
        found.f1(),
        scores.two_class.percent(),
        scores.two_class_found.percent(),
        scores.stars.percent()
    );
}
