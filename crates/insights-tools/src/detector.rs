//! Trains the detector of aspects.

use std::collections::{BTreeMap, HashMap};

use insights::{
    Sentiment,
    training::{COLUMNS, Feature, LOGIT, SentenceReader, Span, aspects, letter, sentences},
};

use crate::{
    portable,
    regression::{Rows, fit},
    scores::{Gold, Judged},
};

/// The inverse strength of the penalty (liblinear's C), for aspects and for praise.
const PENALTY: [f64; 2] = [0.2, 0.5];
/// Added to the counts whose ratio weights the features of an aspect.
const SMOOTHING: f64 = 0.5;
/// The minimum number of sentences with a feature.
const MIN_SENTENCES: u32 = 2;
/// The maximum number of features: those with the largest weights, the frequent ones first.
pub const KEPT: usize = 30_000;
/// Weights below this are left out, in logits.
const SMALLEST: f64 = 0.1;
/// The number that the largest weight is written as.
const LARGEST: f64 = 127.0;
/// The score from which a sentence is about an aspect, in logits. A sentence is about one or two of
/// ten aspects, so the most likely decision for each aspect alone would too often be "no". Chosen
/// by `--folds`.
pub const SPOKEN: f64 = -1.25;
/// The number of bytes of a quote from which a sentence counts as being about the aspect.
const OVERLAP: usize = 4;

/// What a review says of an aspect.
struct Said<'a> {
    aspect: &'a str,
    sentiment: Sentiment,
    /// Where in the text it says so.
    span: Span,
}

/// The number of occurrences of each feature in a sentence.
type Row = BTreeMap<Feature, u32>;

/// Sentences as rows, with their labels.
#[derive(Default)]
struct Examples {
    rows: Vec<Row>,
    /// By row: the aspects that the sentence is about.
    spoken: Vec<Vec<bool>>,
    /// Sentences and quotes that praise or blame: features, stars above three, praise.
    praise: Vec<(Row, i32, bool)>,
}

/// Trains on judged reviews and returns the table in the form of `detector.tsv`.
#[must_use]
pub fn train(reviews: &[&Judged]) -> String {
    let mut reader = SentenceReader::new(reviews.iter().map(|review| review.text.as_str()));
    let examples = collect(reviews, &mut reader);
    let (columns, weights) = solve(&examples);
    write(&columns, &weights, &reader)
}

fn collect(reviews: &[&Judged], reader: &mut SentenceReader) -> Examples {
    let mut examples = Examples::default();
    for review in reviews {
        let said: Vec<Said<'_>> =
            review.aspects.iter().filter_map(|gold| said(review, gold)).collect();
        for range in sentences(&review.text) {
            let inside = |said: &&Said<'_>| {
                let shared =
                    said.span.1.min(range.end).saturating_sub(said.span.0.max(range.start));
                shared >= OVERLAP.min(said.span.1 - said.span.0)
            };
            let said: Vec<&Said<'_>> = said.iter().filter(inside).collect();
            let sentence = reader.read(&review.text, range);
            let stars = i32::from(review.rating) - 3;
            for said in said.iter().filter(|one| undisputed(one, &said)) {
                if let Some(praise) = side(said.sentiment) {
                    examples.praise.push((sentence.features_of(said.span), stars, praise));
                }
            }
            let whole = sentence.features();
            if let Some(praise) = unanimous(&said) {
                examples.praise.push((whole.clone(), stars, praise));
            }
            examples.rows.push(whole);
            let spoken = aspects().map(|id| said.iter().any(|said| said.aspect == id));
            examples.spoken.push(spoken.collect());
        }
    }
    examples
}

/// `None` if the text does not have the quote.
fn said<'a>(review: &Judged, gold: &'a Gold) -> Option<Said<'a>> {
    let start = gold.at.or_else(|| review.text.find(&gold.quote))?;
    let span = (start, start + gold.quote.len());
    Some(Said { aspect: &gold.id, sentiment: gold.sentiment, span })
}

/// Whether the sentiment is praise or blame; `None` for the others.
fn side(sentiment: Sentiment) -> Option<bool> {
    match sentiment {
        Sentiment::Positive => Some(true),
        Sentiment::Negative => Some(false),
        Sentiment::Neutral | Sentiment::Mixed => None,
    }
}

/// Whether the labels of other aspects at the same position agree with this one.
fn undisputed(one: &Said<'_>, said: &[&Said<'_>]) -> bool {
    let there = |other: &&&Said<'_>| other.span == one.span;
    said.iter().filter(there).all(|other| side(other.sentiment) == side(one.sentiment))
}

