//! The detector, which decides which aspects a sentence is about, and whether it praises or blames. It is a linear
//! model of words, pairs of words and matched patterns, trained on reviews that were written and judged for this
//! project.
//!
//! A pattern gives the opinion of a match. The detector gives the reliability of the match, and
//! finds mentions that no pattern matches.

mod grams;
mod model;

pub(crate) use grams::{Stems, each, hit, name as gram_name};
pub use model::{COLUMNS, LOGIT, letter};
pub(crate) use model::{Detector, Finding, Weighed};
