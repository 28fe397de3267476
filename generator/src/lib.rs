//! The command line of the generator: [`cli`] has one module per verb.
//!
//! ```text
//! content/ ─▶ content ─▶ generator ─▶ public/ + manifest
//! ```
//!
//! - The crate [`content`] reads hand-written TOML and machine-written reviews, reports every problem at once, and
//!   makes the dataset; [`import`] writes the reviews of an export into the content.
//! - The crate [`insights`] computes what customers say, and [`annotate`] has reviews judged by a language model or a
//!   person.
//! - The crate [`generator`] turns the dataset into documents and pages, and publishes them.
//! - The crate [`verify`] looks at a live site from outside.
//! - [`explain`] explains each code of a problem; [`watch`] waits for changes of the content; [`timings`]
//!   measures how long each stage took.
//!
//! The crate [`contract`] defines the form of a publication and of its responses. The sidecar uses it too.

pub mod cli;
pub mod explain;
pub mod timings;
pub mod watch;
