//! The opinion of a sentence about a word in it: a lexicon and rules, and a linear model.

pub(crate) mod feature_names;
pub(crate) mod features;
pub(crate) mod lexicon;
pub(crate) mod model;
pub(crate) mod tokens;
pub(crate) mod valence;
pub(crate) mod view;
