//! How many reviews a second are read, VADER alone beside it. `make bench` runs it.
//!
//! ```text
//! cargo run --release -p generator --example insights -- [REVIEWS]
//! ```
//!
//! Prints one JSON object. One thread; reviews of 60 to 80 words, put together from the sentences of
//! the sample business. "aspects" is everything a single review needs: sentences, mentions, patterns,
//! model, one vote per aspect. "vader" is vaderSentiment's compound of each sentence and no more.

use std::time::Instant;

use clap::Parser;
use reviews::insights::Judge;
use serde_json::json;
use vader_parity::SentimentIntensityAnalyzer;

/// Time the reading of reviews.
#[derive(Debug, Parser)]
struct Args {
    /// How many
    #[arg(default_value_t = 20_000)]
    reviews: usize,
}

/// Words of a review, at least.
const WORDS: usize = 60;

/// What customers write; the order of the sentences changes from review to review.
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
    let started = Instant::now();
    let mut opinions = 0;
    for (at, text) in texts.iter().enumerate() {
        opinions += judge.read(text, 1 + (at % 5) as u8).opinions.len();
    }
    let aspects = started.elapsed().as_secs_f64();
    let vader = SentimentIntensityAnalyzer::new();
    let started = Instant::now();
    let mut sum = 0.0;
    for sentence in texts.iter().flat_map(|text| text.split_inclusive(". ")) {
        sum += vader.polarity_scores(sentence).compound;
    }
    let alone = started.elapsed().as_secs_f64();
    let count = args.reviews as f64;
    println!(
        "{}",
        json!({
            "reviews": args.reviews,
            "words_per_review": (words as f64 / count).round(),
            "opinions_per_review": (opinions as f64 * 10.0 / count).round() / 10.0,
            "aspects_per_second": (count / aspects).round(),
            "vader_per_second": (count / alone).round(),
            "ratio": (alone / aspects * 100.0).round() / 100.0,
            "mean_compound": (sum / count * 100.0).round() / 100.0,
        })
    );
}

/// Sentences in an order of its own until there are words enough.
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
