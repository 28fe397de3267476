//! Trains the models of the insights on judged texts and measures them. The programs are
//! `train-sentiment`, `train-detector`, `evaluate` and `compare-words`; nothing that is published depends on this
//! crate.
//!
//! - [`sentiment`] trains the sentiment model, [`detector`] the detector of aspects, both by
//!   logistic regression.
//! - [`marked`] reads the training reviews of `training/`.
//! - [`scores`] reads judged reviews, such as those of `gold/`, and compares the insights with
//!   them; [`real`] does so for reviews of real customers.

pub mod detector;
pub mod marked;
mod portable;
pub mod real;
mod regression;
pub mod scores;
pub mod sentiment;
