//! What a sentence says of a word in it: a lexicon and rules, and a linear model on top.

mod feature_names;
mod features;
pub(super) mod lexicon;
pub(super) mod model;
pub(super) mod portable;
pub(super) mod regression;
pub(super) mod tokens;
pub mod training;
pub(super) mod valence;
pub(super) mod view;
