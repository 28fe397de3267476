//! What customers say, computed: sentences, aspects, sentiment.

mod aspects;
mod opinion;
mod patterns;
mod segment;
mod sentiment;

pub use opinion::{Judge, Opinion, Place, Reading, Sentiment};
pub use sentiment::{model::BadModel, training};
