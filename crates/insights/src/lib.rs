//! What customers say, computed: a pure function from reviews to `insights.json`, the same bytes on
//! every machine and with any number of threads.
//!
//! ```text
//! text ─▶ segment ─▶ sentiment::tokens ─▶ patterns ─▶ reader ─▶ opinion ─▶ summary ─▶ document
//!         sentences  words, places        mentions    model     one vote   counts,
//!                                                     decides   per aspect examples, phrases, trends
//! ```
//!
//! - `sentiment` knows words and sentences: a lexicon, rules, a linear model.
//! - `patterns` is the language of the tables in `data/`; `aspects` are what they are about.
//! - `detector` says which aspects a sentence is about, from its words and the patterns found.
//! - `annotations` let a person or another model overrule what is computed.
//! - [`answers`] are the questions and the summary, with computed numbers.

mod annotations;
mod answers;
mod aspects;
mod config;
mod detector;
mod document;
mod entities;
mod examples;
mod judge;
mod language;
pub mod names;
mod opinion;
mod patterns;
mod phrases;
mod phrasing;
mod reader;
mod reading;
mod segment;
mod sentiment;
mod summary;
mod tally;
mod template;
mod topics;

pub use annotations::{Agreement, Applied, text_hash};
pub use answers::{Answer, Facts, answers};
pub use aspects::BadTable;
pub use config::{
    AnnotatedAspect, Annotation, AspectConfig, AspectRules, Entity, Mode, Polarity, Technician,
};
pub use detector::training as detection;
pub use document::{
    AspectSummary, Basis, Coverage, EntityKind, EntitySummary, Insights, Month, Overall,
    ReviewAspect, ReviewInsight, TopicSummary,
};
pub use examples::Example;
pub use judge::Judge;
pub use opinion::{Opinion, Place, Reading, Sentiment};
pub use patterns::BadPattern;
pub use sentiment::{model::BadModel, training};
pub use summary::{Input, compute, compute_on};
pub use tally::{MIN_OPINIONS, Tally, Trend};
