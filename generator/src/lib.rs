//! Turns a business's verified reviews into files any web server can publish.
//!
//! ```text
//! content/ ─▶ content ─▶ dataset ─▶ render, site ─▶ publish ─▶ public/ + manifest
//! ```
//!
//! - [`content`] reads hand-written TOML and machine-written reviews, and reports every problem at
//!   once; [`import`] writes the reviews of an export into it.
//! - [`dataset`] applies corrections, resolves names, withholds what nobody verified; the crate
//!   [`insights`] computes what customers say.
//! - [`render`] turns the dataset into documents; it is pure and the same on every machine.
//! - [`site`] is the pages people look at, and what other sites and crawlers take; [`theme`] is what
//!   they are made from: built-in templates and phrases. The module `words` fills the phrases in,
//!   for the pages and for the titles of the feeds.
//! - The module `annotate` has reviews judged by a language model or a person, and checks what they say.
//! - [`publication`] is the list of both; [`document`] is one file of it.
//! - [`publish`] writes what changed, the manifest last, or a release beside the ones before it.
//! - [`journal`] lets the next command complete a change that was cut short.
//! - [`log`] appends to the transparency log what happened to the reviews, and signs it.
//! - [`host`] derives from the manifest what a web server or platform needs to serve it.
//! - [`ahead`] does beside the reading of content what a build needs later.
//! - [`preview`] builds the site for this machine while its content is edited.
//! - [`verify`] looks at a live site from outside.
//! - [`workspace`] lists the sites that an agency keeps together; [`root`] opens files that a stranger may have
//!   written.
//! - [`explain`] says what each code of a problem means.
//! - [`cli`] is the command line: one module per verb.
//!
//! What a publication and its answers look like is the crate [`contract`]'s, which the sidecar
//! stands on too.

pub mod ahead;
mod annotate;
pub mod cache;
pub mod cli;
pub mod content;
pub mod content_schema;
pub mod dataset;
pub mod document;
mod download;
pub mod explain;
pub mod folder_lock;
mod git;
pub mod host;
pub mod import;
pub mod journal;
pub mod log;
pub mod pipeline;
pub mod preview;
pub mod previous;
pub mod progress;
pub mod publication;
pub mod publish;
pub mod render;
pub mod root;
pub mod site;
pub mod theme;
pub mod timings;
pub mod verify;
pub mod watch;
mod words;
pub mod workspace;
