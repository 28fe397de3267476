//! Measures the built-in aspects on judged reviews, with VADER and the stars for comparison.
//!
//! ```text
//! cargo run --release -p candor-insights-tools --bin evaluate -- FILE [--errors]
//! cargo run --release -p candor-insights-tools --bin evaluate -- --real FOLDER [--hash | --labels LABELS…] [--errors]
//! ```
//!
//! FILE has one review per line:
//! `{"id", "rating", "text", "aspects": [{"id", "sentiment", "quote"}]}`. The project's own open
//! halves are `gold/open.jsonl` and `everyday.jsonl`. Patterns must not be written with a
//! sealed half in sight. FOLDER has such files of labelled reviews of real customers, which must
//! stay outside the repository; a label may have `"optional": true`. `--hash` prints the labels of these files
//! without the texts, in the form of `labels/en/*.tsv`. With `--labels` FOLDER has fetched files in which the texts of
//! such labels are found.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Parser;
use insights::{Judge, Language, Sentiment};
use vader_parity::SentimentIntensityAnalyzer;

use insights_tools::{
    labels,
    real::Figures,
    scores::{self, Found, Judged, Scores, Share},
};

/// Measure the built-in aspects.
#[derive(Debug, Parser)]
struct Args {
    /// Judged reviews, one per line
    #[arg(required_unless_present = "real")]
    file: Option<PathBuf>,
    /// Print the figures of the model card for each file of this folder of real reviews, and for
    /// all of them
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    real: Option<PathBuf>,
    /// Find the texts of these files of labels in the files of FOLDER
    #[arg(long, value_name = "LABELS", requires = "real", conflicts_with = "hash", num_args = 1..)]
    labels: Vec<PathBuf>,
    /// Print the labels of FOLDER by the hashes of the texts
    #[arg(long, requires = "real")]
    hash: bool,
    /// List missed, wrong and misjudged mentions
    #[arg(long)]
    errors: bool,
    /// Language of the reviews, or the folder of one, such as `crates/insights/src/data/en`, whose files are used
    /// without a build
    #[arg(long, default_value = "en")]
    language: String,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let language = insights_tools::language(&args.language)?;
    let mut judge = Judge::with_detectors(language, language.detectors())?;
    if let Some(folder) = &args.real {
        return real(&reviews(folder, &args, language)?, &args, &mut judge);
    }
    let reviews = read(&args.file.unwrap_or_default())?;
    let mut scores = Scores::default();
    reviews.iter().for_each(|judged| scores.add(judged, &mut judge));
    if args.errors {
        scores.errors.iter().for_each(|error| println!("{error}"));
    }
    let labels: usize = reviews.iter().map(|judged| judged.aspects.len()).sum();
    println!("{} reviews, {labels} labels", reviews.len());
    for (aspect, found) in &scores.by_aspect {
        say_found(aspect, *found);
    }
    say_found("ASPECTS", scores.aspects());
    say_found("with sentiment", scores.with_sentiment);
    say("four-way sentiment, aspects found", scores.labels);
    say("two-class, all labels (missed ones judged at their quote)", scores.two_class);
    say("two-class, all labels at their quotes", scores.two_class_at_quote);
    say("two-class, aspects found", scores.two_class_found);
    say("two-class where label and stars disagree", scores.against_stars);
    say("two-class by the stars alone (3: positive)", scores.stars);
    let (review, quote) = vader(&reviews);
    say("two-class, VADER on the review", review);
    say("two-class, VADER on the quote", quote);
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<Judged>> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
    scores::parse(&text).with_context(|| path.display().to_string())
}

/// The labelled reviews of a folder, by file or by set of labels.
fn reviews(
    folder: &Path,
    args: &Args,
    language: &Language,
) -> anyhow::Result<Vec<(String, Vec<Judged>)>> {
    if args.labels.is_empty() {
        let paths = insights_tools::files(folder, "jsonl")?;
        return paths.iter().map(|path| Ok((path.display().to_string(), read(path)?))).collect();
    }
    let texts = labels::texts(folder)?;
    let mut sets = Vec::new();
    for path in &args.labels {
        let name = path.display().to_string();
        let labels = fs::read_to_string(path).context(name.clone())?;
        let (found, missing) = labels::find(&labels, &texts, language).context(name.clone())?;
        println!("{name}: {missing} labelled reviews have no text in {}", folder.display());
        sets.push((name, found));
    }
    Ok(sets)
}

/// Prints the figures of every set, and of all together; or the labels without their texts.
fn real(sets: &[(String, Vec<Judged>)], args: &Args, judge: &mut Judge) -> anyhow::Result<()> {
    if args.hash {
        sets.iter()
            .flat_map(|(_, set)| set)
            .filter_map(|it| labels::line(it, judge.language()))
            .for_each(|it| print!("{it}"));
        return Ok(());
    }
    let mut all = Figures::default();
    for (name, reviews) in sets {
        let mut figures = Figures::default();
        for judged in reviews {
            figures.add(judged, judge);
            all.add(judged, judge);
        }
        println!("{name}\n{figures}");
    }
    if args.errors {
        all.errors.iter().for_each(|error| println!("{error}"));
    }
    println!("all\n{all}");
    Ok(())
}

fn say_found(what: &str, found: Found) {
    let (precision, recall, f1) = (found.precision(), found.recall(), found.f1());
    println!("{what:16} P {precision:5.1}  R {recall:5.1}  F1 {f1:5.1}");
}

fn say(what: &str, share: Share) {
    println!("{what:58} {:5.1} of {}", share.percent(), share.all);
}

/// The scores of VADER on the whole reviews, and on the judged quotes.
fn vader(reviews: &[Judged]) -> (Share, Share) {
    let vader = SentimentIntensityAnalyzer::new();
    let (mut review, mut quote) = (Share::default(), Share::default());
    for judged in reviews {
        let whole = vader.polarity_scores(&judged.text).compound > 0.0;
        for gold in &judged.aspects {
            let positive = match gold.sentiment {
                Sentiment::Positive => true,
                Sentiment::Negative => false,
                _ => continue,
            };
            review.add(whole == positive);
            quote.add((vader.polarity_scores(&gold.quote).compound > 0.0) == positive);
        }
    }
    (review, quote)
}
