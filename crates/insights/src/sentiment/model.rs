//! The linear model: integer weights for positive, neutral and negative, read from `model.tsv`.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{
    feature_names,
    features::{UNIT, extract},
    lexicon::Lexicon,
    valence::Sentence,
    view::View,
};

/// The integer for a margin of 1.
pub(crate) const MARGIN_ONE: i32 = 1_000;
/// The number of steps of the logistic table per logit.
const STEPS: i32 = 64;
/// The range of the logistic table on each side of 0, in logits.
const REACH: i32 = 12;
/// The integer for 1 in the logistic table.
const LOGISTIC_ONE: f64 = 1_048_576.0;

/// The weights of one feature: positive, neutral, negative.
pub(crate) type Weights = [i32; 3];

/// The parsed table.
#[derive(Debug)]
pub(crate) struct Model {
    weights: HashMap<u64, Weights, FxBuildHasher>,
    intercepts: Weights,
    /// The product of one weight unit and one value unit, in 65,536ths of a logit.
    scale: i64,
    logistic: Vec<i64>,
    /// The number added to the neutral score, in 65,536ths of a logit.
    pub(crate) neutral_bias: i64,
}

/// The reason why a table cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line} of the model is not a row")]
pub struct BadModel {
    pub(crate) line: usize,
}

impl Model {
    /// Parses a table, which `data/MODEL_CARD.md` describes: `#` comments, the rows `scale` and `intercepts`, then one
    /// feature per row. Its words are added to the lexicon.
    pub(crate) fn parse(table: &str, lexicon: &mut Lexicon) -> Result<Self, BadModel> {
        let mut model = Self {
            weights: HashMap::default(),
            intercepts: [0; 3],
            scale: 0,
            logistic: logistic_table(),
            neutral_bias: 0,
        };
        for (at, line) in table.lines().enumerate().filter(|(_, line)| !line.starts_with("# ")) {
            model.read_row(line, lexicon).ok_or(BadModel { line: at + 1 })?;
        }
        Ok(model)
    }

    fn read_row(&mut self, line: &str, lexicon: &mut Lexicon) -> Option<()> {
        let mut cells = line.split('\t');
        let name = cells.next()?;
        let mut number = || cells.next()?.parse::<i32>().ok();
        match name {
            "@scale" => self.scale = i64::from(number()?),
            "@intercepts" => self.intercepts = [number()?, number()?, number()?],
            _ => {
                let weights = [number()?, number()?, number()?];
                self.weights.insert(feature_names::feature(name, lexicon)?, weights);
            }
        }
        Some(())
    }

    /// The scores of positive, neutral and negative for the view's target, in 65,536ths of a logit.
    pub(crate) fn scores(
        &self,
        view: &View,
        sentence: &Sentence,
        target: (usize, usize),
    ) -> [i64; 3] {
        let mut sums = [0_i32; 3];
        let mut add = |key: u64, value: i32| {
            if let Some(weights) = self.weights.get(&key) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += weight * value;
                }
            }
        };
        extract(view, sentence, &sentence.words[target.0..target.1], &mut add);
        let mut scores = [0; 3];
        for ((score, sum), intercept) in scores.iter_mut().zip(sums).zip(self.intercepts) {
            *score = i64::from(sum) * self.scale / i64::from(UNIT) + i64::from(intercept);
        }
        scores[1] += self.neutral_bias;
        scores
    }

    /// The probability of positive minus that of negative, -1,000 to 1,000.
    pub(crate) fn margin(&self, scores: [i64; 3]) -> i32 {
        let [positive, neutral, negative] = scores.map(|score| self.logistic(score));
        let total = positive + neutral + negative;
        let scaled = (positive - negative) * i64::from(MARGIN_ONE);
        ((2 * scaled + total).div_euclid(2 * total)) as i32
    }

    fn logistic(&self, score: i64) -> i64 {
        let step = (score * i64::from(STEPS)).div_euclid(65_536) + i64::from(STEPS * REACH);
        self.logistic[step.clamp(0, self.logistic.len() as i64 - 1) as usize]
    }
}

/// The logistic curve. No value is 0.
fn logistic_table() -> Vec<i64> {
    (-STEPS * REACH..=STEPS * REACH)
        .map(|step| {
            let logits = f64::from(step) / f64::from(STEPS);
            // The same bits on every machine, which the exp of the standard library does not promise.
            let value = 1.0 / (1.0 + libm::exp(-logits));
            (value * LOGISTIC_ONE + 0.5) as i64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn the_shipped_model_is_well_formed() {
        let model = Model::parse(
            Language::english().file("model.tsv"),
            &mut Lexicon::new(Language::english()),
        )
        .unwrap();
        assert_eq!(model.weights.len(), 10_000);
        assert!(model.scale > 0);
        assert_eq!(
            Model::parse("x", &mut Lexicon::new(Language::english())).unwrap_err().to_string(),
            "line 1 of the model is not a row"
        );
    }

    #[test]
    fn margins_run_from_one_side_to_the_other() {
        let model = Model::parse(
            Language::english().file("model.tsv"),
            &mut Lexicon::new(Language::english()),
        )
        .unwrap();
        let margin = |scores| model.margin(scores);
        assert_eq!(margin([0, 0, 0]), 0);
        assert_eq!(margin([20 * 65_536, -20 * 65_536, -20 * 65_536]), MARGIN_ONE);
        assert_eq!(margin([-20 * 65_536, -20 * 65_536, 20 * 65_536]), -MARGIN_ONE);
        assert_eq!(margin([65_536, 0, 0]), -margin([0, 0, 65_536]));
    }
}
