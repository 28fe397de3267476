//! Computes `insights.json` from reviews: a pure function, which gives the same bytes on every machine and with any
//! number of threads.
//!
//! ```text
//! text ─▶ segment ─▶ sentiment::tokens ─▶ patterns ─▶ aspects ─▶ opinion ─▶ summary ─▶ answers
//!         sentences  words, places        mentions    detector,  one vote   counts,    questions,
//!                                                     reader     per aspect examples   summary
//! ```
//!
//! - `sentiment` analyses words and sentences: a lexicon, rules, a linear model.
//! - `memory` keeps the results of single texts for the caller's next run.
//! - `language` has the words and tables of each language, a folder of `data/`; `detect` finds the language of texts.
//! - `patterns` is the language of the tables in `data/en/`.
//! - `aspects` applies the tables: its `detector` decides which aspects a sentence is about, its
//!   `reader` analyses a review.
//! - `summary` counts the opinions of all reviews; its `annotations` replace or complete computed
//!   results.
//! - [`suggest()`] finds what the owner could list.
//! - [`answers()`] writes the questions with answers and the summary, with computed numbers.
//! - [`training`] has the features of a text, for the tools that train the models.
//! - [`names`] finds technicians, services and areas in texts; `config` has the owner's settings.

mod answers;
mod aspects;
mod config;
mod detect;
mod language;
mod memory;
pub mod names;
mod opinion;
mod patterns;
mod quotes;
mod segment;
mod sentiment;
mod suggest;
mod summary;
mod threads;
pub mod training;

pub use answers::speech::{Speech, counted};
pub use answers::{Answer, Facts, answers, distinct_aspects};
pub use answers::{
    bounded::bounded,
    fault::{TEMPLATE_FUEL, TemplateFault, check_tags},
};
pub use aspects::judge::Judge;
pub use aspects::{BadTable, prepare};
pub use config::{
    AnnotatedAspect, Annotation, AspectConfig, AspectRules, Entity, Mode, Polarity, QUALITY,
    Technician,
};
pub use detect::detect_languages;
pub use language::Language;
pub use memory::{Memory, recall};
pub use opinion::{Opinion, Place, Reading, Sentiment};
pub use patterns::BadPattern;
pub use sentiment::model::BadModel;
pub use suggest::{MIN_AUTHORS, Suggestion, suggest};
pub use summary::annotations::{Applied, Judgement, text_hash};
pub use summary::definitions::{DescribedAspect, described_aspects};
pub use summary::document::{
    Agreement, AspectSummary, Basis, Coverage, EntityKind, EntitySummary, FrequentWord, Insights,
    Month, Overall, ReviewAspect, ReviewInsight, TopicSummary,
};
pub use summary::examples::Example;
pub use summary::tally::{MIN_OPINIONS, PositiveRange, Tally, Trend, complaints_found};
pub use summary::{Input, compute, compute_on};
