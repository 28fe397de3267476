//! Measures how many reviews per second are analysed, with VADER alone for comparison. `make bench`
//! runs it.
//!
//! ```text
//! cargo run --release -p candor-insights --example insights -- [REVIEWS] [--rounds N]
//! ```
//!
//! Prints one JSON object. It uses one thread and reviews of 60 to 80 words, made from sentences of
//! the sample business. "aspects" is the whole analysis of a review: sentences, mentions, patterns,
//! model, one vote per aspect. "vader" is vaderSentiment's compound score of each sentence only.

use std::time::Instant;

use clap::{Parser, builder::TypedValueParser as _};
use insights::Judge;
use serde_json::json;
use vader_parity::SentimentIntensityAnalyzer;

/// Measure the analysis of reviews.
#[derive(Debug, Parser)]
struct Args {
    /// Number of reviews
    #[arg(default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..).map(|n| n as usize))]
    reviews: usize,
    /// Number of rounds; the figures are medians
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// The minimum number of words of a review.
const WORDS: usize = 60;

/// Sentences of customers. Their order changes from review to review.
const SENTENCES: [&str; 20] = [
    "They arrived exactly when they said they would and called ahead from the road.",
    "The technician was friendly and explained every step before he started.",
    "I paid a little more than the quote, which nobody had mentioned.",
    "Our water heater had been leaking for two days and the basement smelled of damp.",
    "He wore shoe covers, put down a sheet and cleaned up after himself.",
    "Not the cheapest in town, but the work is solid and it has held so far.",
    "Two weeks later the same pipe was dripping again and I had to chase them for an appointment.",
    "The woman in the office could not have been nicer about moving the visit.",
    "I would have liked a text when they were running late.",
    "Everything works as it should and the inspector had nothing to say.",
    "My neighbor used another company and waited three weeks for the same part.",
    "The invoice was clear, line by line, and exactly what we had agreed on.",
    "It took most of a Saturday, and there was dust on the stairs for a week.",
    "They never tried to sell me anything I did not need.",
    "The second visit was free of charge, as it should be.",
    "My mother is eighty and they were patient with all of her questions.",
    "Nobody could tell me why the price had gone up since last year.",
    "The new valve is quiet, the shower is hot, and that is all I wanted.",
    "We will call them again when the furnace gives out.",
    "One of the two men was on his phone more than he was under the sink.",
];

fn main() {
    let args = Args::parse();
    let texts: Vec<String> = (0..args.reviews).map(review).collect();
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
    let count = args.reviews as f64;
    println!(
        "{}",
        json!({
            "reviews": args.reviews,
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

/// A review of sentences in an order that depends on `number`, until it has enough words.
fn review(number: usize) -> String {
    let (mut text, mut words, mut at) = (String::new(), 0, number * 7);
    while words < WORDS {
        at += 3 + number % 5;
        let sentence = SENTENCES[at % SENTENCES.len()];
        words += sentence.split(' ').count();
        text.push_str(sentence);
        text.push(' ');
    }
    text
}
