//! Trains and measures the sentiment model of targets.

use std::collections::{BTreeMap, HashMap};

use insights::{
    BadModel,
    training::{Feature, SentimentModel, Span, TargetReader, UNIT},
};

use crate::regression::{Rows, fit};

/// The inverse strength of the penalty (liblinear's C). With [`KEPT`] it was the best value on the
/// validation split.
pub const PENALTY: f64 = 0.25;
/// The minimum number of targets with a feature.
const MIN_TARGETS: u32 = 2;
/// The number of features that are kept: those with the largest weights.
pub const KEPT: usize = 10_000;
/// The number that the largest weight is written as.
const LARGEST: f64 = 127.0;

/// The label of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// Praise.
    Positive,
    /// Neither praise nor blame, or both.
    Neutral,
    /// Blame.
    Negative,
}

/// A sentence with judged targets.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The sentence.
    pub text: String,
    /// The first byte, the byte after the last, and the label of each target.
    pub targets: Vec<(usize, usize, Label)>,
}

impl Labelled {
    fn spans(&self) -> Vec<Span> {
        self.targets.iter().map(|(start, end, _)| (*start, *end)).collect()
    }
}

/// Trains on the texts and returns the table in the form of `model.tsv`.
#[must_use]
pub fn train(texts: &[Labelled]) -> String {
    let mut reader = TargetReader::new(texts.iter().map(|labelled| labelled.text.as_str()));
    let (rows, labels) = collect(texts, &mut reader);
    let (columns, matrix) = number(&rows);
    let weights = [Label::Positive, Label::Neutral, Label::Negative].map(|label| {
        let positive: Vec<bool> = labels.iter().map(|is| *is == label).collect();
        fit(&matrix, &positive, columns.len() + 1, PENALTY)
    });
    write(&columns, &weights, &reader)
}

type Row = BTreeMap<Feature, i32>;

fn collect(texts: &[Labelled], reader: &mut TargetReader) -> (Vec<Row>, Vec<Label>) {
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for labelled in texts {
        reader.features(&labelled.text, &labelled.spans(), |at, row| {
            rows.push(row);
            labels.push(labelled.targets[at].2);
        });
    }
    (rows, labels)
}

/// Numbers the frequent features. The last column is the intercept.
fn number(rows: &[Row]) -> (Vec<u64>, Rows) {
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for key in rows.iter().flat_map(|row| row.keys()) {
        *counts.entry(*key).or_default() += 1;
    }
    let columns: Vec<u64> =
        counts.into_iter().filter(|(_, count)| *count >= MIN_TARGETS).map(|(key, _)| key).collect();
    let numbers: HashMap<u64, u32> = columns.iter().zip(0..).map(|(key, at)| (*key, at)).collect();
    let mut matrix = Rows::default();
    for row in rows {
        let known = row.iter().filter_map(|(key, value)| {
            Some((*numbers.get(key)?, f64::from(*value) / f64::from(UNIT)))
        });
        matrix.push(known.chain([(columns.len() as u32, 1.0)]));
    }
    (columns, matrix)
}

fn write(columns: &[u64], weights: &[Vec<f64>; 3], reader: &TargetReader) -> String {
    let largest = |at: usize| weights.iter().map(|w| w[at].abs()).fold(0.0, f64::max);
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    // The largest weights first; ties by the order of the keys.
    kept.sort_by(|a, b| largest(*b).total_cmp(&largest(*a)).then(a.cmp(b)));
    kept.truncate(KEPT);
    let scale = kept.first().map_or(1.0, |at| largest(*at)) / LARGEST;
    let rounded = |weight: f64| (weight / scale + 0.5).floor() as i32;
    let mut rows: Vec<String> = kept
        .iter()
        .map(|at| {
            let name = reader.name(columns[*at]);
            let [p, n, m] = [0, 1, 2].map(|class| rounded(weights[class][*at]));
            format!("{name}\t{p}\t{n}\t{m}\n")
        })
        .collect();
    rows.sort_unstable();
    let fixed = |value: f64| (value * 65_536.0 + 0.5).floor() as i64;
    let [p, n, m] = [0, 1, 2].map(|class: usize| fixed(weights[class][columns.len()]));
    format!(
        "# feature, weight for positive, neutral, negative; scores are 65536ths of a logit; see MODEL_CARD.md\n\
         @scale\t{}\n@intercepts\t{p}\t{n}\t{m}\n{}",
        fixed(scale),
        rows.concat()
    )
}

/// The correct judgements and the confusion of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Counts by label (first index) and judgement: positive, neutral, negative.
    pub confusion: [[u32; 3]; 3],
    /// The number of correct judgements if only positive and negative are possible, and the number
    /// of cases.
    pub two_class: (u32, u32),
}

impl Measure {
    /// Counts one judgement. `leaning` is above 0 if positive is more likely than negative.
    pub fn add(&mut self, gold: Label, answer: Label, leaning: f64) {
        self.confusion[gold as usize][answer as usize] += 1;
        if gold != Label::Neutral {
            self.two_class.1 += 1;
            self.two_class.0 += u32::from((leaning > 0.0) == (gold == Label::Positive));
        }
    }

    /// The share of correct judgements.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let right: u32 = (0..3).map(|at| self.confusion[at][at]).sum();
        f64::from(right) / f64::from(self.confusion.iter().flatten().sum::<u32>().max(1))
    }

    /// The mean of the F1 of the classes.
    #[must_use]
    pub fn macro_f1(&self) -> f64 {
        let f1 = |at: usize| {
            let right = self.confusion[at][at];
            let gold: u32 = self.confusion[at].iter().sum();
            let answered: u32 = self.confusion.iter().map(|row| row[at]).sum();
            2.0 * f64::from(right) / f64::from((gold + answered).max(1))
        };
        (0..3).map(f1).sum::<f64>() / 3.0
    }

    /// The share of correct judgements if only positive and negative are possible.
    #[must_use]
    pub fn two_class_accuracy(&self) -> f64 {
        f64::from(self.two_class.0) / f64::from(self.two_class.1.max(1))
    }
}

/// Measures a table on judged texts.
///
/// # Errors
/// When the table cannot be read.
pub fn measure(table: &str, texts: &[Labelled]) -> Result<Measure, BadModel> {
    let mut model = SentimentModel::parse(table)?;
    let mut measure = Measure::default();
    for labelled in texts {
        model.scores(&labelled.text, &labelled.spans(), |at, [positive, neutral, negative]| {
            let answer = if neutral > positive && neutral > negative {
                Label::Neutral
            } else if positive >= negative {
                Label::Positive
            } else {
                Label::Negative
            };
            measure.add(labelled.targets[at].2, answer, (positive - negative) as f64);
        });
    }
    Ok(measure)
}
