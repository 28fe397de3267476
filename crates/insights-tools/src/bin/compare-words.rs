//! Compares how often words occur in the training reviews and in the reviews of real customers.
//!
//! ```text
//! cargo run --release -p candor-insights-tools --bin compare-words -- crates/insights-tools/training/en [--all]
//! ```
//!
//! `real-words.tsv` has a word or a pair of words per line, and the percentage of real English
//! reviews that contain it. It has numbers and no sentence of a review.

use std::{collections::HashMap, fs, path::PathBuf};

use anyhow::Context as _;
use clap::Parser;
use insights_tools::marked;

/// Words of real reviews with their percentages.
const REAL_WORDS: &str = include_str!("../../real-words.tsv");
/// The largest ratio, and its inverse the smallest, of a word that is about as frequent.
const WITHIN: f64 = 2.0;

/// Compare the words of the training reviews with those of real reviews.
#[derive(Debug, Parser)]
struct Args {
    /// Folder of judged reviews
    reviews: PathBuf,
    /// List every word, not only those that are too rare or too frequent
    #[arg(long)]
    all: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut reviews = 0;
    for path in insights_tools::files(&args.reviews, "tsv")? {
        let judged = marked::parse(&fs::read_to_string(&path)?)
            .map_err(|line| anyhow::anyhow!("{}, line {line}: no judged review", path.display()))?;
        for review in judged {
            reviews += 1;
            for gram in grams(&review.text) {
                *counts.entry(gram).or_default() += 1;
            }
        }
    }
    println!("{reviews} reviews; word, % of real reviews, % of these, ratio");
    let (mut within, mut all) = ([0, 0], [0, 0]);
    for line in REAL_WORDS.lines() {
        let (gram, percent) = line.split_once('\t').context("a line without a tab")?;
        let percent: f64 = percent.parse()?;
        let count = counts.get(gram).copied().unwrap_or_default();
        let here = 100.0 * f64::from(count) / f64::from(reviews);
        let ratio = here / percent;
        let fits = (1.0 / WITHIN..=WITHIN).contains(&ratio);
        let kind = usize::from(gram.contains(' '));
        within[kind] += u32::from(fits);
        all[kind] += 1;
        if args.all || !fits {
            println!("{gram}\t{percent}\t{here:.1}\t{ratio:.2}");
        }
    }
    println!(
        "within a factor of two: {} of {} words, {} of {} pairs of words",
        within[0], all[0], within[1], all[1]
    );
    Ok(())
}

/// The distinct words and pairs of neighbouring words of a text, in lowercase.
fn grams(text: &str) -> std::collections::HashSet<String> {
    let text = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_ascii_lowercase() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    words.iter().map(|word| (*word).to_owned()).chain(pairs).collect()
}
