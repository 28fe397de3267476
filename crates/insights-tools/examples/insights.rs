//! Measures how many reviews per second are analysed, with VADER alone for comparison. `make bench`
//! runs it.
//!
//! ```text
//! cargo run --release -p candor-insights-tools --example insights -- [--rounds N]
//! ```
//!
//! Prints one JSON object. It uses one thread and the invented reviews of `training/en`, which repeat no text, joined to
//! 60 words, as real ones have on average. "aspects" is the whole analysis of a review: sentences, mentions, patterns,
//! model, one vote per aspect. "vader" is vaderSentiment's compound score of each sentence only.

use std::{fs, path::Path, time::Instant};

use clap::Parser;
use insights::Judge;
use insights_tools::marked;
use serde_json::json;
use vader_parity::SentimentIntensityAnalyzer;

/// Measure the analysis of reviews.
#[derive(Debug, Parser)]
struct Args {
    /// Number of rounds; the figures are medians
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// The minimum number of words of a review.
const WORDS: usize = 60;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let texts = reviews()?;
    let words: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    let mut judge = Judge::builtin();
    let vader = SentimentIntensityAnalyzer::new();
    // The two measurements alternate, so that a disturbance affects both.
    let (mut aspects, mut alone, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut opinions, mut sum) = (0, 0.0);
    for round in 0..=args.rounds {
        let (read, took) = timed(|| read(&mut judge, &texts));
        let (scored, vader_took) = timed(|| score(&vader, &texts));
        (opinions, sum) = (read, scored);
        // The first round is a warm-up.
        if round > 0 {
            aspects.push(took);
            alone.push(vader_took);
            ratios.push(vader_took / took);
        }
    }
    let count = texts.len() as f64;
    println!(
        "{}",
        json!({
            "reviews": texts.len(),
            "rounds": args.rounds,
            "words_per_review": (words as f64 / count).round(),
            "opinions_per_review": (opinions as f64 * 10.0 / count).round() / 10.0,
            "aspects_per_second": (count / median(&mut aspects)).round(),
            "aspects_per_second_best": (count / aspects[0]).round(),
            "vader_per_second": (count / median(&mut alone)).round(),
            "vader_per_second_best": (count / alone[0]).round(),
            "ratio": (median(&mut ratios) * 100.0).round() / 100.0,
            "mean_compound": (sum / count * 100.0).round() / 100.0,
        })
    );
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed().as_secs_f64())
}

/// The median. Sorts the values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn read(judge: &mut Judge, texts: &[String]) -> usize {
    let each = texts.iter().enumerate();
    each.map(|(at, text)| judge.read(text, 1 + (at % 5) as u8).opinions.len()).sum()
}

fn score(vader: &SentimentIntensityAnalyzer, texts: &[String]) -> f64 {
    let sentences = texts.iter().flat_map(|text| text.split_inclusive(". "));
    sentences.map(|sentence| vader.polarity_scores(sentence).compound).sum()
}

/// The invented reviews, several joined to one until it has enough words.
fn reviews() -> anyhow::Result<Vec<String>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/training/en"));
    let mut texts = vec![String::new()];
    for path in insights_tools::files(folder, "tsv")? {
        let text = fs::read_to_string(path)?;
        let parsed = marked::parse(&text);
        let parsed = parsed.map_err(|line| anyhow::anyhow!("line {line} is not a review"))?;
        for review in parsed {
            match texts.last_mut() {
                Some(last) if last.split_whitespace().count() < WORDS => {
                    *last += &(review.text + " ")
                }
                _ => texts.push(review.text + " "),
            }
        }
    }
    Ok(texts)
}
