//! The opinion of a sentence about a word in it: a lexicon and rules, and a linear model.

mod feature_names;
mod features;
pub(crate) mod lexicon;
pub(crate) mod model;
pub(crate) mod portable;
pub(crate) mod regression;
pub(crate) mod tokens;
pub mod training;
pub(crate) mod valence;
pub(crate) mod view;
