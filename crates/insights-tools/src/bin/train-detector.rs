//! Trains the detector of the insights on judged reviews and measures it.
//!
//! ```text
//! cargo run --release -p candor-insights-tools --bin train-detector -- REVIEWS [--correct FOLDER] [--write [FOLDER]] [--measure FILE | --folds]
//! ```
//!
//! REVIEWS is a folder of `*.tsv` files with one judged review per line (see `training/README.md`).
//! The project's own reviews are in `training/en/`, and `corrections/en.tsv` has the corrections that
//! labelled real reviews added. `--correct` learns them again from FOLDER, which has a `*.jsonl` file
//! of reviews for each business, labelled sentence by sentence, and writes that file. FILE is such a file, or a file like
//! `gold/open.jsonl`. Every machine computes the same table: one thread, portable arithmetic.
//! `--folds` trains on all files except one and measures on that file, for each file. It gives the
//! fair figure, because the reviews of a file were written without sight of the others. With
//! `--correct` it writes nothing: it divides the files of FOLDER into three parts and measures on each part what
//! the corrections from the other two achieve.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, anyhow};
use clap::Parser;
use insights::{Judge, Language};
use insights_tools::{
    corrections::Corrections,
    detector::{correct, spoken, train},
    marked,
    real::Figures,
    scores::{self, Judged, Scores},
};

/// The folder of the languages, and the names of the tables in every folder.
const LANGUAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../insights/src/data");
const NAMES: [&str; 2] = ["detector.tsv", "second.tsv"];

/// The folder of the corrections, by language.
const CORRECTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corrections");

/// Train and measure the detector.
#[derive(Debug, Parser)]
struct Args {
    /// Folder of judged reviews
    reviews: PathBuf,
    /// Language of the reviews, or the folder of one
    #[arg(long, default_value = "en")]
    language: String,
    /// Learn the corrections from this folder of labelled real reviews
    #[arg(long, value_name = "FOLDER")]
    correct: Option<PathBuf>,
    /// Write the tables to this folder, by default in place of the shipped ones
    #[arg(long, value_name = "FOLDER", num_args = 0..=1)]
    write: Option<Option<PathBuf>>,
    /// Measure each file with a table trained on the others, or with --correct each third of FOLDER
    #[arg(long, conflicts_with = "write")]
    folds: bool,
    /// Measure this file with a table trained on REVIEWS
    #[arg(long)]
    measure: Vec<PathBuf>,
    /// List missed, wrong and misjudged mentions
    #[arg(long)]
    errors: bool,
}

/// The name of a file and its reviews.
type File = (String, Vec<Judged>);

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let language = insights_tools::language(&args.language)?;
    let stored = Path::new(CORRECTIONS).join(language.tag()).with_extension("tsv");
    let files = read(&args.reviews)?;
    if let Some(folder) = &args.correct {
        let paths = insights_tools::files(folder, "jsonl")?;
        let real: Vec<File> = paths.iter().map(|path| read_file(path)).collect::<Result<_, _>>()?;
        let real: Vec<Vec<Judged>> = real.into_iter().map(|(_, reviews)| reviews).collect();
        let invented: Vec<&Judged> = files.iter().flat_map(|(_, reviews)| reviews).collect();
        if args.folds {
            println!("{}", cross_validated(language, &invented, real)?);
            return Ok(());
        }
        fs::write(&stored, correct(language, &invented, &real).to_string())?;
    }
    let text = if stored.exists() { fs::read_to_string(&stored)? } else { String::new() };
    let corrections = Corrections::parse(&text)
        .with_context(|| format!("{} is not a list of corrections", stored.display()))?;
    if args.folds {
        return folds(language, &files, &corrections);
    }
    let started = Instant::now();
    let tables = trained(language, files.iter(), &corrections);
    println!("trained in {:.1} s", started.elapsed().as_secs_f64());
    for ((name, table), shipped) in NAMES.iter().zip(&tables).zip(language.detectors()) {
        println!(
            "{name}: {} rows, {} bytes, blake3 {}; the shipped table is {}",
            table.lines().count(),
            table.len(),
            blake3::hash(table.as_bytes()).to_hex(),
            if table == shipped { "the same, byte for byte" } else { "another one" }
        );
    }
    for path in &args.measure {
        let scores = measure(language, &read_file(path)?, &tables)?;
        let errors = if args.errors { scores.errors } else { Vec::new() };
        errors.iter().for_each(|error| println!("{error}"));
    }
    if let Some(folder) = args.write {
        let folder = folder.unwrap_or_else(|| Path::new(LANGUAGES).join(language.tag()));
        for (name, table) in NAMES.iter().zip(&tables) {
            fs::write(folder.join(name), table)?;
        }
        println!("wrote to {}", folder.display());
    }
    Ok(())
}

