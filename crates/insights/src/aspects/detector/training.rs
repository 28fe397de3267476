//! Training of the detector. Only `examples/detector.rs` and the tests use it; no published byte
//! depends on it.

use std::collections::{BTreeMap, HashMap};

use super::{
    grams::{Stems, each, name},
    model::{COLUMNS, LOGIT, letter},
};
use crate::{
    aspects::reader::{Reader, Scratch},
    aspects::{Aspects, BUILTIN, TABLES},
    config::AspectConfig,
    opinion::Sentiment,
    segment::sentences,
    sentiment::{
        lexicon::Lexicon,
        portable,
        regression::{Rows, fit},
        tokens::each_word,
        valence::Word,
    },
};
use contract::problem::Report;

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
pub const SPOKEN: f64 = -1.5;
/// The number of bytes of a quote from which a sentence counts as being about the aspect.
const OVERLAP: usize = 4;

/// A judged review.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The text.
    pub text: &'a str,
    /// The stars, 1 to 5.
    pub stars: u8,
}

/// The label of a mention.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The id of the built-in aspect.
    pub aspect: &'a str,
    /// The sentiment.
    pub sentiment: Sentiment,
    /// The position: the first byte, and the byte after the last.
    pub span: (usize, usize),
}

/// The number of occurrences of each feature in a sentence.
type Row = BTreeMap<u64, u32>;

/// Sentences as rows, with their labels.
#[derive(Default)]
struct Examples {
    rows: Vec<Row>,
    /// By row: the aspects that the sentence is about.
    spoken: Vec<[bool; BUILTIN.len()]>,
    /// Sentences and quotes that praise or blame: features, stars above three, praise.
    praise: Vec<(Row, i32, bool)>,
}

/// Trains on judged reviews and returns the table in the form of `detector.tsv`.
#[must_use]
pub fn train(reviews: &[(Judged<'_>, Vec<Said<'_>>)]) -> String {
    let mut reader = Aspects::new(&AspectConfig::default())
        .reader_of(&TABLES, "", &Report::default())
        .expect("the shipped patterns are well formed: a test reads them");
    for (review, _) in reviews {
        each_word(review.text, |_, _, _, word| {
            reader.lexicon.add(word);
        });
    }
    let stems = Stems::all(&mut reader.lexicon);
    let examples = collect(reviews, &reader, &stems);
    let (columns, weights) = solve(&examples);
    write(&columns, &weights, &reader.lexicon)
}

fn collect(reviews: &[(Judged<'_>, Vec<Said<'_>>)], reader: &Reader, stems: &Stems) -> Examples {
    let mut examples = Examples::default();
    let mut scratch = Scratch::default();
    for (review, said) in reviews {
        for range in sentences(review.text) {
            let inside = |said: &&Said<'_>| {
                let shared =
                    said.span.1.min(range.end).saturating_sub(said.span.0.max(range.start));
                shared >= OVERLAP.min(said.span.1 - said.span.0)
            };
            let said: Vec<&Said<'_>> = said.iter().filter(inside).collect();
            let hits = reader.hits(review.text, range.clone(), &mut scratch);
            let words = &scratch.sentence.words;
            let features = |from: usize, to: usize| {
                let inside = hits.iter().filter(|(at, _)| (from..to).contains(at));
                row(&words[from..to], stems, inside.map(|(_, key)| *key))
            };
            let stars = i32::from(review.stars) - 3;
            let place = |at: usize| {
                scratch.tokens.partition_point(|token| range.start + token.end as usize <= at)
            };
            for said in said.iter().filter(|one| undisputed(one, &said)) {
                let (from, last) = (place(said.span.0), place(said.span.1 - 1));
                if let Some(praise) = side(said.sentiment) {
                    let row = features(from, words.len().min(last + 1));
                    examples.praise.push((row, stars, praise));
                }
            }
            let whole = features(0, words.len());
            if let Some(praise) = unanimous(&said) {
                examples.praise.push((whole.clone(), stars, praise));
            }
            examples.rows.push(whole);
            examples.spoken.push(BUILTIN.map(|(id, _)| said.iter().any(|said| said.aspect == id)));
        }
    }
    examples
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

fn row(words: &[Word], stems: &Stems, hits: impl Iterator<Item = u64>) -> Row {
    let mut row = Row::new();
    each(words, stems, |_, gram| {
        gram.features().for_each(|key| *row.entry(key).or_default() += 1);
    });
    hits.for_each(|key| *row.entry(key).or_default() += 1);
    row
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
    let mut weights: Vec<Vec<f64>> = (0..BUILTIN.len())
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

fn write(columns: &[(u64, u32)], weights: &[Vec<f64>], lexicon: &Lexicon) -> String {
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
            (name(columns[*at].0, lexicon), cells)
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

/// The shipped table.
#[must_use]
pub fn shipped_table() -> &'static str {
    super::TABLE
}
