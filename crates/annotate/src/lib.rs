//! Judgements of a language model or a person about the reviews, checked against the texts and stored
//! as annotations.
//!
//! ```text
//! reviews ─▶ prompt ─▶ endpoint ─▶ answer ─▶ store ─▶ content/annotations/MODEL.jsonl
//!            request   HTTP        checked   rows
//!                └───▶ batch: request files and answers of any other tool
//! ```
//!
//! - [`prompt`] says what is asked, and `guide` what counts for each aspect; [`select`] decides about
//!   which reviews.
//! - [`endpoint`] sends a request, `chat` reads the response, and [`run`] sends all of them, within
//!   limits.
//! - [`answer`] checks what a model wrote; `quote` finds its quotes in the text.
//! - [`store`] writes the rows.
//! - [`compare`] counts where judges agree; [`text`] is the file in which a person settles the rest.
//!
//! Only judgements and parts of the reviews are kept: no text of a model is stored or published.

pub mod answer;
pub mod batch;
pub(crate) mod chat;
pub mod compare;
pub mod endpoint;
mod guide;
pub mod prompt;
mod quote;
pub mod run;
pub mod select;
pub mod store;
pub mod text;