fn read(folder: &Path) -> anyhow::Result<Vec<File>> {
    insights_tools::files(folder, "tsv")?.iter().map(|path| read_file(path)).collect()
}

fn read_file(path: &Path) -> anyhow::Result<File> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let reviews = if path.extension().is_some_and(|extension| extension == "tsv") {
        let no_review = |line| anyhow!("{}, line {line}: no judged review", path.display());
        marked::parse(&text).map_err(no_review)?
    } else {
        scores::parse(&text).with_context(|| path.display().to_string())?
    };
    Ok((name, reviews))
}

fn trained<'f>(
    language: &'static Language,
    files: impl Iterator<Item = &'f File>,
    corrections: &Corrections,
) -> [String; 2] {
    train(language, &files.flat_map(|(_, reviews)| reviews).collect::<Vec<_>>(), corrections)
}

/// Thresholds to compare with the shipped one, in logits.
const THRESHOLDS: [f64; 4] = [-1.75, -1.5, -1.0, -0.75];

fn folds(
    language: &'static Language,
    files: &[File],
    corrections: &Corrections,
) -> anyhow::Result<()> {
    for file in files {
        let others = files.iter().filter(|(other, _)| *other != file.0);
        measure(language, file, &trained(language, others, corrections))?;
    }
    Ok(())
}

/// The number of parts into which the real reviews are divided.
const PARTS: usize = 3;

/// The figures on each part of the real reviews with corrections from the other parts. No business is in
/// two parts.
fn cross_validated(
    language: &'static Language,
    invented: &[&Judged],
    mut real: Vec<Vec<Judged>>,
) -> anyhow::Result<Figures> {
    real.sort_by_key(|file| std::cmp::Reverse(file.len()));
    let mut parts: [Vec<Vec<Judged>>; PARTS] = Default::default();
    for file in real {
        let reviews = |at: &usize| parts[*at].iter().map(Vec::len).sum::<usize>();
        let smallest = (0..PARTS).min_by_key(reviews).unwrap_or_default();
        parts[smallest].push(file);
    }
    let mut figures = Figures::default();
    for at in 0..PARTS {
        let others = (0..PARTS).filter(|other| *other != at);
        let others: Vec<Vec<Judged>> = others.flat_map(|other| parts[other].clone()).collect();
        let tables = train(language, invented, &correct(language, invented, &others));
        let mut judge = Judge::with_detectors(language, tables.each_ref().map(String::as_str))?;
        let real = parts[at].iter().flatten().filter(|judged| !judged.rewritten);
        real.for_each(|judged| figures.add(judged, &mut judge));
    }
    Ok(figures)
}

/// Prints the scores of the tables on a file for every threshold of the detector, and returns the scores
/// for the shipped threshold.
fn measure(
    language: &'static Language,
    (name, reviews): &File,
    [table, second]: &[String; 2],
) -> anyhow::Result<Scores> {
    let mut at_shipped = Scores::default();
    let shipped = spoken(language);
    for threshold in THRESHOLDS.into_iter().chain([shipped]) {
        let mut judge =
            Judge::with_detectors(language, [&with_threshold(table, threshold), second])?;
        let mut scores = Scores::default();
        reviews.iter().for_each(|review| scores.add(review, &mut judge));
        say(&format!("{name} at {threshold}"), &scores);
        if threshold == shipped {
            at_shipped = scores;
        }
    }
    Ok(at_shipped)
}

/// The table with another threshold.
fn with_threshold(table: &str, logits: f64) -> String {
    let line = |line: &str| {
        if line.starts_with("@spoken") {
            format!("@spoken\t{}\n", (logits * 65_536.0).round())
        } else {
            format!("{line}\n")
        }
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