/// The side that all labels of a sentence agree on.
fn unanimous(said: &[&Said<'_>]) -> Option<bool> {
    let mut sides = said.iter().filter_map(|said| side(said.sentiment));
    let first = sides.next()?;
    sides.all(|other| other == first).then_some(first)
}

/// The frequent features with the number of their sentences. By column of the table: their weights,
/// then the intercept; for praise, then the weight of a star.
fn solve(examples: &Examples) -> (Vec<(u64, u32)>, Vec<Vec<f64>>) {
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for key in examples.rows.iter().flat_map(|row| row.keys()) {
        *counts.entry(*key).or_default() += 1;
    }
    counts.retain(|_, count| *count >= MIN_SENTENCES);
    let columns: Vec<(u64, u32)> = counts.into_iter().collect();
    let numbers: HashMap<u64, u32> = columns.iter().map(|(key, _)| *key).zip(0..).collect();
    let known = |row: &Row| -> Vec<(u32, f64)> {
        let known = |(key, count): (&u64, &u32)| Some((*numbers.get(key)?, f64::from(*count)));
        row.iter().filter_map(known).chain([(numbers.len() as u32, 1.0)]).collect()
    };
    let known_rows: Vec<Vec<(u32, f64)>> = examples.rows.iter().map(known).collect();
    let mut praise = Rows::default();
    for (row, stars, _) in &examples.praise {
        praise.push(known(row).into_iter().chain([(numbers.len() as u32 + 1, f64::from(*stars))]));
    }
    let mut weights: Vec<Vec<f64>> = (0..aspects().count())
        .map(|aspect| {
            let said: Vec<bool> = examples.spoken.iter().map(|said| said[aspect]).collect();
            let ratios = ratios(&known_rows, &said, columns.len());
            let mut spoken = Rows::default();
            for row in &known_rows {
                spoken.push(row.iter().map(|(at, count)| (*at, count * ratios[*at as usize])));
            }
            let weights = fit(&spoken, &said, columns.len() + 1, PENALTY[0]);
            weights.iter().zip(ratios).map(|(weight, ratio)| weight * ratio).collect()
        })
        .collect();
    let praises: Vec<bool> = examples.praise.iter().map(|(.., praise)| *praise).collect();
    weights.push(fit(&praise, &praises, columns.len() + 2, PENALTY[1]));
    (columns, weights)
}

/// The logarithm of the ratio of each feature's frequencies in rows with and without the aspect,
/// and 1 for the intercept. Rare features are thereby trusted sooner (S. Wang and C. Manning,
/// "Baselines and bigrams", ACL 2012).
fn ratios(rows: &[Vec<(u32, f64)>], said: &[bool], columns: usize) -> Vec<f64> {
    let mut counts = [vec![SMOOTHING; columns], vec![SMOOTHING; columns]];
    for (row, said) in rows.iter().zip(said) {
        for (at, count) in row.iter().filter(|(at, _)| (*at as usize) < columns) {
            counts[usize::from(*said)][*at as usize] += count;
        }
    }
    let totals = [0, 1].map(|side: usize| counts[side].iter().sum::<f64>());
    let ratio = |at: usize| portable::ln((counts[1][at] / totals[1]) / (counts[0][at] / totals[0]));
    (0..columns).map(ratio).chain([1.0]).collect()
}

fn write(columns: &[(u64, u32)], weights: &[Vec<f64>], reader: &SentenceReader) -> String {
    let largest = |at: usize| weights.iter().map(|w| w[at].abs()).fold(0.0, f64::max);
    let worth = |at: usize| {
        weights.iter().map(|w| w[at] * w[at]).sum::<f64>() * f64::from(columns[at].1).sqrt()
    };
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    // The features with the largest weights first; ties by the order of the keys.
    kept.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)).then(a.cmp(b)));
    kept.truncate(KEPT);
    let scale = kept.iter().map(|at| largest(*at)).fold(0.0, f64::max) / LARGEST;
    let cell = |at: usize, column: usize| {
        let weight = weights[column][at];
        let rounded = (weight / scale + 0.5).floor() as i32;
        (weight.abs() >= SMALLEST).then(|| format!("{}{rounded}", letter(column)))
    };
    let mut rows: Vec<String> = kept
        .iter()
        .map(|at| {
            let cells: String = (0..COLUMNS).filter_map(|column| cell(*at, column)).collect();
            (reader.name(columns[*at].0), cells)
        })
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(name, cells)| format!("{name}\t{cells}\n"))
        .collect();
    rows.sort_unstable();
    let fixed = |value: f64| (value * LOGIT as f64 + 0.5).floor() as i64;
    let intercepts: String =
        weights.iter().map(|w| format!("\t{}", fixed(w[columns.len()]))).collect();
    let star = weights.last().map_or(0.0, |praise| praise[columns.len() + 1]);
    format!(
        "# feature, weights by column: a to j are the built-in aspects in their order, k is praise; see MODEL_CARD.md\n\
         @scale\t{}\n@spoken\t{}\n@star\t{}\n@intercepts{intercepts}\n{}",
        fixed(scale),
        fixed(SPOKEN),
        fixed(star),
        rows.concat()
    )
}
