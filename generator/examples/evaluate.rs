//! Measures the built-in aspects on judged reviews, VADER and the stars beside them.
//!
//! ```text
//! cargo run --release -p generator --example evaluate -- FILE [--errors]
//! ```
//!
//! FILE has one review a line: `{"id", "rating", "text", "aspects": [{"id", "sentiment", "quote"}]}`; the
//! project's own half lies in `tests/gold/open.jsonl`. No pattern may be written after looking at any
//! other file.

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::Context as _;
use clap::Parser;
use reviews::insights::{Judge, Sentiment};
use serde::Deserialize;
use vader_parity::SentimentIntensityAnalyzer;

/// Measure the built-in aspects.
#[derive(Debug, Parser)]
struct Args {
    /// Judged reviews, one a line
    file: PathBuf,
    /// List what is missed, made up and misjudged
    #[arg(long)]
    errors: bool,
}

#[derive(Deserialize)]
struct Judged {
    id: String,
    rating: u8,
    text: String,
    aspects: Vec<Gold>,
}

#[derive(Deserialize)]
struct Gold {
    id: String,
    sentiment: Sentiment,
    quote: String,
}

/// Right, made up, missed.
#[derive(Clone, Copy, Default)]
struct Found {
    right: u32,
    wrong: u32,
    missed: u32,
}

impl Found {
    fn precision(self) -> f64 {
        percent(self.right, self.right + self.wrong)
    }

    fn recall(self) -> f64 {
        percent(self.right, self.right + self.missed)
    }

    fn f1(self) -> f64 {
        percent(2 * self.right, 2 * self.right + self.wrong + self.missed)
    }

    fn say(self, what: &str) {
        println!(
            "{what:16} P {:5.1}  R {:5.1}  F1 {:5.1}",
            self.precision(),
            self.recall(),
            self.f1()
        );
    }
}

/// Right answers of so many.
#[derive(Clone, Copy, Default)]
struct Share(u32, u32);

impl Share {
    fn add(&mut self, right: bool) {
        self.0 += u32::from(right);
        self.1 += 1;
    }

    fn say(self, what: &str) {
        println!("{what:58} {:5.1} of {}", percent(self.0, self.1), self.1);
    }
}

fn percent(part: u32, whole: u32) -> f64 {
    if whole == 0 { 0.0 } else { f64::from(part) * 100.0 / f64::from(whole) }
}

#[derive(Default)]
struct Scores {
    by_aspect: BTreeMap<String, Found>,
    with_sentiment: Found,
    labels: Share,
    two_class: Share,
    two_class_found: Share,
    against_stars: Share,
    stars: Share,
    vader_review: Share,
    vader_quote: Share,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let text = fs::read_to_string(&args.file)
        .with_context(|| format!("{} cannot be read", args.file.display()))?;
    let mut judge = Judge::builtin();
    let vader = SentimentIntensityAnalyzer::new();
    let mut scores = Scores::default();
    let (mut reviews, mut labels) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let judged: Judged = serde_json::from_str(line)?;
        reviews += 1;
        labels += judged.aspects.len();
        score(&judged, &mut judge, &vader, &mut scores, args.errors);
    }
    println!("{reviews} reviews, {labels} labels");
    let mut all = Found::default();
    for (aspect, found) in &scores.by_aspect {
        found.say(aspect);
        all = Found {
            right: all.right + found.right,
            wrong: all.wrong + found.wrong,
            missed: all.missed + found.missed,
        };
    }
    all.say("ASPECTS");
    scores.with_sentiment.say("with sentiment");
    scores.labels.say("four-way sentiment, aspects found");
    scores.two_class.say("two-class, all labels (missed ones judged at their quote)");
    scores.two_class_found.say("two-class, aspects found");
    scores.against_stars.say("two-class where label and stars disagree");
    scores.stars.say("two-class by the stars alone (3: positive)");
    scores.vader_review.say("two-class, VADER on the review");
    scores.vader_quote.say("two-class, VADER on the quote");
    Ok(())
}

fn score(
    judged: &Judged,
    judge: &mut Judge,
    vader: &SentimentIntensityAnalyzer,
    scores: &mut Scores,
    errors: bool,
) {
    let reading = judge.read(&judged.text, judged.rating);
    let answers: BTreeMap<String, _> = reading
        .opinions
        .iter()
        .map(|opinion| (judge.id(opinion.aspect).to_owned(), opinion))
        .collect();
    for (id, opinion) in
        answers.iter().filter(|(id, _)| !judged.aspects.iter().any(|gold| gold.id == **id))
    {
        scores.by_aspect.entry(id.clone()).or_default().wrong += 1;
        scores.with_sentiment.wrong += 1;
        if errors {
            let said: Vec<&str> = opinion
                .places
                .iter()
                .map(|p| &judged.text[p.span.0 as usize..p.span.1 as usize])
                .collect();
            println!("made up  {} {id} {:?} {said:?}", judged.id, opinion.sentiment);
        }
    }
    let compound = vader.polarity_scores(&judged.text).compound;
    for gold in &judged.aspects {
        let found = scores.by_aspect.entry(gold.id.clone()).or_default();
        let answer = answers.get(&gold.id);
        match answer {
            Some(_) => found.right += 1,
            None => found.missed += 1,
        }
        let same = answer.is_some_and(|answer| answer.sentiment == gold.sentiment);
        match answer {
            _ if same => scores.with_sentiment.right += 1,
            Some(_) => {
                scores.with_sentiment.wrong += 1;
                scores.with_sentiment.missed += 1;
            }
            None => scores.with_sentiment.missed += 1,
        }
        if let Some(answer) = answer {
            scores.labels.add(same);
            if errors && !same {
                let said: Vec<_> = answer
                    .places
                    .iter()
                    .map(|p| (p.margin, &judged.text[p.span.0 as usize..p.span.1 as usize]))
                    .collect();
                println!(
                    "misjudged {} {} {:?} not {:?} ({}): {:?} {said:?}",
                    judged.id, gold.id, gold.sentiment, answer.sentiment, answer.score, gold.quote
                );
            }
        } else if errors {
            println!("missed   {} {} {:?}: {:?}", judged.id, gold.id, gold.sentiment, gold.quote);
        }
        let positive = match gold.sentiment {
            Sentiment::Positive => true,
            Sentiment::Negative => false,
            _ => continue,
        };
        let at = judged
            .text
            .find(&gold.quote)
            .map_or((0, judged.text.len()), |at| (at, at + gold.quote.len()));
        let score =
            answer.map_or_else(|| judge.at(&judged.text, at, judged.rating), |answer| answer.score);
        let right = (score > 0) == positive;
        scores.two_class.add(right);
        if answer.is_some() {
            scores.two_class_found.add(right);
        }
        let stars = judged.rating >= 3;
        scores.stars.add(stars == positive);
        if stars != positive {
            scores.against_stars.add(right);
        }
        scores.vader_review.add((compound > 0.0) == positive);
        scores.vader_quote.add((vader.polarity_scores(&gold.quote).compound > 0.0) == positive);
    }
}
