//! Writes a trained model as a table.

use std::collections::BTreeMap;

use insights::training::{COLUMNS, LOGIT, SentenceReader, letter};

use super::Trained;
use crate::corrections::Corrections;

/// Weights below this are left out, in logits.
const SMALLEST: f64 = 0.1;
/// The number that the largest weight is written as.
const LARGEST: f64 = 127.0;

/// The table of a model with its corrections; `spoken` is the score from which a sentence is about an aspect.
pub(super) fn write(
    trained: &Trained,
    corrections: &Corrections,
    reader: &SentenceReader,
    spoken: f64,
) -> String {
    let corrected = |name: &str, weights: [f64; COLUMNS]| -> [f64; COLUMNS] {
        std::array::from_fn(|column| weights[column] + corrections.get(name, column))
    };
    let trained_rows = trained.rows.iter().map(|(key, weights)| (reader.name(*key), *weights));
    let mut named: BTreeMap<String, [f64; COLUMNS]> =
        corrections.names().map(|name| (name.to_owned(), [0.0; COLUMNS])).collect();
    named.extend(trained_rows);
    named.iter_mut().for_each(|(name, weights)| *weights = corrected(name, *weights));
    let scale = named.values().flatten().map(|weight| weight.abs()).fold(0.0, f64::max) / LARGEST;
    let cell = |column: usize, weight: f64| {
        let rounded = (weight / scale + 0.5).floor() as i32;
        (weight.abs() >= SMALLEST).then(|| format!("{}{rounded}", letter(column)))
    };
    let cells = |weights: &[f64; COLUMNS]| -> String {
        weights.iter().enumerate().filter_map(|(column, weight)| cell(column, *weight)).collect()
    };
    let rows: String = named
        .iter()
        .map(|(name, weights)| (name, cells(weights)))
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(name, cells)| format!("{name}\t{cells}\n"))
        .collect();
    let fixed = |value: f64| (value * LOGIT as f64 + 0.5).floor() as i64;
    let intercepts: String = corrected(Corrections::INTERCEPTS, trained.intercepts)
        .iter()
        .map(|intercept| format!("\t{}", fixed(*intercept)))
        .collect();
    format!(
        "# feature, weights by column: a to j are the built-in aspects in their order, k is praise; see MODEL_CARD.md\n\
         @scale\t{}\n@spoken\t{}\n@star\t{}\n@intercepts{intercepts}\n{rows}",
        fixed(scale),
        fixed(spoken),
        fixed(trained.star).max(1),
    )
}
