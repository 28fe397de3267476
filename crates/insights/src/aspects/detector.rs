//! Which aspects a sentence speaks of and whether it praises: a linear model over words, pairs of words
//! and the patterns that were found, trained on reviews that were written and judged for this project.
//!
//! Patterns know what they say where they are found; the detector knows how much a find is worth, and
//! hears what no pattern has.

mod grams;
mod model;
pub mod training;

pub(crate) use grams::hit;
pub(crate) use model::{Detector, Finding, TABLE, Weighed};
