//! Judgements of a language model about the reviews, checked against the texts and stored as annotations.
//!
//! ```text
//! reviews ─▶ prompt ─▶ endpoint ─▶ answer ─▶ store ─▶ content/annotations/MODEL.jsonl
//!            request   HTTP        checked   rows
//! ```
//!
//! - [`prompt`] says what is asked, and `guide` what counts for each aspect; [`select`] decides about
//!   which reviews.
//! - [`endpoint`] sends a request, `chat` reads the response, and [`run`] sends all of them, within
//!   limits.
//! - [`answer`] checks what a model wrote; `quote` finds its quotes in the text.
//! - [`store`] writes the rows.
//!
//! Only judgements and parts of the reviews are kept: no text of a model is stored or published.

pub mod answer;
pub(crate) mod chat;
pub mod endpoint;
mod guide;
pub mod prompt;
mod quote;
pub mod run;
pub mod select;
pub mod store;
